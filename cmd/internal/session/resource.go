package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/gostate/gostate/cmd/internal/resource"
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Resources says what is on the machine. files is the directory for copies of files that an SLS does not hold, "" for
// none.
func (s *Session) Resources(ctx context.Context, r resource.Request, files string) (*resource.Answer, error) {
	if !s.keys.Empty() {
		_ = s.LoadPillar(ctx) // what it holds may be on the machine; what is wrong with it is for others to tell
	}
	r.Secrets, r.Hides = s.opts.ShowSecrets, s.holdsSecret
	if files != "" {
		c, err := s.copies(files)
		if err != nil {
			return nil, err
		}
		r.Copy = c.keep
	}
	return resource.Tell(ctx, s.registry.Describers(), s.env(s.machine), s.machine, r)
}

// holdsSecret says whether a state would show what is hidden: then it cannot be shown as it is.
func (s *Session) holdsSecret(t *modules.Thing) bool {
	store := s.process.shown()
	if store == nil {
		return false
	}
	module, function, _ := strings.Cut(t.Func, ".")
	spec, _ := s.registry.Lookup(module, function)
	modules.MarkWithin(s.secrets, value.NewList(value.Str(t.ID), value.Str(t.Name)))
	for k, v := range t.Args.All() {
		if spec != nil {
			spec.MarkArg(s.secrets, fmt.Sprint(k), v)
		}
	}
	return store.Holds(t.ID) || store.Holds(t.Name) || !value.Equal(store.Value(t.Args), t.Args)
}

// copies are the files of the machine that are kept in a directory, for the sources of states.
type copies struct {
	machine host.Host
	to      *host.OS
	dir     string // for messages
	prefix  string // the salt:// path of the directory
}

// copies opens the directory. Where it lies below one of the file roots, sources are named from there; else the
// directory is to be a root itself.
func (s *Session) copies(dir string) (*copies, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	to, err := host.NewOS("/")
	if err != nil {
		return nil, err
	}
	c := &copies{machine: s.machine, to: to, dir: full, prefix: "salt://"}
	dirs, err := s.config.Roots("file_roots", s.opts.FileRoots)
	if err != nil {
		return nil, err
	}
	for _, root := range dirs {
		for _, d := range root.Dirs {
			rel, err := filepath.Rel(d, full)
			if err == nil && root.Env == s.saltenv && rel != "." && !strings.HasPrefix(rel, "..") {
				c.prefix = "salt://" + filepath.ToSlash(rel) + "/"
			}
		}
	}
	return c, modules.MakeDirs(to, full, host.Attr{Mode: 0o700, HasMode: true, UID: -1, GID: -1})
}

// keep copies one file, for its owner's eyes only, and gives the source. A copy that is there and says something else
// is somebody's work.
func (c *copies) keep(name string) (source string, err error) {
	to := path.Join(c.dir, name)
	source = c.prefix + strings.TrimPrefix(name, "/")
	if _, err := c.to.Lstat(to); err == nil {
		return source, c.compare(name, to)
	}
	from, err := c.machine.Open(name)
	if err != nil {
		return "", err
	}
	defer from.Close()
	if err := modules.MakeDirs(c.to, path.Dir(to), host.Attr{Mode: 0o700, HasMode: true, UID: -1, GID: -1}); err != nil {
		return "", err
	}
	return source, c.to.WriteFile(to, from, host.Attr{Mode: 0o600, HasMode: true, UID: -1, GID: -1})
}

// compare is the error for a copy that differs.
func (c *copies) compare(name, to string) error {
	a, err := c.machine.Open(name)
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := c.to.Open(to)
	if err != nil {
		return err
	}
	defer b.Close()
	if same, err := equal(a, b); err != nil || !same {
		return fmt.Errorf("keep a copy of %s: %s is there and differs (%v); choose another directory", name, to, err)
	}
	return nil
}

func equal(a, b io.Reader) (bool, error) {
	x, y := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(a, x)
		m, other := io.ReadFull(b, y)
		if string(x[:n]) != string(y[:m]) {
			return false, nil
		}
		if err != nil || other != nil {
			return true, errors.Join(ended(err), ended(other))
		}
	}
}

func ended(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}
