//go:build linux

package view

import (
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// A tree is the view's tree of files while it is built.
type tree struct {
	work   string // where the file system in memory is mounted for as long as the view is built
	root   string // in it: the view's "/"
	old    int    // the directory that work covers
	mounts []mount
	stage  stage
}

// buildTree gives this process a root in which every file system is an overlay of the machine's, and everything that is
// none is read-only or private.
func buildTree() (*tree, error) {
	t := &tree{stage: stage{Sockets: map[string]int{}}}
	if err := t.prepare(); err != nil {
		return nil, err
	}
	for i, m := range t.mounts {
		if err := t.take(m, i == 0); err != nil {
			return nil, err
		}
	}
	for _, step := range []func() error{t.devices, t.kernel, t.enter} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// prepare makes the mounts of this namespace private and mounts the memory for the upper layers.
func (t *tree) prepare() (err error) {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return &Unavailable{Step: "make mounts private (mount)", Err: err.Error(), Hint: "it takes CAP_SYS_ADMIN"}
	}
	if t.mounts, err = mounts(); err != nil {
		return err
	}
	for _, dir := range []string{"/dev/shm", "/mnt", "/media", "/srv", "/opt", "/tmp"} {
		if t.old, err = unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err == nil {
			t.work = dir
			break
		}
	}
	if err == nil {
		err = unix.Mount("gostate", t.work, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755")
	}
	if err != nil {
		return &Unavailable{Step: "mount a tmpfs", Err: err.Error(),
			Hint: "a file system in memory is where a view's writes go: CONFIG_TMPFS"}
	}
	t.root = t.work + "/root"
	return os.Mkdir(t.root, 0o755)
}

// real is a path by which a path of the machine is still found.
func (t *tree) real(p string) string {
	if below(p, t.work) {
		return fmt.Sprintf("/proc/self/fd/%d%s", t.old, strings.TrimPrefix(p, t.work))
	}
	return p
}

// take brings one mount of the machine into the view.
func (t *tree) take(m mount, first bool) error {
	if special(m.point) || !first && m.point == "/" {
		return nil
	}
	info, err := os.Lstat(t.root + m.point)
	switch {
	case err != nil:
		return nil // it is covered by what is left out
	case !info.IsDir():
		return t.copyFile(m.point)
	case m.flags&unix.MS_RDONLY != 0:
		return t.bind(m.point, m.flags)
	}
	err = t.overlay(m.point, m.flags)
	switch {
	case err == nil:
		return nil
	case m.point == "/" && errors.Is(err, unix.EINVAL):
		return t.split("/", m.flags)
	case m.point == "/":
		return t.refused(err)
	}
	t.stage.Bound = append(t.stage.Bound, m.point)
	return t.bind(m.point, m.flags|unix.MS_RDONLY)
}

// special are the directories that are not overlaid.
func special(p string) bool { return below(p, "/proc") || below(p, "/sys") || below(p, "/dev") }

func (t *tree) refused(err error) error {
	hint := "it takes a kernel with CONFIG_OVERLAY_FS, at most one overlay below (no container in a container), and " +
		"CAP_SYS_ADMIN"
	if os.Geteuid() != 0 {
		hint = "it takes Linux 5.11 or later for users who are not root; run it as root"
	}
	return &Unavailable{Step: "mount an overlay on / (mount)", Err: err.Error(), Hint: hint}
}

// overlay mounts an overlay of a directory of the machine on its place.
func (t *tree) overlay(p string, flags uintptr) error {
	lower, err := unix.Open(t.real(p), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(t.work, "layer")
	if err != nil {
		return err
	}
	for _, d := range []string{dir + "/up", dir + "/work"} {
		if err := os.Mkdir(d, 0o755); err != nil {
			return err
		}
	}
	if err := like(dir+"/up", fmt.Sprintf("/proc/self/fd/%d", lower)); err != nil {
		return err
	}
	options := fmt.Sprintf("lowerdir=/proc/self/fd/%d,upperdir=%s/up,workdir=%s/work,metacopy=off", lower, dir, dir)
	if os.Geteuid() == 0 {
		options += ",redirect_dir=on"
	} else {
		options = strings.Replace(options, ",metacopy=off", ",userxattr", 1)
	}
	flags &= unix.MS_NOSUID | unix.MS_NOEXEC
	if err := unix.Mount("overlay", t.root+p, "overlay", flags|unix.MS_NODEV, options); err != nil {
		unix.Close(lower)
		return err
	}
	upper, err := unix.Open(dir+"/up", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	t.stage.Layers = append(t.stage.Layers, layer{Point: p, Lower: lower, Upper: upper})
	return err
}

// like gives a directory the owner and mode of another. Who may not give it away keeps it, with the rights that he has
// on the other.
func like(dir, other string) error {
	var st unix.Stat_t
	if err := unix.Stat(other, &st); err != nil {
		return err
	}
	err := unix.Chown(dir, int(st.Uid), int(st.Gid))
	switch {
	case err == nil:
		return unix.Chmod(dir, st.Mode&0o7777)
	case os.Geteuid() == 0:
		return err
	}
	var rights uint32
	for _, r := range []uint32{unix.R_OK, unix.W_OK, unix.X_OK} {
		if unix.Faccessat(unix.AT_FDCWD, other, r, unix.AT_EACCESS) == nil {
			rights |= r << 6
		}
	}
	return unix.Chmod(dir, rights)
}

// split stands for an overlay of a directory with mounts in it that the kernel does not let this user look behind: its
// entries are overlaid one by one.
func (t *tree) split(dir string, flags uintptr) error {
	entries, err := os.ReadDir(t.real(dir))
	if err != nil {
		return err
	}
	if err := unix.Mount("gostate", t.root+dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755"); err != nil {
		return t.refused(err)
	}
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		if err := t.splitOne(p, e, flags); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) splitOne(p string, e os.DirEntry, flags uintptr) error {
	switch {
	case e.Type()&os.ModeSymlink != 0:
		target, err := os.Readlink(t.real(p))
		if err != nil {
			return err
		}
		return os.Symlink(target, t.root+p)
	case !e.IsDir():
		if err := os.WriteFile(t.root+p, nil, 0o644); err != nil {
			return err
		}
		return t.bind(p, flags|unix.MS_RDONLY)
	}
	if err := os.Mkdir(t.root+p, 0o755); err != nil || special(p) {
		return err
	}
	err := t.overlay(p, flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL):
		return t.split(p, flags)
	}
	return t.refused(err)
}

// bind shows a directory or file of the machine as it is.
func (t *tree) bind(p string, flags uintptr) error {
	if err := unix.Mount(t.real(p), t.root+p, "", unix.MS_BIND, ""); err != nil {
		return &Unavailable{Step: "bind " + p + " (mount)", Err: err.Error()}
	}
	return t.remount(p, flags)
}

func (t *tree) remount(p string, flags uintptr) error {
	if err := unix.Mount("", t.root+p, "", unix.MS_BIND|unix.MS_REMOUNT|flags, ""); err != nil {
		return &Unavailable{Step: "make " + p + " read-only (mount)", Err: err.Error()}
	}
	return nil
}

// copyFile shows a file that is a mount of its own, as containers have in /etc: writable, and gone with the view.
func (t *tree) copyFile(p string) error {
	info, err := os.Stat(t.real(p))
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return t.bind(p, unix.MS_RDONLY)
	}
	raw, err := os.ReadFile(t.real(p))
	if err != nil {
		return t.bind(p, unix.MS_RDONLY)
	}
	if err := os.WriteFile(t.root+p, raw, info.Mode().Perm()); err != nil {
		return t.bind(p, unix.MS_RDONLY)
	}
	t.stage.Seeds = append(t.stage.Seeds, p)
	return nil
}

// devices makes /dev: what is there can be seen, and only what does no harm can be opened.
func (t *tree) devices() error {
	dev := t.root + "/dev"
	if _, err := os.Lstat(dev); err != nil {
		return nil
	}
	if err := t.bindAll("/dev", unix.MS_RDONLY|unix.MS_NODEV); err != nil {
		return err
	}
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		_ = unix.Mount("/dev/"+name, dev+"/"+name, "", unix.MS_BIND, "") // what is missing is missed there too
	}
	_ = unix.Mount("gostate", dev+"/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777")
	if unix.Mount("gostate", dev+"/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC,
		"newinstance,mode=620,ptmxmode=666") == nil {
		_ = unix.Mount(dev+"/pts/ptmx", dev+"/ptmx", "", unix.MS_BIND, "")
	}
	return nil
}

// kernel shows /proc and /sys, read-only.
func (t *tree) kernel() error {
	for _, dir := range []string{"/proc", "/sys"} {
		if _, err := os.Lstat(t.root + dir); err != nil {
			continue
		}
		if err := t.bindAll(dir, unix.MS_RDONLY); err != nil {
			return err
		}
	}
	return nil
}

// bindAll shows a directory of the machine with all mounts in it, which get more flags.
func (t *tree) bindAll(dir string, more uintptr) error {
	if err := unix.Mount(t.real(dir), t.root+dir, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return &Unavailable{Step: "bind " + dir + " (mount)", Err: err.Error()}
	}
	for _, m := range t.mounts {
		if !below(m.point, dir) || below(m.point, t.work) {
			continue
		}
		if err := t.remount(m.point, m.flags|more); err != nil {
			return err
		}
	}
	return nil
}

// enter makes the tree this process's root and leaves the machine's.
func (t *tree) enter() error {
	for _, p := range []string{"/run/systemd/private", "/run/dbus/system_bus_socket"} {
		if fd, err := unix.Open(p, unix.O_PATH|unix.O_CLOEXEC, 0); err == nil {
			t.stage.Sockets[p] = fd
		}
	}
	if err := os.Chdir(t.root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return &Unavailable{Step: "change the root (pivot_root)", Err: err.Error(),
			Hint: "the root of this machine is its first file system (initramfs)"}
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return &Unavailable{Step: "leave the machine's root (umount)", Err: err.Error()}
	}
	return os.Chdir("/")
}
