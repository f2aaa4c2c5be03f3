package erb

import "slices"

// withBlock calls a method; break in its block is its value.
func (r *run) withBlock(n *node, f *frame, args []any) (v any) {
	if n.text == "<<" {
		r.fail("'<<' is not known as a method")
	}
	if n.block == nil {
		return r.call(args[0], n.text, args[1:], nil)
	}
	b := &lambda{r, n.block, f}
	depth := r.depth
	defer func() {
		switch j := recover().(type) {
		case nil:
		case *jump:
			if j.kind != "break" || j.to != b {
				panic(j)
			}
			r.depth, v = depth, j.val
		default:
			panic(j)
		}
	}()
	return r.call(args[0], n.text, args[1:], b)
}

// yield calls a block. One array for several parameters is taken apart.
func (b *lambda) yield(args ...any) (v any) {
	f := newFrame(b.f)
	r, depth := b.r, b.r.depth
	r.step(b.n.line)
	if l, ok := first(args).(*list); ok && len(args) == 1 && len(b.n.kids) > 1 {
		args = l.of
	}
	r.bind(b.n.kids, args, f)
	defer func() {
		switch j := recover().(type) {
		case nil:
		case *jump:
			if j.kind == "break" && j.to == nil {
				j.to = b
			}
			if j.kind != "next" {
				panic(j)
			}
			r.depth, v = depth, j.val
		default:
			panic(j)
		}
	}()
	return r.body(b.n.body, f)
}

func first(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func (r *run) bind(params []*node, args []any, f *frame) {
	for i, p := range params {
		var v any
		if p.val == true {
			v = &list{slices.Clone(args[min(i, len(args)):])}
		} else if i < len(args) {
			v = args[i]
		} else if p.block != nil {
			v = r.eval(p.block, f)
		}
		if len(p.kids) > 0 {
			r.bind(p.kids, r.elements(v), f)
			continue
		}
		f.vars[p.text] = v
	}
}

func (r *run) callDef(n *node, args []any) (v any) {
	d := r.defs[n.text]
	if d == nil {
		r.fail("the function '%s' is called before it is defined", n.text)
	}
	if last := len(d.kids); len(args) > last && (last == 0 || d.kids[last-1].val != true) {
		r.fail("wrong number of arguments for '%s' (given %d, expected %d)", n.text, len(args), len(d.kids))
	}
	f, depth := newFrame(nil), r.depth
	r.bind(d.kids, args, f)
	defer func() {
		switch j := recover().(type) {
		case nil:
		case *jump:
			if j.kind != "return" {
				panic(j)
			}
			r.depth, v = depth, j.val
		default:
			panic(j)
		}
	}()
	return r.body(d.body, f)
}
