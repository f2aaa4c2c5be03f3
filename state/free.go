package state

import (
	"slices"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// IsFree says whether the name is that of a requisite which a function may have as an argument of its own.
func IsFree(name string) bool { return name == "subscribe" || name == "before" || name == "notify" }

// req is the requisite that the argument is, if it is one.
func (a *Arg) req() (reqKey, bool) {
	k, ok := reqKeyOf(a.Name)
	if ok && k.free && a.Reqs == nil {
		return reqKey{}, false
	}
	return k, ok
}

// free reads the entries of a requisite whose name may be that of an argument. What is none is left as it is written:
// who it is meant for is known when the function is, see claim.
func (c Context) free(a *Arg, k reqKey) {
	try, quiet := *a, c
	quiet.Diags = &diag.List{}
	if !isContainer(a.Val) || !quiet.requisite(&try, k) {
		return
	}
	c.Diags.Add(quiet.Diags.All...)
	if a.Reqs = try.Reqs; a.Reqs == nil {
		a.Reqs = []ReqItem{}
	}
	a.Val = nil
}

func isContainer(v value.Value) bool {
	switch v.(type) {
	case *value.List, *value.Dict:
		return true
	}
	return false
}

// claim gives before, notify and subscribe of a state to its function where that has an argument of the name, and
// reports what is neither an argument nor a requisite.
func (c *compiler) claim(d *Decl, s *StateDecl) {
	args := c.body(s).Args
	for i := range args {
		if a := &args[i]; IsFree(a.Name) {
			switch declared, loose := c.declares(s, a.Name); {
			case declared && a.Reqs != nil && !a.Default:
				own := &c.write(s).Args[i]
				own.Val, own.Reqs = own.Value(), nil
			case !declared && a.Reqs == nil:
				c.unfit(d, a, loose)
			}
		}
	}
}

// declares is Takes for a declaration. Where nobody can tell, a text is the function's.
func (c *compiler) declares(s *StateDecl, arg string) (declared, loose bool) {
	for _, a := range c.body(s).Args {
		if a.IsFunc() && c.opts.Takes != nil {
			return c.opts.Takes(s.Module, a.Func(), arg)
		}
	}
	return false, true
}

// unfit reports a before, notify or subscribe that cannot be read. A function that takes any argument may be meant by
// it: then it is only warned about.
func (c *compiler) unfit(d *Decl, a *Arg, loose bool) {
	k, _ := reqKeyOf(a.Name)
	ctx := Context{ID: d.ID, SLS: d.SLS, At: a.At, Diags: &diag.List{}}
	if try := *a; isContainer(a.Val) {
		ctx.requisite(&try, k)
	} else {
		ctx.Diags.Add(diag.Errorf(a.ValuePos(), "'%s' in ID '%s' in SLS '%s' is not a list but %s", a.Name, d.ID, d.SLS,
			value.Repr(a.Val)).WithHint("write '- %s: [{MODULE: NAME}]'", a.Name))
	}
	for _, fault := range ctx.Diags.All {
		if loose {
			fault.Severity = diag.Warning
		}
		c.diags.Add(fault)
	}
}

// Relate adds the entries of a requisite to those that the body has, each once. It says whether that can be: not where
// its function has an argument of that name.
func (b *Body) Relate(a Arg) bool {
	for i := range b.Args {
		own := &b.Args[i]
		if own.Name != a.Name {
			continue
		}
		if _, isReq := own.req(); !isReq {
			return false
		}
		more := slices.DeleteFunc(slices.Clone(a.Reqs), func(r ReqItem) bool { return slices.Contains(own.Reqs, r) })
		own.Reqs, own.Val = slices.Concat(own.Reqs, more), nil
		return true
	}
	b.Args = append(b.Args, a)
	return true
}
