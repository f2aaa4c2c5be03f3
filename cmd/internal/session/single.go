package session

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gostate/gostate/sls"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Single carries out one state function that is given on the command line.
func (s *Session) Single(ctx context.Context, module, name string, body *value.List) error {
	low, err := s.compileData(value.DictOf(name, value.DictOf(module, body)), s.saltenv)
	if err != nil {
		return err
	}
	p, err := s.prepareLow(&compiled{low: low, faults: &diag.List{}})
	if err != nil {
		return err
	}
	fun, _ := body.Items[0].(value.Str)
	return s.carryOut(ctx, p, "single "+module+"."+string(fun))
}

// compileData makes the low states of an SLS that is in no file: that of one function on the command line, say.
func (s *Session) compileData(data *value.Dict, env string) ([]*state.Low, error) {
	word := func(value.Mark) diag.Pos { return diag.Pos{File: "command line"} }
	render := func(context.Context, *roots.File, string) (*sls.Document, error) {
		return &sls.Document{Data: data, At: word}, nil
	}
	cfg := sls.Config{Finder: onlySLS{env}, Renderer: sls.RenderFunc(render)}
	high, faults := sls.Load(context.Background(), cfg, []sls.Request{{Env: env, SLS: "single"}})
	if err := faults.Err(); err != nil {
		return nil, err
	}
	s.markHigh(high)
	low, faults := state.Compile(high, state.CompileOptions{Strict: true, Takes: s.registry.Takes, Stages: s.stages()})
	if err := faults.Err(); err != nil {
		return nil, err
	}
	for _, l := range low {
		l.SLS = "" // it is of none
	}
	return low, nil
}

// typedSLS is the name of the SLS that comes on standard input.
const typedSLS = "-"

// withTyped finds the SLS of standard input, too.
type withTyped struct {
	*roots.Roots
	p *Process
}

func (s *Session) finder() sls.Finder { return withTyped{s.roots, s.process} }

// FindSLS reads standard input when its name is asked for first.
func (w withTyped) FindSLS(env, name string) (*roots.File, error) {
	if name != typedSLS {
		return w.Roots.FindSLS(env, name)
	}
	if w.p.Typed == "" {
		text, err := io.ReadAll(io.LimitReader(w.p.In, host.MaxText))
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		file, err := os.CreateTemp("", "stdin-*.sls")
		if err != nil {
			return nil, fmt.Errorf("keep standard input: %w", err)
		}
		defer file.Close()
		w.p.Typed = file.Name()
		if _, err := file.Write(text); err != nil {
			return nil, fmt.Errorf("keep standard input: %w", err)
		}
	}
	return &roots.File{Env: env, Path: "stdin.sls", Abs: w.p.Typed, Root: filepath.Dir(w.p.Typed)}, nil
}

// onlySLS finds any SLS: the one that the command line holds.
type onlySLS struct{ env string }

func (o onlySLS) FindSLS(env, name string) (*roots.File, error) {
	return &roots.File{Env: env, Path: name, Abs: "command line"}, nil
}
func (o onlySLS) ListSLS(string) []string { return nil }
func (o onlySLS) Has(string) bool         { return true }
func (o onlySLS) Envs() []string          { return []string{o.env} }
