package sls

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// read reads the file's declarations, extend and exclude, and gives what it includes.
func (f *file) read(data *value.Dict) []inclusion {
	var includes []inclusion
	for i := range data.Len() {
		e := data.At(i)
		switch e.Key {
		case value.Str("include"):
			includes = f.includes(e)
		case value.Str("extend"):
			f.extend(e)
		case value.Str("exclude"):
			f.exclude(e)
		default:
			if isSetting(e) {
				f.setting(e)
				continue
			}
			f.declare(e)
		}
	}
	return includes
}

// declare reads one ID.
func (f *file) declare(e value.Entry) {
	pos := f.pos(e.KeyAt, f.start)
	id, ok := e.Key.(value.Str)
	if !ok {
		f.diags.Add(diag.Errorf(pos, "ID %s in SLS '%s' is not text but %s", value.String(e.Key), f.name,
			e.Key.TypeName()).WithHint("quote it: '%s'", value.String(e.Key)))
		return
	}
	if strings.HasPrefix(string(id), "__") {
		f.diags.Add(diag.Warnf(pos, "ID '%s' in SLS '%s' begins with '__' and is ignored, as Salt does", id,
			f.name).WithHint("rename it"))
		return
	}
	d := &state.Decl{ID: string(id), SLS: f.name, Env: f.env, Pos: pos}
	if d.States, ok = f.states(d, e.Val, pos); !ok {
		return
	}
	f.add(d)
}

// add takes a declaration of the file, whose ID no other has.
func (f *file) add(d *state.Decl) {
	if other := f.ids[d.ID]; other != nil {
		diagnostic := diag.Errorf(d.Pos, "ID '%s' of SLS '%s:%s' conflicts with SLS '%s:%s': IDs are unique", d.ID, d.Env,
			d.SLS, other.Env, other.SLS).
			WithHint("rename one of them, or use extend")
		diagnostic.Related = []diag.Related{{Pos: other.Pos, Msg: "the other declaration"}}
		f.diags.Add(diagnostic)
		return
	}
	f.ids[d.ID] = d
	f.own = append(f.own, d)
	f.high.Decls = append(f.high.Decls, d)
}

// states reads what stands below an ID: `module.function` alone, or a map of modules.
func (f *file) states(d *state.Decl, v value.Value, pos diag.Pos) ([]state.StateDecl, bool) {
	switch v := v.(type) {
	case value.Str:
		if mod, fn, ok := cut(string(v)); ok {
			body := &state.Body{Args: append(make([]state.Arg, 0, 2), state.FuncArg(fn, pos))}
			return []state.StateDecl{{Module: mod, Pos: pos, Body: body}}, true
		}
		f.diags.Add(diag.Errorf(pos, "ID '%s' in SLS '%s' is text, not a map of states", d.ID,
			f.name).WithHint("write '%s: MODULE.FUNCTION'", d.ID))
	case *value.Dict:
		return f.modules(d, v, pos), true
	default:
		f.diags.Add(diag.Errorf(pos, "ID '%s' in SLS '%s' is not a map of states but %s", d.ID, f.name, article(v)).
			WithHint("write 'MODULE.FUNCTION:' below it, without '- '"))
	}
	return nil, false
}

// modules reads a map of modules. As in Salt, those written with their function come after the others.
func (f *file) modules(d *state.Decl, m *value.Dict, pos diag.Pos) []state.StateDecl {
	if shared, ok := f.dicts[m]; ok {
		return shared
	}
	var plain, dotted []state.StateDecl
	for i := range m.Len() {
		e := m.At(i)
		at := f.pos(e.KeyAt, pos)
		key, ok := e.Key.(value.Str)
		if !ok {
			f.diags.Add(diag.Errorf(at, "module %s in ID '%s' in SLS '%s' is no text", value.Repr(e.Key), d.ID,
				f.name).WithHint("write 'MODULE.FUNCTION:'"))
			continue
		}
		if strings.HasPrefix(string(key), "_") {
			continue
		}
		if f.misplaced(d, string(key), e.Val, at) {
			continue
		}
		s, isDotted, ok := f.module(d, string(key), e, at)
		if !ok {
			continue
		}
		if first, twice := placeOf(s.Module, plain, dotted); twice {
			diagnostic := diag.Errorf(at, "ID '%s' in SLS '%s' has two states of module '%s'", d.ID, f.name,
				s.Module).WithHint("give one of them an ID of its own")
			diagnostic.Related = []diag.Related{{Pos: first, Msg: "the other one"}}
			f.diags.Add(diagnostic)
			continue
		}
		if isDotted {
			dotted = append(dotted, s)
		} else {
			plain = append(plain, s)
		}
	}
	out := append(plain, dotted...)
	f.dicts[m] = out
	return out
}

