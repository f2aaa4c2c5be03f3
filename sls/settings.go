package sls

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Settings are what is said for all states of an SLS in one place: by a key at the top of the file (`noop: true`), or
// beside its name where it is asked for (`- web: {stage: pre}`). The keys are those of settingKeys.
type Settings struct {
	Dict *value.Dict
	At   state.At // the place of a mark of Dict
}

// settingKeys are the arguments of a state that an SLS can give to all its states, and `defaults`, which holds others.
func settingKeys() []string {
	return append([]string{"stage", "noop", "tags", "schedule", "defaults"}, edgeKeys()...)
}

// edgeKeys are the relationships that an SLS can have: each of its states gets them besides its own.
func edgeKeys() []string { return []string{"before", "require", "notify", "subscribe"} }

// given is what an SLS gives to its states, in layers: a later one wins.
type given struct {
	meta     []state.Arg
	defaults []moduleDefaults
}

// A moduleDefaults holds the arguments that states of a module ("file") or of a function ("file.managed") get unless
// they give them themselves.
type moduleDefaults struct {
	of   string
	args []state.Arg
}

// isSetting says whether an entry at the top of a file is a setting: it has a shape that no declaration has. An ID may
// well be called `defaults` or `stage`.
func isSetting(e value.Entry) bool {
	text, isText := e.Val.(value.Str)
	_, isList := e.Val.(*value.List)
	_, isBool := e.Val.(value.Bool)
	switch e.Key {
	case value.Str("stage"), value.Str("schedule"):
		return isText && !strings.Contains(string(text), ".")
	case value.Str("noop"):
		return isBool
	case value.Str("tags"):
		return isText && !strings.Contains(string(text), ".") || isList
	case value.Str("realize"), value.Str("before"), value.Str("require"), value.Str("notify"), value.Str("subscribe"):
		return isList
	case value.Str("defaults"):
		return areDefaults(e.Val)
	}
	return false
}

// areDefaults says whether a value is `MODULE: {ARGUMENT: VALUE}`: below an ID stands `MODULE: [ARGUMENTS]`.
func areDefaults(v value.Value) bool {
	d, ok := v.(*value.Dict)
	for i := 0; ok && i < d.Len(); i++ {
		_, ok = d.At(i).Val.(*value.Dict)
	}
	return ok && d.Len() > 0
}

// setting takes a setting of the file.
func (f *file) setting(e value.Entry) {
	if e.Key == value.Str("realize") {
		f.realize(e)
		return
	}
	f.set(&f.given, e, f.at)
}

// realize reads which virtual states the file wants.
func (f *file) realize(e value.Entry) {
	b := state.Body{}
	as := value.NewDict(1)
	_ = as.SetAt(value.Str("require"), e.Val, e.KeyAt, e.ValueAt)
	b.AppendArgs(f.context("realize", f.at), value.NewList(as), f.pos(e.KeyAt, f.start))
	for i := range b.Args {
		f.high.Realize = append(f.high.Realize, b.Args[i].Reqs...)
	}
}

// context names the settings of the file in diagnostics.
func (f *file) context(id string, at state.At) state.Context {
	return state.Context{ID: id, SLS: f.name, At: at, Diags: f.diags, Strict: f.cfg.Strict}
}

// with takes what is said beside the name of the file where it is asked for.
func (f *file) with(s Settings, fallback diag.Pos) {
	if s.Dict == nil {
		return
	}
	for i := range s.Dict.Len() {
		e := s.Dict.At(i)
		key, pos := value.String(e.Key), fallback
		if s.At != nil && e.KeyAt.Line > 0 {
			pos = s.At(e.KeyAt)
		}
		if !slices.Contains(settingKeys(), key) {
			d := diag.Errorf(pos, "'%s' is nothing that can be said beside SLS '%s'", key, f.name)
			if near := diag.Nearest(key, settingKeys()); near != "" {
				d.WithHint("did you mean '%s'?", near)
			} else {
				d.WithHint("it can be one of %s", strings.Join(settingKeys(), ", "))
			}
			f.diags.Add(d)
			continue
		}
		if key == "defaults" && !areDefaults(e.Val) {
			f.diags.Add(diag.Errorf(pos, "'defaults' beside SLS '%s' is not a map of modules", f.name).
				WithHint("write 'defaults: {file: {user: root}}'"))
			continue
		}
		f.set(&f.given, e, s.At)
	}
}

// set puts one setting over those that are there.
func (f *file) set(g *given, e value.Entry, at state.At) {
	if e.Key == value.Str("defaults") {
		d := e.Val.(*value.Dict)
		for i := range d.Len() {
			m := d.At(i)
			args := f.settingArgs(m.Val.(*value.Dict), at, f.pos(m.KeyAt, f.start))
			g.defaults = append(g.defaults, moduleDefaults{value.String(m.Key), args})
			for i := range args {
				f.high.Defaults = append(f.high.Defaults, state.Default{Of: value.String(m.Key), Arg: args[i].Name,
					Pos: args[i].Pos})
			}
		}
		return
	}
	one := value.NewDict(1)
	_ = one.SetAt(e.Key, e.Val, e.KeyAt, e.ValueAt)
	for _, a := range f.settingArgs(one, at, f.start) {
		if a.Name == "tags" {
			a.Name = state.SLSTags
		}
		g.meta = append(g.meta, a)
	}
}

// settingArgs are the entries of a map as arguments of a state.
func (f *file) settingArgs(d *value.Dict, at state.At, fallback diag.Pos) []state.Arg {
	b := state.Body{}
	for i := range d.Len() {
		e, one := d.At(i), value.NewDict(1)
		_ = one.SetAt(e.Key, e.Val, e.KeyAt, e.ValueAt)
		b.AppendArgs(f.context("defaults", at), value.NewList(one), fallback)
	}
	for i := range b.Args {
		b.Args[i].Default = true
	}
	return b.Args
}

// passed is what an SLS passes on to those that it includes: its stage and its defaults, as in Puppet.
func (g *given) passed() given {
	out := given{defaults: slices.Clip(g.defaults)}
	for _, a := range g.meta {
		if a.Name == "stage" {
			out.meta = append(out.meta, a)
		}
	}
	return out
}

// give adds to the file's states what they do not say themselves; of several layers the last wins.
func (f *file) give() {
	g := &f.given
	if len(g.meta)+len(g.defaults) == 0 {
		return
	}
	for _, d := range f.own {
		for i := range d.States {
			s := &d.States[i]
			for k := len(g.defaults) - 1; k >= 0; k-- {
				if m := &g.defaults[k]; m.of == s.Module || m.of == s.Fun() {
					s.AddMissing(m.args)
				}
			}
			for k := len(g.meta) - 1; k >= 0; k-- {
				if a := g.meta[k]; !slices.Contains(edgeKeys(), a.Name) {
					s.AddMissing(g.meta[k : k+1])
				} else if !s.Relate(a) {
					f.diags.Add(diag.Errorf(a.Pos, "'%s' for all of SLS '%s' does not reach ID '%s', whose function has an "+
						"argument of that name", a.Name, f.name, d.ID).WithHint("name that state in the other ones: 'require' or " +
						"'subscribe'"))
				}
			}
		}
	}
}
