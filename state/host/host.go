// Package host is the only door to the machine: files, accounts, commands, sockets.
//
// OS is the real machine (or a tree mounted somewhere, with a root), Overlay is the machine as test mode sees it (reads
// fall through, writes stay in memory, commands that may write are refused), Memory is a machine in memory for tests.
// Nothing else in gostate writes to the managed machine or runs a command on it.
package host

import (
	"context"
	"io"
	"io/fs"
	"net"
	"time"
)

// Info is what lstat or stat tell.
type Info struct {
	Path  string
	Mode  fs.FileMode // type and permission bits, setuid, setgid, sticky as in io/fs
	Size  int64
	UID   int
	GID   int
	MTime time.Time
	ATime time.Time // of the last reading
	CTime time.Time // of the last change of content or attributes
	Dev   uint64
	Inode uint64
	Nlink uint64
	Rdev  uint64
}

// IsDir, IsRegular and IsSymlink tell the type.
func (i Info) IsDir() bool     { return i.Mode.IsDir() }
func (i Info) IsRegular() bool { return i.Mode.IsRegular() }
func (i Info) IsSymlink() bool { return i.Mode&fs.ModeSymlink != 0 }

// Perm are the permission bits as an octal number, setuid, setgid and sticky included: 0o4755.
func (i Info) Perm() uint32 { return PermBits(i.Mode) }

// A User is an entry of the account database.
type User struct {
	Name, Gecos, Home, Shell string
	UID, GID                 int
	// Promised: it does not exist yet, an earlier state would make it (test mode). Numbers that are not known are then
	// stand-ins from 1<<30 on, the same as long as the run lasts.
	Promised bool
}

// A Group is an entry of the group database.
type Group struct {
	Name     string
	GID      int
	Members  []string
	Promised bool
}

// A Cmd is a command to run. Args[0] is looked up in PATH; with Shell, Args is one text for `Shell -c`.
type Cmd struct {
	Args  []string
	Shell string // "" for none, "/bin/sh"
	Dir   string
	Env   []string // additions to the environment, KEY=VALUE
	// PrependPath are directories to search before those of PATH, "/opt/a:/opt/b".
	PrependPath string
	// ClearEnv starts from an empty environment.
	ClearEnv bool
	Stdin    []byte
	// From, where given, is read in place of Stdin, and To gets what the command prints in place of Output.Stdout, bit by
	// bit.
	From      io.Reader
	To        io.Writer
	RunAs     string // user
	Group     string
	Umask     string // octal, "" for the process's
	Timeout   time.Duration
	MaxOutput int64 // bytes kept of each stream; 0: 64 MiB
	// Combine sends standard error into Stdout in the order of writing.
	Combine bool
	// Reads says that the command only looks: it may run in test mode.
	Reads bool
	// Users says that the command is the tree's and not gostate's own: nobody knows what it does. See Runner.
	Users bool
	// Background starts the command and does not wait for it.
	Background bool
}

// An Output is what a command that ran left. Code is the exit code, or 128 plus the signal that ended it.
type Output struct {
	Stdout, Stderr []byte
	Code           int
	PID            int
	TimedOut       bool
	Duration       time.Duration
}

// Reader is the part of the machine that looks. Paths are absolute and mean the managed machine, whatever its root.
type Reader interface {
	Lstat(path string) (Info, error)
	Stat(path string) (Info, error)
	ReadFile(path string) ([]byte, error)
	Open(path string) (io.ReadCloser, error)
	ReadDir(path string) ([]Info, error) // sorted by name; Info.Path is the name
	Readlink(path string) (string, error)
	// Follow is the path that the links at a path lead to, whether anything is there or not: to what takes no links, such
	// as WriteFile. Who reads the links one by one may be led astray meanwhile.
	Follow(path string) (string, error)
	Xattrs(path string) (map[string][]byte, error)
	// User and Group look in the account database by name; the error is fs.ErrNotExist when it has no such entry.
	User(name string) (User, error)
	Group(name string) (Group, error)
	UserByID(uid int) (User, error)
	GroupByID(gid int) (Group, error)
	Users() ([]User, error)
	Groups() ([]Group, error)
	// LookPath finds a command.
	LookPath(name string) (string, error)
	// Query runs a command that only looks; Reads is implied.
	Query(ctx context.Context, c Cmd) (*Output, error)
	// Fact is what an earlier state promised (test mode); ok is false when there is no promise.
	Fact(kind Kind, name string) (f Fact, ok bool)
	// Facts are all promises of a kind.
	Facts(kind Kind) []Fact
	// Dial connects to a socket of the machine, "unix" and its path.
	Dial(ctx context.Context, network, address string) (net.Conn, error)
	// Root is the directory that the machine's "/" is, "/" as a rule.
	Root() string
	// Preview says that writes go nowhere. Modules never ask; the executor and reports may.
	Preview() bool
}

