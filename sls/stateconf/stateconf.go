// Package stateconf rewrites an SLS as Salt's renderer stateconf does: IDs with a dot in front belong to their SLS, a
// goal state requires all others, states may follow in the order of the file, and `stateconf.set` gives a template
// variables that other SLS may set by extending it.
package stateconf

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Options are those of the #! line.
type Options struct {
	Ordered bool // -o: each state requires the one before it
	Start   bool // -s: a state .start comes before the first
	NoGoal  bool // -G: no state .goal after the last
	Data    bool // -p: what comes in is data, not text
	// Reader and Template are the renderers, with their arguments: yaml and jinja.
	Reader, Template string
}

const usage = "usage: #!stateconf [-GoSp] [<data_renderer> [options] . <template_renderer> [options]]"

// Parse reads the argument of the renderer: "-o yaml . jinja".
func Parse(pos diag.Pos, arg string) (Options, error) {
	o := Options{Reader: "yaml", Template: "jinja"}
	words := strings.Fields(arg)
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		for _, c := range words[0][1:] {
			switch c {
			case 'o':
				o.Ordered = true
			case 's':
				o.Start = true
			case 'G':
				o.NoGoal = true
			case 'p':
				o.Data = true
			default:
				return o, diag.Errorf(pos, "stateconf has no option -%c", c).WithHint(usage)
			}
		}
		words = words[1:]
	}
	if len(words) == 0 || o.Data {
		return o, nil
	}
	i := slices.Index(words, ".")
	if i < 1 || i == len(words)-1 {
		return o, diag.Errorf(pos, "stateconf takes a renderer of data and one of templates").WithHint(usage)
	}
	o.Reader, o.Template = strings.Join(words[:i], " "), strings.Join(words[i+1:], " ")
	return o, nil
}

// Head is the part of a text before the line that ends the configuration, and whether there is such a line.
func Head(text string) (string, bool) {
	at := regexp.MustCompile(`#\s*-+\s*end of state config\s*-+`).FindStringIndex(text)
	if at == nil {
		return "", false
	}
	return text[:at[0]], true
}

// A Conf is what the `stateconf.set` states of a run set, and what other SLS set in them by extend.
type Conf struct{ set, extended map[string]*value.Dict }

// NewConf makes an empty one.
func NewConf() *Conf {
	return &Conf{map[string]*value.Dict{}, map[string]*value.Dict{}}
}

// Variables are those of the templates of an SLS: sls_dir, and what is set so far, without the SLS in the names of its
// own.
func (c *Conf) Variables(sls string) *value.Dict {
	out := value.DictOf("sls_dir", Dir(sls))
	for _, id := range slices.Sorted(maps.Keys(c.set)) {
		out.SetStr(strings.TrimPrefix(id, sls+"::"), c.set[id])
	}
	return out
}

// Dir is the directory of an SLS: a/b of a.b.c.
func Dir(sls string) value.Value {
	if i := strings.LastIndexByte(sls, '.'); i >= 0 {
		return value.Str(strings.ReplaceAll(sls[:i], ".", "/"))
	}
	return value.Str(sls)
}

// A file is one SLS that is rewritten.
type file struct {
	path, sls, env string
	high           *value.Dict
	conf           *Conf
}

// Rewrite makes of the data of an SLS what the renderer gives. head says that it is the configuration alone, which is
// read for what it sets.
func (c *Conf) Rewrite(path, sls, env string, high *value.Dict, o Options, head bool) error {
	f := &file{path, sls, env, high, c}
	f.shorthand()
	if err := f.includes(); err != nil {
		return err
	}
	if o.Ordered && !head {
		if err := f.order(); err != nil {
			return err
		}
	}
	if o.Start {
		if err := f.start(); err != nil {
			return err
		}
	}
	if !o.NoGoal && !head {
		if err := f.goal(); err != nil {
			return err
		}
	}
	if err := f.rename(high, true); err != nil {
		return err
	}
	c.extract(high, false)
	return nil
}

// setFunc and setModule name the states that configure.
const setFunc, setModule = "stateconf.set", "stateconf"

