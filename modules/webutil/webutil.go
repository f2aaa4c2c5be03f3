// Package webutil keeps the accounts of files of passwords for web servers, through htpasswd.
//
// A password goes to htpasswd on its standard input, never among its arguments.
package webutil

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "webutil", States: []modules.StateSpec{existsSpec(), absentSpec()}, Execs: execSpecs()}
}

// unmade is the hash of a password that a preview has not set.
const unmade = "*"

// A table is a file of passwords.
type table struct {
	file, runas string
}

// hashOf is the hash of a user, and whether the file has the user.
func (t *table) hashOf(h host.Reader, user string) (hash string, there bool, err error) {
	lines, err := modules.ReadLines(h, t.file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	for _, l := range lines {
		if hash, ok := strings.CutPrefix(l, user+":"); ok {
			return hash, true, err
		}
	}
	return "", false, err
}

// command is htpasswd, which is given the password.
// Salt differs: it puts it among the arguments.
func (t *table) command(password string, words ...string) host.Cmd {
	return host.Cmd{Args: append([]string{"htpasswd"}, words...), Stdin: []byte(password + "\n"), RunAs: t.runas,
		Env: []string{"LC_ALL=C.UTF-8"}}
}

// verify says whether a user has the password.
func (t *table) verify(ctx context.Context, h host.Reader, user, password, opts string) (bool, error) {
	if _, err := h.Stat(t.file); err != nil {
		return false, nil
	}
	out, err := h.Query(ctx, t.command(password, "-vi"+opts, t.file, user))
	return err == nil && out.Code == 0, err
}

// set gives a user a password.
func (t *table) set(ctx context.Context, h host.Host, user, password, opts string) (out *host.Output, err error) {
	if _, err := h.LookPath("htpasswd"); err != nil {
		return nil, err
	}
	flags := "-i" + opts
	if _, err := h.Stat(t.file); errors.Is(err, fs.ErrNotExist) {
		flags += "c"
	}
	err = h.Do(ctx, host.Deed{What: "htpasswd " + t.file + " " + user, On: host.FactPath,
		Do: func(ctx context.Context) error {
			out, err = h.Run(ctx, t.command(password, flags, t.file, user))
			return err
		},
		Foretell: func(o host.Host) error {
			out = &host.Output{}
			return t.write(o, user, user+":"+unmade)
		}})
	return out, err
}

// drop takes a user away.
func (t *table) drop(ctx context.Context, h host.Host, user string) (out *host.Output, err error) {
	if _, err := h.LookPath("htpasswd"); err != nil {
		return nil, err
	}
	err = h.Do(ctx, host.Deed{What: "htpasswd -D " + t.file + " " + user, On: host.FactPath,
		Do: func(ctx context.Context) error {
			out, err = h.Run(ctx, t.command("", "-D", t.file, user))
			return err
		},
		Foretell: func(o host.Host) error {
			out = &host.Output{}
			return t.write(o, user, "")
		}})
	return out, err
}

// write leaves in an overlay what htpasswd would: one line for the user, "" for none.
func (t *table) write(o host.Host, user, line string) error {
	lines, err := modules.ReadLines(o, t.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var out []string
	found := false
	for _, l := range lines {
		if strings.HasPrefix(l, user+":") {
			found = true
			l = line
		}
		if l != "" {
			out = append(out, l)
		}
	}
	if !found && line != "" {
		out = append(out, line)
	}
	return modules.WriteLines(o, t.file, out)
}

// effect is what is told of a change.
func effect(user string, out *host.Output, err error, preview string) (state.Effect, error) {
	if err != nil {
		return state.Effect{}, err
	}
	if err := modules.Complaint("htpasswd", out); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: value.DictOf(user, value.Bool(true)), Comment: strings.TrimSpace(string(out.Stderr)),
		Preview: fmt.Sprintf("User '%s' is set to be %s htpasswd file", user, preview)}, nil
}
