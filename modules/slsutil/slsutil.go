// Package slsutil is the execution functions that join, render, read and write data.
package slsutil

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/value/merge"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "slsutil", Execs: execs()} }

func execs() []modules.ExecSpec {
	exists := func(f func(file, dir bool) bool) modules.ExecFunc {
		return func(_ context.Context, c *modules.Call) (value.Value, error) {
			file, dir := c.Files.Exists(saltPath(c.Str("path")), c.ChosenEnv())
			return value.Bool(f(file, dir)), nil
		}
	}
	return []modules.ExecSpec{
		modules.NewExec("slsutil.merge", "merge(obj_a, obj_b, strategy='smart', renderer='yaml', merge_lists=False): obj_b "+
			"merged over a copy of obj_a.", slsutilMerge,
			"obj_a", "obj_b", "strategy=smart", "renderer=yaml", "merge_lists=false"),
		modules.NewExec("slsutil.merge_all", "merge_all(lst, strategy='smart', renderer='yaml', merge_lists=False): the "+
			"items of a list merged one over the other.", slsutilMergeAll,
			"lst", "strategy=smart", "renderer=yaml", "merge_lists=false"),
		modules.NewExec("slsutil.update", "update(dest, upd, recursive_update=True, merge_lists=False): dest, changed to "+
			"hold upd too.", slsutilUpdate,
			"dest", "upd", "recursive_update=true", "merge_lists=false"),
		modules.NewExec("slsutil.serialize", "serialize(serializer, obj, **options): obj as text: yaml, json, ...", serialize,
			"serializer", "obj", "**mod_kwargs"),
		modules.NewExec("slsutil.deserialize", "deserialize(serializer, stream_or_string): the data that a text holds.",
			deserialize, "serializer", "stream_or_string", "**mod_kwargs"),
		modules.NewExec("slsutil.renderer", "renderer(path=None, string=None, default_renderer='jinja|yaml', **kwargs): "+
			"what a file or a text renders to.", renderer,
			"path=None", "string=None", "default_renderer=jinja|yaml", "**kwargs"),
		modules.NewExec("slsutil.boolstr", "boolstr(value, true='true', false='false'): one of two texts.", boolstr, "value",
			"true='true'", "false='false'"),
		modules.NewExec("slsutil.banner", "banner(...): a comment that warns of editing a managed file.", banner,
			"width:int=72",
			"commentchar=#", "borderchar=#", "blockstart=None",
			"blockend=None", "title=None", "text=None", "newline=false"),
		modules.NewExec("slsutil.file_exists", "file_exists(path, saltenv='base'): whether the file roots hold a file.",
			exists(func(f, _ bool) bool { return f }), "path", "saltenv=base"),
		modules.NewExec("slsutil.dir_exists", "dir_exists(path, saltenv='base'): whether the file roots hold a directory.",
			exists(func(_, d bool) bool { return d }), "path", "saltenv=base"),
		modules.NewExec("slsutil.path_exists", "path_exists(path, saltenv='base'): whether the file roots hold a file or a "+
			"directory.", exists(func(f, d bool) bool { return f || d }), "path", "saltenv=base"),
		modules.NewExec("slsutil.findup", "findup(startpath, filenames, saltenv='base'): the first of the names in a "+
			"directory or one above it.", findup, "startpath", "filenames:list", "saltenv=base"),
	}
}

func saltPath(p string) string {
	if strings.HasPrefix(p, "salt://") {
		return p
	}
	return "salt://" + strings.TrimPrefix(p, "/")
}

func mergeOptions(c *modules.Call) merge.Options {
	o := merge.Options{Strategy: c.Str("strategy"), Renderer: c.Str("renderer"), Lists: c.Bool("merge_lists")}
	if !merge.Known(o.Strategy) {
		c.Log("warning", fmt.Sprintf("unknown merging strategy '%s', falling back to recurse", o.Strategy))
	}
	return o
}

func slsutilMerge(_ context.Context, c *modules.Call) (value.Value, error) {
	return merge.Merge(c.Arg("obj_a"), c.Arg("obj_b"), mergeOptions(c))
}

func slsutilMergeAll(_ context.Context, c *modules.Call) (value.Value, error) {
	l, err := value.ToList(c.Arg("lst"))
	if err != nil {
		return nil, err
	}
	return merge.All(l, mergeOptions(c))
}

func slsutilUpdate(_ context.Context, c *modules.Call) (value.Value, error) {
	dest, ok := c.Arg("dest").(*value.Dict)
	upd, ok2 := c.Arg("upd").(*value.Dict)
	if !ok || !ok2 {
		return nil, value.Raise("TypeError", "Cannot update using non-dict types in dictupdate.update()")
	}
	merge.Update(dest, upd, c.Bool("recursive_update"), c.Bool("merge_lists"))
	return dest, nil
}

func serialize(_ context.Context, c *modules.Call) (value.Value, error) {
	s, err := c.Serialize(c.Str("serializer"), c.Arg("obj"), c.Extra())
	return value.Str(s), err
}

func deserialize(_ context.Context, c *modules.Call) (value.Value, error) {
	return c.Deserialize(c.Str("serializer"), c.Str("stream_or_string"))
}

