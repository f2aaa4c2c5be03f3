package file

import (
	"context"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func pathExecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		spec("file_exists", "path", "Says whether the path is a file.", predicate(isFile)),
		spec("directory_exists", "path", "Says whether the path is a directory.", predicate(isDir)),
		spec("path_exists_glob", "path", "Says whether any path matches the glob.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return value.Bool(len(modules.Glob(c.Host, pathArg(c, "path"))) > 0), nil
			}),
		spec("is_link", "path", "Says whether the path is a symbolic link.", predicate(func(h host.Reader, p string) bool {
			i, err := h.Lstat(p)
			return err == nil && i.IsSymlink()
		})),
		spec("is_hardlink", "path", "Says whether the path is one of several names of a file.",
			predicate(func(h host.Reader, p string) bool {
				i, err := h.Lstat(p)
				return err == nil && i.IsRegular() && i.Nlink > 1
			})),
		spec("dirname", "path", "Gives the directory of a path.", pathText(dirname)),
		spec("basename", "path", "Gives the last part of a path.",
			pathText(func(p string) string { return p[strings.LastIndexByte(p, '/')+1:] })),
		spec("normpath", "path", "Gives the path without needless parts.", pathText(path.Clean)),
		spec("join", "*args", "Joins parts of a path.", join),
		spec("readlink", "path canonicalize=false", "Gives what a link leads to.", readlink),
		spec("readdir", "path", "Lists a directory.", readdir),
	}
}

// predicate is a function of a path that gives a boolean.
func predicate(holds func(h host.Reader, path string) bool) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		return value.Bool(holds(c.Host, pathArg(c, "path"))), nil
	}
}

// pathText is a function of a path that gives text.
func pathText(fn func(path string) string) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		return value.Str(fn(c.Str("path"))), nil
	}
}

// dirname is Python's os.path.dirname.
func dirname(p string) string {
	dir := p[:strings.LastIndexByte(p, '/')+1]
	if trimmed := strings.TrimRight(dir, "/"); trimmed != "" {
		return trimmed
	}
	return dir
}

// join is Python's os.path.join: a part that begins with a slash discards the ones before it, an empty last part leaves
// a slash.
func join(_ context.Context, c *modules.Call) (value.Value, error) {
	out := ""
	for i, v := range c.Rest() {
		p := value.String(v)
		switch {
		case i == 0 || strings.HasPrefix(p, "/"):
			out = p
		case out == "" || strings.HasSuffix(out, "/"):
			out += p
		default:
			out += "/" + p
		}
	}
	return value.Str(out), nil
}

func readlink(_ context.Context, c *modules.Call) (value.Value, error) {
	h, p := c.Host, pathArg(c, "path")
	if !strings.HasPrefix(p, "/") {
		return nil, invalid("Path to link must be absolute: %s", p)
	}
	i, err := h.Lstat(p)
	if err != nil || !i.IsSymlink() {
		return nil, invalid("A valid link was not specified: %s", p)
	}
	if c.Bool("canonicalize") {
		p, err = h.Follow(p)
		return value.Str(path.Clean(p)), wrong(err)
	}
	target, err := h.Readlink(p)
	return value.Str(target), wrong(err)
}

func readdir(_ context.Context, c *modules.Call) (value.Value, error) {
	p := pathArg(c, "path")
	if !strings.HasPrefix(p, "/") {
		return nil, invalid("Dir path must be absolute.")
	}
	if !isDir(c.Host, p) {
		return nil, invalid("A valid directory was not specified.")
	}
	infos, err := c.Host.ReadDir(p)
	if err != nil {
		return nil, wrong(err)
	}
	names := []string{".", ".."}
	for _, i := range infos {
		names = append(names, i.Path)
	}
	return modules.TextList(names), nil
}
