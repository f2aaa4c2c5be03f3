package top

import (
	"context"
	"slices"

	"github.com/gostate/gostate/sls/render"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
)

// A Renderer renders one file; *render.Renderer is one.
type Renderer interface {
	SLS(ctx context.Context, f *roots.File, name string) (*render.Document, error)
}

// LoadOptions say which top files are read.
type LoadOptions struct {
	// Name is the file's name, opts.state_top; "" is "top.sls".
	Name string
	// Envs are the environments whose top files are read, in their order.
	Envs []string
}

// Envs gives the environments in the order in which Salt asks them: saltenv alone when it is set, stateTopEnv alone
// when that is set, else base, the configured ones, restricted and ordered by order (env_order) when that is not empty.
func Envs(r *roots.Roots, saltenv, stateTopEnv string, order []string) []string {
	switch {
	case saltenv != "":
		return []string{saltenv}
	case stateTopEnv != "":
		return []string{stateTopEnv}
	}
	envs := []string{"base"}
	for _, e := range r.Envs() {
		if !slices.Contains(envs, e) {
			envs = append(envs, e)
		}
	}
	if len(order) == 0 {
		return envs
	}
	var out []string
	for _, e := range order {
		if slices.Contains(envs, e) && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// Load renders the top files of the environments and those that they include. An environment without one gives a File
// whose Data is None. The error is a *diag.List.
// Salt differs: of a top file that it cannot render it says only that none was found.
func Load(ctx context.Context, r *roots.Roots, rend Renderer, o LoadOptions) ([]File, error) {
	if o.Name == "" {
		o.Name = "top.sls"
	}
	l := &loader{roots: r, rend: rend, done: map[[2]string]bool{}}
	for _, env := range o.Envs {
		f, err := r.Lookup(env, o.Name)
		if err != nil {
			l.errs.Add(diag.Errorf(diag.Pos{}, "%v", err))
			continue
		}
		if f == nil {
			l.files = append(l.files, File{Env: env, Data: value.None, Pos: func(value.Mark) diag.Pos { return diag.Pos{} }})
			continue
		}
		l.load(ctx, f, "")
	}
	return l.files, l.errs.Err()
}

type loader struct {
	roots *roots.Roots
	rend  Renderer
	files []File
	done  map[[2]string]bool // environment, SLS
	errs  diag.List
}

// load renders a file and, after it, what it includes.
func (l *loader) load(ctx context.Context, f *roots.File, name string) {
	doc, err := l.rend.SLS(ctx, f, name)
	if err != nil {
		l.errs.AddErr(err)
		return
	}
	l.files = append(l.files, File{Env: f.Env, Data: doc.Data, Pos: doc.Pos})
	top, ok := doc.Data.(*value.Dict)
	if !ok {
		return
	}
	e, ok := top.Entry("include")
	if !ok {
		return
	}
	list, ok := e.Val.(*value.List)
	if !ok {
		l.errs.Add(diag.Errorf(doc.Pos(e.KeyAt), "include of a top file must be a list, not %s", kindOf(e.Val)))
		return
	}
	for i, it := range list.Items {
		l.include(ctx, f.Env, value.String(it), doc.Pos(list.MarkAt(i)))
	}
}

func (l *loader) include(ctx context.Context, env, pattern string, pos diag.Pos) {
	found := false
	for _, sls := range l.roots.ListSLS(env) {
		if !fnmatch.Match(pattern, sls) {
			continue
		}
		found = true
		key := [2]string{env, sls}
		if l.done[key] {
			continue
		}
		l.done[key] = true
		f, err := l.roots.FindSLS(env, sls)
		if err != nil {
			l.errs.Add(diag.Errorf(pos, "%v", err))
			continue
		}
		l.load(ctx, f, sls)
	}
	if !found {
		// Salt differs: it ignores this without a word
		d := diag.Errorf(pos, "included top file '%s' not found in environment '%s'", pattern, env)
		if n := diag.Nearest(pattern, l.roots.ListSLS(env)); n != "" {
			d.WithHint("did you mean '%s'?", n)
		}
		l.errs.Add(d)
	}
}
