package host

import (
	"slices"
	"sync"
)

// A Fact is something that a state promises to later ones where it cannot be had as files, or that a run remembers.
type Fact struct {
	Kind  Kind
	Name  string
	Value string            // "present", "absent", a version, "running", ...
	Attrs map[string]string // "uid", "gid", "home", ...
}

// A Kind is what a fact is about. Its comment says what Name, Value and Attrs are, and which family promises it.
type Kind uint8

// The kinds of facts.
const (
	// Nothing is the On of a deed that touches nothing of the machine.
	Nothing Kind = iota
	// Anything is what a user's command changes: nobody knows what. It is the On of a Deed, never a fact. After such a
	// deed a preview takes no failure for certain.
	Anything
	// Kernel is a kernel setting: an overlay holds it as its file below /proc/sys. It is the On of a Deed, never a fact.
	Kernel
	// FactPath is a file or directory of which only Value is known, "unknown": something may be there or not, and its
	// content cannot be told. Promised by what runs commands (creates), archives and checkouts.
	FactPath
	// FactUser is an account: present or absent; uid, gid, home, shell, gecos. Promised by user.
	FactUser
	// FactGroup is a group: present or absent; gid, members (comma-separated). Promised by group and user.
	FactGroup
	// FactPackage is a package by its database name: its version, "installed" for one that is not known, or absent (and
	// purged), and its control where no source has it. Promised by pkg.
	FactPackage
	// FactLibrary is a package of a language, as "gem COMMAND USER NAME", "pip COMMAND USER NAME" or "npm FOLDER NAME":
	// its versions, "installed" for one that is not known, or "" for none. Promised by gem, pip and npm.
	FactLibrary
	// FactHold is whether a package is held back: hold or install. Promised by pkg.
	FactHold
	// FactRepository says that the lists of packages will be fetched anew: "*". Promised by pkg.
	FactRepository
	// FactCommand is a command in PATH: present (with its path), unknown or absent; "*" says that any may come. Promised
	// by pkg, pip, npm, gem.
	FactCommand
	// FactUnit is a unit that comes with something: known, new (of a package of this run), unknown; "*" for any: packages
	// come, with files and accounts too. Promised by pkg.
	FactUnit
	// FactService is a service as a state leaves it: its active state; its unit file state as file. Promised by service.
	FactService
	// FactMount is a mount: an overlay holds it as its line of /proc/self/mountinfo. It is the On of a Deed, never a fact.
	FactMount
	// FactModule is a kernel module in the kernel's spelling: loaded or absent. Promised by kmod.
	FactModule
	// FactGit is a setting of git's, by whose it is (a user or a repository's folder) and its name: its values, each on a
	// line.
	// Promised by git.
	FactGit
	// FactDebconf is an answer, by package and question: its value. Promised by debconf.
	FactDebconf
	// FactLocale is a compiled locale: present. Promised by locale.
	FactLocale
	// FactVariable is a variable of gostate's own environment: its text; unset. Promised by environ.
	FactVariable
	// FactFirewall is what was done to the rules of the packet filter for a kind of addresses (ipv4, ipv6): the deeds,
	// each on a line, as "A filter INPUT -j ACCEPT"; or a rule of ufw's, as "ufw allow from any to any port 22": present;
	// or a list of firewalld's, as "firewalld zone public ports": its items, each on a line; or nft: the commands that it
	// was given, each on a line. Promised by iptables, nftables, ufw and firewalld.
	FactFirewall
	// FactDocker is a thing of Docker's, as "container web", "image app:1", "network n" or "volume v": present, absent, or
	// for a container running or stopped. Promised by docker.
	FactDocker
	// FactBroker is a thing of RabbitMQ's, as "user web", "vhost /app", "policy / ha", "plugin x", "upstream u" or
	// "cluster": present or absent. Promised by rabbitmq.
	FactBroker
	// FactProgram is a program that supervisord runs, by its name: its state, RUNNING or STOPPED. Promised by supervisord.
	FactProgram
	// FactApache is a module, site or configuration of Apache. It is the On of a Deed, never a fact: what is enabled has a
	// link.
	FactApache
	// FactDatabase is what a database server holds, as the server's address, a kind of thing, its database and its name,
	// each on a line: present, with its columns as Attrs, or absent. Promised by postgres, mysql and redis.
	FactDatabase
	// FactVolume is a volume of LVM's, as "pv /dev/sdb", "vg data" or "lv /dev/data/root": present or absent; the group of
	// a pv or lv as vg, the size that an lv was asked to have as size or extents; or the kind of file system that a device
	// has, as "fs /dev/sdb". Promised by lvm and blockdev.
	FactVolume
	// FactSELinux is a part of SELinux's policy: "mode": the mode; "boolean NAME": on or off, with that of the next boot
	// as boot; "module NAME": enabled, disabled or absent; "fcontext PATHS": its line or absent; "port tcp/80": its type
	// or absent; "applied PATH". Promised by selinux.
	FactSELinux
	// FactInterface is an interface of the network: up or down. Promised by network.
	FactInterface
	// FactProfile is the profile of a tuner of the system: "tuned": its name or none. Promised by tuned.
	FactProfile
)

// facts are what states promised to later ones. The zero value has none.
type facts struct {
	mu    sync.RWMutex
	m     map[factKey]promised // guarded by mu
	list  []factKey            // in the order of the last promise; guarded by mu
	first int                  // how many things were promised so far; guarded by mu
}

type factKey struct {
	kind Kind
	name string
}

// promised is a fact, and how many things had been promised before it was for the first time: its number as long as it
// is there.
type promised struct {
	Fact
	number int
	by     string // the state that promised it
}

func (f *facts) get(kind Kind, name string) (Fact, bool) {
	p, ok := f.promised(kind, name)
	return p.Fact, ok
}

func (f *facts) promised(kind Kind, name string) (promised, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	p, ok := f.m[factKey{kind, name}]
	return p, ok
}

// count is how many things were promised so far.
func (f *facts) count() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.first
}

func (f *facts) add(fs []Fact, by string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.m == nil {
		f.m = map[factKey]promised{}
	}
	for _, fact := range fs {
		key := factKey{fact.Kind, fact.Name}
		old, again := f.m[key]
		if again {
			f.list = slices.DeleteFunc(f.list, func(o factKey) bool { return o == key })
		} else {
			old.number = f.first
			f.first++
		}
		f.m[key] = promised{fact, old.number, by}
		f.list = append(f.list, key)
	}
}

// of are the facts of a kind, in the order of their promise.
func (f *facts) of(kind Kind) []Fact {
	return f.all(func(k Kind) bool { return k == kind })
}

// all are the facts of the kinds wanted, in the order of their promise.
func (f *facts) all(wanted func(Kind) bool) []Fact {
	f.mu.RLock()
	defer f.mu.RUnlock()
	var out []Fact
	for _, key := range f.list {
		if wanted(key.kind) {
			out = append(out, f.m[key].Fact)
		}
	}
	return out
}
