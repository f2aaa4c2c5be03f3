// Package config is the execution functions that look options, grains and pillar up, one after the other.
package config

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/value/merge"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "config", Execs: execs()} }

func execs() []modules.ExecSpec {
	omit := []string{"omit_opts=false", "omit_grains=false", "omit_pillar=false", "omit_master=false"}
	return []modules.ExecSpec{
		modules.NewExec("config.get", "get(key, default='', merge=None): from the options, the grains and the pillar, the "+
			"first that has it.", configGet,
			"key", "default=''", "delimiter=:", "merge=None", "omit_opts=false", "omit_pillar=false", "omit_master=false",
			"omit_grains=false"),
		modules.NewExec("config.option", "option(value, default=''): a top-level key of the options, the grains, the "+
			"pillar or Salt's defaults.", configOption,
			append(append([]string{"value", "default=None"}, omit...), "omit_all=false", "wildcard=false")...),
		modules.NewExec("config.backup_mode", "backup_mode(backup=''): backup, or the option backup_mode.", backupMode,
			"backup=''"),
		modules.NewExec("config.items", "items(): all options.",
			func(_ context.Context, c *modules.Call) (value.Value, error) { return c.Opts.Dict(), nil }),
		modules.NewExec("config.merge", "merge(value, default=''): a top-level key, what options and pillar hold of it "+
			"joined.", configMerge,
			"value", "default=''", "omit_opts=false", "omit_master=false", "omit_pillar=false"),
		modules.NewExec("config.dot_vals", "dot_vals(value): the options whose names begin with value and a dot.",
			configDotVals, "value"),
		modules.NewExec("config.manage_mode", "manage_mode(mode): file permissions as text, without what only marks them "+
			"as octal.", manageMode, "mode"),
		modules.NewExec("config.valid_fileproto", "valid_fileproto(uri): whether a source of files is of a known kind.",
			validProto, "uri"),
	}
}

// A source is one place that configuration comes from, unless it is left out.
type source struct {
	omit string
	data modules.Data
}

// sources are where config.get looks, in its order.
func sources(c *modules.Call) []source {
	master := modules.Whole(func() *value.Dict {
		v, _ := c.Pillar("master")
		if d, ok := v.(*value.Dict); ok {
			return d
		}
		return value.NewDict(0)
	})
	return []source{{"omit_opts", c.Opts}, {"omit_grains", c.Grains}, {"omit_pillar", c.Pillar}, {"omit_master", master},
		{"", modules.Whole(defaults)}}
}

// omitted says whether the call leaves a source out.
func (s source) omitted(c *modules.Call) bool {
	return s.omit != "" && (c.Bool(s.omit) || c.Bool("omit_all"))
}

func configGet(_ context.Context, c *modules.Call) (value.Value, error) {
	def := c.Arg("default")
	if c.Arg("merge") != value.None {
		return configMerged(c, def)
	}
	for _, s := range sources(c) {
		if s.omitted(c) {
			continue
		}
		if v, ok := c.Find(s.data.Dict(), c.Arg("key")); ok {
			return v, nil
		}
	}
	return def, nil
}

// configMerged looks in all sources merged, the options over the grains over the pillar. Only the top-level key that
// the path begins with is merged: the others cannot matter.
func configMerged(c *modules.Call, def value.Value) (value.Value, error) {
	strategy := c.Str("merge")
	if strategy != "recurse" && strategy != "overwrite" {
		c.Log("warning", fmt.Sprintf("config.get: unsupported merge strategy '%s', falling back to 'recurse'", strategy))
		strategy = "recurse"
	}
	top, _, _ := strings.Cut(c.Str("key"), c.Delimiter())
	var all value.Value = value.NewDict(0)
	list := sources(c)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].omitted(c) {
			continue
		}
		v, ok := list[i].data.Dict().GetStr(top)
		if !ok {
			continue
		}
		merged, err := merge.Merge(all, value.DictOf(top, v), merge.Options{Strategy: strategy})
		if err != nil {
			return nil, err
		}
		all = merged
	}
	v, ok := c.Find(all, c.Arg("key"))
	return modules.OrElse(v, ok, def), nil
}

func configOption(_ context.Context, c *modules.Call) (value.Value, error) {
	if c.Bool("wildcard") {
		return wildcardOption(c)
	}
	for _, s := range sources(c) {
		if s.omitted(c) {
			continue
		}
		if v, ok := s.data.Dict().Get(c.Arg("value")); ok {
			return v, nil
		}
	}
	if c.Arg("default") == value.None {
		return value.Str(""), nil
	}
	return c.Arg("default"), nil
}

// wildcardOption is a map of all keys that match a glob.
func wildcardOption(c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	list := sources(c)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].omitted(c) {
			continue
		}
		for k, v := range list[i].data.Dict().All() {
			if fnmatch.Match(c.Str("value"), value.String(k)) {
				if err := out.Set(k, v); err != nil {
					return nil, err
				}
			}
		}
	}
	if out.Len() == 0 && c.Arg("default") != value.None {
		return c.Arg("default"), nil
	}
	return out, nil
}

// configMerge joins what options, master and pillar hold of a key: text is taken from the first, maps and lists are
// joined.
func configMerge(_ context.Context, c *modules.Call) (value.Value, error) {
	var ret value.Value
	list := sources(c)
	for _, s := range []source{list[0], list[3], list[2]} {
		if s.omitted(c) {
			continue
		}
		v, ok := s.data.Dict().Get(c.Arg("value"))
		switch {
		case !ok:
			continue
		case ret == nil:
			ret = v
		default:
			if m, err := merge.Merge(value.DictOf("v", v), value.DictOf("v", ret),
				merge.Options{Strategy: "recurse", Lists: true}); err == nil {
				ret, _ = m.(*value.Dict).GetStr("v")
			}
		}
		if _, text := ret.(value.Str); text {
			return ret, nil
		}
	}
	if ret == nil || ret == value.None {
		v, ok := list[4].data.Dict().Get(c.Arg("value"))
		return modules.OrElse(v, ok, c.Arg("default")), nil
	}
	return ret, nil
}

func configDotVals(_ context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	list := sources(c)
	for _, s := range []source{list[3], list[0]} {
		for k, v := range s.data.Dict().All() {
			if strings.HasPrefix(value.String(k), c.Str("value")+".") {
				if err := out.Set(k, v); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

func backupMode(ctx context.Context, c *modules.Call) (value.Value, error) {
	if c.Bool("backup") {
		return c.Arg("backup"), nil
	}
	return c.Exec.Call(ctx, "config.option", []value.Value{value.Str("backup_mode")}, nil)
}

func manageMode(_ context.Context, c *modules.Call) (value.Value, error) {
	if c.Arg("mode") == value.None {
		return value.None, nil
	}
	mode := strings.TrimPrefix(strings.Trim(c.Str("mode"), `"'`), "0o")
	mode = strings.TrimLeft(mode, "0")
	if mode == "" {
		mode = "0"
	}
	return value.Str(strings.Repeat("0", max(0, 4-len(mode))) + mode), nil
}

func validProto(_ context.Context, c *modules.Call) (value.Value, error) {
	scheme, _, ok := strings.Cut(c.Str("uri"), "://")
	for _, known := range []string{"salt", "http", "https", "ftp", "s3", "swift", "file"} {
		if ok && scheme == known {
			return value.Bool(true), nil
		}
	}
	return value.Bool(false), nil
}
