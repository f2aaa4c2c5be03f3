package webutil

import (
	"errors"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// tools are an htpasswd whose hash is the password read backwards.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	if strings.Contains(strings.Join(c.Args, " "), "secret") {
		return nil, errors.New("the password is among the arguments")
	}
	flags, file, user := c.Args[1], c.Args[2], c.Args[3]
	hash := "#" + strings.ToUpper(strings.TrimSpace(string(c.Stdin)))
	lines, err := modules.ReadLines(m, file)
	at := -1
	for i, l := range lines {
		if strings.HasPrefix(l, user+":") {
			at = i
		}
	}
	switch {
	case err != nil && !strings.Contains(flags, "c"):
		return &host.Output{Code: 1, Stderr: []byte("htpasswd: cannot open file " + file + "\n")}, nil
	case strings.HasPrefix(flags, "-v"):
		if at < 0 || lines[at] != user+":"+hash {
			return &host.Output{Code: 3, Stderr: []byte("password verification failed\n")}, nil
		}
		return &host.Output{}, nil
	case flags == "-D":
		lines = append(lines[:at:at], lines[at+1:]...)
		return &host.Output{Stderr: []byte("Deleting password for user " + user + "\n")}, modules.WriteLines(m, file, lines)
	case at >= 0:
		lines[at] = user + ":" + hash
	default:
		lines = append(lines, user+":"+hash)
	}
	return &host.Output{Stderr: []byte("Adding password for user " + user + "\n")}, modules.WriteLines(m, file, lines)
}

func TestConformance(t *testing.T) {
	with := func(text string) func(*testing.T) host.Host {
		return modtest.Memory(tools, func(m *hosttest.Memory) {
			m.MustWrite("/usr/bin/htpasswd", "", 0o755)
			if text != "" {
				m.MustWrite("/srv/users", text, 0o644)
			}
		})
	}
	there := func(args ...any) modtest.Deed {
		return modtest.State("webutil.user_exists", "larry", append([]any{"htpasswd_file", "/srv/users"}, args...)...)
	}
	modtest.Suite{Family: Family(), Beyond: []string{"/srv"},
		Situations: modtest.Situations{
			"not installed": modtest.Memory(tools, nil),
			"no file":       with(""),
			"other users":   with("curly:#X\nlarryson:#Y\n"),
			"larry":         with("curly:#X\nlarry:#SECRET\n"),
			"another word":  with("larry:#OTHER\ncurly:#X\n"),
		},
		Deeds: []modtest.Deed{
			there("password", "secret"), there("password", "secret", "update", true),
			there("password", "secret", "force", true, "options", "B"),
			modtest.State("webutil.user_absent", "larry", "htpasswd_file", "/srv/users"),
		}}.Run(t)
}

func TestExecs(t *testing.T) {
	h := modtest.Memory(tools, func(m *hosttest.Memory) { m.MustWrite("/usr/bin/htpasswd", "", 0o755) })(t)
	modtest.Execs{Family: Family(), Host: h}.Table(t, [][4]string{
		{"webutil.verify", `["/srv/users", "larry", "secret"]`, "", "False"},
		{"webutil.userdel", `["/srv/users", "larry"]`, "", "'Error: The specified htpasswd file does not exist'"},
		{"webutil.useradd", `["/srv/users", "larry", "secret"]`, "",
			"{'pid': 0, 'retcode': 0, 'stdout': '', 'stderr': 'Adding password for user larry'}"},
		{"webutil.verify", `["/srv/users", "larry", "secret"]`, "", "True"},
		{"webutil.verify", `["/srv/users", "larry", "other"]`, "", "False"},
		{"webutil.useradd", `["/srv/users", "-D", "secret"]`, "", "error: '-D' is no name of a user"},
		{"webutil.userdel", `["/srv/users", "larry"]`, "",
			"{'pid': 0, 'retcode': 0, 'stdout': '', 'stderr': 'Deleting password for user larry'}"},
	})
}
