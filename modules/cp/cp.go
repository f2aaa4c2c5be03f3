// Package cp is the execution functions that get files from the file roots and from the network.
//
// What it caches is written below the option cachedir, through the host, so that a preview writes nothing.
package cp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/web"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "cp", Execs: append(copySpecs(), listSpecs()...)}
}

func copySpecs() []modules.ExecSpec {
	return append(modules.Writing(
		modules.NewExec("cp.cache_file", "cache_file(path, saltenv=None, source_hash=None): where a copy of a source was "+
			"put, False when there is none.", cacheFile,
			"path", "saltenv=None", "source_hash=None", "verify_ssl=true", "use_etag=false"),
		modules.NewExec("cp.cache_local_file", "cache_local_file(path): where a copy of a file of the machine was put, '' "+
			"when there is none.", cacheLocal, "path"),
		modules.NewExec("cp.cache_master", "cache_master(saltenv=None): where copies of all files of the file roots were put.", cacheMaster, "saltenv=None"),
		modules.NewExec("cp.cache_files", "cache_files(paths, saltenv=None): where copies of sources were put.", cacheFiles,
			"paths:list", "saltenv=None"),
		modules.NewExec("cp.cache_dir", "cache_dir(path, saltenv=None): where copies of the files of a directory were put.",
			cacheDir,
			"path", "saltenv=None", "include_empty=false", "include_pat=None", "exclude_pat=None"),
		modules.NewExec("cp.get_dir", "get_dir(path, dest, saltenv=None): copies a directory and gives the paths of its "+
			"files.", getDir, "path", "dest", "saltenv=None", "template=None", "gzip=None", "**kwargs:text"),
		modules.NewExec("cp.get_file", "get_file(path, dest, saltenv=None, makedirs=False): copies a source to a path and "+
			"gives the path.", getFile,
			"path", "dest", "saltenv=None", "makedirs=false", "template=None", "gzip=None", "**kwargs:text"),
		modules.NewExec("cp.get_url", "get_url(path, dest='', saltenv=None, makedirs=False): copies a source or a URL; its "+
			"text when dest is None.", getURL,
			"path", "dest=''", "saltenv=None", "makedirs=false", "source_hash=None"),
		modules.NewExec("cp.get_template", "get_template(path, dest, template='jinja', saltenv=None, makedirs=False, "+
			"**kwargs): renders a source to a path.", getTemplate,
			"path", "dest", "template=jinja", "saltenv=None", "makedirs=false", "**kwargs:text"),
	), []modules.ExecSpec{
		modules.NewExec("cp.get_file_str", "get_file_str(path, saltenv=None): the text of a source, False when there is none.", getFileStr, "path", "saltenv=None"),
		modules.NewExec("cp.cache_dest", "cache_dest(url, saltenv=None): where the copy of a source belongs.", cacheDest,
			"url", "saltenv=None"),
		modules.NewExec("cp.list_minion", "list_minion(saltenv=None): the copies that are there.", listMinion,
			"saltenv=None"),
		modules.NewExec("cp.is_cached", "is_cached(path, saltenv=None): where the copy of a source is, '' when there is none.", isCached, "path", "saltenv=None"),
		modules.NewExec("cp.hash_file", "hash_file(path, saltenv=None): the hash of a source, '' when there is none.",
			hashFile, "path", "saltenv=None"),
		modules.NewExec("cp.stat_file", "stat_file(path, saltenv=None, octal=True): the permissions of a source.", statFile,
			"path", "saltenv=None", "octal=true"),
	}...)
}

// read is what a source holds. ok is false when there is none, which is logged.
func read(ctx context.Context, c *modules.Call, source string) (b []byte, ok bool) {
	b, err := c.Files.Fetch(ctx, source, c.ChosenEnv())
	if err != nil {
		c.Log("error", fmt.Sprintf("%s: %v", source, err))
		return nil, false
	}
	return b, true
}

func getFileStr(ctx context.Context, c *modules.Call) (value.Value, error) {
	b, ok := read(ctx, c, c.Str("path"))
	if !ok {
		return value.Bool(false), nil
	}
	return value.TextOf(b), nil
}

// cache copies a source below cachedir and gives the path, "" when there is no such source.
func cache(ctx context.Context, c *modules.Call, source string) (string, error) {
	b, ok := read(ctx, c, source)
	if !ok {
		return "", nil
	}
	if want := c.Str("source_hash"); want != "" {
		if err := checkHash(b, want, source); err != nil {
			return "", err
		}
	}
	dest := c.CachePath(c.ChosenEnv(), source)
	if isLocal(source) {
		return dest, nil // it is there
	}
	return dest, modules.Put(c.Host, dest, b, true)
}

// isLocal says whether a source is a file of the machine, which is its own copy.
func isLocal(source string) bool {
	scheme, _, remote := strings.Cut(source, "://")
	return !remote || scheme == "file"
}

