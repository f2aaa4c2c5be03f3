package host

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A walk goes along a path of a machine, directory by directory, each held by a handle, so that nothing that others do
// to the names meanwhile leads it elsewhere. Where only who is trusted can change the names, the path is as good as a
// handle, and no walk is needed: that is what most of a machine is.
type walk struct {
	o     *OS
	steps []step
	links int
	held  bool // the path that real gave is a handle of what is there
}

// A step is a directory that a walk came to; the last one may be anything.
type step struct {
	standing
	fd  int
	top bool // it is the machine's "/", whose handle stays open
}

// trustTime is how long a directory is taken for root's own without another look: a daemon of root's may give it away.
// What this program does to directories is known at once, see distrust.
const trustTime = time.Second

// trusts says whether a user may lead this process anywhere.
func (o *OS) trusts(uid int) bool { return uid == 0 || uid == o.euid || uid == o.owner }

// own says whether a directory is known to be root's own, with all that leads there.
func (o *OS) own(dir string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	at, ok := o.owned[dir]
	return ok && time.Since(at) < trustTime
}

func (o *OS) noteOwn(dir string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.owned[dir] = time.Now()
}

// distrust forgets which directories are root's own, after something that may have given one away.
func (o *OS) distrust() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.owned)
}

func (w *walk) last() *step { return &w.steps[len(w.steps)-1] }

// pop leaves the last step.
func (w *walk) pop() {
	w.last().close()
	w.steps = w.steps[:len(w.steps)-1]
}

func (w *walk) close() {
	for len(w.steps) > 0 {
		w.pop()
	}
}

func (s step) close() {
	if !s.top {
		unix.Close(s.fd)
	}
}

