package file

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

func textExecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		spec("read", "path binary=false", "Gives the content of a file.", read),
		spec("seek_read", "path size:int offset:int", "Gives a part of a file.", seekRead),
		spec("search", "path pattern flags=8 bufsize=1 ignore_if_missing=false multiline=false",
			"Says whether a regular expression is found in a file.", search),
		spec("contains", "path text", "Says whether a file has a line that contains the text.",
			contains("text", func(line, want string) (bool, error) {
				return strings.Contains(strings.TrimSpace(line), strings.TrimSpace(want)), nil
			})),
		spec("contains_glob", "path glob_expr", "Says whether a glob matches the content of a file.",
			contains("glob_expr", func(line, want string) (bool, error) {
				return fnmatch.Match(want, line), nil
			})),
		spec("contains_regex", "path regex lchar=", "Says whether a regular expression is found in a line of a file.",
			containsRegex),
		spec("grep", "path pattern *opts", "Runs grep.", grep),
		spec("source_list", "source source_hash saltenv",
			"Gives the first of several sources that exists, or the only one, with its hash.", sourceList),
		spec("get_diff", "file1 file2 saltenv=base show_filenames=true show_changes=true template=false "+
			"source_hash_file1=None source_hash_file2=None",
			"Gives the unified diff of two files.", getDiff),
	}
}

// readArg reads the file that the parameter names.
func readArg(c *modules.Call, param string) (string, error) {
	name := pathArg(c, param)
	raw, err := c.Host.ReadFile(name)
	if isMissing(err) {
		return "", value.Raise("FileNotFoundError", "[Errno 2] No such file or directory: '%s'", name)
	}
	return string(raw), wrong(err)
}

func read(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := readArg(c, "path")
	if err != nil {
		return nil, err
	}
	if c.Bool("binary") {
		return value.Bytes(text), nil
	}
	return value.Str(strings.ToValidUTF8(text, "\uFFFD")), nil
}

func seekRead(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := readArg(c, "path")
	if err != nil {
		return nil, err
	}
	from := max(0, min(c.Int("offset", 0), len(text)))
	return value.Bytes(text[from:min(len(text), from+max(0, c.Int("size", 0)))]), nil
}

func search(_ context.Context, c *modules.Call) (value.Value, error) {
	name := pathArg(c, "path")
	raw, err := c.Host.ReadFile(name)
	switch {
	case isMissing(err) && c.Bool("ignore_if_missing"):
		return value.Bool(false), nil
	case isMissing(err):
		return nil, invalid("File not found: %s", name)
	case err != nil:
		return nil, wrong(err)
	}
	flags, err := regexFlags(c.Arg("flags"))
	if err != nil {
		return nil, invalid("%v", err)
	}
	if c.Bool("multiline") {
		flags |= pyre.Multiline
	}
	re, err := pyre.Compile(c.Str("pattern"), flags)
	if err != nil {
		return nil, err
	}
	m, err := re.Search(string(raw))
	return value.Bool(m != nil), err
}

// contains is a search line by line; a file that is not there contains nothing.
func contains(param string, holds func(line, want string) (bool, error)) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		text, err := c.Host.ReadFile(pathArg(c, "path"))
		if err != nil {
			return value.Bool(false), nil
		}
		want := value.String(c.Arg(param))
		for line := range strings.Lines(string(text)) {
			if ok, err := holds(strings.TrimRight(line, "\n"), want); ok || err != nil {
				return value.Bool(ok), err
			}
		}
		return value.Bool(false), nil
	}
}

func containsRegex(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := c.Host.ReadFile(pathArg(c, "path"))
	if err != nil {
		return value.Bool(false), nil
	}
	re, err := pyre.Compile(c.Str("regex"), 0)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if lchar := c.Str("lchar"); lchar != "" {
			line = strings.TrimLeft(strings.TrimSpace(line), lchar)
		}
		if m, err := re.Search(line); m != nil || err != nil {
			return value.Bool(m != nil), err
		}
	}
	return value.Bool(false), nil
}

func grep(ctx context.Context, c *modules.Call) (value.Value, error) {
	args := []string{"grep"}
	for _, o := range c.Rest() {
		args = append(args, strings.Fields(value.String(o))...)
	}
	args = append(args, "-e", c.Str("pattern"), "--")
	files := modules.Glob(c.Host, pathArg(c, "path"))
	if len(files) == 0 {
		files = []string{pathArg(c, "path")}
	}
	out, err := c.Host.Query(ctx, host.Cmd{Args: append(args, files...)})
	if err != nil {
		return nil, wrong(err)
	}
	return modules.Ran(out), nil
}

func getDiff(ctx context.Context, c *modules.Call) (value.Value, error) {
	var texts [2][]byte
	for i, param := range []string{"file1", "file2"} {
		source := pathArg(c, param)
		var err error
		if local, ok := localPath(source); ok {
			texts[i], err = c.Host.ReadFile(local)
		} else {
			texts[i], err = c.Files.Fetch(ctx, source, c.Str("saltenv"))
		}
		if err != nil {
			return nil, failed("Failed to cache one or more files: %s: %v", source, err)
		}
		if sum := c.Str("source_hash_" + param); sum != "" {
			if err := modules.Verify(texts[i], sum); err != nil {
				return nil, failed("Failed to cache one or more files: %s: %v", source, err)
			}
		}
	}
	switch {
	case string(texts[0]) == string(texts[1]):
		return value.Str(""), nil
	case !c.Bool("show_changes"):
		return value.Str("<show_changes=False>"), nil
	}
	diff := diffOf(texts[0], texts[1])
	if c.Bool("show_filenames") {
		diff = strings.Replace(strings.Replace(diff, "--- \n", "--- "+c.Str("file1")+"\n", 1), "+++ \n",
			"+++ "+c.Str("file2")+"\n", 1)
	}
	return value.Str(diff), nil
}

// sourceList gives of a list the first source that exists, with its own hash or the common one.
func sourceList(ctx context.Context, c *modules.Call) (value.Value, error) {
	list, ok := c.Arg("source").(*value.List)
	if !ok {
		return value.NewList(c.Arg("source"), c.Arg("source_hash")), nil
	}
	var all Sources
	if err := all.BindValue(list); err != nil {
		return nil, failed("source %v", err)
	}
	env := *c.Env
	env.Low = &state.Low{Env: c.Str("saltenv")}
	for _, ref := range all.list {
		if !sourceExists(ctx, &env, c.Host, ref.url) {
			continue
		}
		if ref.hash != "" {
			return value.NewList(value.Str(ref.url), value.Str(ref.hash)), nil
		}
		return value.NewList(value.Str(ref.url), c.Arg("source_hash")), nil
	}
	return nil, failed("none of the specified sources were found")
}
