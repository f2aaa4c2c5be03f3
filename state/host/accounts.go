package host

import (
	"context"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// accountSource is what the account database is read from.
type accountSource interface {
	ReadFile(path string) ([]byte, error)
	Stat(path string) (Info, error)
}

// A stamp tells whether a file is still the one that was read.
type stamp struct {
	mtime       time.Time
	size        int64
	inode, kind uint64
}

// Accounts is the account database: /etc/passwd and /etc/group, read once and again when they changed.
type Accounts struct {
	src    accountSource
	getent func(db, key string) (string, bool) // asks other sources of the name service; may be nil

	mu            sync.Mutex // guards all below
	pstamp        stamp
	gstamp        stamp
	users         []User
	groups        []Group
	userByName    map[string]int
	userByID      map[int]int
	groupByName   map[string]int
	groupByID     map[int]int
	foreignUsers  map[string]*User // answers of getent, nil for none
	foreignGroups map[string]*Group
}

// NewAccounts reads the account database of a machine.
func NewAccounts(src accountSource) *Accounts { return &Accounts{src: src} }

// Forget drops what was read.
func (a *Accounts) Forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pstamp, a.gstamp = stamp{}, stamp{}
	a.userByName, a.groupByName = nil, nil
	a.foreignUsers, a.foreignGroups = nil, nil
}

func (a *Accounts) stampOf(path string) stamp {
	i, err := a.src.Stat(path)
	if err != nil {
		return stamp{kind: 1}
	}
	return stamp{mtime: i.MTime, size: i.Size, inode: i.Inode, kind: 2}
}

// load reads what changed. The caller holds the lock.
func (a *Accounts) load() {
	if s := a.stampOf("/etc/passwd"); s != a.pstamp || a.userByName == nil {
		a.pstamp, a.foreignUsers = s, map[string]*User{}
		raw, _ := a.src.ReadFile("/etc/passwd")
		a.users = parsePasswd(string(raw))
		a.userByName, a.userByID = map[string]int{}, map[int]int{}
		for i := len(a.users) - 1; i >= 0; i-- {
			a.userByName[a.users[i].Name], a.userByID[a.users[i].UID] = i, i
		}
	}
	if s := a.stampOf("/etc/group"); s != a.gstamp || a.groupByName == nil {
		a.gstamp, a.foreignGroups = s, map[string]*Group{}
		raw, _ := a.src.ReadFile("/etc/group")
		a.groups = parseGroup(string(raw))
		a.groupByName, a.groupByID = map[string]int{}, map[int]int{}
		for i := len(a.groups) - 1; i >= 0; i-- {
			a.groupByName[a.groups[i].Name], a.groupByID[a.groups[i].GID] = i, i
		}
	}
}

func parsePasswd(text string) []User {
	var out []User
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), ":")
		if len(f) < 7 || f[0] == "" || f[0][0] == '#' || f[0][0] == '+' {
			continue
		}
		uid, err1 := strconv.Atoi(f[2])
		gid, err2 := strconv.Atoi(f[3])
		if err1 == nil && err2 == nil {
			out = append(out, User{Name: f[0], UID: uid, GID: gid, Gecos: f[4], Home: f[5], Shell: f[6]})
		}
	}
	return out
}

func parseGroup(text string) []Group {
	var out []Group
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), ":")
		if len(f) < 4 || f[0] == "" || f[0][0] == '#' || f[0][0] == '+' {
			continue
		}
		gid, err := strconv.Atoi(f[2])
		if err != nil {
			continue
		}
		g := Group{Name: f[0], GID: gid}
		for _, m := range strings.Split(f[3], ",") {
			if m != "" {
				g.Members = append(g.Members, m)
			}
		}
		out = append(out, g)
	}
	return out
}

