//go:build linux

package view

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path/filepath"
	"slices"
	"time"

	"github.com/gostate/gostate/state/host"
)

// A rehearsal is the machine as the plan of a rehearsal has it: files and commands are the view's, what is no file of
// the view (services, mounts, modules, settings of the kernel) is foretold as in a preview and remembered.
type rehearsal struct {
	host.Host               // the view
	in        *Inside       //
	told      *host.Overlay // what was foretold: facts, and what /proc and /sys would hold
}

var _ host.Host = (*rehearsal)(nil)

// Host is the machine of a rehearsal on the view that this process is in.
func (in *Inside) Host(view host.Host) host.Host {
	return &rehearsal{Host: view, in: in, told: host.Forecast(view)}
}

// Identity is who runs the rehearsal.
func (r *rehearsal) Identity() host.Identity { return host.IdentityOf(r.Host) }

// foretold are the kinds of deeds that a view cannot hold.
var foretold = [...]host.Kind{host.FactUnit, host.FactService, host.FactMount, host.FactModule, host.Kernel}

// Do does the deed in the view, or foretells it.
func (r *rehearsal) Do(ctx context.Context, d host.Deed) error {
	if !slices.Contains(foretold[:], d.On) {
		return d.Do(ctx)
	}
	if d.Foretell == nil {
		return fmt.Errorf("%s: %w", d.What, errOutside)
	}
	r.in.note(d.What)
	return d.Foretell(r)
}

// kernels says whether a path is the kernel's, which is read-only here.
func kernels(p string) bool { return below(p, "/proc") || below(p, "/sys") }

// at is where a path is kept.
func (r *rehearsal) at(p string) host.Host {
	if kernels(p) {
		return r.told
	}
	return r.Host
}

// write is where a path is written; what is the kernel's is noted.
func (r *rehearsal) write(p string) host.Host {
	if kernels(p) {
		r.in.note("write " + p)
	}
	return r.at(p)
}

// Lstat says that systemd runs here if it does on the machine, though packages' scripts are not to find it.
func (r *rehearsal) Lstat(p string) (host.Info, error) {
	if p == booted && r.in.stage.Booted {
		p = filepath.Dir(booted)
	}
	return r.at(p).Lstat(p)
}

func (r *rehearsal) Stat(p string) (host.Info, error)           { return r.at(p).Stat(p) }
func (r *rehearsal) ReadFile(p string) ([]byte, error)          { return r.at(p).ReadFile(p) }
func (r *rehearsal) Open(p string) (io.ReadCloser, error)       { return r.at(p).Open(p) }
func (r *rehearsal) ReadDir(p string) ([]host.Info, error)      { return r.at(p).ReadDir(p) }
func (r *rehearsal) Readlink(p string) (string, error)          { return r.at(p).Readlink(p) }
func (r *rehearsal) Follow(p string) (string, error)            { return r.at(p).Follow(p) }
func (r *rehearsal) Xattrs(p string) (map[string][]byte, error) { return r.at(p).Xattrs(p) }

func (r *rehearsal) WriteFile(p string, content io.Reader, a host.Attr) error {
	return r.write(p).WriteFile(p, content, a)
}
func (r *rehearsal) Mkdir(p string, a host.Attr) error       { return r.write(p).Mkdir(p, a) }
func (r *rehearsal) Symlink(target, p string) error          { return r.write(p).Symlink(target, p) }
func (r *rehearsal) Link(from, to string) error              { return r.write(to).Link(from, to) }
func (r *rehearsal) Rename(from, to string) error            { return r.write(to).Rename(from, to) }
func (r *rehearsal) Remove(p string) error                   { return r.write(p).Remove(p) }
func (r *rehearsal) RemoveAll(p string) error                { return r.write(p).RemoveAll(p) }
func (r *rehearsal) Chmod(p string, perm uint32) error       { return r.write(p).Chmod(p, perm) }
func (r *rehearsal) Chown(p string, uid, gid int) error      { return r.write(p).Chown(p, uid, gid) }
func (r *rehearsal) Chtimes(p string, a, m time.Time) error  { return r.write(p).Chtimes(p, a, m) }
func (r *rehearsal) SetXattr(p, name string, v []byte) error { return r.write(p).SetXattr(p, name, v) }
func (r *rehearsal) RemoveXattr(p, name string) error        { return r.write(p).RemoveXattr(p, name) }
func (r *rehearsal) Mknod(p string, mode fs.FileMode, major, minor uint32, a host.Attr) error {
	return r.write(p).Mknod(p, mode, major, minor, a)
}

// Fact is what was promised in this rehearsal.
func (r *rehearsal) Fact(kind host.Kind, name string) (host.Fact, bool) {
	return r.told.Fact(kind, name)
}

// Promise notes facts. What is in the view is known, and no promise makes it unknown.
func (r *rehearsal) Promise(facts ...host.Fact) {
	for _, f := range facts {
		if f.Kind != host.FactPath {
			r.told.Promise(f)
		}
	}
}

// Query runs a command in the view.
func (r *rehearsal) Query(ctx context.Context, c host.Cmd) (*host.Output, error) {
	return r.in.run(ctx, c)
}

// Start starts a command in the view that runs on beside others.
func (r *rehearsal) Start(ctx context.Context, c host.Cmd) (host.Child, error) {
	return r.in.client.begin(ctx, c)
}

// Run runs a command in the view. What package managers fetch, they fetch with the network before.
func (r *rehearsal) Run(ctx context.Context, c host.Cmd) (*host.Output, error) {
	if out, done, err := r.in.fetch(ctx, r.Host, c); done {
		return out, err
	}
	out, err := r.in.run(ctx, c)
	r.Host.Invalidate("")
	return out, err
}

// Dial connects to the service manager, of which only questions are let through.
func (r *rehearsal) Dial(_ context.Context, network, address string) (net.Conn, error) {
	fd, ok := r.in.stage.Sockets[address]
	if network != "unix" || !ok {
		return nil, &net.OpError{Op: "dial", Net: network, Err: errOutside}
	}
	c, err := net.Dial("unix", fmt.Sprintf("/proc/self/fd/%d", fd))
	if err != nil {
		return nil, err
	}
	return questionsOnly(c), nil
}
