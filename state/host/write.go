package host

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tempPrefix begins the names of files that a write has not finished.
const tempPrefix = ".gostate-tmp."

// tempName is the temp file of a target: always the same, so that what a killed run left is found by the next one.
func tempName(base string) string {
	if len(base)+len(tempPrefix) > 250 {
		h := fnv.New64a()
		h.Write([]byte(base))
		base = fmt.Sprintf("%s-%x", base[:200], h.Sum64())
	}
	return tempPrefix + base
}

// openTemp makes the temp file of a target, for its owner only, and locks it, so that a stale one can be told from one
// that is being written.
func openTemp(dir, base string) (*os.File, error) {
	name := filepath.Join(dir, tempName(base))
	for try := 0; try < 4; try++ {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
		if err == nil {
			return lockTemp(f)
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if !removeStale(name) {
			break
		}
	}
	f, err := os.CreateTemp(dir, tempName(base)+".*")
	if err != nil {
		return nil, err
	}
	return lockTemp(f)
}

func lockTemp(f *os.File) (*os.File, error) {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	return f, nil
}

// removeStale removes a temp file that nobody holds.
func removeStale(name string) bool {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return false
	}
	return os.Remove(name) == nil
}

// WriteFile replaces or makes the file; see Host.
func (o *OS) WriteFile(path string, content io.Reader, a Attr) error {
	return o.at("write", path, false, func(real string) error {
		dir, base := filepath.Split(real)
		old, err := os.Lstat(real)
		switch {
		case err == nil && old.IsDir():
			return syscall.EISDIR
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case err != nil:
			old = nil
		}
		tmp, err := openTemp(dir, base)
		if err != nil {
			return err
		}
		if err := o.fillTemp(tmp, content, a, real, old); err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			return err
		}
		if err := os.Rename(tmp.Name(), real); err != nil {
			os.Remove(tmp.Name())
			return err
		}
		return syncDir(dir)
	})
}

// fillTemp writes the content and everything about the file, so that nothing is left to do after the rename.
func (o *OS) fillTemp(tmp *os.File, content io.Reader, a Attr, real string, old fs.FileInfo) error {
	if _, err := io.Copy(tmp, content); err != nil {
		return err
	}
	a = o.completeAttr(a, old)
	if err := chownFile(tmp, a.UID, a.GID); err != nil {
		return err
	}
	if old != nil && old.Mode().IsRegular() {
		if err := copyXattrs(real, tmp); err != nil {
			return err
		}
	}
	// After the ACL, whose mask is the group's bits, and after chown, which clears setuid.
	if err := unix.Fchmod(int(tmp.Fd()), a.Mode); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	return tmp.Close()
}

// completeAttr takes what is not given from the file that is there, else from the umask.
func (o *OS) completeAttr(a Attr, old fs.FileInfo) Attr {
	if old != nil && old.Mode().IsRegular() {
		i := infoOf("", old)
		if a.UID < 0 {
			a.UID = i.UID
		}
		if a.GID < 0 {
			a.GID = i.GID
		}
		if !a.HasMode {
			a.Mode = i.Perm()
		}
		return a
	}
	if !a.HasMode {
		a.Mode = 0o666 &^ o.identity().Umask
	}
	return a
}

func chownFile(f *os.File, uid, gid int) error {
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	i := infoOf("", fi)
	if uid == i.UID {
		uid = -1
	}
	if gid == i.GID {
		gid = -1
	}
	if uid < 0 && gid < 0 {
		return nil
	}
	return f.Chown(uid, gid)
}

// syncDir makes a rename last. File systems that cannot sync a directory say EINVAL.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // a directory that may be written but not read
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

// Mkdir makes one directory.
func (o *OS) Mkdir(path string, a Attr) error {
	return o.at("mkdir", path, false, func(real string) error {
		mode := uint32(0o777 &^ o.identity().Umask)
		if a.HasMode {
			mode = a.Mode
		}
		if err := os.Mkdir(real, 0o700); err != nil {
			return err
		}
		if made, err := os.Lstat(real); err == nil && made.Mode()&fs.ModeSetgid != 0 && !a.HasMode {
			mode |= 0o2000 // of the directory above, which chmod would take away
		}
		return o.finishNew(real, mode, a)
	})
}

// finishNew gives a new directory or device its owner and mode, and takes it away again when that fails.
func (o *OS) finishNew(real string, mode uint32, a Attr) error {
	err := o.giveNew(real, mode, a)
	if err != nil {
		os.Remove(real)
	}
	return err
}

// giveNew works on a handle: who owns the directory may have put something else in the place of what was made.
func (o *OS) giveNew(real string, mode uint32, a Attr) error {
	s, err := openAt(unix.AT_FDCWD, real, unix.O_NOFOLLOW)
	if err != nil {
		return err
	}
	defer s.close()
	if s.info.UID != o.euid || s.info.IsSymlink() {
		return errors.New("another user put something else in its place")
	}
	if a.UID >= 0 || a.GID >= 0 {
		if err := unix.Fchownat(s.fd, "", a.UID, a.GID, unix.AT_EMPTY_PATH); err != nil {
			return err
		}
	}
	return chmodHandle(s.fd, mode)
}