func (f *file) errorf(m value.Mark, format string, args ...any) *diag.Diagnostic {
	return diag.Errorf(diag.Pos{File: f.path, Line: int(m.Line), Col: int(m.Col)}, format, args...)
}

// shorthand makes a map of `ID: module.function`.
func (f *file) shorthand() {
	for i := range f.high.Len() {
		e := f.high.At(i)
		if fun, ok := e.Val.(value.Str); ok {
			_ = f.high.SetAt(e.Key, value.DictOf(string(fun), value.NewList()), e.KeyAt, e.ValueAt)
		}
	}
}

// includes makes the relative names of included and excluded SLS absolute.
func (f *file) includes() error {
	list := func(key string) []value.Value {
		v, _ := f.high.GetStr(key)
		l, _ := v.(*value.List)
		if l == nil {
			return nil
		}
		return l.Items
	}
	items := list("include")
	for i, it := range items {
		env, name := f.env, it
		if d, ok := it.(*value.Dict); ok && d.Len() == 1 {
			env, name = value.String(d.At(0).Key), d.At(0).Val
		}
		abs, rel, err := f.absolute(name)
		if err != nil {
			return err
		}
		if rel {
			items[i] = value.DictOf(env, value.Str(abs))
		}
	}
	for _, it := range list("exclude") {
		d, _ := it.(*value.Dict)
		if d == nil {
			continue
		}
		if v, ok := d.GetStr("sls"); ok {
			abs, rel, err := f.absolute(v)
			if err != nil {
				return err
			}
			if rel {
				d.SetStr("sls", value.Str(abs))
			}
		}
	}
	return nil
}

func (f *file) absolute(name value.Value) (abs string, relative bool, err error) {
	text, _ := name.(value.Str)
	if !strings.HasPrefix(string(text), ".") {
		return "", false, nil
	}
	abs, err = f.above(string(text), f.sls)
	return abs, true, err
}

// above is the SLS that a relative name means: one dot is beside the SLS, each further one a directory up.
func (f *file) above(rel, sls string) (string, error) {
	name := strings.TrimLeft(rel, ".")
	parts := strings.Split(sls, ".")
	up := len(rel) - len(name)
	if up > len(parts) {
		return "", f.errorf(value.Mark{}, "%q goes beyond the top of the file roots", rel)
	}
	return strings.Join(append(slices.Clone(parts[:len(parts)-up]), name), "."), nil
}

// own is the ID that one with a dot in front stands for: ".x" is "SLS::x", "..b::x" is "b::x" of the directory above.
func (f *file) own(id string) (string, error) {
	if strings.Contains(id, "::") {
		return f.above(id, f.sls)
	}
	abs, err := f.above(id, f.sls+".")
	if i := strings.LastIndexByte(abs, '.'); i >= 0 {
		abs = abs[:i] + "::" + abs[i+1:]
	}
	return abs, err
}

// A decl is one state of an ID: its module or function, and its arguments.
type decl struct {
	id, fun value.Entry
	args    *value.List
}

func (d decl) key() string { return value.String(d.id.Key) }

// module is the state module of the declaration.
func (d decl) module() string {
	m, _, _ := strings.Cut(value.String(d.fun.Key), ".")
	return m
}

func (d decl) tag() string { return d.key() + ":" + d.module() }

// decls are the states of the IDs of a map, but of the IDs that are named.
func decls(high *value.Dict, without ...string) (out []decl) {
	for i := range high.Len() {
		id := high.At(i)
		states, _ := id.Val.(*value.Dict)
		if name := value.String(id.Key); states == nil || strings.HasPrefix(name, "__") || slices.Contains(without, name) {
			continue
		}
		for j := range states.Len() {
			fun := states.At(j)
			if args, ok := fun.Val.(*value.List); ok && !strings.HasPrefix(value.String(fun.Key), "__") {
				out = append(out, decl{id, fun, args})
			}
		}
	}
	return out
}

// A target is one `module: ID` of a requisite.
type target struct {
	in   *value.Dict // holds it
	at   value.Entry
	text string
}

func (t target) tag() string { return t.text + ":" + strings.Split(value.String(t.at.Key), ".")[0] }

