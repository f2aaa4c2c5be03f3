package modules

import (
	"bytes"
	"cmp"
	"io"
	"path"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// CacheDir is where Salt keeps what it caches: the option cachedir.
func (e *Env) CacheDir() string { return cmp.Or(e.Opts.Text("cachedir"), "/var/cache/salt/minion") }

// CachePath is where the copy of a source of an environment of the file roots belongs, as in Salt's cache. A file of
// the machine is its own copy.
func (e *Env) CachePath(saltenv, source string) string {
	if rest, ok := strings.CutPrefix(source, "salt://"); ok {
		rest, query, _ := strings.Cut(rest, "?")
		if named, ok := strings.CutPrefix(query, "saltenv="); ok {
			saltenv = named
		}
		return path.Join(e.CacheDir(), "files", path.Clean("/"+saltenv), path.Clean("/"+rest))
	}
	scheme, rest, ok := strings.Cut(source, "://")
	if !ok || scheme == "file" {
		return path.Clean("/" + strings.TrimPrefix(source, "file://"))
	}
	rest, _, _ = strings.Cut(rest, "?")
	return path.Join(e.CacheDir(), "extrn_files", path.Clean("/"+saltenv), path.Clean("/"+rest))
}

// Put writes a file unless it holds that already, with makedirs in directories that it makes.
func Put(h host.Host, dest string, b []byte, makedirs bool) error {
	if old, err := h.ReadFile(dest); err == nil && bytes.Equal(old, b) {
		return nil
	}
	return PutFrom(h, dest, bytes.NewReader(b), makedirs)
}

// PutFrom writes a file with what is read.
func PutFrom(h host.Host, dest string, from io.Reader, makedirs bool) error {
	if makedirs {
		if err := MakeDirs(h, path.Dir(dest), host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}); err != nil {
			return err
		}
	}
	return h.WriteFile(dest, from, host.KeepAttr())
}
