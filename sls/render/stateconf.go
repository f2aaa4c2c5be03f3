package render

import (
	"context"
	"strings"

	"github.com/gostate/gostate/sls/stateconf"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// runStateconf is the renderer stateconf: the text goes through a template and a reader of data, twice where a part of
// it is configuration, and what comes out is rewritten.
func (r *Renderer) runStateconf(ctx context.Context, p *piece, arg string) error {
	o, err := stateconf.Parse(diag.Pos{File: p.file, Line: 1}, arg)
	if err != nil {
		return err
	}
	r.confMu.Lock()
	defer r.confMu.Unlock()
	if r.conf == nil {
		r.conf = stateconf.NewConf()
	}
	if o.Data {
		return r.rewrite(p, o, false)
	}
	steps, err := r.inner(p, o)
	if err != nil {
		return err
	}
	if text, ok := stateconf.Head(p.text); ok {
		head := *p
		head.text, head.local = text, value.DictOf("sls_dir", stateconf.Dir(p.sls))
		if err := r.pass(ctx, &head, o, steps, true); err != nil {
			return err
		}
	}
	p.local = r.conf.Variables(p.sls)
	return r.pass(ctx, p, o, steps, false)
}

// inner are the two renderers that stateconf is given.
func (r *Renderer) inner(p *piece, o stateconf.Options) (out []step, err error) {
	for _, text := range []string{o.Template, o.Reader} {
		name, arg, _ := strings.Cut(text, " ")
		if !r.knows(name) || name == "stateconf" {
			return nil, unknownRenderer(diag.Pos{File: p.file, Line: 1}, name)
		}
		out = append(out, step{name, arg})
	}
	return out, nil
}

// pass renders and rewrites once.
func (r *Renderer) pass(ctx context.Context, p *piece, o stateconf.Options, steps []step, head bool) error {
	if err := r.run(ctx, p, steps); err != nil {
		return err
	}
	return r.rewrite(p, o, head)
}

func (r *Renderer) rewrite(p *piece, o stateconf.Options, head bool) error {
	high, ok := p.value.(*value.Dict)
	if !ok {
		return nil // of what is no map the compiler says so
	}
	if err := r.conf.Rewrite(p.file, p.sls, p.env, high, o, head); err != nil {
		return p.mapErr("yaml", err)
	}
	return nil
}
