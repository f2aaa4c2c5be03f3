// Package cp is the execution functions that get files from the file roots and from the network.
//
// What it caches is written below the option cachedir, through the host, so that a preview writes nothing.
package cp

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "cp", Execs: append(copySpecs(), listSpecs()...)}
}

func copySpecs() []modules.ExecSpec {
	return append(modules.Writing(
		modules.NewExec("cp.cache_file", "cache_file(path, saltenv=None, source_hash=None): where a copy of a source was put, '' when there is none.", cacheFile,
			"path", "saltenv=None", "source_hash=None", "**kwargs"),
		modules.NewExec("cp.cache_files", "cache_files(paths, saltenv=None): where copies of sources were put.", cacheFiles, "paths", "saltenv=None"),
		modules.NewExec("cp.cache_dir", "cache_dir(path, saltenv=None): where copies of the files of a directory were put.", cacheDir,
			"path", "saltenv=None", "include_empty=false", "include_pat=None", "exclude_pat=None"),
		modules.NewExec("cp.get_dir", "get_dir(path, dest, saltenv=None): copies a directory and gives the paths of its files.", getDir, "path", "dest", "saltenv=None", "template=None", "gzip=None", "**kwargs"),
		modules.NewExec("cp.get_file", "get_file(path, dest, saltenv=None, makedirs=False): copies a source to a path and gives the path.", getFile,
			"path", "dest", "saltenv=None", "makedirs=false", "template=None", "gzip=None", "**kwargs"),
		modules.NewExec("cp.get_url", "get_url(path, dest='', saltenv=None, makedirs=False): copies a source or a URL; its text when dest is None.", getURL,
			"path", "dest=''", "saltenv=None", "makedirs=false", "source_hash=None", "**kwargs"),
		modules.NewExec("cp.get_template", "get_template(path, dest, template='jinja', saltenv=None, makedirs=False, **kwargs): renders a source to a path.", getTemplate,
			"path", "dest", "template=jinja", "saltenv=None", "makedirs=false", "**kwargs"),
	), []modules.ExecSpec{
		modules.NewExec("cp.get_file_str", "get_file_str(path, saltenv=None): the text of a source, False when there is none.", getFileStr, "path", "saltenv=None"),
		modules.NewExec("cp.is_cached", "is_cached(path, saltenv=None): where the copy of a source is, '' when there is none.", isCached, "path", "saltenv=None"),
		modules.NewExec("cp.hash_file", "hash_file(path, saltenv=None): the hash of a source, {} when there is none.", hashFile, "path", "saltenv=None"),
		modules.NewExec("cp.stat_file", "stat_file(path, saltenv=None, octal=True): the permissions of a source.", statFile, "path", "saltenv=None", "octal=true"),
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

// cached is where the copy of a source belongs, as in Salt's cache.
func cached(c *modules.Call, source string) string {
	dir := c.CacheDir()
	if rest, ok := strings.CutPrefix(source, "salt://"); ok {
		rest, query, _ := strings.Cut(rest, "?")
		e := c.ChosenEnv()
		if named, ok := strings.CutPrefix(query, "saltenv="); ok {
			e = named
		}
		return path.Join(dir, "files", path.Clean("/"+e), path.Clean("/"+rest))
	}
	_, rest, ok := strings.Cut(source, "://")
	if !ok {
		return path.Join(dir, "localfiles", path.Clean("/"+source))
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest = rest[:i]
	}
	return path.Join(dir, "extrn_files", path.Clean("/"+c.ChosenEnv()), path.Clean("/"+rest))
}

// put writes a file unless it holds that already.
func put(h host.Host, dest string, b []byte, makedirs bool) error {
	if old, err := h.ReadFile(dest); err == nil && bytes.Equal(old, b) {
		return nil
	}
	if makedirs {
		if err := modules.MakeDirs(h, path.Dir(dest), host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}); err != nil {
			return err
		}
	}
	return h.WriteFile(dest, bytes.NewReader(b), host.KeepAttr())
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
	dest := cached(c, source)
	return dest, put(c.Host, dest, b, true)
}

// checkHash compares with a hash, kind=hex or the hex alone, whose length tells its kind. One that it cannot tell is refused:
// a source whose hash was asked for is never taken unverified.
func checkHash(b []byte, want, source string) error {
	_, hexText, ok := strings.Cut(want, "=")
	if !ok {
		hexText = want
	}
	hexText = strings.TrimSpace(hexText)
	h := value.NewHash(value.HashByLength(len(hexText)))
	if h == nil {
		return value.Raise("CommandExecutionError", "source_hash %s of %s is no hash that can be checked", want, source)
	}
	h.Write(b)
	if got := hex.EncodeToString(h.Sum(nil)); !strings.EqualFold(got, hexText) {
		return value.Raise("CommandExecutionError", "%s has the hash %s, not %s", source, got, hexText)
	}
	return nil
}

func cacheFile(ctx context.Context, c *modules.Call) (value.Value, error) {
	dest, err := cache(ctx, c, c.Str("path"))
	return value.Str(dest), err
}

func cacheFiles(ctx context.Context, c *modules.Call) (value.Value, error) {
	var out []string
	for _, p := range c.Strs("paths") {
		dest, err := cache(ctx, c, p)
		if err != nil {
			return nil, err
		}
		out = append(out, dest)
	}
	return modules.TextList(out), nil
}

// below are the files of a salt:// directory, relative to it. Empty directories are left out.
func below(c *modules.Call, source string) []string {
	all, err := c.Files.List(source, c.ChosenEnv())
	if err != nil {
		c.Log("error", fmt.Sprintf("%s: %v", source, err))
	}
	var out []string
	for _, f := range all {
		if !strings.HasSuffix(f.Path, "/") {
			out = append(out, f.Path)
		}
	}
	return out
}

func cacheDir(ctx context.Context, c *modules.Call) (value.Value, error) {
	dir := strings.TrimSuffix(c.Str("path"), "/")
	var out []string
	for _, rel := range below(c, dir) {
		if p := c.Str("include_pat"); p != "" && !fnmatch.Match(p, rel) {
			continue
		}
		if p := c.Str("exclude_pat"); p != "" && fnmatch.Match(p, rel) {
			continue
		}
		dest, err := cache(ctx, c, dir+"/"+rel)
		if err != nil {
			return nil, err
		}
		out = append(out, dest)
	}
	return modules.TextList(out), nil
}

// getDir puts the directory itself below dest, as cp -r does.
func getDir(ctx context.Context, c *modules.Call) (value.Value, error) {
	dir := strings.TrimSuffix(c.Str("path"), "/")
	base := path.Base(strings.TrimPrefix(dir, "salt://"))
	var out []string
	for _, rel := range below(c, dir) {
		b, ok := read(ctx, c, dir+"/"+rel)
		if !ok {
			continue
		}
		if engine := c.Str("template"); engine != "" {
			var err error
			if b, err = c.Templates.Render(ctx, engine, dir+"/"+rel, b, "", c.ChosenEnv(), c.Extra()); err != nil {
				return nil, err
			}
		}
		dest := path.Join(c.Str("dest"), base, path.Clean("/"+rel))
		if err := put(c.Host, dest, b, true); err != nil {
			return nil, err
		}
		out = append(out, dest)
	}
	return modules.TextList(out), nil
}

func isCached(_ context.Context, c *modules.Call) (value.Value, error) {
	dest := cached(c, c.Str("path"))
	if i, err := c.Host.Stat(dest); err == nil && i.IsRegular() {
		return value.Str(dest), nil
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

func getFile(ctx context.Context, c *modules.Call) (value.Value, error) {
	if t := c.Str("template"); t != "" {
		return getTemplate(ctx, c)
	}
	b, ok := read(ctx, c, c.Str("path"))
	if !ok {
		return value.Str(""), nil
	}
	dest := target(c, c.Str("path"), c.Str("dest"))
	return value.Str(dest), put(c.Host, dest, b, c.Bool("makedirs"))
}

func getURL(ctx context.Context, c *modules.Call) (value.Value, error) {
	switch {
	case c.Arg("dest") == value.None:
		return getFileStr(ctx, c)
	case c.Str("dest") == "":
		return cacheFile(ctx, c)
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
	dest := target(c, c.Str("path"), c.Str("dest"))
	return value.Str(dest), put(c.Host, dest, b, c.Bool("makedirs"))
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
	dest := target(c, c.Str("path"), c.Str("dest"))
	return value.Str(dest), put(c.Host, dest, out, c.Bool("makedirs"))
}

func hashFile(ctx context.Context, c *modules.Call) (value.Value, error) {
	h, err := c.Files.Hash(ctx, c.Str("path"), c.ChosenEnv())
	if err != nil {
		c.Log("warning", err.Error())
		return value.NewDict(0), nil
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
