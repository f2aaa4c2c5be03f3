package selinux

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	e := func(name, doc string, f modules.ExecFunc, params ...string) modules.ExecSpec {
		return modules.NewExec("selinux."+name, doc, f, params...)
	}
	context := []string{"name", "filetype=None", "sel_type=None", "sel_user=None", "sel_level=None"}
	looks := []modules.ExecSpec{
		e("selinux_fs_path", "Where the kernel shows its SELinux; None where it is switched off.", fsPath),
		e("getenforce", "The mode that SELinux is in.", func(_ ctx, c *modules.Call) (value.Value, error) {
			return value.Str(enforced(c.Host)), nil
		}),
		e("getconfig", "The mode of the next boot.", getConfig),
		e("list_sebool", "All booleans of the policy.", listBooleans),
		e("getsebool", "A boolean of the policy.", func(cx ctx, c *modules.Call) (value.Value, error) {
			return one(listBooleans(cx, c))(c.Str("boolean"))
		}, "boolean"),
		e("list_semod", "All modules of the policy.", listModules),
		e("getsemod", "A module of the policy.", func(cx ctx, c *modules.Call) (value.Value, error) {
			return one(listModules(cx, c))(c.Str("module"))
		}, "module"),
		e("filetype_id_to_string", "The name of a kind of files.", kindOf, "filetype=a"),
		e("fcontext_get_policy", "The context that the policy gives to paths; None where it has none.", getContext,
			context...),
		e("fcontext_policy_is_applied", "What restorecon would label otherwise.", isApplied, "name", "recursive=false"),
		e("port_get_policy", "The type of a port; None where it has none.", getPort, "name", "sel_type=None",
			"protocol=None", "port=None"),
	}
	return append(looks, modules.Writing(
		e("setenforce", "Sets the mode, now and at boot.", setEnforce, "mode"),
		e("setsebool", "Sets a boolean.", func(cx ctx, c *modules.Call) (value.Value, error) {
			return setBooleans(cx, c, c.Str("boolean"), c.Str("value"))
		}, "boolean", "value", "persist=false"),
		e("setsebools", "Sets booleans.", setAll, "pairs:map", "persist=false"),
		e("setsemod", "Switches a module on or off.", setModule, "module", "state"),
		e("install_semod", "Installs a module from a file.", func(cx ctx, c *modules.Call) (value.Value, error) {
			return ran(cx, c, "semodule", "-i", c.Str("module_path"))
		}, "module_path"),
		e("remove_semod", "Removes a module.", func(cx ctx, c *modules.Call) (value.Value, error) {
			return ran(cx, c, "semodule", "-r", c.Str("module"))
		}, "module"),
		e("fcontext_add_policy", "Gives paths a context.", putContext("add"), context...),
		e("fcontext_delete_policy", "Takes the context of paths away.", putContext("delete"), context...),
		e("fcontext_apply_policy", "Labels files as the policy says.", apply, "name", "recursive=false"),
		e("port_add_policy", "Labels a port.", putPort("add"), "name", "sel_type=None", "protocol=None", "port=None",
			"sel_range=None"),
		e("port_delete_policy", "Takes the label of a port away.", putPort("delete"), "name", "protocol=None", "port=None"),
	)...)
}

type ctx = context.Context

func fsPath(_ ctx, c *modules.Call) (value.Value, error) {
	if d := dir(c.Host); d != "" {
		return value.Str(d), nil
	}
	return value.None, nil
}

func getConfig(_ ctx, c *modules.Call) (value.Value, error) {
	mode, err := configured(c.Host)
	if mode == "" {
		return value.None, err
	}
	return value.Str(mode), err
}

// one looks a name up in a map; what is not there is an empty map.
func one(v value.Value, err error) func(name string) (value.Value, error) {
	return func(name string) (value.Value, error) {
		d, _ := v.(*value.Dict)
		if d == nil {
			return none(), err
		}
		found, ok := d.GetStr(name)
		return modules.OrElse(found, ok, value.Value(none())), err
	}
}

func listBooleans(cx ctx, c *modules.Call) (value.Value, error) {
	names, all, err := booleans(cx, c.Host)
	out := value.NewDict(len(names))
	for _, n := range names {
		out.SetStr(n, value.DictOf("State", value.Str(all[n].now), "Default", value.Str(all[n].boot), "Description",
			value.Str(all[n].doc)))
	}
	return out, err
}

func listModules(cx ctx, c *modules.Call) (value.Value, error) {
	names, all, err := mods(cx, c.Host)
	out := value.NewDict(len(names))
	for _, n := range names {
		out.SetStr(n, value.DictOf("Enabled", value.Bool(all[n] == "enabled"), "Version", value.None))
	}
	return out, err
}

func kindOf(_ ctx, c *modules.Call) (value.Value, error) {
	if k := kinds(c.Str("filetype")); k != "" {
		return value.Str(k), nil
	}
	return nil, value.Raise("SaltInvocationError", "Invalid filetype given: %s", c.Str("filetype"))
}

