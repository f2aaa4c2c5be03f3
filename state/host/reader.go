package host

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"time"
)

// ErrLooks is what a write gives on a host that only looks: a fault of the program.
var ErrLooks = errors.New("what only looks may not change the machine")

// A looking host refuses whatever may change the machine.
type looking struct{ Reader }

// Looking is a host for what only looks: every write is an ErrLooks.
func Looking(r Reader) Host {
	if l, ok := r.(looking); ok {
		return l
	}
	return looking{r}
}

// Identity is that of the machine.
func (l looking) Identity() Identity { return IdentityOf(l.Reader) }

func (looking) WriteFile(string, io.Reader, Attr) error               { return ErrLooks }
func (looking) Mkdir(string, Attr) error                              { return ErrLooks }
func (looking) Symlink(string, string) error                          { return ErrLooks }
func (looking) Link(string, string) error                             { return ErrLooks }
func (looking) Rename(string, string) error                           { return ErrLooks }
func (looking) Remove(string) error                                   { return ErrLooks }
func (looking) RemoveAll(string) error                                { return ErrLooks }
func (looking) Chmod(string, uint32) error                            { return ErrLooks }
func (looking) Chown(string, int, int) error                          { return ErrLooks }
func (looking) Chtimes(string, time.Time, time.Time) error            { return ErrLooks }
func (looking) SetXattr(string, string, []byte) error                 { return ErrLooks }
func (looking) RemoveXattr(string, string) error                      { return ErrLooks }
func (looking) Mknod(string, fs.FileMode, uint32, uint32, Attr) error { return ErrLooks }
func (looking) Do(context.Context, Deed) error                        { return ErrLooks }
func (looking) Run(context.Context, Cmd) (*Output, error)             { return nil, ErrLooks }
func (looking) Promise(...Fact)                                       {}
func (looking) Invalidate(string)                                     {}
