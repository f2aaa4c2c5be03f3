package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// A masked host makes what it is given no mode for as another mask of modes says, and so do its commands.
type masked struct {
	Host
	mask uint32
}

// Masked is the host with another mask of modes.
func Masked(h Host, mask uint32) Host { return masked{h, mask} }

// Identity is that of the host, but for the mask.
func (m masked) Identity() Identity {
	id := IdentityOf(m.Host)
	id.Umask = m.mask
	return id
}

// free says whether a path has nothing whose mode would be kept.
func (m masked) free(path string) bool {
	i, err := m.Lstat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !i.IsRegular()
}

// attr is an Attr with the mode of something new.
func (m masked) attr(a Attr, most uint32) Attr {
	if !a.HasMode {
		a.Mode, a.HasMode = most&^m.mask, true
	}
	return a
}

func (m masked) WriteFile(path string, content io.Reader, a Attr) error {
	if m.free(path) {
		a = m.attr(a, 0o666)
	}
	return m.Host.WriteFile(path, content, a)
}

func (m masked) Mkdir(path string, a Attr) error { return m.Host.Mkdir(path, m.attr(a, 0o777)) }

func (m masked) Mknod(path string, mode fs.FileMode, major, minor uint32, a Attr) error {
	return m.Host.Mknod(path, mode, major, minor, m.attr(a, 0o666))
}

func (m masked) cmd(c Cmd) Cmd {
	if c.Umask == "" {
		c.Umask = fmt.Sprintf("%04o", m.mask)
	}
	return c
}

func (m masked) Run(ctx context.Context, c Cmd) (*Output, error) { return m.Host.Run(ctx, m.cmd(c)) }

func (m masked) Query(ctx context.Context, c Cmd) (*Output, error) {
	return m.Host.Query(ctx, m.cmd(c))
}

func (m masked) Do(ctx context.Context, d Deed) error {
	if foretell := d.Foretell; foretell != nil {
		d.Foretell = func(o Host) error { return foretell(masked{o, m.mask}) }
	}
	return m.Host.Do(ctx, d)
}
