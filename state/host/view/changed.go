//go:build linux

package view

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
)

// A Change is what became of one file in a rehearsal.
type Change struct {
	Path string
	// How is "added", "changed" or "removed".
	How string
	// What changed of it: "content", "mode", "owner", "type", "target".
	What []string
	Dir  bool
}

// Changed are the files that differ from the machine's, sorted by path; what is in a removed directory is not listed.
// leave says what is left out.
func (in *Inside) Changed(leave func(path string) bool) []Change {
	var out []Change
	add := func(c Change) {
		if seed, ok := in.seeds[c.Path]; (!ok || seed != print(c.Path)) && !kernels(c.Path) && !leave(c.Path) {
			out = append(out, c)
		}
	}
	for _, l := range in.stage.Layers {
		l.walk("", add)
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// upper, lower and merged are the paths of a file in the layers.
func (l *layer) upper(p string) string  { return fmt.Sprintf("/proc/self/fd/%d%s", l.Upper, p) }
func (l *layer) lower(p string) string  { return fmt.Sprintf("/proc/self/fd/%d%s", l.Lower, p) }
func (l *layer) merged(p string) string { return path.Join(l.Point, p) }

// walk looks at a directory of which there is something in the upper layer.
func (l *layer) walk(dir string, add func(Change)) {
	was, _ := names(l.lower(dir + "/"))
	now, _ := names(l.merged(dir))
	touched, _ := names(l.upper(dir + "/"))
	for name := range was {
		if !now[name] {
			add(Change{Path: path.Join(l.merged(dir), name), How: "removed"})
		}
	}
	for name := range now {
		p := dir + "/" + name
		switch {
		case !was[name]:
			l.added(p, add)
		case touched[name]:
			l.compare(p, add)
		}
	}
}

func names(dir string) (map[string]bool, error) {
	entries, err := os.ReadDir(dir)
	out := make(map[string]bool, len(entries))
	for _, e := range entries {
		out[e.Name()] = true
	}
	return out, err
}

// added lists what is new, with all that is in it.
func (l *layer) added(p string, add func(Change)) {
	info, err := os.Lstat(l.merged(p))
	if err != nil {
		return
	}
	add(Change{Path: l.merged(p), How: "added", Dir: info.IsDir()})
	if info.IsDir() {
		below, _ := names(l.merged(p))
		for name := range below {
			l.added(p+"/"+name, add)
		}
	}
}

// compare looks at what is in both layers.
func (l *layer) compare(p string, add func(Change)) {
	was, err := os.Lstat(l.lower(p))
	now, fault := os.Lstat(l.upper(p))
	if err != nil || fault != nil {
		return
	}
	if what := differs(was, now, l.lower(p), l.upper(p)); len(what) > 0 {
		add(Change{Path: l.merged(p), How: "changed", What: what, Dir: now.IsDir()})
	}
	switch {
	case now.IsDir() && was.IsDir():
		l.walk(p, add)
	case now.IsDir():
		below, _ := names(l.merged(p))
		for name := range below {
			l.added(p+"/"+name, add)
		}
	}
}

func differs(was, now os.FileInfo, old, fresh string) []string {
	if was.Mode().Type() != now.Mode().Type() {
		return []string{"type"}
	}
	var what []string
	switch {
	case now.Mode().IsRegular():
		if was.Size() != now.Size() || !sameContent(old, fresh) {
			what = append(what, "content")
		}
	case now.Mode()&os.ModeSymlink != 0:
		a, _ := os.Readlink(old)
		b, _ := os.Readlink(fresh)
		if a != b {
			what = append(what, "target")
		}
	}
	if was.Mode() != now.Mode() {
		what = append(what, "mode")
	}
	a, b := was.Sys().(*syscall.Stat_t), now.Sys().(*syscall.Stat_t)
	if a.Uid != b.Uid || a.Gid != b.Gid {
		what = append(what, "owner")
	}
	return what
}

func sameContent(a, b string) bool {
	f, err := os.Open(a)
	if err != nil {
		return false
	}
	defer f.Close()
	g, err := os.Open(b)
	if err != nil {
		return false
	}
	defer g.Close()
	p, q := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(f, p)
		m, fault := io.ReadFull(g, q)
		if !bytes.Equal(p[:n], q[:m]) {
			return false
		}
		if err != nil || fault != nil {
			return err != nil && fault != nil
		}
	}
}

// print tells one state of a file from another.
func print(p string) string {
	info, err := os.Lstat(p)
	if err != nil {
		return ""
	}
	raw, _ := os.ReadFile(p)
	return info.Mode().String() + string(raw)
}
