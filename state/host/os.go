package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// OS is the real machine, or a tree of one that is mounted at a root. Below a root no path leads out of it, whatever
// links are in the tree, and commands run in a chroot, which takes root.
type OS struct {
	root     string
	top      step // the root
	euid     int
	owner    int // who owns the "/" of this process
	identity func() Identity
	procfs   func() bool // whether /proc is mounted
	*Accounts
	facts facts
	until context.Context // see Until; nil for no end

	lock  *Lock                               // of the run, which notes the commands that are at work; nil for none
	keeps bool                                // see Keep
	tell  func(c Cmd, out *Output, err error) // see Tell; nil for nobody

	mu    sync.Mutex           // guards all below
	paths map[string]string    // what LookPath found
	owned map[string]time.Time // directories that are root's own, and since when that is known
}

var _ Host = (*OS)(nil)

// NewOS opens the machine whose "/" is the directory root.
func NewOS(root string) (*OS, error) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("open root %s: %w", root, err)
	}
	if fi, err := os.Stat(abs); err != nil || !fi.IsDir() {
		return nil, fmt.Errorf("open root %s: not a directory", root)
	}
	o := &OS{root: abs, euid: os.Geteuid(), identity: sync.OnceValue(readIdentity), procfs: sync.OnceValue(hasProc),
		paths: map[string]string{}, owned: map[string]time.Time{}}
	if err := o.openRoot(); err != nil {
		return nil, fmt.Errorf("open root %s: %w", root, err)
	}
	o.Accounts = NewAccounts(o)
	o.getent = o.nameService()
	return o, nil
}

// Hold gives the machine the lock of the run, for which it notes the commands that are at work.
func (o *OS) Hold(l *Lock) { o.lock = l }

// openRoot opens the root, for good: another directory that is put in its place later is not the machine.
func (o *OS) openRoot() (err error) {
	var slash unix.Stat_t
	if err := unix.Stat("/", &slash); err != nil {
		return err
	}
	o.owner = int(slash.Uid)
	if o.top, err = openAt(unix.AT_FDCWD, o.root, unix.O_DIRECTORY); err != nil {
		return err
	}
	o.top.top, o.top.fixed = true, o.trusts(o.top.info.UID)
	runtime.AddCleanup(o, func(fd int) { unix.Close(fd) }, o.top.fd)
	return nil
}

func hasProc() bool {
	_, err := os.Lstat("/proc/self/fd")
	return err == nil
}

// readUmask asks the kernel for the mask without changing it, as umask(2) would.
func readUmask() uint32 {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0o022
	}
	_, rest, ok := strings.Cut(string(raw), "\nUmask:")
	line, _, _ := strings.Cut(rest, "\n")
	m, err := strconv.ParseUint(strings.TrimSpace(line), 8, 32)
	if !ok || err != nil {
		return 0o022
	}
	return uint32(m)
}

// Root is the directory that "/" of the machine is.
func (o *OS) Root() string { return o.root }

// Preview is false: writes are real.
func (o *OS) Preview() bool { return false }

// Identity is who owns what this process makes, and the mask of the modes that it gives.
func (o *OS) Identity() Identity { return o.identity() }

func readIdentity() Identity {
	groups, _ := os.Getgroups()
	return Identity{UID: os.Geteuid(), GID: os.Getegid(), Groups: groups, Umask: readUmask()}
}

// pathError names the path as the user knows it.
func pathError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	var pe *fs.PathError
	var le *os.LinkError
	var se *os.SyscallError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	case errors.As(err, &se):
		err = se.Err
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// maxLinks is how many symbolic links the kernel follows in one path.
const maxLinks = 40

// absolute refuses a path that is none of the machine's.
func absolute(path string) error {
	switch {
	case path == "" || path[0] != '/':
		return fmt.Errorf("the path %q is not absolute", path)
	case strings.IndexByte(path, 0) >= 0:
		return syscall.EINVAL
	}
	return nil
}

// Lstat looks at the path itself.
func (o *OS) Lstat(path string) (Info, error) { return o.look("lstat", path) }

func (o *OS) look(op, path string) (i Info, err error) {
	err = o.at(op, path, false, func(real string) error {
		fi, err := os.Lstat(real)
		if err == nil {
			i = infoOf(path, fi)
		}
		return err
	})
	return i, err
}

