package all

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// TestWhatWritesSaysSo calls every execution function with arguments that may do something, on a machine that refuses
// to change and notes that it was asked: what asks for a change is declared to. Most of what is declared to write has
// to be seen asking, or the arguments are no good.
func TestWhatWritesSaysSo(t *testing.T) {
	seen, declared := 0, 0
	for _, f := range Families() {
		for _, e := range f.Execs {
			asked := slices.ContainsFunc(samples(), func(v value.Value) bool { return asksToWrite(t, e, v) })
			switch {
			case e.Class == modules.Looks && asked:
				t.Errorf("%s asks for a change, and is declared to look", e.Name)
			case e.Class == modules.Writes && asked:
				seen++
				declared++
			case e.Class == modules.Writes && !slices.Contains(servers(), f.Name):
				declared++
			}
		}
	}
	if seen*10 < declared*6 {
		t.Errorf("%d of %d functions that write were seen to", seen, declared)
	}
}

// servers are the families that ask a server of the network first: their own tests have one.
func servers() []string { return []string{"postgres", "mysql"} }

// samples are what every argument of a call is: a file, a directory, a path that is free, an account, a number.
func samples() []value.Value {
	return []value.Value{value.Str("/d/f"), value.Str("/d"), value.Str("/d/new"), value.Str("web"), value.Int(7),
		value.Str("bin")}
}

// asksToWrite says whether a function asks for a change when every argument that it needs is this one.
func asksToWrite(t *testing.T, e modules.ExecSpec, arg value.Value) bool {
	t.Helper()
	asked, _ := call(t, e, arg, value.NewDict(0))
	return asked
}

// call calls a function with keywords, every other argument that it needs being arg, and says whether it asked for a
// change.
func call(t *testing.T, e modules.ExecSpec, arg value.Value, kwargs *value.Dict) (asked bool, err error) {
	t.Helper()
	h := refusing{host.Looking(machine()), &asked}
	env := environment(h)
	for _, p := range e.Params {
		head, _, optional := strings.Cut(p, "=")
		name, kind, _ := strings.Cut(head, ":")
		if _, given := kwargs.GetStr(name); !given && (!optional || name == "name") && !strings.HasPrefix(name, "*") {
			kwargs.SetStr(name, fitting(kind, arg))
		}
	}
	e.Class = modules.Writes // is given the machine as it is
	c, err := modules.NewCall(&e, env, h, nil, kwargs)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond) // of what waits or asks the network
	defer cancel()
	_, err = e.Fn(ctx, c)
	return asked, err
}

// environment is what a run on the machine knows.
func environment(h host.Host) *modules.Env {
	data := modules.Whole(func() *value.Dict {
		return value.DictOf("os_family", value.Str("Debian"), "os", value.Str("Debian"), "kernel", value.Str("Linux"))
	})
	env := &modules.Env{
		Files: files{}, Templates: templates{}, Cache: modules.NewCache(), Progress: func(string) {}, Grains: data,
		Opts: data, Pillar: data, Setenv: func(string, string, bool) error { return nil },
		Serialize:   func(string, value.Value, *value.Dict) (string, error) { return "", nil },
		Deserialize: func(string, string) (value.Value, error) { return value.None, nil },
	}
	env.Registry = modules.Lazy(Sources()...)
	env.Exec = others{env, h}
	env.Trees = trees{}
	return env
}

// fitting is the argument, or what its parameter takes of one.
func fitting(kind string, arg value.Value) value.Value {
	switch kind {
	case "int", "seconds":
		return value.Int(7)
	case "map":
		return value.DictOf("web", arg)
	}
	return arg
}

// others are the functions that one calls.
type others struct {
	env *modules.Env
	h   host.Host
}

func (o others) Has(name string) bool { _, ok := o.env.Registry.Exec(name); return ok }
func (o others) Call(ctx context.Context, name string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	return o.env.Registry.Call(ctx, o.env, o.h, name, args, kwargs)
}

// trees change something when they are applied.
type trees struct{}

func (trees) Show(context.Context, string, modules.TreeRequest) (value.Value, error) {
	return value.NewList(), nil
}
func (trees) Apply(_ context.Context, h host.Host, _ modules.TreeRequest) (*value.Dict, error) {
	return value.NewDict(0), h.Remove("/d/f")
}

// machine has something of most kinds called web.
func machine() host.Host {
	m := hosttest.NewMemory()
	m.AddUser("web", 300)
	m.AddUser("bin", 7)
	m.MustWrite("/d/f", "/d/f = web\n[web]\nweb = 7\n7 web\n", 0o600)
	m.MustWrite("/etc/shadow", "web:x:1:0:9:9:::\n", 0o600)
	m.MustWrite("/etc/hosts", "7 web\nweb web\n", 0o644)
	m.MustWrite("/proc/sys/web", "1\n", 0o644)
	m.MustWrite("/etc/init.d/web", "#!/bin/sh\n", 0o755)
	m.MustWrite("/var/lib/dpkg/status", "Package: web\nStatus: install ok installed\nVersion: 1\nArchitecture: all\n",
		0o644)
	m.MustWrite("/var/spool/cron/crontabs/web", "7 7 7 7 7 web\n", 0o600)
	for _, tool := range []string{"iptables", "git", "tar", "gzip", "gunzip", "zip", "unzip", "rar",
		"supervisorctl", "htpasswd", "rabbitmqctl"} {
		m.MustWrite("/usr/bin/"+tool, "", 0o755)
	}
	m.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{}, nil }
	m.Invalidate("")
	return m
}

// files hold every source.
type files struct{}

func (files) Fetch(context.Context, string, string) ([]byte, error) { return []byte("text"), nil }
func (files) Exists(string, string) (file, dir bool)                { return true, false }
func (files) List(string, string) ([]modules.SourceFile, error) {
	return []modules.SourceFile{{Path: "f"}}, nil
}
func (files) Hash(context.Context, string, string) (string, error) { return "", nil }
func (files) Mode(string, string) (uint32, error)                  { return 0o644, nil }

type templates struct{}

func (templates) Render(context.Context, string, string, []byte, string, string, *value.Dict) ([]byte, error) {
	return []byte("text"), nil
}

// refusing notes that a change was asked for.
type refusing struct {
	host.Host
	asked *bool
}

var errRefused = errors.New("refused")

func (r refusing) refuse() error {
	*r.asked = true
	return errRefused
}

func (r refusing) WriteFile(string, io.Reader, host.Attr) error               { return r.refuse() }
func (r refusing) Mkdir(string, host.Attr) error                              { return r.refuse() }
func (r refusing) Symlink(string, string) error                               { return r.refuse() }
func (r refusing) Link(string, string) error                                  { return r.refuse() }
func (r refusing) Rename(string, string) error                                { return r.refuse() }
func (r refusing) Remove(string) error                                        { return r.refuse() }
func (r refusing) RemoveAll(string) error                                     { return r.refuse() }
func (r refusing) Chmod(string, uint32) error                                 { return r.refuse() }
func (r refusing) Chown(string, int, int) error                               { return r.refuse() }
func (r refusing) Chtimes(string, time.Time, time.Time) error                 { return r.refuse() }
func (r refusing) SetXattr(string, string, []byte) error                      { return r.refuse() }
func (r refusing) RemoveXattr(string, string) error                           { return r.refuse() }
func (r refusing) Mknod(string, fs.FileMode, uint32, uint32, host.Attr) error { return r.refuse() }
func (r refusing) Do(context.Context, host.Deed) error                        { return r.refuse() }
func (r refusing) Run(context.Context, host.Cmd) (*host.Output, error)        { return nil, r.refuse() }
