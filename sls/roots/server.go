package roots

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gostate/gostate/state/host"
)

// A FileServer gives the sources of states: salt://path, salt://path?saltenv=env, file:///path, an absolute path,
// http(s)://.
type FileServer struct {
	roots *Roots
	// Get fetches a URL. nil refuses URLs.
	Get     func(ctx context.Context, url string) (io.ReadCloser, error)
	buffers sync.Pool // of *[32 << 10]byte: hashing many files takes one
}

// NewFileServer makes a server of the roots that fetches URLs over HTTP.
func NewFileServer(r *Roots) *FileServer {
	return &FileServer{roots: r, Get: httpGet, buffers: sync.Pool{New: func() any { return new([32 << 10]byte) }}}
}

// Envs are the names of all environments.
func (s *FileServer) Envs() []string { return s.roots.Envs() }

// A SourceFile is a file below a salt:// directory.
type SourceFile struct {
	Path string // relative to the directory; an empty directory ends in "/"
	Mode uint32
	Link string // target, when it is a symbolic link
}

// source is a source taken apart: one of the three is set.
type source struct {
	salt, env string
	local     string
	url       string
}

func parseSource(src, env string) (source, error) {
	rest, isSalt := strings.CutPrefix(src, "salt://")
	switch {
	case isSalt:
		rest, query, _ := strings.Cut(rest, "?")
		// Salt: only saltenv= is known, "|" at the front escapes nothing any more
		if q, ok := strings.CutPrefix(query, "saltenv="); ok {
			env = q
		} else if q, ok := strings.CutPrefix(query, "env="); ok {
			env = q
		} else if query != "" {
			rest += "?" + query
		}
		return source{salt: strings.TrimSuffix(strings.TrimPrefix(rest, "|"), "/"), env: env}, nil
	case strings.HasPrefix(src, "file://"):
		return source{local: strings.TrimPrefix(src, "file://")}, nil
	case strings.HasPrefix(src, "/"):
		return source{local: src}, nil
	case strings.HasPrefix(src, "http://"), strings.HasPrefix(src, "https://"):
		return source{url: src}, nil
	}
	scheme := "no scheme"
	if u, err := url.Parse(src); err == nil && u.Scheme != "" {
		scheme = "scheme '" + u.Scheme + "'"
	}
	return source{}, fmt.Errorf("source '%s' has %s: it must be salt://, file://, http://, https:// or an absolute path",
		src, scheme)
}

// Fetch reads a source.
func (s *FileServer) Fetch(ctx context.Context, src, env string) ([]byte, error) {
	p, err := parseSource(src, env)
	switch {
	case err != nil:
		return nil, err
	case p.url != "":
		var b bytes.Buffer
		if err := s.fetch(ctx, p.url, &b, httpLimit); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	}
	abs := p.local
	if abs == "" {
		f, err := s.roots.Find(p.env, p.salt)
		if err != nil {
			return nil, sourceError(src, err)
		}
		abs = f.Abs
	}
	defer s.roots.tell(abs)()
	b, err := host.ReadRegular(abs, httpLimit)
	if err != nil {
		return nil, fmt.Errorf("read source %s: %w", src, err)
	}
	return b, nil
}

func sourceError(src string, err error) error {
	var missing *NotFoundError
	if errors.As(err, &missing) && missing.Hint() != "" {
		return fmt.Errorf("source '%s': %w; %s", src, err, missing.Hint())
	}
	return fmt.Errorf("source '%s': %w", src, err)
}

// Exists says whether a source is a file or a directory. A URL is neither until it is fetched.
func (s *FileServer) Exists(src, env string) (file, dir bool) {
	p, err := parseSource(src, env)
	switch {
	case err != nil || p.url != "":
		return false, false
	case p.local != "":
		info, err := os.Stat(p.local)
		return err == nil && !info.IsDir(), err == nil && info.IsDir()
	}
	if f, err := s.roots.Lookup(p.env, p.salt); f != nil && err == nil {
		return true, false
	}
	return false, s.roots.IsDir(p.env, p.salt)
}

