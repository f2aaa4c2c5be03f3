package git

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// exchanges are about other repositories.
func exchanges() []function {
	return []function{
		{name: "init", doc: "Makes a repository.", params: "cwd bare=False template= separate_git_dir= shared=" + opts +
			asWhom, class: modules.Writes, words: initWords},
		{name: "fetch", doc: "Fetches from a remote; gives what is new.", params: "cwd remote= force=False refspecs=" +
			opts + keyed, class: modules.Writes, both: true, give: fetched, words: func(w *words) {
			w.add("fetch").flag("force", "--force").opts("-f", "--force").operand("remote").operands("refspecs")
		}},
		{name: "pull", doc: "Fetches and merges.", params: "cwd" + opts + keyed, class: modules.Writes,
			words: func(w *words) { w.add("pull").opts() }},
		{name: "push", doc: "Pushes a reference to a remote.", params: "cwd remote= ref=" + opts + keyed,
			class: modules.Writes, words: func(w *words) { w.add("push").opts().operand("remote", "ref") }},
		{name: "ls_remote", doc: "The references of a remote with their commits.", params: "cwd= remote=origin ref=" +
			opts + https + " output_encoding= saltenv=base", class: modules.Writes, give: references, words: func(w *words) {
			w.look = len(w.list) == 0
			w.add("ls-remote").opts().url("remote").operand("ref")
		}},
		{name: "remote_refs", doc: "The references of an address with their commits.", params: "url heads=False tags=False" +
			https + " output_encoding= saltenv=base filter=", give: references, words: func(w *words) {
			w.nowhere = true
			w.add("ls-remote").flag("heads", "--heads").flag("tags", "--tags").url("url").operand("filter")
		}},
	}
}

func initWords(w *words) {
	w.nowhere = true
	w.add("init").flag("bare", "--bare")
	for _, o := range [][2]string{{"template", "--template="}, {"separate_git_dir", "--separate-git-dir="}} {
		if w.c.Arg(o[0]) != value.Value(value.None) {
			w.add(o[1] + w.c.Str(o[0]))
		}
	}
	if o := sharedOption(w.c.Arg("shared")); o != "" {
		w.add(o)
	}
	w.opts().add(inHome(w.c, w.c.Str("cwd")))
}

// sharedOption is the option of git init for who may write, "" for none. A number is an octal mode.
func sharedOption(v value.Value) string {
	switch v := v.(type) {
	case nil, value.NoneType:
		return ""
	case value.Int:
		return "--shared=0" + value.String(v)
	default:
		return "--shared=" + strings.ToLower(value.String(v))
	}
}

// fetched is what a fetch told of: " * [new branch] main -> origin/main", "  1234..5678 main -> ...".
func fetched(_ *words, out string) (value.Value, error) {
	news := regexp.MustCompile(`^[\s*]*(?:([0-9a-f]+)\.\.([0-9a-f]+)|\[(?:new (tag|branch)|tag update)\])\s+(.+)->`)
	found := value.NewDict(0)
	for line := range strings.Lines(out) {
		m := news.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := strings.TrimRight(m[4], " \t")
		switch {
		case m[3] == "tag":
			collect(found, "new tags", value.Str(name))
		case m[3] == "branch":
			collect(found, "new branches", value.Str(name))
		case m[1] == "":
			collect(found, "updated tags", value.Str(name))
		default:
			d, _ := found.GetStr("updated branches")
			if d == nil {
				d = value.NewDict(1)
				found.SetStr("updated branches", d)
			}
			d.(*value.Dict).SetStr(name, value.DictOf("old", value.Str(m[1]), "new", value.Str(m[2])))
		}
	}
	return found, nil
}

// references are the lines of git ls-remote.
func references(_ *words, out string) (value.Value, error) {
	found := value.NewDict(0)
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); len(f) == 2 {
			found.SetStr(f[1], value.Str(f[0]))
		}
	}
	return found, nil
}

