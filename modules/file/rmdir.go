package file

import (
	"context"
	"fmt"
	"path"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A pruning removes empty directories, and notes which of them, and which it could not.
type pruning struct {
	h       host.Host
	before  time.Time // only what was changed before; zero for all
	deleted []string
	errors  []*value.List
}

// prune removes the directories below one that are empty, the deepest first, and then the directory itself. What is in
// directories that links lead to is left alone; such a link is no directory that could be removed.
func (p *pruning) prune(dir string, recurse bool) bool {
	ok := true
	if recurse {
		ok = p.below(dir)
	}
	tried, removed := p.remove(dir)
	switch {
	case !tried:
		return recurse && ok
	case !removed:
		return false
	}
	return ok
}

func (p *pruning) below(dir string) bool {
	entries, err := p.h.ReadDir(dir)
	if err != nil {
		return true // as os.walk, which passes over it
	}
	ok := true
	for _, i := range entries {
		name := path.Join(dir, i.Path)
		if !i.IsDir() {
			continue
		}
		ok = p.below(name) && ok
		if tried, removed := p.remove(name); tried {
			ok = ok && removed
		}
	}
	return ok
}

// remove removes one directory that is old enough.
func (p *pruning) remove(dir string) (tried, removed bool) {
	i, err := p.h.Stat(dir)
	if err == nil && !p.before.IsZero() && !i.MTime.Before(p.before) {
		return false, false
	}
	if err == nil {
		err = p.rmdir(dir)
	}
	if err != nil {
		p.errors = append(p.errors, value.NewList(value.Str(dir), value.Str(err.Error())))
		return true, false
	}
	p.deleted = append(p.deleted, dir)
	return true, true
}

// rmdir is os.rmdir, with Python's words for what it refuses: what holds something, and a link to a directory.
func (p *pruning) rmdir(dir string) error {
	i, err := p.h.Lstat(dir)
	if err == nil && !i.IsDir() {
		return fmt.Errorf("[Errno 20] Not a directory: '%s'", dir)
	}
	if entries, err := p.h.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("[Errno 39] Directory not empty: '%s'", dir)
	}
	return p.h.Remove(dir)
}

// result is what file.rmdir tells with verbose.
func (p *pruning) result(ok bool) *value.Dict {
	errs := value.NewList()
	for _, e := range p.errors {
		errs.Items = append(errs.Items, e)
	}
	return value.DictOf("deleted", modules.TextList(p.deleted), "errors", errs, "result", value.Bool(ok))
}

// olderThan is the moment that lies so many days back, zero for none.
func olderThan(days value.Value, now time.Time) time.Time {
	if n, ok := days.(value.Int); ok && n != 0 {
		return now.Add(-time.Duration(n) * 24 * time.Hour)
	}
	return time.Time{}
}

func rmdir(_ context.Context, c *modules.Call) (value.Value, error) {
	dir := pathArg(c, "path")
	switch {
	case !path.IsAbs(dir):
		return nil, invalid("File path must be absolute.")
	case !isDir(c.Host, dir):
		return nil, invalid("A valid directory was not specified.")
	}
	p := &pruning{h: c.Host, before: olderThan(c.Arg("older_than"), c.Time())}
	ok := p.prune(dir, c.Bool("recurse"))
	if c.Bool("verbose") {
		return p.result(ok), nil
	}
	return value.Bool(ok), nil
}
