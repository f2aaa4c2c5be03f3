// Command bench measures gostate as whole processes beside yardsticks: CPU time (user and system) and peak memory of
// each, medians of several runs in turn, and the ratios, which hold when the machine's speed drifts.
//
//	go run ./testdata/bench bin/gostate [start-up|templates|files|auto|mixed|scale|mixed-host]
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: bench GOSTATE [start-up|templates|files|auto|mixed|scale|mixed-host]")
		os.Exit(64)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// run measures what is named, or everything.
func run(bin string, only []string) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "gostate-bench.")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{bin: bin, dir: dir}
	if err := mkdirs(dir+"/salt", dir+"/pillar"); err != nil {
		return err
	}
	for _, y := range []string{"hello", "hashloop", "jinjaloop"} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, y),
			"./testdata/bench/"+y).CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", y, err, out)
		}
	}
	steps := []struct {
		name    string
		measure func() error
	}{{"start-up", b.startUp}, {"templates", b.templates}, {"files", b.managedFiles}, {"auto", b.autoRequire}, {"mixed", b.mixed},
		{"scale", b.scale},
		{"mixed-host", b.mixedHost}}
	known := false
	for _, s := range steps {
		if len(only) > 0 && only[0] != s.name || len(only) == 0 && s.name == "mixed-host" {
			continue
		}
		known = true
		if err := s.measure(); err != nil {
			return err
		}
	}
	if !known {
		return fmt.Errorf("nothing is called %q", only[0])
	}
	return nil
}

type bench struct{ bin, dir string }

// A figure is what one kind of process took: medians.
type figure struct {
	cpu, wall time.Duration
	rssMiB    float64
}

// measure runs the commands in turn, a warm-up and n counted runs each, and gives the medians. ok lists the exit codes
// that are right.
func measure(n int, cmds ...[]string) ([]figure, error) {
	runs := make([][]figure, len(cmds))
	for i := range n + 1 {
		for k, c := range cmds {
			f, err := once(c)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				runs[k] = append(runs[k], f)
			}
		}
	}
	out := make([]figure, len(cmds))
	for k, rs := range runs {
		out[k] = figure{
			cpu:    median(rs, func(f figure) time.Duration { return f.cpu }),
			wall:   median(rs, func(f figure) time.Duration { return f.wall }),
			rssMiB: median(rs, func(f figure) float64 { return f.rssMiB }),
		}
	}
	return out, nil
}

