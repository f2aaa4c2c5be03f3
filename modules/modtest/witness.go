package modtest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// A witness is all that a machine is: its files to the last mtime, and the commands that ran on it and may have
// written.
type witness struct{ files, ran []string }

func newWitness(t *testing.T, h host.Host) witness { return witness{tree(t, h, "/", true), wrote(h)} }

// diff is what changed since.
func (w witness) diff(t *testing.T, h host.Host) string {
	return cmp.Diff(w, newWitness(t, h), cmp.AllowUnexported(w))
}

// wrote are the commands of a machine in memory that did not only look.
func wrote(h host.Host) (out []string) {
	m, ok := h.(*hosttest.Memory)
	if !ok {
		return nil
	}
	for _, c := range m.Ran {
		if !c.Reads {
			out = append(out, strings.Join(c.Args, " "))
		}
	}
	return out
}

// tree is all of the tree below a directory of the machine, as the reader sees it: with times when it is the real one.
func tree(t *testing.T, h host.Reader, dir string, times bool) []string {
	t.Helper()
	infos, err := h.ReadDir(dir)
	if err != nil && !host.IsUnknown(err) {
		t.Fatal(err)
	}
	var out []string
	for _, i := range infos {
		name := path.Join(dir, i.Path)
		line := fmt.Sprintf("%s %v %d:%d", name, i.Mode, i.UID, i.GID)
		switch {
		case i.IsRegular():
			raw, err := h.ReadFile(name)
			if err != nil {
				raw = []byte(err.Error())
			}
			line += fmt.Sprintf(" %q", raw)
		case i.IsSymlink():
			target, _ := h.Readlink(name)
			line += " -> " + target
		}
		if times {
			line += fmt.Sprintf(" %d %d", i.MTime.UnixNano(), i.Inode)
		}
		out = append(out, line)
		if i.IsDir() {
			out = append(out, tree(t, h, name, times)...)
		}
	}
	slices.Sort(out)
	return out
}
