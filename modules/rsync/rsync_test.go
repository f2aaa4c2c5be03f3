package rsync

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// tools is an rsync of flat directories, in the lines of rsync 3.2.7.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	if c.Args[1] == "--version" {
		return &host.Output{Stdout: []byte("rsync  version 3.2.7  protocol version 31\n")}, nil
	}
	from, to := strings.TrimSuffix(c.Args[len(c.Args)-2], "/"), c.Args[len(c.Args)-1]
	dry := slices.Contains(c.Args, "--dry-run")
	files, err := m.ReadDir(from)
	if err != nil {
		return &host.Output{Code: 23, Stderr: []byte("rsync: [sender] change_dir \"" + from +
			"\" failed: No such file or directory (2)\n")}, nil
	}
	said := "sending incremental file list\n"
	has := map[string]bool{}
	for _, f := range files {
		has[f.Path] = true
		was, err := m.ReadFile(path.Join(to, f.Path))
		now, _ := m.ReadFile(path.Join(from, f.Path))
		if slices.Contains(c.Args, f.Path) || err == nil && string(was) == string(now) {
			continue
		}
		said += f.Path + "\n"
		if !dry {
			m.MustWrite(path.Join(to, f.Path), string(now), 0o644)
		}
	}
	there, _ := m.ReadDir(to)
	for _, f := range there {
		if !has[f.Path] && slices.Contains(c.Args, "--delete") {
			said += "deleting " + f.Path + "\n"
			if !dry {
				_ = m.Remove(path.Join(to, f.Path))
			}
		}
	}
	said += "\nsent 84 bytes  received 19 bytes  206.00 bytes/sec\ntotal size is 4  speedup is 0.04"
	if dry {
		said += " (DRY RUN)"
	}
	return &host.Output{Stdout: []byte(said + "\n")}, nil
}

func with(files ...string) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		m.MustWrite("/usr/bin/rsync", "", 0o755)
		m.MustWrite("/src/a", "1\n", 0o644)
		m.MustWrite("/src/b", "2\n", 0o644)
		for _, f := range files {
			m.MustWrite(f, "1\n", 0o644)
		}
	})
}

func TestConformance(t *testing.T) {
	sync := func(name string, args ...any) modtest.Deed {
		return modtest.State("rsync.synchronized", name, append([]any{"source", "/src/"}, args...)...)
	}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{"not installed": modtest.Memory(tools, nil), "nothing": with(),
			"some": with("/dst/a", "/dst/c")},
		Deeds: []modtest.Deed{sync("/dst"), sync("/dst", "delete", true).In("some"), sync("/dst", "prepare", true),
			sync("/dst", "force", true), sync("/dst", "dryrun", true), sync("/dst", "exclude", []string{"a", "b"}).In("some"),
			modtest.State("rsync.synchronized", "/dst", "source", "/none/").In("some")},
	}.Run(t)
}

// TestEffect: Salt's words and changes, in a run and in a preview, and a second run that is quiet.
func TestEffect(t *testing.T) {
	h := with("/dst/a", "/dst/c")(t)
	deed := modtest.State("rsync.synchronized", "/dst", "source", "/src/", "delete", true)
	s := modtest.Suite{Family: Family()}
	e, err := s.One(t, host.NewOverlay(h), deed)
	words := "- sent 84 bytes\n- received 19 bytes\n- 206.00 bytes/sec\n- total size is 4\n- speedup is 0.04"
	if err != nil || e.Preview != words+" (DRY RUN)" || e.Foretold.Len() != 0 {
		t.Fatalf("%+v, %v", e, err)
	}
	e, err = s.One(t, h, deed)
	if got := value.Repr(e.Changes); err != nil || e.Comment != words || got != `{'copied': 'b', 'deleted': 'c'}` {
		t.Fatalf("%q %s, %v", e.Comment, got, err)
	}
	if e, err := s.One(t, h, deed); err != nil || e.Alters() || e.Comment != words {
		t.Fatalf("the second run: %+v, %v", e, err)
	}
}

func TestValidate(t *testing.T) {
	for _, s := range []Synchronized{{Name: "/x", Source: "salt://x"}, {Name: "x", Source: "/x"},
		{Name: "/x", Source: "x"}} {
		if len(s.Validate()) != 1 {
			t.Errorf("%+v is taken", s)
		}
	}
	for _, s := range []Synchronized{{Name: "/x", Source: "rsync://h/m"}, {Name: "me@h:x", Source: "/x"}} {
		if f := s.Validate(); f != nil {
			t.Errorf("%+v: %v", s, f)
		}
	}
}

// TestWords: all arguments, and what the configuration gives.
func TestWords(t *testing.T) {
	s := Synchronized{Name: "/d", Source: "-s", Delete: true, Force: true, PasswordFile: "/p",
		Exclude: []string{"a b", "c"}, AdditionalOpts: []string{"--partial"}}
	s.configured(&modules.Env{Opts: modtest.Dict(t, `{"rsync.update": true, "rsync.excludefrom": ""}`)})
	want := []string{"rsync", "-avz", "--delete", "--force", "--update", "--password-file", "/p", "--exclude", "a b",
		"--exclude", "c", "--partial", "--", "-s", "/d"}
	if diff := cmp.Diff(want, s.between(s.words())); diff != "" {
		t.Error(diff)
	}
	s.ExcludeFrom = "/x"
	if words := s.words(); slices.Contains(words, "--exclude") || !slices.Contains(words, "--exclude-from") {
		t.Error(words)
	}
}

func TestExecs(t *testing.T) {
	h := with()(t)
	(modtest.Execs{Family: Family(), Host: h}).Table(t, [][4]string{
		{"rsync.version", `[]`, "", `'3.2.7'`},
		{"rsync.config", `["/src/a"]`, "", `'1\n'`},
		{"rsync.config", `["/src/c"]`, "", `error: /src/c does not exist`},
		{"rsync.rsync", `["", "/dst"]`, "", `error: src and dst cannot be empty`},
		{"rsync.rsync", `["/src/", "/dst"]`, `{"dryrun": true, "exclude": "b"}`, `{'pid': 0, 'retcode': 0, 'stdout': ` +
			`'sending incremental file list\na\n\nsent 84 bytes  received 19 bytes  206.00 bytes/sec\n` +
			`total size is 4  speedup is 0.04 (DRY RUN)', 'stderr': ''}`},
		{"rsync.rsync", `["/none/", "/dst"]`, `{}`, `{'pid': 0, 'retcode': 23, 'stdout': '', 'stderr': ` +
			`'rsync: [sender] change_dir "/none" failed: No such file or directory (2)'}`},
	})
}
