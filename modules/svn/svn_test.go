package svn

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// head is the newest revision of the fake repository.
const head = 3

// tools is a Subversion of one repository. A working copy keeps its revision in .svn/rev.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	var plain []string
	rev, words := head, c.Args[3:]
	for i := 0; i < len(words); i++ {
		switch {
		case words[i] == "-r":
			i++
			if n, err := strconv.Atoi(words[i]); err == nil {
				rev = n
			}
		case slices.Contains([]string{"--config-dir", "--username"}, words[i]):
			i++
		case !strings.HasPrefix(words[i], "-"):
			plain = append(plain, words[i])
		}
	}
	no := func(text string) (*host.Output, error) {
		return &host.Output{Code: 1, Stderr: []byte("svn: " + text + "\n")}, nil
	}
	target := c.Dir
	if len(plain) > 0 {
		target = path.Join(c.Dir, strings.TrimSuffix(plain[len(plain)-1], "@"))
	}
	raw, missing := m.ReadFile(target + "/.svn/rev")
	say := func(text string) (*host.Output, error) { return &host.Output{Stdout: []byte(text + "\n")}, nil }
	switch remote := len(plain) > 0 && strings.HasPrefix(plain[0], "file:"); c.Args[2] {
	case "info":
		switch {
		case remote && (rev > head || plain[0] == "file:///none"):
			return no("E160006: No such revision " + strconv.Itoa(rev))
		case remote:
			return say("Path: r\nURL: " + plain[0] + "\nNode Kind: directory\nRevision: " + strconv.Itoa(rev))
		case missing != nil:
			return no("E155007: '" + target + "' is not a working copy")
		}
		return say("Path: co\nURL: file:///r\nRevision: " + string(raw))
	case "status":
		if _, err := m.Stat(target + "/file"); err != nil {
			return say("!       co/file")
		}
		return say("")
	case "checkout", "update", "export":
		if c.Args[2] != "export" {
			m.MustWrite(target+"/.svn/rev", strconv.Itoa(rev), 0o644)
		}
		m.MustWrite(target+"/file", strconv.Itoa(rev), 0o644)
		return say(fmt.Sprintf("%s to revision %d.", c.Args[2], rev))
	}
	return no("E205000: unknown")
}

func with(files ...string) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		m.MustWrite("/usr/bin/svn", "", 0o755)
		m.MustMkdir("/srv")
		for i := 0; i+1 < len(files); i += 2 {
			m.MustWrite(files[i], files[i+1], 0o644)
		}
	})
}

func deed(fun string, args ...any) modtest.Deed {
	return modtest.State("svn."+fun, "file:///r", append([]any{"target", "/srv/co"}, args...)...)
}

func TestConformance(t *testing.T) {
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{"not installed": modtest.Memory(tools, nil), "nothing": with(),
			"old":        with("/srv/co/.svn/rev", "2", "/srv/co/file", "2"),
			"up to date": with("/srv/co/.svn/rev", "3", "/srv/co/file", "3"),
			"a file":     with("/srv/co", ""), "a folder": with("/srv/co/mine", ""),
			"file missing": with("/srv/co/.svn/rev", "3")},
		Deeds: []modtest.Deed{deed("latest"), deed("latest", "rev", 2), deed("latest", "rev", 9),
			deed("latest", "username", "me", "password", "secret", "externals", false, "trust", true, "trust_failures",
				"unknown-ca", "force", true), deed("export"), deed("export", "force", true), deed("export", "overwrite", true),
			deed("export", "overwrite", true, "force", true),
			deed("export", "rev", 9), deed("dirty"), modtest.State("svn.latest", "file:///none", "target", "/srv/co")},
	}.Run(t)
}

// TestPassword: it goes through standard input, and looks neither keep it nor make a configuration.
func TestPassword(t *testing.T) {
	h := with()(t)
	m := h.(*hosttest.Memory)
	if _, err := (modtest.Suite{Family: Family()}).One(t, h,
		deed("latest", "username", "me", "password", "s3cret")); err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Ran {
		if strings.Contains(strings.Join(c.Args, " "), "s3cret") || string(c.Stdin) != "s3cret" {
			t.Errorf("%q", c.Args)
		}
		if looks := c.Args[2] == "info"; looks != slices.Contains(c.Args, "--no-auth-cache") ||
			looks != slices.Contains(c.Args, "/proc/none") {
			t.Errorf("%q", c.Args)
		}
	}
}

func TestEffects(t *testing.T) {
	s := modtest.Suite{Family: Family()}
	for _, c := range []struct{ comment, preview, changes string }{
		{"checkout to revision 3.", "/srv/co doesn't exist and is set to be checked out at revision HEAD.",
			`{'new': 'file:///r', 'revision': '3'}`},
		{"update to revision 3.", "/srv/co is set to be updated from revision 2 to 3.", `{'revision': '2 => 3'}`},
	} {
		h := with()(t)
		if strings.HasPrefix(c.comment, "update") {
			h = with("/srv/co/.svn/rev", "2", "/srv/co/file", "2")(t)
		}
		e, err := s.One(t, h, deed("latest"))
		if diff := cmp.Diff([]string{c.comment, c.preview, c.changes}, []string{e.Comment, e.Preview,
			value.Repr(e.Changes)}); diff != "" || err != nil {
			t.Error(err, diff)
		}
	}
	for _, l := range []Latest{{Tree: Tree{Name: "-x", Target: "/x"}}, {Tree: Tree{Name: "x", Target: "x"}},
		{Tree: Tree{Name: "x", Target: "/x", Rev: "-1"}}} {
		if len(l.Validate()) != 1 {
			t.Errorf("%+v is taken", l)
		}
	}
}

func TestExecs(t *testing.T) {
	(modtest.Execs{Family: Family(), Host: with("/srv/co/.svn/rev", "2", "/srv/co/file", "")(t)}).Table(t, [][4]string{
		{"svn.info", `["/srv/co"]`, "", `'Path: co\nURL: file:///r\nRevision: 2'`},
		{"svn.info", `["/srv", "co"]`, `{"fmt": "dict"}`, `[{'Path': 'co', 'URL': 'file:///r', 'Revision': '2'}]`},
		{"svn.info", `["/srv", "co"]`, `{"fmt": "list"}`, `[[('Path', 'co'), ('URL', 'file:///r'), ('Revision', '2')]]`},
		{"svn.info", `["/srv/no"]`, "", `error: svn: E155007: '/srv/no' is not a working copy`},
		{"svn.update", `["/srv/co", null, null, null, null, "-r", "1"]`, "", `'update to revision 1.'`},
		{"svn.status", `["/srv/co"]`, "", `''`},
		{"svn.checkout", `["/srv", "file:///r", "new"]`, "", `'checkout to revision 3.'`},
		{"svn.export", `["/srv", "file:///r", "e"]`, `{"revision": 2}`, `'export to revision 2.'`},
		{"svn.commit", `["/srv/co", "'a b"]`, "", `error: No closing quotation`},
	})
}
