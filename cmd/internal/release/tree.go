package release

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/state/diag"
)

// A Root is a directory of an environment of the tree; the first one that has a file wins.
type Root struct{ Env, Dir string }

// Tree are the files of roots: names in the tree, ENV/PATH, to names on the disk.
type Tree map[string]string

// ReadTree finds the files of roots. What Git keeps for itself is left out.
func ReadTree(dirs []Root) (Tree, error) {
	out := Tree{}
	for _, r := range dirs {
		base, err := filepath.EvalSymlinks(r.Dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := out.add(r.Env, base); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (t Tree) add(env, base string) error {
	return filepath.WalkDir(base, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(base, p)
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case !d.Type().IsRegular() && d.Type() != fs.ModeSymlink:
			return diag.Errorf(diag.Pos{File: p}, "it is no file, directory or link, and cannot be packed")
		}
		if d.Type() == fs.ModeSymlink {
			if err := within(base, p); err != nil {
				return err
			}
		}
		name := path.Join(env, filepath.ToSlash(rel))
		if _, ok := t[name]; !ok {
			t[name] = p
		}
		return nil
	})
}

// within refuses a link that leads out of its root: on a machine it would lead elsewhere.
func within(base, link string) error {
	to, err := os.Readlink(link)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(base, filepath.Join(filepath.Dir(link), to))
	if err != nil || filepath.IsAbs(to) || !filepath.IsLocal(rel) {
		return diag.Errorf(diag.Pos{File: link}, "the link to %s leads out of the tree", to).
			WithHint("put a copy in its place, or a relative link to a file of the tree")
	}
	return nil
}

// Write writes the tree as a compressed tar, the same bytes for the same files: sorted, without owners and times.
func (t Tree) Write(w io.Writer) error {
	zip, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zip)
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if err := writeEntry(out, name, t[name]); err != nil {
			return fmt.Errorf("pack %s: %w", t[name], err)
		}
	}
	return errors.Join(out.Close(), zip.Close())
}

func writeEntry(out *tar.Writer, name, file string) error {
	info, err := os.Lstat(file)
	if err != nil {
		return err
	}
	h := &tar.Header{Name: name, Mode: int64(info.Mode().Perm()), Size: info.Size(), ModTime: time.Unix(0, 0),
		Typeflag: tar.TypeReg, Format: tar.FormatPAX}
	if info.Mode().Type() == fs.ModeSymlink {
		if h.Linkname, err = os.Readlink(file); err != nil {
			return err
		}
		h.Typeflag, h.Size, h.Mode = tar.TypeSymlink, 0, 0o777
		return out.WriteHeader(h)
	}
	if err := out.WriteHeader(h); err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(out, f)
	return err
}

// Unpack writes a tree below a directory that is not there yet, and that is there only when the tree is whole.
func Unpack(r io.Reader, dir string) error {
	tmp := dir + ".new"
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return err
	}
	err := unpackInto(r, tmp)
	if err == nil {
		err = syncAll(tmp)
	}
	if err == nil {
		err = os.Rename(tmp, dir)
	}
	if err != nil {
		_ = os.RemoveAll(tmp)
		return fmt.Errorf("unpack the tree: %w", err)
	}
	return disk.SyncDir(filepath.Dir(dir))
}

// syncAll brings all of a tree to the disk at once, which is quicker than each of its files.
func syncAll(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Syncfs(int(d.Fd()))
}

func unpackInto(r io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	zip, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	in := tar.NewReader(io.LimitReader(zip, MaxTree))
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = unpackEntry(root, h, in)
		}
		if err != nil {
			return err
		}
	}
}

func unpackEntry(root *os.Root, h *tar.Header, in io.Reader) error {
	name := filepath.FromSlash(h.Name)
	if !filepath.IsLocal(name) || strings.Contains(h.Name, "\x00") {
		return fmt.Errorf("%q leads out of the tree", h.Name)
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeSymlink:
		if filepath.IsAbs(h.Linkname) || !filepath.IsLocal(filepath.Join(filepath.Dir(name), h.Linkname)) {
			return fmt.Errorf("the link %q leads out of the tree", h.Name)
		}
		return root.Symlink(h.Linkname, name)
	case tar.TypeReg:
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, in)
		return errors.Join(err, f.Chmod(fs.FileMode(h.Mode).Perm()), f.Close())
	}
	return fmt.Errorf("%q is no file and no link", h.Name)
}
