package top

import (
	"slices"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A parser turns top files into sections and collects what is wrong with them.
type parser struct {
	o    Options
	errs diag.List
}

// file reads one top file.
func (p *parser) file(f File) []*section {
	top, ok := f.Data.(*value.Dict)
	if !ok {
		if f.Data != nil && f.Data != value.Value(value.None) {
			p.errs.Add(diag.Errorf(f.Pos(value.Mark{Line: 1, Col: 1}), "a top file must be a mapping of environments, not a %s",
				f.Data.TypeName()).
				WithHint("base:\\n  '*':\\n    - name-of-an-sls"))
		}
		return nil
	}
	var out []*section
	for i := range top.Len() {
		e := top.At(i)
		env, ok := e.Key.(value.Str)
		switch {
		case !ok:
			p.errs.Add(diag.Errorf(f.Pos(e.KeyAt), "environment %s is no text",
				value.Repr(e.Key)).WithHint("write it in quotes"))
			continue
		case env == "include":
			continue
		case env == "":
			p.errs.Add(diag.Errorf(f.Pos(e.KeyAt), "an environment has no name"))
			continue
		}
		s := &section{env: string(env)}
		targets, ok := e.Val.(*value.Dict)
		if !ok {
			p.errs.Add(diag.Errorf(f.Pos(e.KeyAt), "environment '%s' must be a mapping of targets, not %s", env, kindOf(e.Val)).
				WithHint("write '*': below it, and the list of SLS below that"))
			continue
		}
		for j := range targets.Len() {
			if t := p.target(f, string(env), targets.At(j)); t != nil {
				s.targets = append(s.targets, t)
			}
		}
		out = append(out, s)
	}
	return out
}

func isDict(v value.Value) bool { _, ok := v.(*value.Dict); return ok }

func kindOf(v value.Value) string {
	switch v.(type) {
	case value.NoneType:
		return "empty"
	case value.Str:
		return "text"
	case *value.List:
		return "a list"
	case *value.Dict:
		return "a mapping"
	}
	return "a " + v.TypeName()
}

// target reads one target with its list.
func (p *parser) target(f File, env string, e value.Entry) *target {
	t := &target{text: value.String(e.Key), pos: f.Pos(e.KeyAt), kind: "compound"}
	list, ok := e.Val.(*value.List)
	if name, isText := e.Val.(value.Str); isText && p.o.Pillar {
		list, ok = value.NewList(name), true
		list.Marks = []value.Mark{e.ValueAt}
	}
	if !ok {
		p.errs.Add(diag.Errorf(t.pos, "what target '%s' of environment '%s' gets must be a list of SLS, not %s", t.text, env,
			kindOf(e.Val)).
			WithHint("write each SLS on a line of its own with a dash in front"))
		return nil
	}
	ignore := false
	for i, it := range list.Items {
		pos := f.Pos(list.MarkAt(i))
		switch it := it.(type) {
		case value.Str:
			if it == "" {
				p.errs.Add(diag.Errorf(pos, "target '%s' lists an SLS without a name", t.text))
				continue
			}
			t.items = append(t.items, item{sls: string(it), pos: pos})
		case *value.Dict:
			ignore = p.option(f, t, it, pos) || ignore
		case value.Int, value.Float, value.Bool:
			p.errs.Add(diag.Errorf(pos, "target '%s' lists %s, which is no text", t.text,
				value.Repr(it)).WithHint("write it in quotes"))
		default:
			p.errs.Add(diag.Errorf(pos, "target '%s' lists %s where the name of an SLS is expected", t.text, kindOf(it)))
		}
	}
	for i := range t.items {
		t.items[i].ignoreMissing = ignore
	}
	return t
}

// option reads `- match: grain` and its like, and `- dev: sls`. It says whether missing SLS are to be ignored.
func (p *parser) option(f File, t *target, d *value.Dict, pos diag.Pos) (ignoreMissing bool) {
	for i := range d.Len() {
		e := d.At(i)
		key, at := value.String(e.Key), f.Pos(e.KeyAt)
		if at.Line == 0 {
			at = pos
		}
		switch {
		case key == "match":
			t.kpos = f.Pos(e.ValueAt)
			kind, ok := e.Val.(value.Str)
			if !ok || kind == "" {
				p.errs.Add(diag.Errorf(at, "match of target '%s' must be the name of a matcher, not %s", t.text, kindOf(e.Val)))
				continue
			}
			t.kind = string(kind)
			if !slices.Contains(Kinds(), t.kind) {
				d := diag.Errorf(t.kpos, "unknown matcher '%s'", t.kind)
				if n := diag.Nearest(t.kind, Kinds()); n != "" {
					d.WithHint("did you mean '%s'?", n)
				}
				p.errs.Add(d)
			}
		case key == "order":
			// Salt: what is no number is 0
			if n, ok := e.Val.(value.Int); ok {
				t.order = int64(n)
			}
		case key == "ignore_missing":
			ignoreMissing = value.Truth(e.Val)
		case isDict(e.Val) && !p.o.Pillar:
			t.items = append(t.items, item{sls: key, pos: at, with: e.Val.(*value.Dict), at: f.Pos})
		case p.o.HasEnv != nil && p.o.HasEnv(key) && !p.o.Pillar:
			if name, ok := e.Val.(value.Str); ok {
				t.items = append(t.items, item{sls: string(name), env: key, pos: f.Pos(e.ValueAt)})
				continue
			}
			p.errs.Add(diag.Errorf(at, "environment '%s' of target '%s' must name an SLS", key, t.text))
		default:
			w := diag.Warnf(at, "unknown option '%s' of target '%s' is ignored", key, t.text)
			if n := diag.Nearest(key, []string{"match", "order", "ignore_missing"}); n != "" {
				w.WithHint("did you mean '%s'?", n)
			}
			p.errs.Add(w)
		}
	}
	return ignoreMissing
}
