package hg

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// tools is a Mercurial of one remote, /r, whose revisions are the words of its file: the last is the tip. A checkout
// has such a file in .hg/all, and the one that is checked out in .hg/at.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	args := slices.DeleteFunc(slices.Clone(c.Args[2:]), func(a string) bool { return a == "--" })
	last, rev := args[len(args)-1], "tip"
	if i := slices.Index(args, "-r"); i >= 0 {
		rev = args[i+1]
	}
	no := func(text string) (*host.Output, error) {
		return &host.Output{Code: 255, Stderr: []byte("abort: " + text + "\n")}, nil
	}
	say := func(text string) (*host.Output, error) { return &host.Output{Stdout: []byte(text + "\n")}, nil }
	dir := c.Dir
	if dir == "/" {
		dir = last
	}
	all := func(dir string) []string { raw, _ := m.ReadFile(dir + "/.hg/all"); return strings.Fields(string(raw)) }
	find := func(dir string) string {
		known := all(dir)
		switch at, _ := m.ReadFile(dir + "/.hg/at"); {
		case rev == "." && len(at) > 0:
			return string(at)
		case rev == "tip" && len(known) > 0:
			return known[len(known)-1]
		case slices.Contains(known, rev):
			return rev
		}
		return ""
	}
	switch args[0] {
	case "id":
		if id := find(dir); id != "" {
			return say(id)
		}
		return no("unknown revision '" + rev + "'")
	case "incoming":
		if len(all(last)) > len(all(dir)) {
			return say("x")
		}
		return &host.Output{Code: 1}, nil
	case "log":
		return say(args[len(args)-1])
	case "status":
		if _, err := m.Stat(dir + "/mine"); err != nil {
			return say("")
		}
		return say("M mine\n? z")
	case "clone":
		from := args[len(args)-2]
		m.MustWrite(last+"/.hg/all", strings.Join(all(from), " "), 0o644)
		m.MustWrite(last+"/.hg/at", all(from)[len(all(from))-1], 0o644)
		return say("updating to branch default")
	case "pull":
		m.MustWrite(dir+"/.hg/all", strings.Join(all(last), " "), 0o644)
		return say("added 1 changesets")
	case "update":
		if find(dir) == "" {
			return no("unknown revision '" + rev + "'")
		}
		m.MustWrite(dir+"/.hg/at", find(dir), 0o644)
		if slices.Contains(args, "-C") {
			_ = m.Remove(dir + "/mine")
		}
		return say("1 files updated")
	}
	return no("unknown command")
}

func with(files ...string) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		m.MustWrite("/usr/bin/hg", "", 0o755)
		m.MustWrite("/r/.hg/all", "a b c", 0o644)
		m.MustMkdir("/srv")
		for i := 0; i+1 < len(files); i += 2 {
			m.MustWrite(path.Join("/srv/co", files[i]), files[i+1], 0o644)
		}
	})
}

func deed(args ...any) modtest.Deed {
	return modtest.State("hg.latest", "/r", append([]any{"target", "/srv/co"}, args...)...)
}

func TestConformance(t *testing.T) {
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{"not installed": modtest.Memory(tools, nil), "nothing": with(),
			"behind":    with(".hg/all", "a b", ".hg/at", "b"),
			"elsewhere": with(".hg/all", "a b c", ".hg/at", "a"), "up to date": with(".hg/all", "a b c", ".hg/at", "c"),
			"dirty":    with(".hg/all", "a b c", ".hg/at", "c", "mine", ""),
			"a folder": with("mine", ""), "a file": with("", "x"), "broken": with(".hg/all", "")},
		Deeds: []modtest.Deed{deed(), deed("rev", "b"), deed("rev", "none"), deed("clean", true), deed("force", true),
			deed("update_head", false), deed("opts", "--noupdate", "identity", "/k"),
			modtest.State("hg.latest", "/none", "target", "/srv/co")},
	}.Run(t)
}

func TestEffects(t *testing.T) {
	s := modtest.Suite{Family: Family()}
	for _, c := range []struct {
		on               func(*testing.T) host.Host
		deed             modtest.Deed
		comment, changes string
	}{
		{with(), deed("rev", "a"), "Repository /r cloned to /srv/co", `{'new': '/r', 'revision': 'c'}`},
		{with(".hg/all", "a b", ".hg/at", "b"), deed(), "Repository /srv/co updated.", `{'revision': 'b => c'}`},
		{with(".hg/all", "a b", ".hg/at", "b"), deed("rev", "b"), "", `{}`},
		{with(".hg/all", "a b", ".hg/at", "b"), deed("update_head", false),
			"Update is probably required but update_head=False so we will skip updating.", `{}`},
	} {
		e, err := s.One(t, c.on(t), c.deed)
		if err != nil || e.Comment != c.comment || value.Repr(e.Changes) != c.changes {
			t.Errorf("%v: %q %s %v", c.deed, e.Comment, value.Repr(e.Changes), err)
		}
	}
	for _, l := range []Latest{{Name: "-x", Target: "/x"}, {Name: "x", Target: "x"},
		{Name: "x", Target: "/x", Rev: "-1"}} {
		if len(l.Validate()) != 1 {
			t.Errorf("%+v is taken", l)
		}
	}
}

func TestExecs(t *testing.T) {
	(modtest.Execs{Family: Family(), Host: with(".hg/all", "a b c", ".hg/at", "a", "mine", "")(t)}).Table(t, [][4]string{
		{"hg.revision", `["/srv/co"]`, "", `'c'`}, {"hg.revision", `["/srv/co", "none"]`, "", `''`},
		{"hg.status", `["/srv/co"]`, "", `{'modified': ['mine'], 'not tracked': ['z']}`},
		{"hg.status", `[["/srv/co"]]`, "", `{'/srv/co': {'modified': ['mine'], 'not tracked': ['z']}}`},
		{"hg.describe", `["/srv/co"]`, "", `'{latesttag}-{latesttagdistance}-{node|short}'`},
		{"hg.update", `["/srv/co", "b"]`, `{"force": true}`, `'1 files updated'`},
		{"hg.update", `["/srv/co", "none"]`, "", `error: Hg command failed: abort: unknown revision 'none'`},
		{"hg.clone", `["/srv/new", "/r"]`, "", `'updating to branch default'`},
		{"hg.pull", `["/srv/new"]`, `{"repository": "/r"}`, `'added 1 changesets'`},
	})
}
