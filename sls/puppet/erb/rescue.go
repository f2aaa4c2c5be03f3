package erb

import (
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// rescue evaluates begin ... rescue ... end.
func (r *run) rescue(n *node, f *frame) (v any) {
	if len(n.kids) == 0 {
		return r.body(n.body, f)
	}
	depth := r.depth
	defer func() {
		x := recover()
		e, ok := x.(*Error)
		if x == nil {
			return
		} else if !ok || e.final {
			panic(x)
		}
		r.depth = depth
		w := n.kids[0] // which class an error has is known of raised ones only: the first rescue takes it
		if w.text != "" {
			f.holder(w.text).vars[w.text] = failure{e.Msg}
		}
		v = r.body(w.body, f)
	}()
	return r.body(n.body, f)
}

// while evaluates while ... end, until its condition is false or break ends it.
func (r *run) while(n *node, f *frame) (v any) {
	depth := r.depth
	defer func() {
		switch j := recover().(type) {
		case nil:
		case *jump:
			if j.kind != "break" || j.to != nil {
				panic(j)
			}
			r.depth, v = depth, j.val
		default:
			panic(j)
		}
	}()
	for types.Truth(r.eval(n.kids[0], f)) {
		r.step(n.line)
		r.body(n.body, f)
	}
	return nil
}

// several is a, b = x: an array is taken apart.
func (r *run) several(n *node, f *frame) any {
	v := r.eval(n.kids[0], f)
	of := []any{v}
	if l, ok := v.(*list); ok {
		of = l.of
	}
	for i, to := range n.body {
		var x any
		if i < len(of) {
			x = of[i]
		}
		r.put(to, x, f)
	}
	return v
}

// mutates says that a method changes the text that it is called on.
func mutates(name string) bool {
	return name == "concat" || name == "prepend" || name == "replace" || strings.HasSuffix(name, "!")
}

// mutate calls a method that changes a text: the variable that it stands before has the new one afterwards.
func (r *run) mutate(n *node, s string, args []any, f *frame) any {
	plain := *n
	plain.text = strings.TrimSuffix(n.text, "!")
	out := r.withBlock(&plain, f, args)
	r.put(n.kids[0], out, f)
	if plain.text != n.text && out == any(s) {
		return nil
	}
	return out
}
