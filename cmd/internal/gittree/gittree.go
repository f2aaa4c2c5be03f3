// Package gittree tells which commit a directory is checked out at, from the files of its repository: it runs no git,
// and what it cannot read it does not tell.
package gittree

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/gostate/gostate/state/host"
)

const maxFile = 64 << 20 // of an index, the largest file that is read

// A Tree is a directory under git.
type Tree struct {
	// Top is the directory that holds .git, Commit what HEAD is at.
	Top, Commit string
	git, common string
}

// Of is the tree that a directory is in, nil where it is in none.
func Of(dir string) *Tree {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil
	}
	for top := dir; ; top = filepath.Dir(top) {
		if info, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return open(top, info.IsDir())
		}
		if top == filepath.Dir(top) {
			return nil
		}
	}
}

func open(top string, isDir bool) *Tree {
	t := &Tree{Top: top, git: filepath.Join(top, ".git")}
	if !isDir { // of a worktree or a submodule
		to, ok := strings.CutPrefix(read(t.git), "gitdir: ")
		if !ok {
			return nil
		}
		if t.git = to; !filepath.IsAbs(to) {
			t.git = filepath.Join(top, to)
		}
	}
	if t.common = read(filepath.Join(t.git, "commondir")); t.common == "" {
		t.common = t.git
	} else if !filepath.IsAbs(t.common) {
		t.common = filepath.Join(t.git, t.common)
	}
	if t.Commit = t.head(); t.Commit == "" {
		return nil
	}
	return t
}

// read is a file's text without the end of its line, "" where there is none.
func read(path string) string {
	text, _ := host.ReadRegular(path, maxFile)
	return strings.TrimSpace(string(text))
}

// head is the commit that HEAD is at, "" where it is at none.
func (t *Tree) head() string {
	at := read(filepath.Join(t.git, "HEAD"))
	for range 5 { // references may refer to references
		ref, ok := strings.CutPrefix(at, "ref: ")
		if !ok {
			break
		}
		if !filepath.IsLocal(ref) {
			return ""
		}
		if at = read(filepath.Join(t.git, ref)); at == "" {
			at = read(filepath.Join(t.common, ref))
		}
		if at == "" {
			at = t.packed(ref)
		}
	}
	if !isHash(at) {
		return ""
	}
	return at
}

// packed finds a reference in the file that holds many.
func (t *Tree) packed(ref string) string {
	text, _ := host.ReadRegular(filepath.Join(t.common, "packed-refs"), maxFile)
	for line := range bytes.Lines(text) {
		if hash, name, ok := strings.Cut(strings.TrimSpace(string(line)), " "); ok && name == ref {
			return hash
		}
	}
	return ""
}

func isHash(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}