// checkHash compares with a hash, kind=hex or the hex alone, whose length tells its kind. One that it cannot tell is
// refused: a source whose hash was asked for is never taken unverified.
func checkHash(b []byte, want, source string) error {
	switch got, digits, ok := modules.HashAs(b, want); {
	case !ok:
		return value.Raise("CommandExecutionError", "source_hash %s of %s is no hash that can be checked", want, source)
	case got != digits:
		return value.Raise("CommandExecutionError", "%s has the hash %s, not %s", source, got, digits)
	}
	return nil
}

func cacheFile(ctx context.Context, c *modules.Call) (value.Value, error) {
	if !c.Bool("verify_ssl") {
		ctx = web.Unverified(ctx)
	}
	dest, err := cache(ctx, c, c.Str("path"))
	return orFalse(dest), err
}

// orFalse is a path, false for "".
func orFalse(p string) value.Value {
	if p == "" {
		return value.Bool(false)
	}
	return value.Str(p)
}

// localCopy is where the copy of a file of the machine belongs.
func localCopy(c *modules.Call, file string) string {
	return path.Join(c.CacheDir(), "localfiles", path.Clean("/"+file))
}

func cacheLocal(_ context.Context, c *modules.Call) (value.Value, error) {
	b, err := c.Host.ReadFile(c.Str("path"))
	if errors.Is(err, fs.ErrNotExist) {
		return value.Str(""), nil
	}
	if err != nil {
		return nil, err
	}
	dest := localCopy(c, c.Str("path"))
	return value.Str(dest), modules.Put(c.Host, dest, b, true)
}

func cacheDest(_ context.Context, c *modules.Call) (value.Value, error) {
	return value.Str(c.CachePath(c.ChosenEnv(), c.Str("url"))), nil
}

func cacheFiles(ctx context.Context, c *modules.Call) (value.Value, error) {
	return cacheAll(ctx, c, c.Strs("paths"))
}

func cacheMaster(ctx context.Context, c *modules.Call) (value.Value, error) {
	var sources []string
	for _, rel := range below(c, "salt://") {
		sources = append(sources, "salt://"+rel)
	}
	return cacheAll(ctx, c, sources)
}

// cacheAll gives where each copy was put, false for what is not there.
func cacheAll(ctx context.Context, c *modules.Call, sources []string) (value.Value, error) {
	out := value.NewList()
	for _, p := range sources {
		dest, err := cache(ctx, c, p)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, orFalse(dest))
	}
	return out, nil
}

// below are the files of a salt:// directory, relative to it.
func below(c *modules.Call, source string) []string {
	return slices.DeleteFunc(entries(c, source), func(p string) bool { return strings.HasSuffix(p, "/") })
}

// entries are the files of a salt:// directory, and its empty directories, which end in a slash.
func entries(c *modules.Call, source string) []string {
	all, err := c.Files.List(source, c.ChosenEnv())
	if err != nil {
		c.Log("error", fmt.Sprintf("%s: %v", source, err))
	}
	var out []string
	for _, f := range all {
		out = append(out, f.Path)
	}
	return out
}

// cacheDir takes what include_pat and exclude_pat leave; they mean paths within the file roots.
func cacheDir(ctx context.Context, c *modules.Call) (value.Value, error) {
	dir := strings.TrimSuffix(c.Str("path"), "/")
	root := strings.TrimPrefix(dir, "salt://")
	var out, empty []string
	for _, rel := range entries(c, dir) {
		source := dir + "/" + rel
		if strings.HasSuffix(rel, "/") {
			empty = append(empty, c.CachePath(c.ChosenEnv(), source))
			continue
		}
		if wanted, err := chosen(c, path.Join(root, rel)); err != nil {
			return nil, err
		} else if !wanted {
			continue
		}
		dest, err := cache(ctx, c, source)
		if err != nil {
			return nil, err
		}
		if dest != "" {
			out = append(out, dest)
		}
	}
	if c.Bool("include_empty") {
		if err := makeDirs(c.Host, empty); err != nil {
			return nil, err
		}
		out = append(out, empty...)
	}
	return modules.TextList(out), nil
}

func makeDirs(h host.Host, dirs []string) error {
	for _, d := range dirs {
		if err := modules.MakeDirs(h, d, host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}); err != nil {
			return err
		}
	}
	return nil
}

// chosen says whether include_pat and exclude_pat, globs or E@ and a regular expression, want a path.
func chosen(c *modules.Call, p string) (bool, error) {
	for _, param := range []string{"include_pat", "exclude_pat"} {
		pattern := c.Str(param)
		if pattern == "" {
			continue
		}
		matches := fnmatch.Match(pattern, p)
		if expr, ok := strings.CutPrefix(pattern, "E@"); ok {
			re, err := pyre.Compile(expr, 0)
			if err != nil {
				return false, err
			}
			m, err := re.Search(p)
			if err != nil {
				return false, err
			}
			matches = m != nil
		}
		if matches == (param == "exclude_pat") {
			return false, nil
		}
	}
	return true, nil
}

// rendered is a parameter whose text the engine template renders, where there is one.
func rendered(ctx context.Context, c *modules.Call, param string) (string, error) {
	engine := c.Str("template")
	if engine == "" {
		return c.Str(param), c.NoExtra()
	}
	out, err := c.Templates.Render(ctx, engine, param, []byte(c.Str(param)), "", c.ChosenEnv(), c.Extra())
	return strings.TrimSuffix(string(out), "\n"), err
}