// chmodHandle sets the mode of what is held by a handle, by /proc before Linux 6.6.
func chmodHandle(fd int, mode uint32) error {
	err := unix.Fchmodat(fd, "", mode, unix.AT_EMPTY_PATH)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.EINVAL) {
		err = unix.Chmod(handle(fd), mode)
	}
	return err
}

// Symlink makes or replaces a link.
func (o *OS) Symlink(target, path string) error {
	defer o.distrust()
	return o.at("symlink", path, false, func(real string) error {
		if fi, err := os.Lstat(real); err == nil && fi.IsDir() {
			return syscall.EEXIST
		} else if err != nil {
			return os.Symlink(target, real)
		}
		tmp := filepath.Join(filepath.Dir(real), tempName(filepath.Base(real)))
		if fi, err := os.Lstat(tmp); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			os.Remove(tmp)
		} else if err == nil {
			removeStale(tmp)
		}
		if err := os.Symlink(target, tmp); err != nil {
			return err
		}
		if err := os.Rename(tmp, real); err != nil {
			os.Remove(tmp)
			return err
		}
		return nil
	})
}

// Link makes a hard link.
func (o *OS) Link(oldpath, newpath string) error {
	return o.two("link", oldpath, newpath, os.Link)
}

// Rename moves a file or directory.
func (o *OS) Rename(oldpath, newpath string) error {
	return o.two("rename", oldpath, newpath, os.Rename)
}

func (o *OS) two(op, oldpath, newpath string, fn func(a, b string) error) error {
	defer o.distrust()
	w := walk{o: o}
	defer w.close()
	from, err := w.real(oldpath, false)
	if err != nil {
		return pathError(op, oldpath, err)
	}
	return o.at(op, newpath, false, func(real string) error {
		if err := fn(from, real); err != nil {
			return err
		}
		return syncDir(filepath.Dir(real))
	})
}

// Remove removes one file or empty directory.
func (o *OS) Remove(path string) error {
	defer o.distrust()
	return o.at("remove", path, false, os.Remove)
}

// RemoveAll removes a tree without following links. The machine's "/" is refused.
func (o *OS) RemoveAll(path string) error {
	defer o.distrust()
	if filepath.Clean(path) == "/" {
		return pathError("remove", path, errors.New("that is the root of the machine"))
	}
	err := o.at("remove", path, false, func(real string) error {
		dir, base := filepath.Split(strings.TrimRight(real, "/"))
		above, err := os.OpenRoot(dir)
		if err != nil {
			return err
		}
		defer above.Close()
		return above.RemoveAll(base)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Chmod sets the permission bits of what the path leads to.
func (o *OS) Chmod(path string, perm uint32) error {
	defer o.distrust()
	return o.alter("chmod", path, true, func(real string, _ bool) error { return unix.Chmod(real, perm) })
}

// Chown sets the owner of the path itself. The kernel clears setuid and setgid.
func (o *OS) Chown(path string, uid, gid int) error {
	defer o.distrust()
	return o.alter("chown", path, false, func(real string, held bool) error {
		if held {
			return os.Chown(real, uid, gid)
		}
		return os.Lchown(real, uid, gid)
	})
}

// Chtimes sets the times of what the path leads to.
func (o *OS) Chtimes(path string, atime, mtime time.Time) error {
	return o.alter("chtimes", path, true, func(real string, _ bool) error { return os.Chtimes(real, atime, mtime) })
}

// Mknod makes a device, a fifo or a socket.
func (o *OS) Mknod(path string, mode fs.FileMode, major, minor uint32, a Attr) error {
	return o.at("mknod", path, false, func(real string) error {
		kind, err := nodeType(mode)
		if err != nil {
			return err
		}
		if err := unix.Mknod(real, kind|0o600, int(unix.Mkdev(major, minor))); err != nil {
			return err
		}
		perm := uint32(0o666 &^ o.identity().Umask)
		if a.HasMode {
			perm = a.Mode
		}
		return o.finishNew(real, perm, a)
	})
}

func nodeType(mode fs.FileMode) (uint32, error) {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return unix.S_IFIFO, nil
	case mode&fs.ModeSocket != 0:
		return unix.S_IFSOCK, nil
	case mode&fs.ModeCharDevice != 0:
		return unix.S_IFCHR, nil
	case mode&fs.ModeDevice != 0:
		return unix.S_IFBLK, nil
	}
	return 0, syscall.EINVAL
}

func mkdev(major, minor uint32) uint64 { return unix.Mkdev(major, minor) }

// Rdev is the number of a device as Info.Rdev has it.
func Rdev(major, minor uint32) uint64 { return mkdev(major, minor) }
