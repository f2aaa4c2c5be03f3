package gitroots

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// maxLinks bounds how many links are followed from one to the next.
const maxLinks = 100

// An entry is a file or a link of a commit.
type entry struct {
	path, hash string
	link, exec bool
	to         string // of a link
}

// export gives the directory that holds what a commit has below a root, below the mountpoint. It is written once. empty
// says that there is nothing below the root.
func (r *repo) export(ctx context.Context, commit, root, mount string) (dir string, empty bool, err error) {
	name := commit
	if root != "" || mount != "" {
		name += "-" + digest(root, mount)
	}
	dir = filepath.Join(r.dir, "trees", name)
	now := time.Now()
	if os.Chtimes(dir, now, now) != nil {
		if err := r.exportNew(ctx, dir, commit, root, mount); err != nil {
			return "", false, fmt.Errorf("read commit %s of '%s': %w", commit, r.url, err)
		}
	}
	in, err := os.ReadDir(filepath.Join(dir, mount))
	return dir, root != "" && len(in) == 0, err
}

// uses notes that a commit is read.
func (r *repo) uses(ref, env, commit, dir string) {
	r.c.Used = append(r.c.Used, Used{Role: r.role, URL: r.url, Ref: ref, Env: env, Commit: commit, Dir: dir,
		Fetched: r.fetched()})
}

func (r *repo) exportNew(ctx context.Context, dir, commit, root, mount string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := r.write(ctx, tmp, commit, root, mount); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, fs.ErrExist) { // another may have been first
		return err
	}
	return nil
}

// write writes what is below the root of a commit into a directory.
func (r *repo) write(ctx context.Context, dir, commit, root, mount string) error {
	all, err := r.list(ctx, commit)
	if err != nil {
		return err
	}
	out, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer out.Close()
	var files []*entry // what is written, and where
	var at []string
	if mount != "" {
		if err := out.MkdirAll(mount, 0o755); err != nil {
			return err
		}
	}
	for _, e := range all.order {
		rel, ok := below(root, e.path)
		if !ok {
			continue
		}
		to := path.Join(mount, rel)
		if !e.link {
			files, at = append(files, e), append(at, to)
			continue
		}
		switch end, kept := all.follow(e, root); {
		case kept:
			if err := link(out, e.to, to); err != nil {
				return err
			}
		case end != nil:
			files, at = append(files, end), append(at, to)
		}
	}
	return r.contents(ctx, files, func(i int, text io.Reader) error { return file(out, at[i], files[i], text) })
}

// below is a path's part below a root.
func below(root, p string) (string, bool) {
	if root == "" {
		return p, true
	}
	return strings.CutPrefix(p, root+"/")
}

func link(out *os.Root, to, at string) error {
	if err := out.MkdirAll(path.Dir(at), 0o755); err != nil {
		return err
	}
	return out.Symlink(to, at)
}

func file(out *os.Root, at string, e *entry, text io.Reader) error {
	if err := out.MkdirAll(path.Dir(at), 0o755); err != nil {
		return err
	}
	f, err := out.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if e.exec {
		mode = 0o755
	}
	_, err = io.Copy(f, text)
	return errors.Join(err, f.Chmod(mode), f.Close())
}

// files are those of a commit.
type files struct {
	order []*entry
	at    map[string]*entry
	dirs  map[string]bool
}

// list are the files of a commit. Submodules are none, as in Salt.
func (r *repo) list(ctx context.Context, commit string) (*files, error) {
	var text bytes.Buffer
	if _, err := r.ask(ctx, nil, &text, "ls-tree", "-r", "-z", "--full-tree", commit); err != nil {
		return nil, err
	}
	out := &files{at: map[string]*entry{}, dirs: map[string]bool{"": true}}
	var links []*entry
	for line := range strings.SplitSeq(strings.TrimSuffix(text.String(), "\x00"), "\x00") {
		head, name, ok := strings.Cut(line, "\t")
		f := strings.Fields(head)
		if !ok || len(f) != 3 || f[1] != "blob" || !plain(name) {
			continue
		}
		e := &entry{path: name, hash: f[2], link: f[0] == "120000", exec: f[0] == "100755"}
		out.order, out.at[name] = append(out.order, e), e
		for d := path.Dir(name); d != "." && !out.dirs[d]; d = path.Dir(d) {
			out.dirs[d] = true
		}
		if e.link {
			links = append(links, e)
		}
	}
	return out, r.contents(ctx, links, func(i int, text io.Reader) error {
		to, err := io.ReadAll(io.LimitReader(text, 4096))
		links[i].to = string(to)
		return err
	})
}

// plain says whether a path of a commit can be one of a directory: git itself makes no other.
func plain(name string) bool {
	return filepath.IsLocal(name) && path.Clean(name) == name && name != ".git" && !strings.HasPrefix(name, ".git/")
}

// follow is the file that a link of a commit leads to, nil where it leads to none. A link that stays below the root, at
// each step, is kept as one, to a directory too.
//
// Salt differs: it finds nothing through links to directories.
func (f *files) follow(e *entry, root string) (end *entry, kept bool) {
	kept = true
	for range maxLinks {
		to := path.Join(path.Dir(e.path), strings.TrimLeft(path.Clean(e.to), "/"))
		rel, inside := below(root, to)
		kept = kept && inside && filepath.IsLocal(rel) && !path.IsAbs(e.to)
		next := f.at[to]
		switch {
		case next == nil:
			return nil, kept // to a directory, or to nothing
		case !next.link:
			return next, kept
		}
		e = next
	}
	return nil, false
}

// contents gives the contents of entries, one after the other.
func (r *repo) contents(ctx context.Context, list []*entry, take func(i int, text io.Reader) error) error {
	if len(list) == 0 {
		return nil
	}
	var want bytes.Buffer
	for _, e := range list {
		want.WriteString(e.hash + "\n")
	}
	from, to := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := r.ask(ctx, want.Bytes(), to, "cat-file", "--batch")
		to.CloseWithError(err)
		done <- err
	}()
	err := each(bufio.NewReaderSize(from, 64<<10), list, take)
	from.CloseWithError(err)
	if ended := <-done; err == nil {
		return ended
	}
	return err
}

// each reads what `git cat-file --batch` prints.
func each(in *bufio.Reader, list []*entry, take func(i int, text io.Reader) error) error {
	for i, e := range list {
		head, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		f := strings.Fields(head)
		if len(f) != 3 || f[0] != e.hash || f[1] != "blob" {
			return fmt.Errorf("%s: git says %q", e.path, strings.TrimSpace(head))
		}
		size, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			return err
		}
		text := &io.LimitedReader{R: in, N: size}
		if err := take(i, text); err != nil {
			return fmt.Errorf("%s: %w", e.path, err)
		}
		if _, err := io.Copy(io.Discard, text); err != nil {
			return err
		}
		if text.N > 0 {
			return fmt.Errorf("%s: %w", e.path, io.ErrUnexpectedEOF)
		}
		if _, err := in.ReadByte(); err != nil {
			return err
		}
	}
	return nil
}
