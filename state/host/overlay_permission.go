package host

import (
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// These are the checks of the kernel that reading alone does not make, so that who is not root sees in a preview what
// the run would be refused.

// writable are the bits of one who may change what is in a directory: write and search.
const writable = 0o3

// mayWrite says whether what is in a directory may be changed. The caller holds the lock.
func (o *Overlay) mayWrite(c string, dir Info) error {
	id := o.Identity()
	if id.UID == 0 {
		return nil
	}
	if o.nodes[c] == nil {
		switch base := o.base.(type) {
		case *OS: // knows of ACLs and read-only file systems, too
			return base.access(c, writable)
		case quiet:
			base.mu.RLock()
			defer base.mu.RUnlock()
			return base.mayWrite(c, dir)
		}
	}
	if !allowed(id, dir, writable) {
		return syscall.EACCES
	}
	return nil
}

func (o *OS) access(path string, bits uint32) error {
	real, err := o.real(path, true)
	if err != nil {
		return err
	}
	return unix.Faccessat(unix.AT_FDCWD, real, bits, unix.AT_EACCESS)
}

// allowed says whether the permission bits give what is wanted.
func allowed(id Identity, i Info, bits uint32) bool {
	switch perm := i.Perm(); {
	case i.UID == id.UID:
		return perm>>6&bits == bits
	case id.in(i.GID):
		return perm>>3&bits == bits
	default:
		return perm&bits == bits
	}
}

func (id Identity) in(gid int) bool { return gid == id.GID || slices.Contains(id.Groups, gid) }

// mayRemove says whether a path may be taken out of its directory.
func (o *Overlay) mayRemove(c string, i Info) error {
	dir, err := o.parentOf(c)
	if err == nil {
		err = o.sticky(i, dir)
	}
	return err
}

// sticky says whether a sticky directory leaves it to others to take something away.
func (o *Overlay) sticky(i, dir Info) error {
	id := o.Identity()
	if id.UID != 0 && dir.Mode&fs.ModeSticky != 0 && id.UID != i.UID && id.UID != dir.UID {
		return syscall.EPERM
	}
	return nil
}

// mayRemoveAll says whether a tree may be removed.
func (o *Overlay) mayRemoveAll(c string, i Info) error {
	if o.Identity().UID == 0 {
		return nil
	}
	if i.IsDir() {
		below, err := o.readDir(c)
		if err != nil {
			return err
		}
		for _, b := range below {
			if err := o.mayRemoveAll(join(c, b.Path), b); err != nil {
				return err
			}
		}
	}
	return o.mayRemove(c, i)
}

// mustOwn says whether mode and times may be set.
func mustOwn(id Identity, i Info) error {
	if id.UID != 0 && id.UID != i.UID {
		return syscall.EPERM
	}
	return nil
}

// mayGive says whether a file may be given to an owner and a group; -1 keeps, and so does the owner that it has.
func mayGive(id Identity, i Info, uid, gid int) error {
	if id.UID == 0 || uid < 0 && gid < 0 {
		return nil
	}
	if id.UID != i.UID || uid >= 0 && uid != i.UID || gid >= 0 && gid != i.GID && !id.in(gid) {
		return syscall.EPERM
	}
	return nil
}

// maySetXattr says whether an extended attribute may be set: a user's by who may write, an ACL by the owner, others by
// root.
func maySetXattr(id Identity, i Info, name string) error {
	switch {
	case id.UID == 0:
		return nil
	case strings.HasPrefix(name, "user."):
		if !allowed(id, i, 0o2) {
			return syscall.EACCES
		}
		return nil
	case strings.HasPrefix(name, "system."):
		return mustOwn(id, i)
	}
	return syscall.EPERM
}
