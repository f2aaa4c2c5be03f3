package ssh

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// A tree is the operator's, as far as it was asked for, below a directory of this machine. It is a roots.Supplier.
type tree struct {
	dir string
	ask func(ask) (toNode, error)

	mu   sync.Mutex // guards all below
	have map[[2]string]bool
	all  map[string]bool // environments whose names are there
}

// root is the directory of the environments.
func (t *tree) root() string { return filepath.Join(t.dir, "roots") }

// env is the directory of one.
func (t *tree) env(name string) string { return filepath.Join(t.root(), name) }

// place is where a file lies.
func (t *tree) place(env, path string) (string, error) {
	if !filepath.IsLocal(env) || !filepath.IsLocal(path) {
		return "", fmt.Errorf("%s of %s lies outside of the tree", path, env)
	}
	return filepath.Join(t.env(env), path), nil
}

// begin makes the directories and what the first message brings.
func (t *tree) begin(b *begin, r *bufio.Reader) error {
	for _, e := range b.Envs {
		dir, err := t.place(e, ".")
		if err == nil {
			err = os.MkdirAll(dir, 0o700)
		}
		if err != nil {
			return fmt.Errorf("make room for the tree: %w", err)
		}
	}
	for i := range b.Files {
		if err := t.keep(&b.Files[i], r); err != nil {
			return err
		}
	}
	return nil
}

// File asks for what is at a path, once.
func (t *tree) File(env, path string) error {
	if t.has(env, path) {
		return nil
	}
	m, err := t.ask(ask{Env: env, Path: path})
	switch {
	case err != nil:
		return err
	case m.File == nil:
		return errors.New("no file came")
	case m.File.Error != "":
		return errors.New(m.File.Error)
	}
	return nil
}

// Files asks for several files at once, once each. They are there when the answer comes.
func (t *tree) Files(env string, paths []string) error {
	missing := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return t.has(env, p) })
	if len(missing) == 0 {
		return nil
	}
	_, err := t.ask(ask{Env: env, Paths: missing})
	return err
}

func (t *tree) has(env, path string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.have[[2]string{env, path}]
}

// keep writes what came, whose text follows in r. What cannot be written is the error of the file.
func (t *tree) keep(f *file, r *bufio.Reader) error {
	text := io.LimitReader(r, f.Size)
	err := t.write(f, text)
	if _, rest := io.Copy(io.Discard, text); rest != nil {
		return rest
	}
	if err != nil {
		f.Error = err.Error()
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.have == nil {
		t.have = map[[2]string]bool{}
	}
	t.have[[2]string{f.Env, f.Path}] = true
	return nil
}

func (t *tree) write(f *file, text io.Reader) error {
	at, err := t.place(f.Env, f.Path)
	if err != nil || f.Kind == "" || f.Error != "" {
		return err
	}
	if f.Kind == "dir" {
		return os.MkdirAll(at, 0o700)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real // names brought a link: what it points to is in the tree, too
	}
	return writeFile(at, f, text)
}

func writeFile(at string, f *file, text io.Reader) error {
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), text)
	if err == nil {
		err = out.Chmod(fs.FileMode(f.Mode).Perm())
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("keep a file of the tree: %w", err)
	}
	if n != f.Size || hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
		return fmt.Errorf("%s changed while it was sent", f.Path)
	}
	return nil
}

// Names asks for all names of an environment, once. Files are empty until they are asked for.
func (t *tree) Names(env string) error {
	t.mu.Lock()
	done := t.all[env]
	t.mu.Unlock()
	if done {
		return nil
	}
	m, err := t.ask(ask{Env: env, Names: true})
	if err != nil {
		return err
	}
	if m.Names == nil {
		return errors.New("no names came")
	}
	for i := range m.Names.Files {
		if err := t.name(&m.Names.Files[i]); err != nil {
			return err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[string]bool{}
	}
	t.all[env] = true
	return nil
}

// name makes a file that is empty until it is asked for, where there is none yet.
func (t *tree) name(f *file) error {
	at, err := t.place(f.Env, f.Path)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(at); err == nil {
		return nil
	}
	if f.Kind == "dir" {
		return os.MkdirAll(at, 0o700)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	if f.Link != "" && filepath.IsLocal(filepath.Join(filepath.Dir(f.Path), f.Link)) {
		return os.Symlink(f.Link, at)
	}
	empty := *f
	empty.Size, empty.SHA256 = 0, hex.EncodeToString(sha256.New().Sum(nil))
	return writeFile(at, &empty, bytes.NewReader(nil))
}
