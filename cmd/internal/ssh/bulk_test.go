package ssh

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gostate/gostate/sls/roots"
)

// What several states need comes in one answer: files, what is in directories, and that a file is not there. A large
// one waits until it is asked for.
func TestBulk(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"f": 3, "d/a": 1, "d/sub/b": 0, "big": maxEarly + 1, "other": 1} {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, bytes.Repeat([]byte("x"), size),
			0o640)); err != nil {
			t.Fatal(err)
		}
	}
	var wire bytes.Buffer
	src := &Source{roots: roots.New([]roots.EnvDirs{{Env: "base", Dirs: []string{dir}}}), sums: map[string]string{}}
	here := &talk{job: &Job{Source: src}, s: &stream{to: newSender(&wire)}, served: map[[2]string]bool{}}
	far := &tree{dir: t.TempDir()}
	if err := far.begin(&begin{Envs: []string{"base"}}, nil); err != nil {
		t.Fatal(err)
	}
	asked := 0
	far.ask = func(a ask) (toNode, error) {
		asked++
		if err := here.bulk(&a); err != nil {
			t.Fatal(err)
		}
		r := bufio.NewReader(&wire)
		for {
			var m toNode
			if err := receive(r, &m); err != nil || m.Through {
				return m, err
			}
			if !m.Early || far.keep(m.File, r) != nil {
				t.Errorf("message %+v", m)
			}
		}
	}
	for range 2 { // the second time nothing is missing but the large one
		if err := far.Files("base", []string{"f", "d", "big", "gone"}); err != nil {
			t.Fatal(err)
		}
	}
	var have []string
	for _, p := range []string{"f", "d", "d/a", "d/sub/b", "big", "gone", "other"} {
		if far.has("base", p) {
			have = append(have, p)
		}
	}
	if !slices.Equal(have, []string{"f", "d", "d/a", "d/sub/b", "gone"}) || asked != 2 {
		t.Errorf("%q are there after %d questions", have, asked)
	}
	text, err := os.ReadFile(filepath.Join(far.dir, "roots", "base", "f"))
	if err != nil || string(text) != "xxx" {
		t.Errorf("f is %q: %v", text, err)
	}
	if err := far.Files("base", []string{"f", "d"}); err != nil || asked != 2 {
		t.Errorf("asked for what is there: %v", err)
	}
}