func median[T time.Duration | float64](fs []figure, of func(figure) T) T {
	var v []T
	for _, f := range fs {
		v = append(v, of(f))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

func once(words []string) (figure, error) {
	c := exec.Command(words[0], words[1:]...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	start := time.Now()
	if err := c.Run(); err != nil {
		return figure{}, fmt.Errorf("%s: %w\n%s", strings.Join(words, " "), err, stderr.String())
	}
	u := c.ProcessState.SysUsage().(*syscall.Rusage)
	cpu := time.Duration(u.Utime.Nano() + u.Stime.Nano())
	return figure{cpu: cpu, wall: time.Since(start), rssMiB: float64(u.Maxrss) / 1024}, nil
}

func show(title string, fs []figure, names ...string) {
	fmt.Println(title)
	for i, f := range fs {
		fmt.Printf("  %-34s cpu %8.1f ms  wall %8.1f ms  peak %6.1f MiB", names[i], ms(f.cpu), ms(f.wall), f.rssMiB)
		if i > 0 {
			fmt.Printf("  cpu %5.2fx", float64(f.cpu)/float64(fs[0].cpu))
		}
		fmt.Println()
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (b *bench) gostate(words ...string) []string {
	return append([]string{b.bin, "--config-dir", b.dir, "--state-dir", b.dir + "/state", "--file-root", b.dir + "/salt",
		"--pillar-root", b.dir + "/pillar", "--id", "bench"}, words...)
}

func (b *bench) startUp() error {
	fs, err := measure(21, []string{b.dir + "/hello"}, []string{b.bin, "version"},
		b.gostate("single", "test.nop", "--out", "quiet"))
	if err != nil {
		return err
	}
	show("start-up (goal: within 3x of hello)", fs, "hello", "gostate version", "gostate single test.nop")
	return nil
}

func (b *bench) managedFiles() error {
	src, dst := b.dir+"/salt/files", b.dir+"/dst"
	if err := mkdirs(src, dst); err != nil {
		return err
	}
	var sls strings.Builder
	for i := range 1000 {
		name := fmt.Sprintf("f%04d", i)
		text := strings.Repeat(fmt.Sprintf("line of %s\n", name), 50+i%50)
		if err := os.WriteFile(src+"/"+name, []byte(text), 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sls, "%s/%s:\n  file.managed:\n    - source: salt://files/%s\n    - mode: '0644'\n", dst, name, name)
	}
	if err := os.WriteFile(b.dir+"/salt/managed.sls", []byte(sls.String()), 0o644); err != nil {
		return err
	}
	if _, err := once(b.gostate("sls", "managed", "--out", "quiet")); err != nil {
		return err
	}
	none := b.dir + "/none"
	if err := errors.Join(mkdirs(none), os.WriteFile(none+"/minion", []byte("report_keep: 0\n"), 0o644)); err != nil {
		return err
	}
	fs, err := measure(11, []string{b.dir + "/hashloop", src, dst}, b.gostate("sls", "managed", "--out", "quiet"),
		b.gostate("sls", "managed", "--state-output", "changes"),
		b.gostate("sls", "managed", "--out", "quiet", "--config-dir", none))
	if err != nil {
		return err
	}
	show("no-op run, 1,000 file.managed (goal: within 4x of the loop, under 40 MiB)", fs, "read and hash in a loop",
		"gostate --out quiet", "gostate", "gostate --out quiet, no report (goal: the report costs 5 %)")
	if err := errors.Join(os.RemoveAll(dst), mkdirs(dst)); err != nil {
		return err
	}
	if fs, err = measure(11, b.gostate("sls", "managed", "--test", "--out", "quiet")); err != nil {
		return err
	}
	show("preview, 1,000 new file.managed (goal: under 60 ms of CPU)", fs, "gostate --test --out quiet")
	return nil
}

// scale runs trees of growing size; linear means that ten times the states cost about ten times the time.
func (b *bench) scale() error {
	shapes := []struct {
		name string
		line func(w *strings.Builder, i, n int)
	}{
		{"independent", func(w *strings.Builder, i, _ int) { fmt.Fprintf(w, "s%d:\n  test.nop: []\n", i) }},
		{"backward chain", func(w *strings.Builder, i, _ int) { link(w, i, i-1, i > 0) }},
		{"forward chain", func(w *strings.Builder, i, n int) { link(w, i, i+1, i < n-1) }},
		{"one required by all", func(w *strings.Builder, i, _ int) { link(w, i, 0, i > 0) }},
	}
	for _, s := range shapes {
		var figures []figure
		var names []string
		for _, n := range []int{5000, 10000, 20000, 100000} {
			var sls strings.Builder
			for i := range n {
				s.line(&sls, i, n)
			}
			if err := os.WriteFile(b.dir+"/salt/big.sls", []byte(sls.String()), 0o644); err != nil {
				return err
			}
			for _, how := range [][]string{{"show", "lowstate", "big", "--out", "quiet"}, {"sls", "big", "--out", "quiet"}} {
				fs, err := measure(3, b.gostate(how...))
				if err != nil {
					return err
				}
				figures, names = append(figures, fs[0]), append(names, fmt.Sprintf("%d, %s", n, how[0]))
			}
		}
		show(s.name, figures, names...)
	}
	return nil
}

func link(w *strings.Builder, i, to int, has bool) {
	fmt.Fprintf(w, "s%d:\n  test.nop:\n", i)
	if has {
		fmt.Fprintf(w, "    - require:\n      - test: s%d\n", to)
	} else {
		w.WriteString("    - comment: the end\n")
	}
}

func mkdirs(dirs ...string) error {
	for _, d := range dirs {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	return nil
}