// targets are those of the requisites for which want says so.
func (d decl) targets(want func(name string) bool) (out []target) {
	for _, it := range d.args.Items {
		arg, _ := it.(*value.Dict)
		if arg == nil || arg.Len() == 0 || !want(value.String(arg.At(0).Key)) {
			continue
		}
		list, _ := arg.At(0).Val.(*value.List)
		if list == nil {
			continue
		}
		for _, it := range list.Items {
			if t, ok := it.(*value.Dict); ok && t.Len() > 0 {
				text, _ := t.At(0).Val.(value.Str)
				out = append(out, target{t, t.At(0), string(text)})
			}
		}
	}
	return out
}

// rename gives the IDs with a dot in front their full names, and those who refer to them.
func (f *file) rename(high *value.Dict, extends bool) error {
	if v, ok := high.GetStr("extend"); ok && extends {
		if d, ok := v.(*value.Dict); ok {
			if err := f.rename(d, false); err != nil {
				return err
			}
		}
	}
	for _, d := range decls(high, "include", "exclude") {
		for _, t := range d.targets(state.IsRequisite) {
			if strings.HasPrefix(t.text, ".") {
				abs, err := f.own(t.text)
				if err != nil {
					return err
				}
				_ = t.in.SetAt(t.at.Key, value.Str(abs), t.at.KeyAt, t.at.ValueAt)
			}
		}
	}
	for _, e := range slices.Collect(entries(high)) {
		if id := value.String(e.Key); strings.HasPrefix(id, ".") {
			if err := f.renameID(high, e, id); err != nil {
				return err
			}
		}
	}
	return nil
}

func entries(d *value.Dict) func(yield func(value.Entry) bool) {
	all := make([]value.Entry, d.Len())
	for i := range all {
		all[i] = d.At(i)
	}
	return slices.Values(all)
}

// renameID moves a state to the end, as Salt does, under its full name; its own name stays without the dot.
func (f *file) renameID(high *value.Dict, e value.Entry, id string) error {
	abs, err := f.own(id)
	switch {
	case err != nil:
		return err
	case high.Has(value.Str(abs)):
		return f.errorf(e.KeyAt, "Can't rename state id(%s) into %s because the later already exists!", id, abs)
	}
	one := value.NewDict(1)
	_ = one.SetAt(e.Key, e.Val, e.KeyAt, e.ValueAt)
	for _, d := range decls(one) {
		if d.module() != setModule && !d.named() {
			d.args.Items = slices.Insert(d.args.Items, 0, value.Value(value.DictOf("name", value.Str(id[1:]))))
			d.args.Marks = nil
		}
	}
	high.Delete(e.Key)
	return high.SetAt(value.Str(abs), e.Val, e.KeyAt, e.ValueAt)
}

func (d decl) named() bool {
	return slices.ContainsFunc(d.args.Items, func(it value.Value) bool {
		arg, _ := it.(*value.Dict)
		return arg != nil && arg.Len() > 0 && value.String(arg.At(0).Key) == "name"
	})
}

// extract notes what the states that configure set.
func (c *Conf) extract(high *value.Dict, extends bool) {
	for e := range entries(high) {
		states, _ := e.Val.(*value.Dict)
		id := value.String(e.Key)
		if states == nil {
			continue
		}
		if id == "extend" && !extends {
			c.extract(states, true)
			continue
		}
		v, ok := states.GetStr(setModule)
		if !ok {
			v, ok = states.GetStr(setFunc)
		}
		if args, isList := v.(*value.List); ok && isList {
			c.note(id, args, extends)
		}
	}
}

func (c *Conf) note(id string, args *value.List, extends bool) {
	to := c.set
	if extends {
		to = c.extended
	}
	if to[id] == nil {
		to[id] = value.NewDict(0)
	}
	for _, it := range args.Items {
		if arg, ok := it.(*value.Dict); ok && arg.Len() > 0 {
			_ = to[id].Set(arg.At(0).Key, arg.At(0).Val)
		}
	}
	if by := c.extended[id]; by != nil && !extends {
		to[id].Update(by)
	}
}