// List gives the files below a salt:// directory, sorted, relative to it.
func (s *FileServer) List(src, env string) ([]SourceFile, error) {
	p, err := parseSource(src, env)
	if err != nil {
		return nil, err
	}
	if p.salt == "" && !strings.HasPrefix(src, "salt://") {
		return nil, fmt.Errorf("source '%s': only salt:// directories can be listed", src)
	}
	dir := p.salt
	if dir == "" {
		dir = "."
	}
	files, err := s.roots.List(p.env, dir)
	if err != nil {
		return nil, sourceError(src, err)
	}
	var out []SourceFile
	used := map[string]bool{}
	for _, f := range files {
		rel := strings.TrimPrefix(f.Path, dir+"/")
		sf := SourceFile{Path: rel}
		if info, err := os.Stat(f.Abs); err == nil {
			sf.Mode = uint32(info.Mode().Perm())
		}
		if link, err := os.Readlink(f.Abs); err == nil {
			sf.Link = link
		}
		out = append(out, sf)
		for d := filepath.Dir(rel); d != "."; d = filepath.Dir(d) {
			used[d] = true
		}
	}
	for _, d := range s.roots.ListDirs(p.env, dir) {
		rel := strings.TrimPrefix(d, dir+"/")
		if used[rel] {
			continue
		}
		for up := filepath.Dir(rel); up != "."; up = filepath.Dir(up) {
			used[up] = true
		}
		out = append(out, SourceFile{Path: rel + "/", Mode: 0o755})
	}
	return dropUsed(out, used), nil
}

// dropUsed removes directories that turned out to hold another, and sorts.
func dropUsed(all []SourceFile, used map[string]bool) []SourceFile {
	out := all[:0]
	for _, f := range all {
		if d, isDir := strings.CutSuffix(f.Path, "/"); isDir && used[d] {
			continue
		}
		out = append(out, f)
	}
	sortSources(out)
	return out
}

// Hash is the sha256 of a source in hex; of a file in a root it is computed once a run.
func (s *FileServer) Hash(ctx context.Context, src, env string) (string, error) {
	p, err := parseSource(src, env)
	if err != nil {
		return "", err
	}
	key := ""
	if p.salt != "" {
		f, err := s.roots.Find(p.env, p.salt)
		if err != nil {
			return "", sourceError(src, err)
		}
		key = f.Abs
		if h, ok := s.roots.hash(key); ok {
			return h, nil
		}
	}
	r, err := s.Open(ctx, src, env)
	if err != nil {
		return "", err
	}
	defer r.Close()
	sum, buf := sha256.New(), s.buffers.Get().(*[32 << 10]byte)
	defer s.buffers.Put(buf)
	if _, err := io.CopyBuffer(sum, untilDone{ctx, r}, buf[:]); err != nil {
		return "", fmt.Errorf("read source %s: %w", src, err)
	}
	h := hex.EncodeToString(sum.Sum(nil))
	if key != "" {
		s.roots.keepHash(key, h)
	}
	return h, nil
}

// untilDone is a reader that ends with its context.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.r.Read(p)
}

// Mode are the permission bits of a salt:// or local source.
func (s *FileServer) Mode(src, env string) (uint32, error) {
	p, err := parseSource(src, env)
	if err != nil {
		return 0, err
	}
	abs := p.local
	if p.salt != "" {
		f, err := s.roots.Find(p.env, p.salt)
		if err != nil {
			return 0, sourceError(src, err)
		}
		abs = f.Abs
	}
	if abs == "" {
		return 0, fmt.Errorf("source '%s' has no mode to keep: it is no salt:// or local file", src)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return 0, fmt.Errorf("mode of source %s: %w", src, err)
	}
	return uint32(info.Mode().Perm()), nil
}

// Why is why a salt:// source is no file: a *NotFoundError, an *EscapeError, or what is wrong with its address; nil
// when it is one.
func (s *FileServer) Why(src, env string) error {
	p, err := parseSource(src, env)
	if err != nil || p.salt == "" {
		return err
	}
	_, err = s.roots.Find(p.env, p.salt)
	return err
}