// renderer renders a file or a text. Where the pipeline, or the text's first line, ends in yaml or json, the result is
// data.
func renderer(ctx context.Context, c *modules.Call) (value.Value, error) {
	name, text := c.Str("path"), []byte(c.Str("string"))
	switch {
	case name == "" && c.Arg("string") == value.None:
		return nil, value.Raise("SaltInvocationError", "Must pass either path or string")
	case name != "" && c.Arg("string") != value.None:
		return nil, value.Raise("SaltInvocationError", "Must not pass both path and string")
	case name != "":
		b, err := c.Files.Fetch(ctx, name, c.ChosenEnv())
		switch scheme, _, remote := strings.Cut(name, "://"); {
		case err != nil && remote && scheme != "salt" && scheme != "file":
			return nil, err
		case err != nil:
			c.Log("error", "slsutil.renderer: "+err.Error())
			return value.NewDict(0), nil
		case len(b) == 0:
			return value.NewDict(0), nil
		}
		text = b
	default:
		name = "string"
	}
	pipe := c.Str("default_renderer")
	if line, rest, ok := strings.Cut(string(text), "\n"); ok && strings.HasPrefix(line, "#!") &&
		!strings.HasPrefix(line, "#!/") {
		pipe, text = strings.TrimSpace(line[2:]), []byte(rest)
	}
	parts := strings.Split(pipe, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	last := parts[len(parts)-1]
	format := strings.Fields(last + " ")[0]
	if format != "yaml" && format != "json" {
		out, err := c.Templates.Render(ctx, pipe, name, text, "", c.SaltEnv, c.Extra())
		return value.Str(out), err
	}
	if parts = parts[:len(parts)-1]; len(parts) > 0 {
		out, err := c.Templates.Render(ctx, strings.Join(parts, "|"), name, text, "", c.SaltEnv, c.Extra())
		if err != nil {
			return nil, err
		}
		text = out
	}
	v, err := c.Deserialize(format, string(text))
	if err == nil && v == value.None {
		v = value.NewDict(0)
	}
	return v, err
}

func boolstr(_ context.Context, c *modules.Call) (value.Value, error) {
	if truthy(c.Arg("value")) {
		return c.Arg("true"), nil
	}
	return c.Arg("false"), nil
}

// truthy is Salt's is_true: a number above zero, or one of the words for true.
func truthy(v value.Value) bool {
	switch v := v.(type) {
	case value.Str:
		switch strings.ToLower(string(v)) {
		case "true", "yes", "on", "1":
			return true
		}
		return false
	case value.Int:
		return v > 0
	case value.Float:
		return v > 0
	}
	return value.Truth(v)
}

const bannerTitle = "THIS FILE IS MANAGED BY SALT - DO NOT EDIT"
const bannerText = "The contents of this file are managed by Salt. Any changes to this file may be overwritten " +
	"automatically and without warning."

// banner draws a box of comments around a title and a text.
func banner(_ context.Context, c *modules.Call) (value.Value, error) {
	mark, border := c.Str("commentchar"), c.Str("borderchar")
	title, text := bannerTitle, bannerText
	if c.Str("title") != "" {
		title = c.Str("title")
	}
	if c.Str("text") != "" {
		text = c.Str("text")
	}
	width := c.Int("width", 72)
	left, right := strings.TrimRight(mark, " \t"), strings.TrimSpace(mark)
	inner := width - len(left) - len(right) - 2
	if inner <= 0 || width > 1<<16 {
		return nil, value.Raise("ArgumentValueError", "Width is too %s to render banner",
			map[bool]string{true: "small", false: "large"}[inner <= 0])
	}
	rule := mark + strings.Repeat(border[:min(1, len(border))], width-len(left)-len(right)) + right
	space := mark + strings.Repeat(" ", max(0, width-2*len(mark))) + mark
	lines := []string{rule, space}
	if c.Str("blockstart") != "" {
		lines = slices.Insert(lines, 0, c.Str("blockstart"))
	}
	for _, l := range wrap(title, inner) {
		lines = append(lines, left+" "+center(l, inner)+" "+right)
	}
	lines = append(lines, space)
	for _, l := range wrap(text, inner) {
		lines = append(lines, left+" "+pad(l, inner)+" "+right)
	}
	lines = append(lines, rule)
	if c.Str("blockend") != "" {
		lines = append(lines, c.Str("blockend"))
	}
	out := strings.Join(lines, "\n")
	if c.Bool("newline") {
		out += "\n"
	}
	return value.Str(out), nil
}

func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-len(s))) }

// center puts the odd blank where Python's str.center puts it.
func center(s string, n int) string {
	gap := max(0, n-len(s))
	left := gap/2 + (gap & n & 1)
	return strings.Repeat(" ", left) + s + strings.Repeat(" ", gap-left)
}

func wrap(text string, width int) []string {
	var lines []string
	for _, w := range strings.Fields(text) {
		if n := len(lines); n > 0 && len(lines[n-1])+1+len(w) <= width {
			lines[n-1] += " " + w
			continue
		}
		lines = append(lines, w)
	}
	return lines
}

func findup(_ context.Context, c *modules.Call) (value.Value, error) {
	var names []string
	if s, ok := c.Arg("filenames").(value.Str); ok {
		names = []string{string(s)}
	} else {
		names = c.Strs("filenames")
	}
	if len(names) == 0 || slices.Contains(names, "") {
		return nil, value.Raise("SaltInvocationError", "Filenames argument must be a string or list")
	}
	dir := strings.Trim(path.Clean("/"+strings.TrimPrefix(c.Str("startpath"), "salt://")), "/")
	for {
		for _, n := range names {
			p := strings.TrimPrefix(path.Join(dir, n), "/")
			if file, _ := c.Files.Exists("salt://"+p, c.ChosenEnv()); file {
				return value.Str(p), nil
			}
		}
		if dir == "" || dir == "." {
			return nil, value.Raise("CommandExecutionError", "File pattern(s) not found in path ancestry")
		}
		if dir = path.Dir(dir); dir == "." {
			dir = ""
		}
	}
}