// user finds by name, or by number when name is "".
func (a *Accounts) user(name string, uid int) (User, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	i, ok := a.userByName[name]
	key := name
	if name == "" {
		i, ok = a.userByID[uid]
		key = strconv.Itoa(uid)
	}
	if ok {
		return a.users[i], nil
	}
	if u := a.foreignUser(key); u != nil {
		return *u, nil
	}
	return User{}, &fs.PathError{Op: "look up user", Path: key, Err: fs.ErrNotExist}
}

func (a *Accounts) group(name string, gid int) (Group, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	i, ok := a.groupByName[name]
	key := name
	if name == "" {
		i, ok = a.groupByID[gid]
		key = strconv.Itoa(gid)
	}
	if ok {
		return a.groups[i], nil
	}
	if g := a.foreignGroup(key); g != nil {
		return *g, nil
	}
	return Group{}, &fs.PathError{Op: "look up group", Path: key, Err: fs.ErrNotExist}
}

func (a *Accounts) foreignUser(key string) *User {
	u, known := a.foreignUsers[key]
	if known || a.getent == nil {
		return u
	}
	if line, ok := a.getent("passwd", key); ok {
		if us := parsePasswd(line); len(us) == 1 {
			u = &us[0]
		}
	}
	a.foreignUsers[key] = u
	return u
}

func (a *Accounts) foreignGroup(key string) *Group {
	g, known := a.foreignGroups[key]
	if known || a.getent == nil {
		return g
	}
	if line, ok := a.getent("group", key); ok {
		if gs := parseGroup(line); len(gs) == 1 {
			g = &gs[0]
		}
	}
	a.foreignGroups[key] = g
	return g
}

func (a *Accounts) all() ([]User, []Group) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	return append([]User(nil), a.users...), append([]Group(nil), a.groups...)
}

// groupsOf are the groups that list the user as a member.
func (a *Accounts) groupsOf(name string) []int {
	_, groups := a.all()
	var out []int
	for _, g := range groups {
		for _, m := range g.Members {
			if m == name {
				out = append(out, g.GID)
			}
		}
	}
	return out
}

// User looks up a user by name.
func (a *Accounts) User(name string) (User, error) {
	if name == "" {
		return User{}, &fs.PathError{Op: "look up user", Path: name, Err: fs.ErrNotExist}
	}
	return a.user(name, 0)
}

// Group looks up a group by name.
func (a *Accounts) Group(name string) (Group, error) {
	if name == "" {
		return Group{}, &fs.PathError{Op: "look up group", Path: name, Err: fs.ErrNotExist}
	}
	return a.group(name, 0)
}

// UserByID looks up a user by number.
func (a *Accounts) UserByID(uid int) (User, error) { return a.user("", uid) }

// GroupByID looks up a group by number.
func (a *Accounts) GroupByID(gid int) (Group, error) { return a.group("", gid) }

// Users are the users of /etc/passwd.
func (a *Accounts) Users() ([]User, error) { us, _ := a.all(); return us, nil }

// Groups are the groups of /etc/group.
func (a *Accounts) Groups() ([]Group, error) { _, gs := a.all(); return gs, nil }

// nameService gives the function that asks getent where /etc/nsswitch.conf, read at the first question, names more than
// the files.
func (o *OS) nameService() func(db, key string) (string, bool) {
	if o.root != "/" {
		return nil
	}
	foreign := sync.OnceValue(foreignSources)
	return func(db, key string) (string, bool) {
		if !foreign() {
			return "", false
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		out, err := o.Query(ctx, Cmd{Args: []string{"getent", db, key}})
		if err != nil || out.Code != 0 {
			return "", false
		}
		return string(out.Stdout), true
	}
}

func foreignSources() bool {
	raw, err := os.ReadFile("/etc/nsswitch.conf")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(raw)) {
		db, sources, _ := strings.Cut(line, ":")
		if db = strings.TrimSpace(db); db != "passwd" && db != "group" {
			continue
		}
		for _, s := range strings.Fields(sources) {
			if s != "files" && s != "compat" && !strings.HasPrefix(s, "[") {
				return true
			}
		}
	}
	return false
}
