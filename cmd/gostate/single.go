package main

import (
	"context"
	"strings"

	"github.com/gostate/gostate/sls"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// applySingle runs one state function with arguments from the command line; their values are YAML, as in Salt.
func (s *session) applySingle(ctx context.Context, fun string, words []string) error {
	low, err := singleLow(fun, words, s.saltenv)
	if err != nil {
		return err
	}
	return s.applyLow(ctx, []*state.Low{low}, "single "+fun)
}

func singleLow(fun string, words []string, env string) (*state.Low, error) {
	mod, fn, ok := strings.Cut(fun, ".")
	if !ok || mod == "" || fn == "" {
		return nil, usagef("%q is no state function\nhint: write MODULE.FUNCTION, for example file.managed", fun)
	}
	high := value.NewList(value.Str(fn))
	name := ""
	for _, w := range words {
		k, text, isArg := strings.Cut(w, "=")
		if !isArg || strings.ContainsAny(k, "/ ") {
			if name != "" {
				return nil, usagef("%q is a second name\nhint: write arguments as NAME=VALUE", w)
			}
			name = w
			continue
		}
		v := commandValue(k, text)
		if k == "name" {
			name = value.String(v)
			continue
		}
		high.Items = append(high.Items, value.DictOf(k, v))
	}
	if name == "" {
		name = fun
	}
	return compileSingle(mod, name, high, env)
}

// compileSingle makes the low state of one function given on the command line: an SLS of one declaration that is in no file.
func compileSingle(module, name string, body *value.List, env string) (*state.Low, error) {
	data := value.DictOf(name, value.DictOf(module, body))
	word := func(value.Mark) diag.Pos { return diag.Pos{File: "command line"} }
	render := func(context.Context, *roots.File, string) (*sls.Document, error) {
		return &sls.Document{Data: data, At: word}, nil
	}
	cfg := sls.Config{Finder: onlySLS{env}, Renderer: sls.RenderFunc(render)}
	high, faults := sls.Load(context.Background(), cfg, []sls.Request{{Env: env, SLS: "single"}})
	if err := faults.Err(); err != nil {
		return nil, err
	}
	low, faults := state.Compile(high, state.CompileOptions{Strict: true})
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return low[0], nil
}

// onlySLS finds any SLS: the one that the command line holds.
type onlySLS struct{ env string }

func (o onlySLS) FindSLS(env, name string) (*roots.File, error) {
	return &roots.File{Env: env, Path: name, Abs: "command line"}, nil
}
func (o onlySLS) ListSLS(string) []string { return nil }
func (o onlySLS) Has(string) bool         { return true }
func (o onlySLS) Envs() []string          { return []string{o.env} }
