package sls

import (
	"context"
	"testing"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/requisite/draw"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// onlyFile is a finder of one SLS.
type onlyFile struct{}

func (onlyFile) FindSLS(env, name string) (*roots.File, error) {
	if name != "a" && name != "a.b" {
		return nil, &roots.NotFoundError{Path: name, SLS: true, Env: env}
	}
	return &roots.File{Env: env, Path: name + ".sls", Abs: "/srv/" + name + ".sls"}, nil
}
func (onlyFile) ListSLS(string) []string { return []string{"a", "a.b"} }
func (onlyFile) Has(env string) bool     { return env == "base" }
func (onlyFile) Envs() []string          { return []string{"base"} }

// FuzzLoad takes any YAML the whole way: no text makes it panic, every fault has a place or a hint, and what is
// compiled resolves.
func FuzzLoad(f *testing.F) {
	for _, s := range []string{
		"a: test.nop\n", "include: [.b, {base: a}, '*']\n",
		"x: {test: [nop, names: [a, b: [order: 1], {c: null}], require: [x, test: y, {}]]}\n",
		"extend: {x: {test: [require: [y], name: z]}}\nx: {test: [nop, names: [q]], cmd.run: []}\n",
		"exclude: [a, {id: x}, {sls: b}, 5]\nx: test.nop\n",
		"x: {test.nop: [order: first, onlyif: [{fun: a.b, args: 1}, true], retry: {until: 3}]}\n",
		"x: {test.nop: [use: [y], prereq: [sls: a], listen_in: [x]]}\ny: {test: [nop, use_in: {test: x}]}\n",
		"x: &x {test.nop: &l [comment: a]}\ny: *x\nz: {cmd.run: *l}\n", "1: {2: [3]}\n? [a]\n: b\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		data, err := yaml.Decode("a.sls", []byte(text))
		if err != nil {
			t.Skip()
		}
		render := RenderFunc(func(_ context.Context, file *roots.File, _ string) (*Document, error) {
			return &Document{Data: data, At: func(m value.Mark) diag.Pos {
				return diag.Pos{File: file.Abs, Line: int(m.Line),
					Col: int(m.Col)}
			}}, nil
		})
		high, diags := Load(context.Background(), Config{Finder: onlyFile{}, Renderer: render},
			[]Request{{Env: "base", SLS: "a"}})
		high.Dict()
		low, more := state.Compile(high, state.CompileOptions{})
		diags.Add(more.All...)
		p, more := requisite.Resolve(low, requisite.Options{Incomplete: diags.HasErrors()})
		diags.Add(more.All...)
		for _, d := range diags.All {
			if d.Hint == "" || d.Msg == "" {
				t.Errorf("no hint: %v", d)
			}
		}
		for _, l := range low {
			l.Chunk()
		}
		if len(p.Order) != len(low) {
			t.Fatalf("%d of %d states", len(p.Order), len(low))
		}
		draw.Draw(p, draw.Options{Order: true}).SVG()
		if len(low) > 0 {
			if _, err := draw.Explain(p, low[0].ID); err != nil {
				t.Error(err)
			}
		}
	})
}
