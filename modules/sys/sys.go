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
	none := func(v func() value.Value) modules.ExecFunc {
		return func(context.Context, *modules.Call) (value.Value, error) { return v(), nil }
	}
	list, dict := none(func() value.Value { return value.NewList() }), none(func() value.Value { return value.NewDict(0) })
	out := append(specsOf("", "functions", execFunctions{}), specsOf("state_", "state functions", stateFunctions{})...)
	out = append(out,
		modules.NewExec("sys.list_renderers", "list_renderers(*globs): the names of the renderers.", renderers, "*args"),
		modules.NewExec("sys.reload_modules", "reload_modules(): True.",
			none(func() value.Value { return value.Bool(true) })),
		modules.NewExec("sys.renderer_doc", "renderer_doc(*names): nothing: renderers have no documentation here.", dict,
			"*args"))
	for _, kind := range []string{"returner", "runner"} {
		const what = "of the master's, of which there are none."
		out = append(out,
			modules.NewExec("sys.list_"+kind+"s", "list_"+kind+"s(*globs): modules "+what, list, "*args"),
			modules.NewExec("sys.list_"+kind+"_functions", "list_"+kind+"_functions(*modules): functions "+what, list, "*args",
				"**kwargs"),
			modules.NewExec("sys."+kind+"_doc", kind+"_doc(*names): functions "+what, dict, "*args"),
			modules.NewExec("sys."+kind+"_argspec", kind+"_argspec(module=''): functions "+what, dict, "module=''"))
	}
	return out
}

// A kind is one of the two kinds of functions.
type kind interface {
	names(r *modules.Registry) []string
	doc(r *modules.Registry, name string) string
	// params are the parameters as an ExecSpec has them.
	params(r *modules.Registry, name string) []string
}

// specsOf are the four functions that tell of a kind.
func specsOf(prefix, what string, k kind) []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("sys."+prefix+"doc", prefix+"doc(*names): what "+what+" are for, by their names, modules or globs.",
			doc(k), "*args"),
		modules.NewExec("sys.list_"+prefix+"functions", "list_"+prefix+"functions(*modules): the names of "+what+".",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return modules.TextList(chosen(c, k, c.Rest())), nil
			}, "*args", "**kwargs"),
		modules.NewExec("sys.list_"+prefix+"modules", "list_"+prefix+"modules(*globs): the names of the modules of "+what+".",
			list(k), "*args"),
		modules.NewExec("sys."+prefix+"argspec", prefix+"argspec(module=''): the parameters of "+what+".", argspec(k),
			"module=''"),
	}
}

type execFunctions struct{}

func (execFunctions) names(r *modules.Registry) []string { return r.ExecNames() }
func (execFunctions) doc(r *modules.Registry, name string) string {
	s, _ := r.Exec(name)
	return s.Doc
}
func (execFunctions) params(r *modules.Registry, name string) []string {
	s, _ := r.Exec(name)
	return s.Signature()
}

type stateFunctions struct{}

func (stateFunctions) names(r *modules.Registry) []string { return r.StateNames() }
func (stateFunctions) doc(r *modules.Registry, name string) string {
	s, _ := r.State(name)
	return s.Doc
}
func (stateFunctions) params(r *modules.Registry, name string) (out []string) {
	s, _ := r.State(name)
	for _, a := range s.Arguments() {
		p := a.Name
		if !a.Required {
			p += "=" + a.Default
		}
		out = append(out, p)
	}
	return append(out, "**kwargs")
}

// chosen are the functions that one of the globs means: by full name or by module; all when there are none.
func chosen(c *modules.Call, k kind, globs []value.Value) []string {
	if c.Registry == nil {
		return nil
	}
	var out []string
	for _, name := range k.names(c.Registry) {
		module, _, _ := strings.Cut(name, ".")
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

func list(k kind) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		var out []string
		for _, name := range chosen(c, k, c.Rest()) {
			module, _, _ := strings.Cut(name, ".")
			out = append(out, module)
		}
		slices.Sort(out)
		return modules.TextList(slices.Compact(out)), nil
	}
}

func doc(k kind) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		out := value.NewDict(0)
		for _, name := range chosen(c, k, c.Rest()) {
			out.SetStr(name, value.Str(k.doc(c.Registry, name)))
		}
		return out, nil
	}
}

// argspec gives each function's parameters in the shape that Salt gives them.
func argspec(k kind) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		var globs []value.Value
		if c.Str("module") != "" {
			globs = []value.Value{c.Arg("module")}
		}
		out := value.NewDict(0)
		for _, name := range chosen(c, k, globs) {
			out.SetStr(name, shape(k.params(c.Registry, name)))
		}
		return out, nil
	}
}

// shape is what Salt shows of parameters.
func shape(params []string) *value.Dict {
	args, defaults := value.NewList(), value.NewList()
	var rest, extra value.Value = value.None, value.None
	for _, p := range params {
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
	return value.DictOf("args", some(args), "varargs", rest, "kwargs", extra, "defaults", some(defaults))
}

// some is the list, or None for one without items.
func some(l *value.List) value.Value {
	if len(l.Items) == 0 {
		return value.None
	}
	return l
}

// renderers are the parts that the pipeline of an SLS may have.
func renderers(_ context.Context, c *modules.Call) (value.Value, error) {
	var out []string
	for _, name := range []string{"jinja", "json", "text", "yaml"} {
		ok := len(c.Rest()) == 0
		for _, g := range c.Rest() {
			ok = ok || fnmatch.Match(value.String(g), name)
		}
		if ok {
			out = append(out, name)
		}
	}
	return modules.TextList(out), nil
}
