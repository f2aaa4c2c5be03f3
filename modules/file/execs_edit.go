package file

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// editExecs are the functions that do what the state function of their name does.
func editExecs() []modules.ExecSpec {
	return modules.Writing(
		spec("replace", "path:path pattern:text repl:text **kwargs:text",
			"Replaces what a regular expression finds; see the state.",
			editBy(replaceSpec(), "pattern", "repl")),
		spec("line", "path:path content:text=None match:text=None mode=None **kwargs:text", "Edits one line; see the state.",
			editBy(lineSpec(), "content", "match", "mode")),
		spec("blockreplace", "path:path **kwargs:text", "Keeps the lines between two markers; see the state.",
			editBy(blockreplaceSpec())),
		spec("comment", "path:path regex:text **kwargs:text", "Comments lines out; see the state.",
			editBy(commentSpec(), "regex")),
		spec("uncomment", "path:path regex:text **kwargs:text", "Uncomments lines; see the state.",
			editBy(uncommentSpec(), "regex")),
	)
}

// editBy runs a state function, and gives its diff, or False where nothing changed.
func editBy(s modules.StateSpec, params ...string) execFn {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		args := c.Extra().Copy()
		for _, p := range params {
			if c.Has(p) {
				args.SetStr(p, c.Arg(p))
			}
		}
		opts := map[string]bool{}
		for _, o := range []string{"dry_run", "search_only", "preserve_inode"} {
			v, ok := args.GetStr(o)
			opts[o] = ok && value.Truth(v)
			args.Delete(value.Str(o))
		}
		if opts["search_only"] {
			return searchOnly(c, args)
		}
		low := &state.Low{Name: pathArg(c, "path"), Args: args, Env: c.SaltEnv}
		fn, diags := modules.Bind(&s, low)
		if fn == nil {
			return nil, invalid("%s", diags[len(diags)-1].Msg)
		}
		env := *c.Env
		env.Low = low
		h := c.Host
		if opts["dry_run"] {
			h = host.Forecast(h)
		}
		e, err := fn.Act(ctx, &env, h)
		if err != nil {
			return nil, wrong(err)
		}
		if diff, ok := e.Changes.GetStr("diff"); ok {
			return diff, nil
		}
		return value.Bool(false), nil
	}
}

// searchOnly says whether the pattern of file.replace is found; it writes nothing.
func searchOnly(c *modules.Call, args *value.Dict) (value.Value, error) {
	for _, other := range []string{"append_if_not_found", "prepend_if_not_found"} {
		if v, ok := args.GetStr(other); ok && value.Truth(v) {
			return nil, invalid("search_only cannot be used with append/prepend_if_not_found")
		}
	}
	args.SetStr("show_changes", value.Bool(true))
	args.SetStr("backup", value.Bool(false))
	s := replaceSpec()
	fn, diags := modules.Bind(&s, &state.Low{Name: pathArg(c, "path"), Args: args})
	r, ok := fn.(*Replace)
	if !ok {
		return nil, invalid("%s", diags[len(diags)-1].Msg)
	}
	doc, err := readDocument(c.Host, r.Name.String())
	if err != nil {
		return nil, wrong(err)
	}
	found, err := r.found(doc.text)
	return value.Bool(found), wrong(err)
}