// Attr is what a new or rewritten file or directory gets. What is not given stays as it is, or is the default; the zero
// Attr gives it to root, so begin with KeepAttr.
type Attr struct {
	Mode     uint32 // permission bits as PermBits gives them
	HasMode  bool
	UID, GID int // -1 keeps
}

// KeepAttr keeps owner, group and mode.
func KeepAttr() Attr { return Attr{UID: -1, GID: -1} }

// Host is the whole machine.
type Host interface {
	Reader
	// WriteFile replaces or makes the file: temp file in the same directory, owner, mode, xattrs and ACLs first, fsync,
	// rename, fsync of the directory. A symlink at path is replaced unless it was resolved before.
	WriteFile(path string, content io.Reader, a Attr) error
	Mkdir(path string, a Attr) error
	Symlink(target, path string) error // atomic: replaces what is no directory
	Link(oldpath, newpath string) error
	Rename(oldpath, newpath string) error
	Remove(path string) error    // one file or empty directory; absent is fs.ErrNotExist
	RemoveAll(path string) error // never follows links; absent is no error
	Chmod(path string, perm uint32) error
	Chown(path string, uid, gid int) error // of a link itself; -1 keeps
	Chtimes(path string, atime, mtime time.Time) error
	SetXattr(path, name string, v []byte) error
	RemoveXattr(path, name string) error
	Mknod(path string, mode fs.FileMode, major, minor uint32, a Attr) error
	// Do makes a change that an overlay cannot hold as files. On an overlay it is foretold in place of being done.
	Do(ctx context.Context, d Deed) error
	// Run runs a command that may change the machine; on an overlay it is refused, unless it only looks: within a Deed it
	// is at its place. A cancelled context ends its whole process group, then kills it.
	Run(ctx context.Context, c Cmd) (*Output, error)
	// Promise notes facts for later states.
	Promise(facts ...Fact)
	// Invalidate drops what was cached of the machine, "accounts", "path", after a command changed it.
	Invalidate(what string)
}

// A Deed is a change that an overlay cannot hold as files: a command, a call of a service manager or of a database.
type Deed struct {
	// What says it in a few words, for messages: "start nginx.service".
	What string
	// On is what it changes; deeds on the same are never done at once, and a rehearsal foretells those on units and
	// mounts.
	On Kind
	// Do does it on the machine.
	Do func(ctx context.Context) error
	// Foretell says to an overlay what Do would leave: facts, files, what nobody can tell. nil refuses it with ErrPreview.
	Foretell func(o Host) error
}

// An Identity is who owns what a host makes unless it is told otherwise, and the mask of the modes that it gives.
type Identity struct {
	UID, GID int
	Groups   []int // beside GID
	Umask    uint32
}

// IdentityOf is the identity of a host, root's with the mask 022 where it has none of its own.
func IdentityOf(r Reader) Identity {
	if i, ok := r.(interface{ Identity() Identity }); ok {
		return i.Identity()
	}
	return Identity{Umask: 0o022}
}

// PermBits are the permission bits of an io/fs mode as chmod(2) has them.
func PermBits(m fs.FileMode) uint32 {
	p := uint32(m.Perm())
	if m&fs.ModeSetuid != 0 {
		p |= 0o4000
	}
	if m&fs.ModeSetgid != 0 {
		p |= 0o2000
	}
	if m&fs.ModeSticky != 0 {
		p |= 0o1000
	}
	return p
}