// placeOf is the place of a module among those that were read.
func placeOf(module string, read ...[]state.StateDecl) (diag.Pos, bool) {
	for _, states := range read {
		for i := range states {
			if states[i].Module == module {
				return states[i].Pos, true
			}
		}
	}
	return diag.Pos{}, false
}

// module reads one module with its list of arguments.
func (f *file) module(d *state.Decl, key string, e value.Entry, at diag.Pos) (s state.StateDecl, dotted, ok bool) {
	mod, fn, dotted := cut(key)
	list, isList := e.Val.(*value.List)
	if !isList {
		f.noList(d, key, e, at)
		return s, dotted, false
	}
	body := f.bodies[list]
	if body == nil {
		body = &state.Body{}
		f.bodies[list] = body
		var faults diag.List
		body.AppendArgs(state.Context{ID: d.ID, SLS: f.name, At: f.at, Diags: &faults, Strict: f.cfg.Strict}, list, at)
		f.diags.Add(faults.All...)
		f.harmless += faults.Errors()
	}
	if dotted {
		body.Args = append(body.Args, state.FuncArg(fn, at))
	}
	return state.StateDecl{Module: mod, Pos: at, Body: body}, dotted, true
}

// cut splits `module.function`. As in Salt, what follows a second dot is nothing: a.b.c is the function b of a.
func cut(key string) (mod, fn string, dotted bool) {
	mod, fn, dotted = strings.Cut(key, ".")
	fn, _, _ = strings.Cut(fn, ".")
	return mod, fn, dotted
}

// misplaced reports a requisite that stands beside the state functions of an ID, where Salt ignores it: its indentation
// is wrong.
func (f *file) misplaced(d *state.Decl, key string, v value.Value, at diag.Pos) bool {
	list, isList := v.(*value.List)
	isText := func(it value.Value) bool { _, ok := it.(value.Str); return ok }
	if key != "require" && key != "watch" || !isList || slices.ContainsFunc(list.Items, isText) {
		return false
	}
	f.ignored(diag.Warnf(at, "'%s' in ID '%s' in SLS '%s' stands beside the state and not in its list: it is ignored, "+
		"as Salt does", key, d.ID, f.name).
		WithHint("write '- %s:' below 'MODULE.FUNCTION:', among its arguments", key))
	return true
}

// ignored reports what Salt ignores without a word: with strict it is an error.
func (f *file) ignored(d *diag.Diagnostic) {
	if f.cfg.Strict {
		d.Severity = diag.Error
	}
	f.diags.Add(d)
}

// oddKey says that the first key of a map begins with a sign that only looks like that of a list.
func oddKey(v value.Value) string {
	d, ok := v.(*value.Dict)
	if !ok || d.Len() == 0 {
		return ""
	}
	key := value.String(d.At(0).Key)
	if odd := yaml.OddSign(key); odd != "" {
		return fmt.Sprintf("%q begins with %s", key, odd)
	}
	return ""
}

func (f *file) noList(d *state.Decl, key string, e value.Entry, at diag.Pos) {
	diagnostic := diag.Errorf(at, "'%s' in ID '%s' in SLS '%s' is not a list but %s", key, d.ID, f.name, article(e.Val))
	text, isText := e.Val.(value.Str)
	if odd := oddKey(e.Val); odd != "" {
		f.diags.Add(diagnostic.WithHint("%s", odd))
		return
	}
	switch {
	case e.Val == value.None:
		diagnostic.Msg = "'" + key + "' in ID '" + d.ID + "' in SLS '" + f.name + "' ends in a colon, with no arguments"
		diagnostic.WithHint("write '%s: []', or '%s: %s'", key, d.ID, key)
	case isText && !strings.Contains(key, "."):
		diagnostic.WithHint("write '%s.%s: []', or '%s: [%s]'", key, text, key, text)
	default:
		diagnostic.WithHint("begin each argument with '- '")
	}
	f.diags.Add(diagnostic)
}
