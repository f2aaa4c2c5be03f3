package sls

import (
	"context"
	"errors"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
)

// request loads what one request names, each SLS once.
func (l *loader) request(ctx context.Context, r Request) {
	if !l.cfg.Finder.Has(r.Env) {
		l.noEnv(r.Pos, r.Env, "SLS '"+r.SLS+"'")
		return
	}
	for _, name := range l.expand(r.Env, r.SLS) {
		l.want(ctx, asked{env: r.Env, name: name, pos: r.Pos, with: r.With})
	}
}

// expand gives the SLS that a pattern names, sorted; a plain name, or a pattern that matches none, is itself.
func (l *loader) expand(env, name string) []string {
	if !fnmatch.HasMeta(name) {
		return []string{name}
	}
	p := fnmatch.Compile(name)
	var out []string
	for _, n := range l.cfg.Finder.ListSLS(env) {
		if p.Match(n) {
			out = append(out, n)
		}
	}
	if out == nil {
		return []string{name}
	}
	return out
}

func (l *loader) noEnv(pos diag.Pos, env, what string) {
	d := diag.Errorf(pos, "environment '%s' of %s does not exist", env, what)
	if near := diag.Nearest(env, l.cfg.Finder.Envs()); near != "" {
		d.WithHint("did you mean '%s'?", near)
	} else {
		d.WithHint("name it in file_roots")
	}
	l.diags.Add(d)
}

// asked is an SLS that is to be loaded: what it is, where it is asked for, and what is said there for its states.
type asked struct {
	env, name string
	pos       diag.Pos
	with      Settings
	passed    given // by the SLS that includes it
}

// load reads one SLS and what it includes: its own declarations come first in the high data, but get their numbers
// after those of what it includes.
func (l *loader) load(ctx context.Context, by asked) {
	env, name := by.env, by.name
	if ctx.Err() != nil {
		return
	}
	f, err := l.cfg.Finder.FindSLS(env, name)
	if err != nil {
		l.notFound(err, by.pos)
		return
	}
	l.loaded[envSLS{env, name}] = placed{pos: by.pos}
	doc, err := l.cfg.Renderer.SLS(ctx, f, name)
	if err != nil {
		l.diags.AddErr(err)
		return
	}
	data, ok := l.dict(f, name, doc)
	if !ok && !doc.Late {
		return
	}
	file := &file{loader: l, env: env, name: name, f: f, at: doc.At, start: diag.Pos{File: f.Abs, Line: 1, Col: 1},
		bodies: map[*value.List]*state.Body{}, dicts: map[*value.Dict][]state.StateDecl{}, given: by.passed, isLate: doc.Late}
	before := len(file.given.meta)
	var includes []inclusion
	if ok {
		includes = file.read(data)
	}
	own := given{meta: file.given.meta[before:]}
	file.with(by.with, by.pos)
	l.loaded[envSLS{env, name}] = placed{file.given.stage(), own.stage() != "" && by.with.stage() == "", by.pos}
	for _, inc := range includes {
		file.include(ctx, inc)
	}
	l.files = append(l.files, file)
}

// dict is the document as a dict; an empty one is fine.
func (l *loader) dict(f *roots.File, name string, doc *Document) (*value.Dict, bool) {
	d, ok := doc.Data.(*value.Dict)
	if ok {
		return d, d.Len() > 0
	}
	if doc.Data == nil || !value.Truth(doc.Data) {
		return nil, false
	}
	l.diags.Add(diag.Errorf(diag.Pos{File: f.Abs, Line: 1, Col: 1}, "SLS '%s' is not a map of IDs but %s", name,
		article(doc.Data)).
		WithHint("write 'ID:' with its states below it"))
	return nil, false
}

func article(v value.Value) string {
	switch v.(type) {
	case *value.List:
		return "a list"
	case value.Str:
		return "text"
	}
	return v.TypeName()
}

// notFound reports an SLS that is not there, at the place that asks for it.
func (l *loader) notFound(err error, at diag.Pos) {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		l.diags.AddErr(err)
		return
	}
	d = &diag.Diagnostic{Pos: at, Msg: err.Error()}
	var hinter interface{ Hint() string }
	if errors.As(err, &hinter) {
		d.Hint = hinter.Hint()
	}
	if d.Hint == "" {
		d.Hint = "an SLS a.b is a/b.sls or a/b/init.sls below one of the roots"
	}
	l.diags.Add(d)
}

// A file is one SLS file that is being read.
type file struct {
	*loader
	env, name string
	f         *roots.File
	at        state.At
	start     diag.Pos // its first line
	own       []*state.Decl
	given     given // to all its states
	isLate    bool  // see Document
	// bodies and dicts are what YAML aliases share: Salt changes such a list for all who hold it.
	bodies map[*value.List]*state.Body
	dicts  map[*value.Dict][]state.StateDecl
}

func (f *file) pos(m value.Mark, fallback diag.Pos) diag.Pos {
	if m.Line == 0 || f.at == nil {
		return fallback
	}
	return f.at(m)
}

// number gives the file's declarations their places in the order. What has an order keeps it.
func (f *file) number() {
	if f.cfg.NoAutoOrder {
		return
	}
	for _, d := range f.own {
		for i := range d.States {
			if b := d.States[i].Body; !b.Has("order") {
				b.Args = append(b.Args, state.OrderArg(f.next))
				f.next++
			}
		}
	}
}