// Stat looks at what the path leads to.
func (o *OS) Stat(path string) (i Info, err error) {
	if i, err = o.look("stat", path); err == nil && i.IsSymlink() {
		err = o.at("stat", path, true, func(real string) error {
			fi, err := os.Stat(real)
			if err == nil {
				i = infoOf(path, fi)
			}
			return err
		})
	}
	return i, err
}

// infoOfStat has what a walk asks for: kind, permissions, owner and the number of names.
func infoOfStat(st *unix.Stat_t) Info {
	i := Info{Mode: ModeOf(st.Mode), UID: int(st.Uid), GID: int(st.Gid), Nlink: uint64(st.Nlink)}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		i.Mode |= fs.ModeDir
	case unix.S_IFLNK:
		i.Mode |= fs.ModeSymlink
	}
	return i
}

func infoOf(path string, fi fs.FileInfo) Info {
	i := Info{Path: path, Mode: fi.Mode(), Size: fi.Size(), MTime: fi.ModTime()}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		i.UID, i.GID = int(st.Uid), int(st.Gid)
		i.ATime, i.CTime = time.Unix(st.Atim.Unix()), time.Unix(st.Ctim.Unix())
		i.Dev, i.Inode, i.Nlink, i.Rdev = uint64(st.Dev), st.Ino, uint64(st.Nlink), uint64(st.Rdev)
	}
	return i
}

// ReadFile reads the whole file, up to MaxText.
func (o *OS) ReadFile(path string) (raw []byte, err error) {
	err = o.at("read", path, true, func(real string) (err error) { raw, err = ReadRegular(real, MaxText); return err })
	return raw, err
}

// Open opens the file for reading. The reader of a regular file can also seek.
func (o *OS) Open(path string) (f io.ReadCloser, err error) {
	err = o.at("open", path, true, func(real string) error {
		file, fi, err := openRegular(real)
		switch {
		case err != nil:
			return err
		case o.until != nil && fi.Size() > largeFile:
			f = stoppable{file, o.until}
		default:
			f = file
		}
		return nil
	})
	return f, err
}

// ReadDir lists the directory, sorted by name.
func (o *OS) ReadDir(path string) (infos []Info, err error) {
	err = o.at("readdir", path, true, func(real string) error {
		entries, err := os.ReadDir(real)
		for _, e := range entries {
			fi, err := e.Info()
			if err != nil {
				continue // it went meanwhile
			}
			infos = append(infos, infoOf(e.Name(), fi))
		}
		return err
	})
	return infos, err
}

// Readlink is the target of a symbolic link, as it is written.
func (o *OS) Readlink(path string) (target string, err error) {
	err = o.at("readlink", path, false, func(real string) (err error) { target, err = os.Readlink(real); return err })
	return target, err
}

// Fact is what this run noted of the machine.
func (o *OS) Fact(kind Kind, name string) (Fact, bool) { return o.facts.get(kind, name) }

// Do does it.
func (o *OS) Do(ctx context.Context, d Deed) error {
	defer o.distrust()
	return d.Do(ctx)
}

// Facts are all promises of a kind.
func (o *OS) Facts(kind Kind) []Fact { return o.facts.of(kind) }

// Promise notes facts.
func (o *OS) Promise(fs ...Fact) { o.facts.add(fs, "") }

// Invalidate drops what was cached: "accounts" or "path"; "" drops both.
func (o *OS) Invalidate(what string) {
	if what == "accounts" || what == "" {
		o.Forget()
	}
	if what == "path" || what == "" {
		o.mu.Lock()
		clear(o.paths)
		o.mu.Unlock()
	}
}

// Dial connects to a socket of the machine.
func (o *OS) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	if strings.HasPrefix(network, "unix") && strings.HasPrefix(address, "/") {
		w := walk{o: o}
		defer w.close()
		real, err := w.real(address, true)
		if err != nil {
			return nil, pathError("dial", address, err)
		}
		address = real
	} else if o.root != "/" {
		return nil, fmt.Errorf("dial %s %s: the tree at %s has no network of its own", network, address, o.root)
	}
	if name := dialler(ctx); name != "" && network == "unix" {
		return o.dialAs(ctx, name, address)
	}
	return d.DialContext(ctx, network, address)
}
