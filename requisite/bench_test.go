package requisite

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// shapes are the graphs whose cost must be linear in states and requisites.
func shapes() []shape {
	return []shape{
		{name: "independent", reqs: func(i, n int) []state.ReqItem { return nil }},
		{name: "backward chain", reqs: func(i, n int) []state.ReqItem { return to(i > 0, "test", id(i-1)) }},
		{name: "forward chain", reqs: func(i, n int) []state.ReqItem { return to(i < n-1, "test", id(i+1)) }},
		{name: "one required by all", reqs: func(i, n int) []state.ReqItem { return to(i > 0, "test", id(0)) }},
		{name: "sls of a thousand", reqs: func(i, n int) []state.ReqItem { return to(i >= 1000, "sls", "first") }},
		{name: "globs", reqs: func(i, n int) []state.ReqItem {
			return to(i >= 1000, "test",
				fmt.Sprintf("state-000%03d*", i%1000))
		}},
		{name: "all require_in one", reqs: toFirst, key: "require_in"},
		{name: "all prereq one", reqs: toFirst, key: "prereq"},
		{name: "all prereq_in one", reqs: toFirst, key: "prereq_in"},
		{name: "all listen to one", reqs: toFirst, key: "listen"},
		{name: "all listen_in one", reqs: toFirst, key: "listen_in"},
		{name: "all use one", reqs: toFirst, key: "use"},
	}
}

func toFirst(i, n int) []state.ReqItem { return to(i > 0, "test", id(0)) }

type shape struct {
	name string
	reqs func(i, n int) []state.ReqItem
	key  string // of the argument; "" is require
}

func id(i int) string { return fmt.Sprintf("state-%06d", i) }

func to(yes bool, module, target string) []state.ReqItem {
	if !yes {
		return nil
	}
	return []state.ReqItem{{Module: module, Target: target}}
}

// high makes high data of n states of a shape.
func (s shape) high(n int) *state.High {
	h := &state.High{}
	for i := range n {
		b := &state.Body{Args: make([]state.Arg, 0, 4)}
		b.Args = append(b.Args, state.Arg{Name: "comment", Val: value.Str("a word")})
		if r := s.reqs(i, n); r != nil {
			b.Args = append(b.Args, state.Arg{Name: cmp.Or(s.key, "require"), Reqs: r})
		}
		b.Args = append(b.Args, state.FuncArg("nop", diag.Pos{File: "x.sls", Line: i + 1}), state.OrderArg(10000+i))
		sls := "rest"
		if i < 1000 {
			sls = "first"
		}
		h.Decls = append(h.Decls, &state.Decl{ID: id(i), SLS: sls, Env: "base",
			States: []state.StateDecl{{Module: "test", Body: b}}})
	}
	return h
}

func BenchmarkCompileAndResolve(b *testing.B) {
	for _, s := range shapes() {
		for _, n := range []int{10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
				h := s.high(n)
				b.ReportAllocs()
				for b.Loop() {
					low, diags := state.Compile(h, state.CompileOptions{})
					if err := diags.Err(); err != nil {
						b.Fatal(err)
					}
					p, diags := Resolve(low, Options{})
					if err := diags.Err(); err != nil {
						b.Fatal(err)
					}
					steps, total := p.Steps(), 0
					for s, ok := steps.Next(); ok; s, ok = steps.Next() {
						if !s.Preview {
							total++
						}
					}
					if total != n {
						b.Fatal(total)
					}
				}
			})
		}
	}
}
