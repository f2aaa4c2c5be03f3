// Package sls makes high data of SLS files: it finds them, has them rendered, follows include, reads declarations,
// extend and exclude, and gives every declaration its place in the order.
//
// It reports all faults of all files with their places and goes on as far as it can. It renders nothing itself and
// touches no machine.
package sls

import (
	"context"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A Finder finds SLS files; *roots.Roots is one.
type Finder interface {
	FindSLS(env, name string) (*roots.File, error)
	// ListSLS are the names of all SLS of an environment, sorted.
	ListSLS(env string) []string
	// Has says whether there is such an environment.
	Has(env string) bool
	Envs() []string
}

// A Document is a rendered SLS file.
type Document struct {
	Data value.Value // None or nil for an empty one
	At   state.At    // the place of a mark of Data
	// Late says that what the file declares is known when all files are: see Config.Late.
	Late bool
}

// A Renderer renders SLS files. Its errors are shown as they are, at their places.
type Renderer interface {
	SLS(ctx context.Context, f *roots.File, name string) (*Document, error)
}

// RenderFunc makes a function a Renderer.
type RenderFunc func(ctx context.Context, f *roots.File, name string) (*Document, error)

// SLS calls the function.
func (f RenderFunc) SLS(ctx context.Context, file *roots.File, name string) (*Document, error) {
	return f(ctx, file, name)
}

// A Request is one SLS to load; the name may be a pattern.
type Request struct {
	Env, SLS string
	// Pos is where it is asked for, top.sls; zero for the command line.
	Pos diag.Pos
	// With is what is said there for all its states.
	With Settings
}

// Config is what Load works with.
type Config struct {
	Finder   Finder
	Renderer Renderer
	// NoAutoOrder is `state_auto_order: false`: declarations get no number.
	NoAutoOrder bool
	// Strict makes errors of what Salt ignores without a word: a require_in that is no list.
	Strict bool
	// Late gives what the late documents declare, all of them together.
	Late func(ctx context.Context) ([]*state.Decl, *diag.List)
	// Excludes are SLS or IDs excluded on the command line.
	Excludes []state.Exclude
}

// Load reads the SLS files that are asked for, and what they include. The high data is never nil; with errors it holds
// what could be read.
func Load(ctx context.Context, cfg Config, requests []Request) (*state.High, *diag.List) {
	l := &loader{cfg: cfg, high: &state.High{}, diags: &diag.List{}, loaded: map[envSLS]placed{},
		ids: map[string]*state.Decl{}, next: 10000}
	for _, r := range requests {
		l.matches = appendNew(l.matches, r.Env)
	}
	for _, r := range requests {
		if ctx.Err() != nil {
			l.diags.AddErr(context.Cause(ctx))
			break
		}
		l.request(ctx, r)
	}
	l.late(ctx)
	for _, f := range l.files {
		f.number()
		f.give()
	}
	l.high.Excludes = append(l.high.Excludes, cfg.Excludes...)
	l.high.Incomplete = l.diags.Errors() > l.harmless
	l.diags.Sort()
	return l.high, l.diags
}

type envSLS struct{ env, sls string }

type loader struct {
	cfg     Config
	high    *state.High
	diags   *diag.List
	loaded  map[envSLS]placed
	ids     map[string]*state.Decl
	matches []string // environments asked for
	files   []*file  // in the order of their numbers
	next    int
	// harmless counts the errors that take no state away: those of arguments.
	harmless int
}

func appendNew(list []string, s string) []string {
	for _, x := range list {
		if x == s {
			return list
		}
	}
	return append(list, s)
}
