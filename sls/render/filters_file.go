package render

import (
	"bytes"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// These filters look at the machine that renders, as Salt's do. They only read.
func fileFilters() []filter {
	return []filter{
		text1("is_text_file", func(s string) (value.Value, error) {
			block, err := firstBlock(s)
			return value.Bool(err == nil && isText(block)), nil
		}),
		text1("is_bin_file", isBinFile), text1("is_binary_file", isBinFile),
		simple("is_empty", isEmptyFile), simple("is_empty_file", isEmptyFile),
		with("file_hashsum", "form= chunk_size=", fileHash),
		text1("list_files", listFiles),
		{name: "path_join", keywords: []string{"use_posixpath"}, rest: true, fn: pathJoin},
		simple("which", func(v value.Value) (value.Value, error) {
			if !value.Truth(v) {
				return value.None, nil
			}
			s, err := textOf("which", v)
			if err != nil {
				return nil, err
			}
			return which(s), nil
		}),
	}
}

func firstBlock(path string) ([]byte, error) {
	f, err := os.Open(path)
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

func isBinFile(path string) (value.Value, error) {
	block, err := firstBlock(path)
	if err != nil {
		return value.Bool(false), nil
	}
	return value.Bool(!isText(block)), nil
}

// isEmptyFile is false of a number: Python takes it for that of an open file, which a template has none of.
func isEmptyFile(v value.Value) (value.Value, error) {
	switch v.(type) {
	case value.Int, value.Bool:
		return value.Bool(false), nil
	}
	path, err := textOf("is_empty", v)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	return value.Bool(err == nil && info.Size() == 0), nil
}

func fileHash(v value.Value, a []value.Value) (value.Value, error) {
	path, err := textOf("file_hashsum", v)
	if err != nil {
		return nil, err
	}
	name := strOr(a[0], "sha256")
	h := newHash(name)
	if h == nil {
		return nil, value.Raise("ValueError", "unsupported hash type: %s", name)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, value.Raise("FileNotFoundError", "file_hashsum: %v", err)
	}
	defer f.Close()
	sum := h()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, value.Raise("OSError", "file_hashsum: %v", err)
	}
	return value.Str(hex.EncodeToString(sum.Sum(nil))), nil
}

// listFiles gives the directory, whether or not it is there, and all that is below it, sorted.
func listFiles(dir string) (value.Value, error) {
	out := value.NewList()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil || path == dir {
			out.Items = append(out.Items, value.Str(path))
		}
		return nil
	})
	return out, err
}

func which(name string) value.Value {
	dirs := append(filepath.SplitList(os.Getenv("PATH")), "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin")
	if strings.Contains(name, "/") {
		dirs = []string{""}
	}
	for _, d := range dirs {
		p := filepath.Join(d, name)
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return value.Str(p)
		}
	}
	return value.None
}
