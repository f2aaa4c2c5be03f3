package grains

import (
	"context"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func writers() []modules.ExecSpec {
	return modules.Writing(
		modules.ExecSpec{Name: "grains.set", Doc: "Sets a grain and tells what changed.",
			Params: []string{"key", "val:text=", "force=false", "destructive=false", "delimiter=:"},
			Fn:     editing(set)},
		modules.ExecSpec{Name: "grains.setval", Doc: "Notes a grain of the first level.",
			Params: []string{"key", "val:text", "destructive=false", "refresh_pillar=true"},
			Fn: editing(func(c *modules.Call, s *store) (value.Value, error) {
				s.setval(c.Str("key"), c.Arg("val"), c.Bool("destructive"))
				return value.DictOf(c.Str("key"), c.Arg("val")), nil
			})},
		modules.ExecSpec{Name: "grains.setvals", Doc: "Notes several grains of the first level.",
			Params: []string{"grains:text", "destructive=false", "refresh_pillar=true"},
			Fn: editing(func(c *modules.Call, s *store) (value.Value, error) {
				d, ok := c.Arg("grains").(*value.Dict)
				if !ok {
					return nil, value.Raise("SaltException", "setvals grains must be a dictionary.")
				}
				for k, v := range d.All() {
					s.setval(value.String(k), v, c.Bool("destructive"))
				}
				return d, nil
			})},
		modules.ExecSpec{Name: "grains.append", Doc: "Appends a value to a grain that is a list.",
			Params: []string{"key", "val:text", "convert=false", "delimiter=:"}, Fn: editing(appended)},
		modules.ExecSpec{Name: "grains.remove", Doc: "Takes a value out of a grain that is a list.",
			Params: []string{"key", "val:text", "delimiter=:"}, Fn: editing(removed)},
		modules.ExecSpec{Name: "grains.delval", Doc: "Takes the value of a grain, or the grain, away.",
			Params: []string{"key", "destructive=false", "force=false"},
			Fn: editing(func(c *modules.Call, s *store) (value.Value, error) {
				return told(s.set(c.Str("key"), value.None, c.Bool("force"), c.Bool("destructive")))
			})},
		modules.ExecSpec{Name: "grains.delkey", Doc: "Takes a grain away.", Params: []string{"key", "force=false"},
			Fn: editing(func(c *modules.Call, s *store) (value.Value, error) {
				return told(s.set(c.Str("key"), value.None, c.Bool("force"), true))
			})},
	)
}

// editing is a function that changes grains, and writes them where they changed.
func editing(edit func(c *modules.Call, s *store) (value.Value, error)) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		s, err := open(c.Env, c.Host)
		if err != nil {
			return nil, err
		}
		out, err := edit(c, s)
		if err != nil || value.Equal(s.now, s.before) {
			return out, err
		}
		return out, s.write(c.Host)
	}
}

// told is what set answers: result, changes and what it says.
func told(changes *value.Dict, err error) (value.Value, error) {
	out := value.DictOf("comment", value.Str(""), "changes", value.NewDict(0), "result", value.Bool(err == nil))
	switch {
	case err != nil:
		out.SetStr("comment", value.Str(err.Error()))
	case changes.Len() == 0:
		out.SetStr("comment", value.Str("Grain is already set"))
	default:
		out.SetStr("changes", changes)
	}
	return out, nil
}

func key(c *modules.Call) string {
	return (&named{Name: c.Str("key"), Delim: c.Str("delimiter")}).key()
}

func set(c *modules.Call, s *store) (value.Value, error) {
	return told(s.set(key(c), c.Arg("val"), c.Bool("force"), c.Bool("destructive")))
}

func appended(c *modules.Call, s *store) (value.Value, error) {
	now, there := s.get(key(c))
	l, is := now.(*value.List)
	switch {
	case !there || !is && c.Bool("convert") && isNone(now):
		l = value.NewList()
	case !is && c.Bool("convert"):
		l = value.NewList(now)
	case !is:
		return value.Str("The key " + key(c) + " is not a valid list"), nil
	}
	if contains(l, c.Arg("val")) {
		return value.Str("The val " + c.Str("val") + " was already in the list " + key(c)), nil
	}
	l.Items = append(l.Items, each(c.Arg("val"))...)
	return s.set(key(c), l, true, false)
}

func removed(c *modules.Call, s *store) (value.Value, error) {
	now, _ := s.get(key(c))
	l, is := now.(*value.List)
	if !is {
		return value.Str("The key " + key(c) + " is not a valid list"), nil
	}
	i := slices.IndexFunc(l.Items, func(v value.Value) bool { return value.Equal(v, c.Arg("val")) })
	if i < 0 {
		return value.Str("The val " + c.Str("val") + " was not in the list " + key(c)), nil
	}
	l.Items = slices.Delete(l.Items, i, i+1)
	return s.set(key(c), l, true, false)
}
