package ssh

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "ssh_auth",
		Doc:  "Keys that may log in, by the users whose .ssh/authorized_keys has them.",
		Left: "Users of the system but root.",
		Rank: 140, Describe: describe}
}

func describe(ctx context.Context, l *modules.Look) error {
	users, err := l.Host.Users()
	if err != nil {
		return err
	}
	usual, seen := host.Usual(l.Host, "UID"), map[string]bool{}
	for _, u := range users {
		f, err := open(l.Host, u.Name, ".ssh/authorized_keys")
		switch {
		case errors.Is(err, fs.ErrPermission):
			l.Remark(u.Name, "the keys of %s cannot be read", u.Name)
			continue
		case err != nil || len(f.lines) == 0 || seen[f.path] || !l.Wants(usual(u.UID) || u.UID == 0, u.Name):
			continue
		}
		seen[f.path] = true
		tell(ctx, l, u.Name, f)
	}
	for _, n := range l.Absent() {
		l.Lack(n, "")
	}
	return nil
}

// tell tells of the keys of a user, each with its whole line as the name.
func tell(ctx context.Context, l *modules.Look, user string, f *keyFile) {
	for _, line := range f.lines {
		k, ok := parseAuth(line)
		if !ok {
			continue
		}
		id := user + " " + cmp.Or(k.comment, k.kind+" "+k.key[max(0, len(k.key)-8):])
		t := l.Tell(id, "ssh_auth.present", "user", user).Called(strings.TrimSpace(k.String())).On("user", user)
		if err := l.Holds(ctx, t); err != nil {
			l.Things = l.Things[:len(l.Things)-1]
			l.Remark(id, "a key of %s in %s is not told: %v", user, f.path, err)
		}
	}
}