// paths are the two paths of a copy, rendered.
func paths(ctx context.Context, c *modules.Call) (source, to string, err error) {
	if source, err = rendered(ctx, c, "path"); err != nil {
		return "", "", err
	}
	to, err = rendered(ctx, c, "dest")
	return source, to, err
}

// getDir puts the directory itself below dest, as cp -r does.
func getDir(ctx context.Context, c *modules.Call) (value.Value, error) {
	source, to, err := paths(ctx, c)
	if err != nil {
		return nil, err
	}
	dir := strings.TrimSuffix(source, "/")
	base := path.Base(strings.TrimPrefix(dir, "salt://"))
	var out, empty []string
	for _, rel := range entries(c, dir) {
		dest := path.Join(to, base, path.Clean("/"+rel))
		if strings.HasSuffix(rel, "/") {
			empty = append(empty, dest)
			continue
		}
		b, ok := read(ctx, c, dir+"/"+rel)
		if !ok {
			continue
		}
		if err := modules.Put(c.Host, dest, b, true); err != nil {
			return nil, err
		}
		out = append(out, dest)
	}
	out = append(out, empty...)
	slices.Sort(out)
	return modules.TextList(out), makeDirs(c.Host, empty)
}

// isCached looks for a copy of a source, with its scheme or without.
func isCached(_ context.Context, c *modules.Call) (value.Value, error) {
	p := c.Str("path")
	for _, dest := range []string{c.CachePath(c.ChosenEnv(), "salt://"+strings.TrimPrefix(p, "salt://")), localCopy(c, p),
		c.CachePath(c.ChosenEnv(), p)} {
		if _, err := c.Host.Stat(dest); err == nil && dest != path.Clean("/"+p) {
			return value.Str(dest), nil
		}
	}
	return value.Str(""), nil
}

// target is dest, with the source's name where it is a directory.
func target(c *modules.Call, source, dest string) string {
	i, err := c.Host.Stat(dest)
	if strings.HasSuffix(dest, "/") || err == nil && i.IsDir() {
		name, _, _ := strings.Cut(source, "?")
		return path.Join(dest, path.Base(name))
	}
	return dest
}

// getFile renders the two paths where it is given a template, and not what the file holds.
func getFile(ctx context.Context, c *modules.Call) (value.Value, error) {
	source, to, err := paths(ctx, c)
	if err != nil {
		return nil, err
	}
	b, ok := read(ctx, c, source)
	if !ok {
		return value.Str(""), nil
	}
	return lay(c, source, to, b)
}

// lay puts a source at a path and gives that; false where its directory is missing and is not to be made.
func lay(c *modules.Call, source, to string, b []byte) (value.Value, error) {
	dest := target(c, source, to)
	if i, err := c.Host.Stat(path.Dir(dest)); !c.Bool("makedirs") && (err != nil || !i.IsDir()) {
		return value.Bool(false), nil
	}
	return value.Str(dest), modules.Put(c.Host, dest, b, c.Bool("makedirs"))
}

func getURL(ctx context.Context, c *modules.Call) (value.Value, error) {
	switch {
	case c.Arg("dest") == value.None:
		return getFileStr(ctx, c)
	case c.Str("dest") == "":
		return cacheFile(ctx, c)
	case isLocal(c.Str("path")):
		return value.Str(c.CachePath(c.ChosenEnv(), c.Str("path"))), nil // as in Salt, it is not copied
	}
	b, ok := read(ctx, c, c.Str("path"))
	if !ok {
		return value.Bool(false), nil
	}
	if want := c.Str("source_hash"); want != "" {
		if err := checkHash(b, want, c.Str("path")); err != nil {
			return nil, err
		}
	}
	return lay(c, c.Str("path"), c.Str("dest"), b)
}

func getTemplate(ctx context.Context, c *modules.Call) (value.Value, error) {
	b, ok := read(ctx, c, c.Str("path"))
	if !ok {
		return value.Str(""), nil
	}
	out, err := c.Templates.Render(ctx, c.Str("template"), c.Str("path"), b, "", c.ChosenEnv(), c.Extra())
	if err != nil {
		return nil, err
	}
	return lay(c, c.Str("path"), c.Str("dest"), out)
}

func hashFile(ctx context.Context, c *modules.Call) (value.Value, error) {
	h, err := c.Files.Hash(ctx, c.Str("path"), c.ChosenEnv())
	if err != nil {
		c.Log("warning", err.Error())
		return value.Str(""), nil
	}
	return value.DictOf("hsum", value.Str(h), "hash_type", value.Str("sha256")), nil
}

func statFile(_ context.Context, c *modules.Call) (value.Value, error) {
	m, err := c.Files.Mode(c.Str("path"), c.ChosenEnv())
	if err != nil {
		return value.None, nil
	}
	if c.Bool("octal") {
		return value.Str(fmt.Sprintf("%04o", m)), nil
	}
	return value.Int(int64(m) | 0o100000), nil
}