// openAt is a handle of a name in a directory, with what is there.
func openAt(dir int, name string, flags int) (s step, err error) {
	for {
		s.fd, err = unix.Openat(dir, name, unix.O_PATH|unix.O_CLOEXEC|flags, 0)
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		return s, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(s.fd, &st); err != nil {
		unix.Close(s.fd)
		return s, err
	}
	s.info = infoOfStat(&st)
	return s, nil
}

// begin begins at the machine's "/".
func (w *walk) begin() { w.steps = append(w.steps, w.o.top) }

// to goes to a directory and notes which ones on the way are root's own. It begins at the last that is known to be.
func (w *walk) to(dir string) error {
	w.begin()
	done := ""
	if w.o.root == "/" && !strings.Contains(dir, "..") {
		for done = dir; done != "" && !w.o.own(done); {
			done = done[:strings.LastIndexByte(done, '/')]
		}
	}
	if done != "" {
		s, err := openAt(unix.AT_FDCWD, done, unix.O_DIRECTORY)
		if err != nil {
			return err
		}
		s.fixed = true
		w.steps = append(w.steps, s)
	}
	for part, rest := "", dir[len(done):]; rest != ""; {
		part, rest, _ = strings.Cut(rest, "/")
		if err := w.enter(part, true); err != nil {
			return err
		}
		if part != "" {
			done += "/" + part
		}
		if w.o.root == "/" && w.last().own() {
			w.o.noteOwn(done)
		}
	}
	return nil
}

// push goes to a name in the directory and not through it where it is a link.
func (w *walk) push(name string) error {
	above := w.last()
	s, err := openAt(above.fd, name, unix.O_NOFOLLOW)
	if err == nil {
		s.standing = above.below(s.info, w.o.trusts)
		w.steps = append(w.steps, s)
	}
	return err
}

// enter goes to a name in the directory, and where that is a link, to what it leads to.
func (w *walk) enter(name string, dir bool) error {
	switch name {
	case "", ".":
		return nil
	case "..":
		return w.up()
	}
	if err := w.push(name); err != nil {
		return err
	}
	switch s := *w.last(); {
	case s.info.IsSymlink():
		defer s.close()
		w.steps = w.steps[:len(w.steps)-1]
		return w.through(s, name, dir)
	case dir && !s.info.IsDir():
		return syscall.ENOTDIR
	}
	return nil
}

// up goes to the directory above: the one that the walk came through, and above "/" to "/".
func (w *walk) up() error {
	if w.last().top {
		return nil
	}
	if len(w.steps) > 2 || w.o.root != "/" {
		w.pop()
		return nil
	}
	// It may have begun there, at one of root's own directories, which nobody moves.
	s, err := openAt(w.last().fd, "..", unix.O_DIRECTORY)
	if err == nil {
		s.fixed = w.last().fixed
		w.pop()
		w.steps = append(w.steps, s)
	}
	return err
}

// through goes where a link in the directory leads, if it may be followed.
func (w *walk) through(link step, name string, dir bool) error {
	if w.links++; w.links > maxLinks {
		return syscall.ELOOP
	}
	above := *w.last()
	target, err := readlinkAt(link.fd)
	if err != nil {
		return err
	}
	err = w.along(link, name, target, dir)
	if err != nil && err != syscall.ENOENT {
		return err
	}
	to := w.last().info
	if above.through(link.info, target, to, w.o.trusts) != nil {
		link.info.Path = w.o.nameOf(link.fd)
	}
	return cmp.Or(above.through(link.info, target, to, w.o.trusts), err)
}

// along goes along the target of a link.
func (w *walk) along(link step, name, target string, dir bool) error {
	if magic(link.fd) {
		s, err := openAt(w.last().fd, name, 0) // what such a link says need not be a path
		if err == nil {
			w.steps = append(w.steps, s)
		}
		return err
	}
	if strings.HasPrefix(target, "/") {
		w.begin()
	}
	parts := strings.Split(target, "/")
	for i, part := range parts {
		if err := w.enter(part, dir || i < len(parts)-1); err != nil {
			return err
		}
	}
	return nil
}

// magic says whether a link is one of procfs, which the kernel makes.
func magic(fd int) bool {
	var fs unix.Statfs_t
	return unix.Fstatfs(fd, &fs) == nil && fs.Type == unix.PROC_SUPER_MAGIC
}

func readlinkAt(fd int) (string, error) {
	buf := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(fd, "", buf)
	return string(buf[:max(n, 0)]), err
}

// handle is a path that leads to just what is held by a handle, for a call that follows links.
func handle(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// nameOf is the machine's path of what is held by a handle.
func (o *OS) nameOf(fd int) string {
	name, _ := os.Readlink(handle(fd))
	if o.root != "/" {
		name = strings.TrimPrefix(name, o.root)
	}
	return name
}

// reach goes to the directory of a path, unless that is known to be root's own: then the path is plain, which it may
// turn out to be as well.
func (w *walk) reach(path string) (dir, base string, plain bool, err error) {
	if err := absolute(path); err != nil {
		return "", "", false, err
	}
	slim := strings.TrimRight(path, "/")
	slash := strings.LastIndexByte(slim, '/')
	dir, base = slim[:max(slash, 0)], slim[slash+1:]
	if w.o.root == "/" && w.o.own(dir) {
		return dir, base, true, nil
	}
	err = w.to(dir)
	return dir, base, err == nil && w.o.root == "/" && w.last().own(), err
}

// real is where a path of the machine is on this one: a path that leads there whatever other users do, as long as the
// walk is not closed. With follow it leads to what is at the end of the links and is no link itself; else to the name,
// be it a link, and nothing may follow it.
func (w *walk) real(path string, follow bool) (string, error) {
	dir, base, plain, err := w.reach(path)
	switch {
	case err != nil:
		return "", err
	case plain && !(follow && isLink(path)):
		return path, nil
	case !follow && base != "" && base != "." && base != "..":
		return w.usable(path, false, filepath.Join(handle(w.last().fd), base), nil)
	}
	real, err := w.hold(dir, base, true)
	if err == nil && !follow {
		real += "/." // a directory, as only such have these names
	}
	return w.usable(path, plain, real, err)
}

// usable is what there is of a path and a handle where /proc, by which a handle is a path, may not be mounted: in the
// chroot of who builds an image. In directories that are root's own the path does.
func (w *walk) usable(path string, plain bool, real string, err error) (string, error) {
	switch {
	case err != nil || w.o.procfs():
		return real, err
	case plain:
		w.held = false
		return path, nil
	}
	return "", errors.New("others than root can write in this directory, and /proc, by which it is held meanwhile, is " +
		"not mounted (mount -t proc proc /proc)")
}

// hold is a handle of what is in a directory.
func (w *walk) hold(dir, base string, follow bool) (string, error) {
	if w.steps == nil {
		if err := w.to(dir); err != nil {
			return "", err
		}
	}
	err := error(nil)
	if follow || base == "" || base == "." || base == ".." {
		err = w.enter(base, false)
	} else {
		err = w.push(base)
	}
	w.held = err == nil
	return handle(w.last().fd), err
}

// grasp is real for a change of owner, mode, times or attributes. Where the path is a handle, what follows links works
// on it, be it a link; else nothing may follow it.
func (w *walk) grasp(path string, follow bool) (string, error) {
	dir, base, plain, err := w.reach(path)
	if err != nil {
		return "", err
	}
	if plain && !(follow && isLink(path)) {
		return path, nil
	}
	real, err := w.hold(dir, base, follow)
	if n := len(w.steps); err == nil && n > 1 && w.o.euid == 0 {
		err = w.steps[n-2].alter(w.last().info, w.o.trusts)
	}
	return w.usable(path, plain, real, err)
}

func isLink(path string) bool {
	var st unix.Stat_t
	return unix.Lstat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK
}

// at runs fn on the real path of a path of the machine and gives errors the machine's path.
func (o *OS) at(op, path string, follow bool, fn func(real string) error) error {
	w := walk{o: o}
	defer w.close()
	real, err := w.real(path, follow)
	if err == nil {
		err = fn(real)
	}
	return pathError(op, path, err)
}

// alter is at for a change of owner, mode, times or attributes. Where held is set, what follows links works on the
// thing itself; else nothing may follow one.
func (o *OS) alter(op, path string, follow bool, fn func(real string, held bool) error) error {
	w := walk{o: o}
	defer w.close()
	real, err := w.grasp(path, follow)
	if err == nil {
		err = fn(real, w.held)
	}
	return pathError(op, path, err)
}

// Follow is where the links at a path lead; see Reader.
func (o *OS) Follow(path string) (string, error) {
	return followed(path, o.next)
}

// next is the target of a link at a path, if it may be followed; "" where there is no link.
func (o *OS) next(path string) (target string, err error) {
	w := walk{o: o}
	defer w.close()
	_, base, plain, err := w.reach(path)
	if err == nil && plain {
		if target, err = os.Readlink(path); errors.Is(err, syscall.EINVAL) {
			return "", nil
		}
		return target, err
	}
	if err == nil {
		err = w.push(base)
	}
	if err != nil || !w.last().info.IsSymlink() {
		return "", err
	}
	link := *w.last()
	defer link.close()
	w.steps = w.steps[:len(w.steps)-1]
	if target, err = readlinkAt(link.fd); err == nil {
		err = w.through(link, base, false)
	}
	if err == syscall.ENOENT {
		err = nil
	}
	return target, err
}

// followed goes along links, of which next gives the target. Errors name the path that was asked for.
func followed(path string, next func(path string) (string, error)) (string, error) {
	asked := path
	for range maxLinks {
		target, err := next(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if err != nil || target == "" {
			return path, pathError("follow", asked, err)
		}
		if !strings.HasPrefix(target, "/") {
			// Not cleaned: dir/../x is not x where dir is a link.
			target = filepath.Dir(path) + "/" + target
		}
		path = target
	}
	return path, pathError("follow", asked, syscall.ELOOP)
}