func contextOf(c *modules.Call) (*FContext, error) {
	if c.Bool("filetype") && kinds(c.Str("filetype")) == "" {
		return nil, value.Raise("SaltInvocationError", "Invalid filetype given: %s", c.Str("filetype"))
	}
	return &FContext{Name: c.Str("name"), FileType: c.Str("filetype"), User: c.Str("sel_user"), Level: c.Str("sel_level")},
		nil
}

func getContext(cx ctx, c *modules.Call) (value.Value, error) {
	f, err := contextOf(c)
	if err != nil {
		return nil, err
	}
	e, err := f.find(cx, c.Host, kinds(f.FileType), c.Str("sel_type"))
	if e == nil {
		return value.None, err
	}
	return e.dict(), err
}

func isApplied(cx ctx, c *modules.Call) (value.Value, error) {
	a := &Applied{Name: c.Str("name"), Recursive: c.Bool("recursive")}
	out, err := c.Ask(cx, a.command("-n", "-v")...)
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "%v", err)
	}
	return value.Str(strings.TrimRight(string(out.Stdout), "\n")), nil
}

func portOf(c *modules.Call) (*Port, error) {
	p := &Port{Name: c.Str("name"), Protocol: c.Str("protocol"), Number: c.Str("port")}
	if faults := p.Validate(); len(faults) > 0 {
		return nil, value.Raise("SaltInvocationError", "%s", faults[0].Msg)
	}
	return p, nil
}

func getPort(cx ctx, c *modules.Call) (value.Value, error) {
	p, err := portOf(c)
	if err != nil {
		return nil, err
	}
	d, err := p.find(cx, c.Host, c.Str("sel_type"))
	return orNone(d), err
}

// ran runs a program and says whether it ended well.
func ran(cx ctx, c *modules.Call, args ...string) (value.Value, error) {
	out, err := c.Outright(cx, args...)
	if err != nil {
		return nil, err
	}
	return value.Bool(out.Code == 0), nil
}

func setEnforce(cx ctx, c *modules.Call) (value.Value, error) {
	mode := refined(c.Str("mode"))
	if mode == "" {
		return value.Str("Invalid mode " + c.Str("mode")), nil
	}
	if err := configure(c.Host, mode); err != nil {
		return nil, value.Raise("CommandExecutionError", "%v", err)
	}
	if enforced(c.Host) != "Disabled" {
		if err := switchTo(cx, c.Host, mode); err != nil {
			return nil, err
		}
	}
	return value.Str(enforced(c.Host)), nil
}

func setBooleans(cx ctx, c *modules.Call, words ...string) (value.Value, error) {
	args := []string{"setsebool"}
	if c.Bool("persist") {
		args = append(args, "-P")
	}
	return ran(cx, c, append(args, words...)...)
}

func setAll(cx ctx, c *modules.Call) (value.Value, error) {
	var words []string
	for k, v := range c.Dict("pairs").All() {
		words = append(words, value.String(k)+"="+value.String(v))
	}
	return setBooleans(cx, c, words...)
}

func setModule(cx ctx, c *modules.Call) (value.Value, error) {
	option := map[string]string{"enabled": "-e", "disabled": "-d"}[moduleState(c.Str("state"))]
	if option == "" {
		return nil, value.Raise("SaltInvocationError", "%s is neither enabled nor disabled", c.Str("state"))
	}
	return ran(cx, c, "semodule", option, c.Str("module"))
}

// all runs a program, in the shape of cmd.run_all.
func all(cx ctx, c *modules.Call, args ...string) (*value.Dict, error) {
	out, err := c.Outright(cx, args...)
	if err != nil {
		return nil, err
	}
	return modules.Ran(out), nil
}

func putContext(verb string) modules.ExecFunc {
	return func(cx ctx, c *modules.Call) (value.Value, error) {
		f, err := contextOf(c)
		if err != nil {
			return nil, err
		}
		return answer(all(cx, c, f.command(verb, c.Str("sel_type"))...))
	}
}

// answer gives a map as a value, so that none is none.
func answer(d *value.Dict, err error) (value.Value, error) { return orNone(d), err }

func apply(cx ctx, c *modules.Call) (value.Value, error) {
	said, err := isApplied(cx, c)
	if err != nil {
		return nil, err
	}
	out, err := all(cx, c, (&Applied{Name: c.Str("name"), Recursive: c.Bool("recursive")}).command("-v", "-F")...)
	if err == nil {
		out.SetStr("changes", relabelled(value.String(said)))
	}
	return answer(out, err)
}

func putPort(verb string) modules.ExecFunc {
	return func(cx ctx, c *modules.Call) (value.Value, error) {
		p, err := portOf(c)
		if err != nil {
			return nil, err
		}
		protocol, port, _ := p.split()
		args := []string{"semanage", "port", "--" + verb, "--proto", protocol}
		if verb == "add" {
			if !c.Bool("sel_type") {
				return nil, value.Raise("SaltInvocationError", "SELinux Type is required to add a policy")
			}
			args = append(args, "--type", c.Str("sel_type"))
		}
		if c.Bool("sel_range") {
			args = append(args, "--range", c.Str("sel_range"))
		}
		return answer(all(cx, c, append(args, port)...))
	}
}
