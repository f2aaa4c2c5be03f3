package state

import (
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Chunk is the state in the shape of Salt's low state: state, name, __sls__, __env__, __id__, the arguments as they
// stand after extend and requisite_in (requisites as lists; require_in and its like as written), order where it was
// given, and fun last.
func (l *Low) Chunk() *value.Dict {
	out := value.NewDict(len(l.chunk) + 8)
	out.SetStr("state", value.Str(l.Module))
	out.SetStr("name", value.Str(l.Name))
	out.SetStr("__sls__", value.Str(l.SLS))
	out.SetStr("__env__", value.Str(l.Env))
	out.SetStr("__id__", value.Str(l.ID))
	if l.chunk == nil && l.Args != nil {
		for k, v := range l.Args.All() { // a Low that was not compiled: state.single
			_ = out.Set(k, v)
		}
	}
	for i := range l.chunk {
		a := &l.chunk[i]
		switch {
		case a.IsFunc():
			continue
		case a.Name == "order":
			out.SetStr("order", l.rawOrder)
			continue
		}
		out.SetStr(a.Name, a.Value())
	}
	out.SetStr("fun", value.Str(l.Func))
	if _, ok := out.GetStr("order"); !ok && l.rawOrder != nil {
		out.SetStr("order", l.rawOrder)
		if l.nth > 0 {
			out.SetStr("name_order", value.Int(l.nth))
		}
	}
	return out
}

// GivenOrder is the `order` that the state was given, as written, with its place; ok is false when its place in the
// files decides.
func (l *Low) GivenOrder() (v value.Value, pos diag.Pos, ok bool) {
	for i := range l.chunk {
		if a := &l.chunk[i]; a.Name == "order" && !a.auto {
			return a.Val, a.Pos, true
		}
	}
	return nil, diag.Pos{}, false
}
