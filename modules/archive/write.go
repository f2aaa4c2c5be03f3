package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"

	"github.com/gostate/gostate/state/host"
)

// owner are the numbers of user and group, -1 where none is asked for.
func (e *Extracted) owner(h host.Reader) (uid, gid int, err error) {
	uid, gid = -1, -1
	if e.User != "" {
		if n, nerr := strconv.Atoi(e.User); nerr == nil {
			uid = n
		} else if u, uerr := h.User(e.User); uerr == nil {
			uid = u.UID
		} else {
			return 0, 0, fmt.Errorf("User %s is not available", e.User)
		}
	}
	if e.Group != "" {
		if n, nerr := strconv.Atoi(e.Group); nerr == nil {
			gid = n
		} else if g, gerr := h.Group(e.Group); gerr == nil {
			gid = g.GID
		} else {
			return 0, 0, fmt.Errorf("Group %s is not available", e.Group)
		}
	}
	return uid, gid, nil
}

// ownership are the members that are there and belong to others than they have to.
func (e *Extracted) ownership(h host.Reader, ms []member) ([]string, error) {
	uid, gid, err := e.owner(h)
	if err != nil || uid < 0 && gid < 0 {
		return nil, err
	}
	var out []string
	for _, m := range ms {
		i, err := h.Lstat(path.Join(e.Name, m.name))
		if err == nil && (uid >= 0 && i.UID != uid || gid >= 0 && i.GID != gid) {
			out = append(out, path.Join(e.Name, m.name))
		}
	}
	return out, nil
}

// extract writes what is lacking. begun says that something was changed, be there an error.
func (e *Extracted) extract(h host.Host, ms, lack []member) (begun bool, err error) {
	uid, gid, err := e.owner(h)
	if err != nil {
		return false, err
	}
	if e.Clean && len(lack) > 0 {
		for _, top := range tops(ms) {
			if err := h.RemoveAll(path.Join(e.Name, top)); err != nil {
				return true, fmt.Errorf("clean %s: %w", e.Name, err)
			}
		}
		lack = ms
	}
	if err := makeDir(h, e.Name, host.Attr{Mode: 0o755, HasMode: true, UID: uid, GID: gid}); err != nil {
		return false, err
	}
	for _, m := range lack {
		if err := e.write(h, m, uid, gid); err != nil {
			return true, fmt.Errorf("extract %s: %w", m.name, err)
		}
	}
	owned, err := e.ownership(h, ms)
	if err != nil {
		return true, err
	}
	for _, file := range owned {
		if err := h.Chown(file, uid, gid); err != nil {
			return true, fmt.Errorf("change the owner of %s: %w", file, err)
		}
	}
	return true, nil
}

// content is what a member holds, which an overlay refers to in place of a copy (host.Source).
type content struct {
	*bytes.Reader
	data []byte
}

func newContent(data []byte) content { return content{bytes.NewReader(data), data} }

func (c content) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(c.data)), nil }

func (c content) Size() int64 { return int64(len(c.data)) }

func (e *Extracted) write(h host.Host, m member, uid, gid int) error {
	file := path.Join(e.Name, m.name)
	attr := host.Attr{Mode: host.PermBits(m.mode), HasMode: true, UID: uid, GID: gid}
	if !e.Perms {
		attr.Mode = 0o644
		if m.isDir() {
			attr.Mode = 0o755
		}
	}
	if err := makeDir(h, path.Dir(file), host.Attr{Mode: 0o755, HasMode: true, UID: uid, GID: gid}); err != nil {
		return err
	}
	if i, err := h.Lstat(file); err == nil && i.IsDir() != m.isDir() {
		if err := h.RemoveAll(file); err != nil { // only with force, see lacking
			return err
		}
	}
	switch {
	case m.isDir():
		if _, err := h.Stat(file); err == nil {
			return nil
		}
		return h.Mkdir(file, attr)
	case m.link != "":
		if err := h.Symlink(m.link, file); err != nil {
			return err
		}
		return h.Chown(file, uid, gid)
	case m.hard != "":
		if err := h.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return h.Link(path.Join(e.Name, m.hard), file)
	}
	return h.WriteFile(file, newContent(m.data), attr)
}

func makeDir(h host.Host, dir string, attr host.Attr) error {
	if _, err := h.Stat(dir); err == nil || dir == "/" {
		return nil
	}
	if err := makeDir(h, path.Dir(dir), attr); err != nil {
		return err
	}
	if err := h.Mkdir(dir, attr); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	return nil
}
