package sls

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
)

// An inclusion is one entry of include.
type inclusion struct {
	env, name string
	pos       diag.Pos
	with      Settings
}

// xenv is Salt's key for "whatever environment of this run has it".
const xenv = "_xenv"

// includes reads the include key.
func (f *file) includes(e value.Entry) []inclusion {
	pos := f.pos(e.KeyAt, f.start)
	list, ok := e.Val.(*value.List)
	if !ok {
		f.diags.Add(diag.Errorf(pos, "'include' in SLS '%s' is not a list",
			f.name).WithHint("write each SLS as '- NAME' below it"))
		return nil
	}
	var out []inclusion
	for i, it := range list.Items {
		at := f.pos(list.MarkAt(i), pos)
		env, name, with := f.env, it, Settings{}
		if d, isDict := it.(*value.Dict); isDict && d.Len() > 0 {
			entry := d.At(d.Len() - 1)
			if settings, ok := entry.Val.(*value.Dict); ok {
				with, name = Settings{settings, f.at}, entry.Key
			} else {
				env, name = value.String(entry.Key), entry.Val
			}
		}
		text, isText := name.(value.Str)
		if !isText || text == "" {
			f.diags.Add(diag.Errorf(at, "entry %s of 'include' in SLS '%s' names no SLS", value.Repr(it), f.name).
				WithHint("write '- NAME' or '- ENVIRONMENT: NAME'"))
			continue
		}
		out = append(out, inclusion{env, string(text), at, with})
	}
	return out
}

// include loads one inclusion, unless it was loaded before.
func (f *file) include(ctx context.Context, inc inclusion) {
	if inc.env != xenv && !f.cfg.Finder.Has(inc.env) {
		f.noEnv(inc.pos, inc.env, "the include of '"+inc.name+"'")
		return
	}
	name, ok := f.absolute(inc)
	if !ok {
		return
	}
	env := inc.env
	if env == xenv {
		if env, ok = f.resolveEnv(inc, name); !ok {
			return
		}
	}
	for _, target := range f.expand(env, name) {
		f.want(ctx, asked{env, target, inc.pos, inc.with, f.given.passed()})
	}
}

// absolute turns a relative name, `.x` or `..x`, into an absolute one: a leading dot is the folder that the SLS is in.
func (f *file) absolute(inc inclusion) (string, bool) {
	rest := strings.TrimLeft(inc.name, ".")
	levels := len(inc.name) - len(rest)
	if levels == 0 {
		return inc.name, true
	}
	parts := strings.Split(f.name, ".")
	if f.f.Path == "init.sls" || strings.HasSuffix(f.f.Path, "/init.sls") {
		parts = append(parts, "init")
	}
	if levels > len(parts) {
		f.diags.Add(diag.Errorf(inc.pos, "relative include '%s' in SLS '%s' goes beyond the top level", inc.name, f.name).
			WithHint("a dot is the folder of the SLS, each further dot one folder up"))
		return "", false
	}
	return strings.Join(append(parts[:len(parts)-levels:len(parts)-levels], rest), "."), true
}

// resolveEnv finds the one environment of the run that has the SLS.
func (f *file) resolveEnv(inc inclusion, name string) (string, bool) {
	var found []string
	for _, env := range f.matches {
		if slices.ContainsFunc(f.cfg.Finder.ListSLS(env), func(n string) bool { return fnmatch.Match(name, n) }) {
			found = append(found, env)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], true
	case slices.Contains(found, f.env):
		return f.env, true
	case len(found) == 0:
		f.diags.Add(diag.Errorf(inc.pos, "SLS '%s' is in none of the environments %s", name, strings.Join(f.matches, ", ")).
			WithHint("correct the name, or name an environment"))
	default:
		f.diags.Add(diag.Errorf(inc.pos, "SLS '%s' is in several environments: %s", name, strings.Join(found, ", ")).
			WithHint("name the environment, '- %s: %s'", found[0], name))
	}
	return "", false
}
