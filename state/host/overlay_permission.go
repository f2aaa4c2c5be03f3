package host

import (
	"cmp"
	"errors"
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
	m := o.machineOf(c)
	if m == nil {
		if id.UID != 0 && !allowed(id, dir, writable) {
			return syscall.EACCES
		}
		return nil
	}
	d := o.ask(m, c)
	if d.refused == syscall.EACCES && id.UID == 0 { // a deed of root's is foretold, or it is a file system of the kernel's
		d.refused = nil
	}
	return cmp.Or(d.refused, locked(d.has, unix.STATX_ATTR_IMMUTABLE))
}

// mayFill says whether what is in a directory may be changed in every way: in one that only grows nothing is renamed.
func (o *Overlay) mayFill(c string) error {
	if m := o.machineOf(c); m != nil {
		return locked(o.ask(m, c).has, fixed)
	}
	return nil
}

// mayAlter says whether a path may be changed that is not a directory's content: nobody may where it is immutable,
// append-only or on a read-only file system.
func (o *Overlay) mayAlter(c string) error {
	m := o.machineOf(c)
	if m == nil {
		return nil
	}
	if err := m.access(c, unix.W_OK); err == syscall.EROFS {
		return err
	}
	return locked(m.attributes(c), fixed)
}

// oneName says whether root may change the attributes of a path, which may be another user's name for a file elsewhere.
func (o *Overlay) oneName(c string, i Info) error {
	if i.Nlink < 2 || IdentityOf(o.base).UID != 0 {
		return nil
	}
	return o.standing(parent(c)).alter(i, o.trusts)
}

// mayUnlink says whether a path may leave its directory, as far as the two themselves decide: a mount point may not.
func (o *Overlay) mayUnlink(c string) error {
	if m := o.machineOf(c); m != nil {
		if err := locked(m.attributes(c), fixed|unix.STATX_ATTR_MOUNT_ROOT); err != nil {
			return err
		}
	}
	return o.mayFill(parent(c))
}

// machineOf is the machine where a path is as it is there, which then knows of ACLs, read-only file systems and file
// flags; nil where the overlay has it, and for files of the kernel's. The caller holds the lock.
func (o *Overlay) machineOf(c string) *OS {
	if o.nodes[c] != nil || strings.HasPrefix(c, "/proc/") || strings.HasPrefix(c, "/sys/") {
		return nil
	}
	switch base := o.base.(type) {
	case *OS:
		return base
	case quiet:
		base.mu.RLock()
		defer base.mu.RUnlock()
		return base.machineOf(c)
	}
	return nil
}

// A directory is what the machine says of one: why nothing in it may be changed, and its attributes of statx(2).
type directory struct {
	path    string
	refused error
	has     uint64
}

// ask asks the machine of a directory, once for many files in it. The caller holds the lock for writing.
func (o *Overlay) ask(m *OS, c string) directory {
	if o.asked.path != c {
		o.asked = directory{c, m.access(c, writable), m.attributes(c)}
	}
	return o.asked
}

// fixed are the attributes of what cannot be changed: chattr +i, +a.
const fixed = unix.STATX_ATTR_IMMUTABLE | unix.STATX_ATTR_APPEND

// locked is why what has some of the attributes cannot be changed by anybody.
func locked(has, attributes uint64) error {
	switch has &= attributes; {
	case has == 0:
		return nil
	case has&fixed != 0:
		return syscall.EPERM
	}
	return syscall.EBUSY
}

// attributes are those of statx(2), none where nothing is there.
func (o *OS) attributes(path string) uint64 {
	var x unix.Statx_t
	err := o.at("statx", path, false, func(real string) error {
		return unix.Statx(unix.AT_FDCWD, real, unix.AT_SYMLINK_NOFOLLOW, 0, &x)
	})
	if err != nil {
		return 0
	}
	return x.Attributes
}

func (o *OS) access(path string, bits uint32) error {
	err := o.at("access", path, true, func(real string) error {
		return unix.Faccessat(unix.AT_FDCWD, real, bits, unix.AT_EACCESS)
	})
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
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
		err = cmp.Or(o.mayUnlink(c), o.sticky(i, dir))
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
	case strings.HasPrefix(name, "user.") && !i.IsRegular() && !i.IsDir():
		return syscall.EPERM
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
