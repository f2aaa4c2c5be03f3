package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// owner are the numbers of user and group, -1 where none is asked for.
func (e *Extracted) owner(h host.Reader) (uid, gid int, err error) {
	uid, ok := number(e.User, func(name string) (int, error) { u, err := h.User(name); return u.UID, err })
	if !ok {
		return 0, 0, fmt.Errorf("User %s is not available", value.String(e.User))
	}
	gid, ok = number(e.Group, func(name string) (int, error) { g, err := h.Group(name); return g.GID, err })
	if !ok {
		return 0, 0, fmt.Errorf("Group %s is not available", value.String(e.Group))
	}
	return uid, gid, nil
}

// number is that of an account given by name or number.
func number(v value.Value, look func(name string) (int, error)) (int, bool) {
	switch v := v.(type) {
	case nil:
		return -1, true
	case value.Int:
		return int(v), v >= 0
	}
	text := value.String(v)
	if text == "" {
		return -1, true
	}
	if id, err := look(text); err == nil {
		return id, true
	}
	id, err := strconv.Atoi(text)
	return id, err == nil && id >= 0
}

// enforceOwner gives what the archive brought, and all below it, its owner; it says whether something had another.
func (e *Extracted) enforceOwner(h host.Host, ms []member) (changed bool, err error) {
	uid, gid, err := e.owner(h)
	if err != nil || uid < 0 && gid < 0 {
		return false, err
	}
	roots := []string{e.OwnOn}
	if e.OwnOn == "" {
		roots = nil
		for _, top := range tops(ms) {
			roots = append(roots, path.Join(e.Name, top))
		}
	}
	for _, root := range roots {
		err := below(h, root, func(name string, i host.Info) error {
			if (uid < 0 || i.UID == uid) && (gid < 0 || i.GID == gid) {
				return nil
			}
			changed = true
			return h.Chown(name, uid, gid)
		})
		if err != nil {
			return changed, fmt.Errorf("change the owner of what was extracted: %w", err)
		}
	}
	return changed, nil
}

// below visits a path and what is in it.
func below(h host.Reader, name string, visit func(string, host.Info) error) error {
	i, err := h.Lstat(name)
	if err != nil {
		return err
	}
	if err := visit(name, i); err != nil || !i.IsDir() {
		return err
	}
	entries, err := h.ReadDir(name)
	if err != nil {
		return err
	}
	for _, it := range entries {
		if err := below(h, path.Join(name, it.Path), visit); err != nil {
			return err
		}
	}
	return nil
}

// extract writes all members, as Salt does where one of them is lacking, and notes what it did.
func (e *Extracted) extract(ctx context.Context, h host.Host, p *pack, ms []member, changes *value.Dict) error {
	uid, _, err := e.owner(h)
	if err != nil {
		return err
	}
	if err := e.makeWay(h, ms, changes); err != nil {
		return err
	}
	if _, err := h.Stat(e.Name); errors.Is(err, fs.ErrNotExist) {
		if err := modules.MakeDirs(h, path.Clean(e.Name), host.Attr{Mode: 0o755, HasMode: true, UID: uid,
			GID: -1}); err != nil {
			return err
		}
		changes.SetStr("directories_created", value.NewList(value.Str(e.folder())))
	}
	changes.SetStr("extracted_files", e.listed(ms))
	root := host.IdentityOf(h).UID == 0
	in := inside{h: h, dir: path.Clean(e.Name), known: map[string]bool{}}
	return p.each(ctx, func(m member, content io.Reader) error {
		uid, gid := -1, -1
		if root {
			uid, gid = m.own.on(h)
		}
		err := in.check(m.name)
		if err == nil {
			err = e.write(h, m, stored{content, p, m}, uid, gid)
		}
		if err != nil {
			return fmt.Errorf("extract %s: %w", m.name, err)
		}
		return nil
	})
}

// inside finds links on the machine that lead out of the folder.
type inside struct {
	h     host.Reader
	dir   string
	known map[string]bool
}

