package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// autoRequire measures a no-op run of 10,000 files, in directories that are states, with and without automatic
// relationships.
func (b *bench) autoRequire() error {
	dst, with := b.dir+"/auto", b.dir+"/with"
	if err := mkdirs(dst, with, b.dir+"/salt"); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(with, "minion"), []byte("auto_require: true\n"), 0o644); err != nil {
		return err
	}
	var sls strings.Builder
	for i := range 100 {
		dir := fmt.Sprintf("%s/d%d/app/releases/d%02d", dst, i/10, i)
		fmt.Fprintf(&sls, "%s:\n  file.directory:\n    - makedirs: true\n", dir)
		for k := range 100 {
			fmt.Fprintf(&sls, "%s/f%02d:\n  file.managed:\n    - contents: file %d of %d\n    - mode: '0644'\n", dir, k, k, i)
		}
	}
	if err := os.WriteFile(b.dir+"/salt/auto.sls", []byte(sls.String()), 0o644); err != nil {
		return err
	}
	run := b.gostate("sls", "auto", "--out", "quiet")
	auto := append(append([]string{}, run...), "--config-dir", with)
	if _, err := once(run); err != nil {
		return err
	}
	fs, err := measure(11, run, auto)
	if err != nil {
		return err
	}
	show("no-op run, 10,000 file.managed in 100 directories (goal: auto_require costs at most 10 %)", fs, "gostate",
		"gostate, auto_require: true")
	return nil
}
