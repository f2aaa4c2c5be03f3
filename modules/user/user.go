// Package user keeps users present with their attributes and groups, or absent, through useradd and its kin.
//
// What is there is read from the account database and /etc/shadow; what differs is changed with one usermod, and with
// chage and chpasswd for what it does not know. Password hashes never reach a command line or the output.
package user

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "user", States: []modules.StateSpec{presentSpec(), absentSpec()}, Execs: execSpecs(),
		Describers: []modules.Describer{describer()}}
}

// An account is all that is known of one user.
type account struct {
	host.User
	Groups []string // the names of all groups, the primary one too, sorted
	Gecos  [5]string
	Shadow shadow
}

// gecosNames are Salt's names of the places in the comment field of /etc/passwd.
func gecosNames() [5]string {
	return [5]string{"fullname", "roomnumber", "workphone", "homephone", "other"}
}

const shadowFile = "/etc/shadow"

// A shadow is an entry of /etc/shadow. Numbers are days, -1 where there is none. Known is false where it cannot be
// read.
type shadow struct {
	Known                                  bool
	Hash                                   string
	Last, Min, Max, Warn, Inactive, Expire int
}

// find is the account of the name; ok is false when there is none.
func find(h host.Reader, name string) (a account, ok bool, err error) {
	u, err := h.User(name)
	if errors.Is(err, fs.ErrNotExist) {
		return a, false, nil
	}
	if err != nil {
		return a, false, fmt.Errorf("look up the user %s: %w", name, err)
	}
	a = account{User: u, Gecos: splitGecos(u.Gecos)}
	if a.Groups, err = groupsOf(h, u); err != nil {
		return a, false, err
	}
	a.Shadow, err = readShadow(h, name)
	return a, true, err
}

func splitGecos(text string) (out [5]string) {
	for i, part := range strings.SplitN(text, ",", 5) {
		out[i] = part
	}
	return out
}

func joinGecos(g [5]string) string { return strings.TrimRight(strings.Join(g[:], ","), ",") }

func groupsOf(h host.Reader, u host.User) ([]string, error) {
	groups, err := h.Groups()
	if err != nil {
		return nil, fmt.Errorf("look up the groups of %s: %w", u.Name, err)
	}
	var out []string
	for _, g := range groups {
		if g.GID == u.GID || slices.Contains(g.Members, u.Name) {
			out = append(out, g.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func readShadow(h host.Reader, name string) (shadow, error) {
	data, err := h.ReadFile(shadowFile)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return shadow{}, nil
	}
	if err != nil {
		return shadow{}, fmt.Errorf("read the passwords: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), ":")
		if len(f) < 8 || f[0] != name {
			continue
		}
		return shadow{Known: true, Hash: f[1], Last: days(f[2]), Min: days(f[3]), Max: days(f[4]), Warn: days(f[5]),
			Inactive: days(f[6]),
			Expire:   days(f[7])}, nil
	}
	return shadow{}, nil
}

func days(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return -1
}

// locked says whether the password is locked.
func (s shadow) locked() bool { return strings.HasPrefix(s.Hash, "!") }

// none says whether the account never got a password.
func (s shadow) none() bool {
	return s.Hash == "!" || s.Hash == "*" || s.Hash == "!!" || s.Hash == "" && !s.Known
}

// info is Salt's description of a user.
func (a account) info() *value.Dict {
	groups := value.NewList()
	for _, g := range a.Groups {
		groups.Items = append(groups.Items, value.Str(g))
	}
	d := value.DictOf("gid", value.Int(a.GID), "groups", groups, "home", value.Str(a.Home), "name", value.Str(a.Name),
		"passwd", value.Str("x"),
		"shell", value.Str(a.Shell), "uid", value.Int(a.UID))
	for i, key := range gecosNames() {
		d.SetStr(key, value.Str(a.Gecos[i]))
	}
	return d
}

// since is what became other than it was: the fields of the description, and those of /etc/shadow.
func (a account) since(was account) *value.Dict {
	out, old := value.NewDict(0), was.info()
	for k, v := range a.info().All() {
		if before, _ := old.Get(k); !value.Equal(before, v) {
			_ = out.Set(k, v)
		}
	}
	if a.Shadow.Hash != was.Shadow.Hash {
		out.SetStr("passwd", value.Str(redacted))
	}
	before := was.Shadow.days()
	for i, n := range a.Shadow.days() {
		if n != before[i] {
			out.SetStr(dayNames()[i], value.Int(n))
		}
	}
	return out
}

func dayNames() [6]string { return [6]string{"lstchg", "min", "max", "warn", "inact", "expire"} }

func (s shadow) days() [6]int { return [6]int{s.Last, s.Min, s.Max, s.Warn, s.Inactive, s.Expire} }

// run runs one of the account tools.
func run(ctx context.Context, h host.Host, foretell func(host.Host) error, stdin string, args ...string) error {
	err := modules.Tool{On: host.FactUser, Args: args, Stdin: stdin, Foretell: foretell}.Run(ctx, h)
	h.Invalidate("accounts")
	return err
}
