package render

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"path"
	"strings"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// These filters look at the machine that the template looks at. They only read.
func fileFilters() []filter {
	return []filter{
		ofFile("is_text_file", func(h host.Reader, path string) (value.Value, error) {
			block, err := firstBlock(h, path)
			return value.Bool(err == nil && isText(block)), nil
		}),
		ofFile("is_bin_file", isBinFile), ofFile("is_binary_file", isBinFile),
		ofFile("is_empty", isEmptyFile), ofFile("is_empty_file", isEmptyFile),
		fileHash(), ofFile("list_files", listFiles),
		{name: "path_join", keywords: []string{"use_posixpath"}, rest: true, fn: pathJoin},
		{name: "which", fn: func(ctx context.Context, r *Renderer, v value.Value, _ []value.Value) (value.Value, error) {
			if !value.Truth(v) {
				return value.None, nil
			}
			s, err := textOf("which", v)
			if err != nil {
				return nil, err
			}
			if p, err := r.host(ctx).LookPath(s); err == nil {
				return value.Str(p), nil
			}
			return value.None, nil
		}},
	}
}

// host is the machine that the rendering looks at.
func (r *Renderer) host(ctx context.Context) host.Reader { return r.cfg.Host(ctx) }

// ofFile makes a filter of a function of the machine and a path on it.
func ofFile(name string, fn func(h host.Reader, path string) (value.Value, error)) filter {
	return filter{name: name, fn: func(ctx context.Context, r *Renderer, v value.Value, _ []value.Value) (value.Value,
		error) {
		switch v.(type) {
		case value.Int, value.Bool:
			if strings.HasPrefix(name, "is_empty") {
				return value.Bool(false), nil // Python takes a number for that of an open file, which a template has none of
			}
		}
		s, err := textOf(name, v)
		if err != nil {
			return nil, err
		}
		return fn(r.host(ctx), s)
	}}
}

func firstBlock(h host.Reader, path string) ([]byte, error) {
	f, err := h.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 2048))
}

// isText is Salt's guess: no null byte, and UTF-8 or at most 30 % of odd bytes.
func isText(block []byte) bool {
	if bytes.IndexByte(block, 0) >= 0 {
		return false
	}
	odd := 0
	for _, c := range block {
		if c < 32 && !strings.ContainsRune("\n\r\t\f\b", rune(c)) || c == 127 {
			odd++
		}
	}
	return odd*10 <= len(block)*3
}

func isBinFile(h host.Reader, path string) (value.Value, error) {
	block, err := firstBlock(h, path)
	return value.Bool(err == nil && !isText(block)), nil
}

func isEmptyFile(h host.Reader, path string) (value.Value, error) {
	info, err := h.Stat(path)
	return value.Bool(err == nil && info.Size == 0), nil
}

func fileHash() filter {
	f := filter{name: "file_hashsum", fn: func(ctx context.Context, r *Renderer, v value.Value,
		a []value.Value) (value.Value, error) {
		path, err := textOf("file_hashsum", v)
		if err != nil {
			return nil, err
		}
		return hashFile(r.host(ctx), path, strOr(a[0], "sha256"))
	}}
	f.setParams("form= chunk_size=")
	return f
}

func hashFile(r host.Reader, path, name string) (value.Value, error) {
	sum := value.NewHash(name)
	if sum == nil {
		return nil, value.Raise("ValueError", "unsupported hash type: %s", name)
	}
	f, err := r.Open(path)
	if err != nil {
		return nil, value.Raise("FileNotFoundError", "file_hashsum: %v", err)
	}
	defer f.Close()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, value.Raise("OSError", "file_hashsum: %v", err)
	}
	return value.Str(hex.EncodeToString(sum.Sum(nil))), nil
}

// listFiles gives the directory, whether or not it is there, and all that is below it, sorted.
func listFiles(h host.Reader, dir string) (value.Value, error) {
	out := value.NewList(value.Str(dir))
	var walk func(dir string)
	walk = func(dir string) {
		infos, err := h.ReadDir(dir)
		if err != nil {
			return
		}
		for _, i := range infos {
			p := path.Join(dir, i.Path)
			out.Items = append(out.Items, value.Str(p))
			if i.IsDir() {
				walk(p)
			}
		}
	}
	walk(dir)
	return out, nil
}
