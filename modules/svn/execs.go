package svn

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// function is an execution function that is one call of svn: its verb, and the words that its parameters come to before
// what is given beyond them.
func function(verb, doc string, words func(c *modules.Call) ([]string, error), params ...string) modules.ExecSpec {
	call := func(ctx context.Context, c *modules.Call) (value.Value, error) {
		more, err := words(c)
		if err != nil {
			return nil, value.Raise("ValueError", "%v", err)
		}
		var options []string
		for _, o := range c.Rest() {
			options = append(options, value.String(o))
		}
		text, err := run(ctx, c, verb, append(options, more...))
		return value.Str(text), err
	}
	return modules.NewExec("svn."+verb, doc, call, append(append([]string{"cwd"}, params...), "*opts")...)
}

// run runs svn in the folder of a call. In a preview only looks are done.
func run(ctx context.Context, c *modules.Call, verb string, words []string) (text string, err error) {
	l := Login{User: c.Str("user"), Username: c.Str("username"), Password: c.Str("password")}
	switch verb {
	case "info", "diff", "status":
		text, err = l.ask(ctx, c.Host, c.Str("cwd"), verb, words...)
	default:
		err = c.Host.Do(ctx, host.Deed{What: "svn " + verb, On: host.Anything, Do: func(ctx context.Context) (err error) {
			text, err = l.do(ctx, c.Host, c.Str("cwd"), verb, words...)
			return err
		}})
	}
	return text, modules.Failed(err)
}

// targets are the words of the parameter targets.
func targets(c *modules.Call) ([]string, error) { return modules.Words(c.Str("targets")) }

// said are the targets with a message before them.
func said(c *modules.Call) ([]string, error) {
	words, err := targets(c)
	if msg := c.Str("msg"); msg != "" {
		words = append([]string{"-m", msg}, words...)
	}
	return words, err
}

// remote is an address, and the name that it gets here.
func remote(c *modules.Call) ([]string, error) {
	words := []string{c.Str("remote")}
	if to := c.Str("target"); to != "" {
		words = append(words, to)
	}
	return words, nil
}

func exported(c *modules.Call) ([]string, error) {
	words, err := remote(c)
	return append(words, "-r", c.Str("revision")), err
}

func execs() []modules.ExecSpec {
	login := []string{"user=None", "username=None", "password=None"}
	with := func(params ...string) []string { return append(params, login...) }
	return append(modules.Writing(
		function("checkout", "Makes a working copy.", remote, with("remote", "target=None")...),
		function("switch", "Moves a working copy to another address of its repository.", remote,
			with("remote", "target=None")...),
		function("update", "Updates a working copy.", targets, with("targets=None")...),
		function("commit", "Commits what was changed in a working copy.", said, with("targets=None", "msg:text=None")...),
		function("add", "Adds files to a working copy.", targets, with("targets")...),
		function("remove", "Takes files out of a working copy or a repository.", said, with("targets", "msg:text=None")...),
		function("export", "Writes a tree of a repository without a working copy.", exported,
			append(with("remote", "target=None"), "revision=HEAD")...),
	),
		function("diff", "What was changed in a working copy.", targets, with("targets=None")...),
		function("status", "What svn status says of a working copy.", targets, with("targets=None")...),
		modules.NewExec("svn.info", "What svn says of a working copy or an address, as text, xml, list or dict.", info,
			append(append([]string{"cwd", "targets=None"}, login...), "fmt=str")...))
}

func info(ctx context.Context, c *modules.Call) (value.Value, error) {
	words, err := targets(c)
	if err != nil {
		return nil, value.Raise("ValueError", "%v", err)
	}
	format := c.Str("fmt")
	if format == "xml" {
		words = append([]string{"--xml"}, words...)
	}
	text, err := run(ctx, c, "info", words)
	if err != nil || format == "str" || format == "xml" {
		return value.Str(text), err
	}
	all := value.NewList()
	for part := range strings.SplitSeq(text, "\n\n") {
		d, l := value.NewDict(12), value.NewList()
		for _, f := range fields(part) {
			d.SetStr(f[0], value.Str(f[1]))
			l.Items = append(l.Items, value.NewTuple(value.Str(f[0]), value.Str(f[1])))
		}
		switch format {
		case "dict":
			all.Items = append(all.Items, d)
		case "list":
			all.Items = append(all.Items, l)
		default:
			return value.None, nil
		}
	}
	return all, nil
}
