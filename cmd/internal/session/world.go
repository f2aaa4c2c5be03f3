package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/sls/top"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// files gives the file roots to modules.
type files struct{ *roots.FileServer }

func (f files) List(source, env string) ([]modules.SourceFile, error) {
	list, err := f.FileServer.List(source, env)
	out := make([]modules.SourceFile, len(list))
	for i, s := range list {
		out[i] = modules.SourceFile{Path: s.Path, Mode: s.Mode, Link: s.Link}
	}
	return out, err
}

// execFunctions calls execution functions on a machine.
type execFunctions struct {
	s *Session
	h host.Host
}

// exec are the execution functions as `gostate call` reaches them.
func (s *Session) exec() execFunctions { return execFunctions{s, s.machine} }

func (e execFunctions) Has(name string) bool {
	_, ok := e.s.registry.Exec(name)
	return ok
}

// Names are the names of all functions, for hints.
func (e execFunctions) Names() []string { return e.s.registry.ExecNames() }

// HasModule says whether a module has execution functions: salt.MODULE is undefined in a template when it has none.
func (e execFunctions) HasModule(name string) bool { return e.s.registry.HasExecModule(name) }

func (e execFunctions) Call(ctx context.Context, name string, args []value.Value,
	kwargs *value.Dict) (value.Value, error) {
	return e.s.registry.Call(ctx, e.s.env(e.h), e.h, name, args, kwargs)
}

// CheckCall finds wrong arguments of a call.
func (e execFunctions) CheckCall(name string, args []value.Value, kwargs *value.Dict) error {
	return e.s.registry.CheckCall(name, args, kwargs)
}

// typed calls a function that stands on the command line.
func (e execFunctions) typed(ctx context.Context, name string, args []value.Value,
	kwargs *value.Dict) (value.Value, error) {
	env := e.s.env(e.h)
	env.Typed, env.Retcode = true, &e.s.process.Retcode
	return e.s.registry.Call(ctx, env, e.h, name, args, kwargs)
}

// env is what functions may know of the run, on the machine h.
func (s *Session) env(h host.Host) *modules.Env {
	e := &modules.Env{
		Files: files{s.files}, Opts: modules.Whole(func() *value.Dict { return s.optsDict }), Grains: s.GrainData(),
		Pillar:  modules.Whole(s.Pillar),
		At:      func(h host.Host) (modules.Templates, modules.Exec) { return templates{s, h}, execFunctions{s, h} },
		SaltEnv: s.saltenv, Cache: s.cache, Environ: s.environ, Setenv: s.setenv, Progress: func(string) {}, Log: s.log,
		Serialize:   serial.Serialize,
		Deserialize: serial.Deserialize, Match: s.match, InPillar: s.inPillar, Registry: s.registry, Trees: trees{s},
		Secrets: s.secrets,
	}
	return e.On(h)
}

// setenv changes the environment of this process: that of the commands which later states run.
func (s *Session) setenv(name, text string, unset bool) error {
	err := os.Setenv(name, text)
	if unset {
		err = os.Unsetenv(name)
	}
	s.environ = os.Environ()
	return err
}

// grainData looks up grains, each of which is asked of the machine when it is looked up first.
func (s *Session) GrainData() modules.Data {
	return modules.DataOf(func(path string) (value.Value, bool) { return s.grains.Get(path) }, s.Grains)
}

// match asks a matcher whether a target means this machine, or the one of the id.
func (s *Session) match(kind, target, delim, id string) (bool, error) {
	m := s.minion()
	if id != "" {
		m.ID = id
	}
	return top.NewMatcher(m).Match(kind, target, delim)
}

// inPillar says whether the pillar roots of an environment, of any for "", hold a file.
func (s *Session) inPillar(env, path string) bool {
	r := roots.New(s.pillarDirs)
	for _, e := range r.Envs() {
		if f, err := r.Lookup(e, strings.TrimPrefix(filepath.Clean("/"+path), "/")); err == nil && f != nil &&
			(env == "" || env == e) {
			return true
		}
	}
	return false
}
