package file

import (
	"slices"

	"github.com/gostate/gostate/state/host"
)

// needsRoot says whether only root can give the path its owner: it is to be another user's, or a group's that the
// running user is not in, and is not yet. Accounts that are not there say nothing: what makes them says it.
func needsRoot(h host.Reader, name string, user, group Owner) bool {
	me := host.IdentityOf(h)
	if me.UID == 0 {
		return false
	}
	is, err := h.Stat(name)
	if err != nil {
		is.UID, is.GID = -1, -1
	}
	if uid, ok := user.uid(h); ok && uid >= 0 && uid != me.UID && uid != is.UID {
		return true
	}
	gid, ok := group.gid(h)
	return ok && gid >= 0 && gid != me.GID && gid != is.GID && !slices.Contains(me.Groups, gid)
}

// NeedsRootOn says whether the file is to be somebody else's.
func (m *Managed) NeedsRootOn(h host.Reader) bool {
	return needsRoot(h, m.Name.String(), m.User, m.Group)
}

// NeedsRootOn says whether the directory is to be somebody else's.
func (d *Directory) NeedsRootOn(h host.Reader) bool {
	return needsRoot(h, d.path(), d.User, d.Group)
}

// NeedsRootOn says whether the tree is to be somebody else's.
func (r *Recurse) NeedsRootOn(h host.Reader) bool {
	return needsRoot(h, r.Name.String(), r.User, r.Group)
}

// NeedsRootOn says whether the link is to be somebody else's.
func (s *Symlink) NeedsRootOn(h host.Reader) bool {
	i, err := h.Lstat(s.Name.String())
	if err == nil && i.IsSymlink() {
		uid, _ := s.User.uid(h)
		gid, _ := s.Group.gid(h)
		if (uid < 0 || uid == i.UID) && (gid < 0 || gid == i.GID) {
			return false
		}
	}
	return needsRoot(h, "", s.User, s.Group)
}

// NeedsRootOn says whether a copy is to be made for somebody else.
func (c *Copy) NeedsRootOn(h host.Reader) bool {
	return !c.Preserve && needsRoot(h, c.Name.String(), c.User, c.Group)
}

// NeedsRootOn says whether the file is to be somebody else's.
func (s *Serialize) NeedsRootOn(h host.Reader) bool {
	return needsRoot(h, s.Name.String(), s.User, s.Group)
}

// NeedsRootOn says whether a device is to be made, which is root's to do, or is to be somebody else's.
func (m *Mknod) NeedsRootOn(h host.Reader) bool {
	device := m.Ntype != "p" && !exists(h, m.Name.String()) && host.IdentityOf(h).UID != 0
	return device || needsRoot(h, m.Name.String(), m.User, m.Group)
}