// check refuses a member below such a link. Salt differs: it follows the links that it finds.
func (in inside) check(name string) error {
	for dir := path.Dir(name); dir != "." && !in.known[dir]; dir = path.Dir(dir) {
		link := path.Join(in.dir, dir)
		if i, err := in.h.Lstat(link); err == nil && i.IsSymlink() {
			to, err := in.h.Follow(link)
			if err != nil {
				return err
			}
			if strings.Contains(to, "/../") || !strings.HasPrefix(to, in.dir+"/") {
				return fmt.Errorf("%s is a link to %s, which may be outside of %s", link, to, in.dir)
			}
		}
		in.known[dir] = true
	}
	return nil
}

// on are the owner's numbers on this machine.
func (o owner) on(h host.Reader) (uid, gid int) {
	uid, gid = o.uid, o.gid
	if o.user != "" {
		if u, err := h.User(o.user); err == nil {
			uid = u.UID
		}
	}
	if o.group != "" {
		if g, err := h.Group(o.group); err == nil {
			gid = g.GID
		}
	}
	return uid, gid
}

// makeWay removes what clean, clean_parent and force have removed.
func (e *Extracted) makeWay(h host.Host, ms []member, changes *value.Dict) error {
	removed := value.NewList()
	remove := func(rel string) error {
		full := path.Join(e.Name, rel)
		if _, err := h.Lstat(full); err != nil {
			return nil
		}
		removed.Items = append(removed.Items, value.Str(e.folder()+rel))
		return h.RemoveAll(full)
	}
	dirs, files := topKinds(ms)
	switch {
	case e.CleanUp:
		if _, err := h.Lstat(e.Name); err != nil {
			return nil
		}
		changes.SetStr("removed", value.Str(fmt.Sprintf("Directory %s was removed prior to the extraction", e.folder())))
		return h.RemoveAll(path.Clean(e.Name))
	case e.Clean:
		for _, d := range dirs {
			if err := remove(d + "/"); err != nil {
				return fmt.Errorf("clean %s: %w", e.Name, err)
			}
		}
		for _, f := range files {
			if err := remove(f); err != nil {
				return fmt.Errorf("clean %s: %w", e.Name, err)
			}
		}
	default:
		for _, m := range ms {
			if i, err := h.Lstat(path.Join(e.Name, m.name)); err != nil || kindOf(i) == m.kind() {
				continue
			}
			name := m.name
			if m.isDir() {
				name += "/"
			}
			if err := remove(name); err != nil {
				return err
			}
		}
	}
	if len(removed.Items) > 0 {
		changes.SetStr("removed", removed)
	}
	return nil
}

// kindOf and kind tell folders, links and files apart.
func kindOf(i host.Info) string {
	switch {
	case i.IsDir():
		return "folder"
	case i.IsSymlink():
		return "link"
	}
	return "file"
}

func (m member) kind() string {
	switch {
	case m.isDir():
		return "folder"
	case m.link != "":
		return "link"
	}
	return "file"
}

func (e *Extracted) write(h host.Host, m member, content io.Reader, uid, gid int) error {
	file := path.Join(e.Name, m.name)
	attr := host.Attr{Mode: host.PermBits(m.mode), HasMode: true, UID: uid, GID: gid}
	if !e.Perms && e.zip() {
		attr.Mode = 0o644
		if m.isDir() {
			attr.Mode = 0o755
		}
	}
	if err := modules.MakeDirs(h, path.Dir(file), host.Attr{Mode: 0o755, HasMode: true, UID: uid, GID: gid}); err != nil {
		return err
	}
	switch {
	case m.isDir():
		if _, err := h.Stat(file); err == nil {
			return nil
		}
		return h.Mkdir(file, attr)
	case m.link != "":
		if err := h.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
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
	if m.special() {
		if err := h.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return h.Mknod(file, m.mode, m.device[0], m.device[1], attr)
	}
	return h.WriteFile(file, content, attr)
}