// remotes are the lines of git remote --verbose.
func remotes(w *words, out string) (value.Value, error) {
	found, show := value.NewDict(0), w.c.Has("redact_auth") && !w.c.Bool("redact_auth")
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		action := strings.ToLower(strings.Trim(f[2], "()"))
		if action != "fetch" && action != "push" {
			continue
		}
		d, _ := found.GetStr(f[0])
		if d == nil {
			d = value.NewDict(2)
			found.SetStr(f[0], d)
		}
		if !show {
			f[1] = redacted(f[1])
		}
		d.(*value.Dict).SetStr(action, value.Str(f[1]))
	}
	return found, nil
}

func remoteSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		{Name: "git.remote_get", Doc: "The addresses of a remote for fetch and push.",
			Params: strings.Fields("cwd remote=origin user= password= redact_auth=True ignore_retcode=False output_encoding="),
			Fn:     remoteGet},
		{Name: "git.remote_set", Doc: "Makes a remote, or gives it another address.", Class: modules.Writes,
			Params: strings.Fields("cwd url remote=origin user= password= https_user= https_pass= push_url= " +
				"push_https_user= push_https_pass= ignore_retcode=False output_encoding="), Fn: remoteSet},
		{Name: "git.clone", Doc: "Clones a repository into a folder, or into the folder of the name below it.",
			Class: modules.Writes, Params: strings.Fields("cwd url= name= opts= git_opts= user= password= identity= " +
				"https_user= https_pass= ignore_retcode=False saltenv=base output_encoding="), Fn: clone},
	}
}

// others runs one more command of a call, which only looks.
func other(ctx context.Context, c *modules.Call, words_ ...string) (string, error) {
	w := &words{c: c, list: words_, look: true}
	return w.run(ctx, false)
}

func remoteGet(ctx context.Context, c *modules.Call) (value.Value, error) {
	w := &words{c: c, list: []string{"remote", "--verbose"}, look: true}
	out, err := w.run(ctx, false)
	if err != nil {
		return nil, err
	}
	all, _ := remotes(w, out)
	if v, ok := all.(*value.Dict).GetStr(c.Str("remote")); ok {
		return v, nil
	}
	return nil, failed("Remote '%s' not present in git checkout located at %s", c.Str("remote"), inHome(c, c.Str("cwd")))
}

// Salt differs: it takes the old remote away before it looks at the addresses.
func remoteSet(ctx context.Context, c *modules.Call) (value.Value, error) {
	remote := c.Str("remote")
	calls := [][]string{(&words{c: c}).add("remote", "add").operand("remote").url("url").list}
	check := (&words{c: c}).operand("remote").url("url")
	if push := c.Str("push_url"); push != "" {
		u, err := withAccount(push, c.Arg("push_https_user"), c.Arg("push_https_pass"))
		if check.noOption("push_url", u); err != nil {
			return nil, err
		}
		calls = append(calls, []string{"remote", "set-url", "--push", remote, u})
	}
	if check.err != nil {
		return nil, check.err // before the old one is taken away
	}
	known, err := other(ctx, c, "remote")
	if err != nil {
		return nil, err
	}
	if slices.Contains(strings.Fields(known), remote) {
		calls = slices.Insert(calls, 0, []string{"remote", "rm", remote})
	}
	for _, call := range calls {
		if _, err := (&words{c: c, list: call}).run(ctx, false); err != nil {
			return nil, err
		}
	}
	return remoteGet(ctx, c)
}

func clone(ctx context.Context, c *modules.Call) (value.Value, error) {
	if c.Str("url") == "" {
		return nil, refused("Missing 'url' argument")
	}
	w := (&words{c: c}).options("git_opts").add("clone").opts().add("--").url("url")
	dir := inHome(c, c.Str("cwd"))
	name := c.Str("name")
	if w.nowhere = name == ""; w.nowhere {
		name = dir
	} else if w.err == nil {
		if err := modules.MakeDirs(c.Host, dir, host.KeepAttr()); err != nil {
			return nil, failed("%v", err)
		}
	}
	if w.noOption("name", name).add(name); w.err != nil {
		return nil, w.err
	}
	_, err := w.run(ctx, false)
	return value.Bool(true), err
}
