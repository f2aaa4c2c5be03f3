// Package sys is the execution functions that tell of functions.
package sys

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "sys", Execs: execs()} }

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("sys.doc", "doc(*names): what functions are for, by their names, modules or globs.", sysDoc, "*args"),
		modules.NewExec("sys.list_functions", "list_functions(*modules): the names of functions.", sysFunctions, "*args", "**kwargs"),
		modules.NewExec("sys.list_modules", "list_modules(*globs): the names of modules.", sysModules, "*args"),
		modules.NewExec("sys.argspec", "argspec(name=''): the parameters of functions.", sysArgspec, "name=''"),
	}
}

func cut(name string) (module, function string, ok bool) { return strings.Cut(name, ".") }

// chosen are the functions that one of the globs means: by full name or by module; all when there are none.
func chosen(c *modules.Call, globs []value.Value) []string {
	if c.Registry == nil {
		return nil
	}
	var out []string
	for _, name := range c.Registry.ExecNames() {
		module, _, _ := cut(name)
		ok := len(globs) == 0
		for _, g := range globs {
			p := strings.TrimSuffix(value.String(g), ".")
			ok = ok || fnmatch.Match(p, name) || fnmatch.Match(p, module)
		}
		if ok {
			out = append(out, name)
		}
	}
	return out
}

func sysFunctions(_ context.Context, c *modules.Call) (value.Value, error) {
	return modules.TextList(chosen(c, c.Rest())), nil
}

func sysModules(_ context.Context, c *modules.Call) (value.Value, error) {
	var out []string
	for _, name := range chosen(c, c.Rest()) {
		module, _, _ := cut(name)
		out = append(out, module)
	}
	return modules.TextList(slices.Compact(out)), nil
}

func sysDoc(_ context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	for _, name := range chosen(c, c.Rest()) {
		if s, ok := c.Registry.Exec(name); ok {
			out.SetStr(name, value.Str(s.Doc))
		}
	}
	return out, nil
}

// sysArgspec gives each function's parameters in the shape that Salt gives them.
func sysArgspec(_ context.Context, c *modules.Call) (value.Value, error) {
	var globs []value.Value
	if c.Str("name") != "" {
		globs = []value.Value{c.Arg("name")}
	}
	out := value.NewDict(0)
	for _, name := range chosen(c, globs) {
		s, ok := c.Registry.Exec(name)
		if !ok {
			continue
		}
		args, defaults := value.NewList(), value.NewList()
		var rest, extra value.Value = value.None, value.None
		for _, p := range s.Params {
			switch n, def, optional := strings.Cut(p, "="); {
			case strings.HasPrefix(p, "**"):
				extra = value.Bool(true)
			case strings.HasPrefix(p, "*"):
				rest = value.Bool(true)
			default:
				args.Items = append(args.Items, value.Str(n))
				if optional {
					defaults.Items = append(defaults.Items, value.Str(def))
				}
			}
		}
		out.SetStr(name, value.DictOf("args", args, "varargs", rest, "kwargs", extra, "defaults", defaults))
	}
	return out, nil
}
