package git

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func configSpecs() []modules.ExecSpec {
	whose := "cwd= user= password= ignore_retcode=False output_encoding= global=False"
	return []modules.ExecSpec{
		{Name: "git.config_get", Doc: "The value of a setting, None where there is none; with all a list.",
			Params: strings.Fields("key " + whose + " all=False"), Fn: configGet},
		{Name: "git.config_get_regexp", Doc: "The settings whose names match, with lists of their values.",
			Aliases: []string{"git.config_get_regex"}, Params: strings.Fields("key value_regex= " + whose), Fn: configMatches},
		{Name: "git.config_set", Doc: "Sets a value, or with multivar several; gives all of them.",
			Class: modules.Writes, Params: strings.Fields("key value:text= multivar:text= " + whose + " add=False"),
			Fn: configSet},
		{Name: "git.config_unset", Doc: "Takes a setting away, with all one of several values.", Class: modules.Writes,
			Params: strings.Fields("key value_regex= " + whose + " all=False"), Fn: configUnset},
	}
}

// setting are the first words of a command about a setting.
func setting(c *modules.Call, look bool) *words {
	w := &words{c: c, look: look}
	scope := "--local"
	if c.Bool("global") {
		scope = "--global"
		w.nowhere = true
	} else if c.Str("cwd") == "" {
		w.refuse(refused("'cwd' argument required unless global=True"))
	}
	return w.noOption("key", c.Str("key")).add("config", scope)
}

const (
	badKey    = 1 // git config's exit codes
	manyKeys  = 5
	badRegexp = 6
)

// values asks for a setting; ok is false where there is none.
func values(ctx context.Context, c *modules.Call, how ...string) (out string, ok bool, err error) {
	w := setting(c, true).add(how...)
	if w.lenient = true; w.err != nil {
		return "", false, w.err
	}
	out, err = w.run(ctx, false)
	return out, w.code != badKey, err
}

func configGet(ctx context.Context, c *modules.Call) (value.Value, error) {
	out, ok, err := values(ctx, c, "--get-all", c.Str("key"))
	if err != nil || !ok {
		return value.None, err
	}
	all, _ := lines(nil, out)
	l := all.(*value.List)
	switch {
	case c.Bool("all"):
		return l, nil
	case len(l.Items) == 0:
		return value.Str(""), nil
	}
	return l.Items[len(l.Items)-1], nil
}

func configMatches(ctx context.Context, c *modules.Call) (value.Value, error) {
	how := []string{"--get-regexp", c.Str("key")}
	if c.Arg("value_regex") != value.Value(value.None) {
		how = append(how, c.Str("value_regex"))
	}
	found := value.NewDict(0)
	out, _, err := values(ctx, c, how...)
	for line := range strings.Lines(out) {
		if key, v, ok := strings.Cut(strings.TrimRight(line, "\n"), " "); ok {
			collect(found, key, value.Str(strings.TrimLeft(v, " ")))
		}
	}
	return found, err
}

func configSet(ctx context.Context, c *modules.Call) (value.Value, error) {
	var want []string
	first := "--replace-all"
	switch one, many := c.Arg("value"), c.Arg("multivar"); {
	case one != value.Value(value.None) && many != value.Value(value.None):
		return nil, refused("Only one of 'value' and 'multivar' is permitted")
	case one != value.Value(value.None):
		if want = []string{value.String(one)}; c.Bool("add") {
			first = "--add"
		}
	case many != value.Value(value.None):
		want = c.Strs("multivar")
	default:
		return nil, refused("One of 'value' and 'multivar' is required")
	}
	for i, v := range want {
		if i > 0 {
			first = "--add"
		}
		w := setting(c, false).add(first, c.Str("key"), v)
		if w.err != nil {
			return nil, w.err
		}
		if _, err := w.run(ctx, false); err != nil {
			return nil, err
		}
	}
	out, _, err := values(ctx, c, "--get-all", c.Str("key"))
	if err != nil {
		return nil, err
	}
	return lines(nil, out)
}

func configUnset(ctx context.Context, c *modules.Call) (value.Value, error) {
	verb := "--unset"
	if c.Bool("all") {
		verb = "--unset-all"
	}
	w := setting(c, false).add(verb, c.Str("key"))
	if w.lenient = true; c.Arg("value_regex") != value.Value(value.None) {
		w.add(c.Str("value_regex"))
	}
	if w.err != nil {
		return nil, w.err
	}
	if _, err := w.run(ctx, false); err != nil {
		return nil, err
	}
	switch w.code {
	case 0:
		return value.Bool(true), nil
	case badKey:
		return nil, failed("Section or key is invalid")
	case badRegexp:
		return nil, failed("The value_regex is invalid")
	case manyKeys:
		return nil, notUnset(ctx, c)
	}
	return nil, failed("Failed to unset key '%s', git config returned exit code %d", c.Str("key"), w.code)
}

// notUnset says why git config did not find one value to take away.
func notUnset(ctx context.Context, c *modules.Call) error {
	_, ok, err := values(ctx, c, "--get-all", c.Str("key"))
	switch {
	case err != nil:
		return err
	case !ok:
		return failed("Key '%s' does not exist", c.Str("key"))
	case c.Arg("value_regex") != value.Value(value.None):
		return failed("Multiple values exist for key '%s' and value_regex matches multiple values", c.Str("key"))
	}
	return failed("Multiple values exist for key '%s'", c.Str("key"))
}
