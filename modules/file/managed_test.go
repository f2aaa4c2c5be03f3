package file

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func TestManagedContent(t *testing.T) {
	tests := []struct {
		name string
		args []any
		want string
		text string
		mode uint32
	}{
		{"contents", []any{"contents", "same", "mode", "0600"}, "{'diff': 'New file'}", "same\n", 0o600},
		{"contents with a mode", []any{"contents", "same", "mode", 644}, "{'diff': 'New file', 'mode': '0644'}", "same\n",
			0o644},
		{"contents without a mode", []any{"contents", "a\nb\n"}, "{'diff': 'New file'}", "a\nb\n", 0o644},
		{"a source without a mode", []any{"source", "salt://f"}, "{'diff': 'New file', 'mode': '0644'}", "source\n", 0o644},
		{"an owner", []any{"contents", "x", "user", "joe", "group", 1000},
			"{'diff': 'New file', 'user': 'joe', 'group': 1000}", "x\n", 0o644},
		{"an owner whose number stands in quotes", []any{"contents", "x", "user", "1234", "group", "1234"},
			"{'diff': 'New file', 'user': '1234', 'group': '1234'}", "x\n", 0o644},
		{"nothing", nil, "{'new': 'file /d/f created'}", "", 0o644},
		{"a list", []any{"contents", []string{"a", "b\nc"}}, "{'diff': 'New file'}", "a\nb\nc\n", 0},
		{"a boolean", []any{"contents", true}, "{'diff': 'New file'}", "True\n", 0},
		{"no newline", []any{"contents", "a\n\n", "contents_newline", false}, "{'diff': 'New file'}", "a", 0},
		{"pillar", []any{"contents_pillar", "motd"}, "{'diff': 'New file'}", "from pillar\n", 0},
		{"pillar's list", []any{"contents_pillar", "list"}, "{'diff': 'New file'}", "a\nb\n", 0},
		{"a template", []any{"source", "salt://t", "template", "jinja", "defaults", dict("who", "you"), "context",
			dict("who", "me")},
			"{'diff': 'New file', 'mode': '0644'}", "hello me /d/f\n", 0},
		{"a template that is never the same", []any{"source", "salt://count", "template", "jinja"},
			"{'diff': 'New file', 'mode': '0644'}", "1\n", 0},
		{"the first source that exists", []any{"source", []string{"salt://none", "salt://f"}},
			"{'diff': 'New file', 'mode': '0644'}", "source\n", 0},
		{"the mode of the source", []any{"source", "salt://f", "mode", "keep"}, "{'diff': 'New file', 'mode': '0750'}",
			"source\n", 0o750},
		{"latin-1", []any{"contents", "é", "encoding", "latin-1"}, "{'diff': 'New file'}", "\xe9\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			got := w.run("file.managed", "/d/f", tt.args...)
			comment := "File /d/f updated"
			if tt.args == nil {
				comment = "Empty file"
			}
			w.want(got, outcome{Foretold: "{'newfile': '/d/f'}", Changes: tt.want, Comment: comment})
			w.holds("/d/f", tt.text, tt.mode)
		})
	}
}

func TestManagedExistingFile(t *testing.T) {
	const diff = `'--- \n+++ \n@@ -1 +1 @@\n-old\n+new\n'`
	tests := []struct {
		name string
		args []any
		want outcome
		text string
	}{
		{"in place", []any{"contents", "old"}, outcome{Foretold: "{}", Comment: "File /d/f is in the correct state"},
			"old\n"},
		{"new content", []any{"contents", "new"},
			outcome{Foretold: "{'diff': " + diff + "}", Changes: "{'diff': " + diff + "}", Comment: "File /d/f updated"},
			"new\n"},
		{"content, mode and owner", []any{"contents", "new", "mode", "0600", "user", "joe"},
			outcome{Foretold: "{'diff': '***', 'user': 'joe', 'mode': '0600'}",
				Changes: "{'diff': '***', 'user': 'joe', 'mode': '0600'}",
				Comment: "File /d/f updated"}, "new\n"},
		{"a hidden diff", []any{"contents", "new", "show_changes", false},
			outcome{Foretold: "{'diff': '<show_changes=False>'}", Changes: "{'diff': '<show_changes=False>'}",
				Comment: "File /d/f updated"}, "new\n"},
		{"replace: false", []any{"contents", "new", "replace", false},
			outcome{Foretold: "{}", Comment: "File /d/f exists with proper permissions. No changes made."}, "old\n"},
		{"only the mode", []any{"mode", "0600"}, outcome{Foretold: "{'mode': '0600'}", Changes: "{'mode': '0600'}",
			Comment: "File /d/f updated"}, "old\n"},
		{"binary", []any{"contents", "a\x00b"},
			outcome{Foretold: "{'diff': 'Replace text file with binary file'}",
				Changes: "{'diff': 'Replace text file with binary file'}", Comment: "File /d/f updated"}, "a\x00b\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.h.MustWrite("/d/f", "old\n", 0o644)
			w.want(w.run("file.managed", "/d/f", tt.args...), tt.want)
			w.holds("/d/f", tt.text, 0)
		})
	}
}

func TestManagedFailures(t *testing.T) {
	tests := []struct {
		name, path string
		args       []any
		want       string
	}{
		{"no parent", "/d/no/f", []any{"contents", "x"}, "Parent directory not present: /d/no"},
		{"parent is a file", "/d/file/f", []any{"contents", "x", "makedirs", true}, "not a directory"},
		{"a directory", "/d", []any{"contents", "x"}, "Specified target /d is a directory"},
		{"an unknown owner", "/d/f", []any{"user", "ann", "group", "staff"},
			"User ann is not available Group staff is not available"},
		{"no source", "/d/f", []any{"source", "salt://none"}, "Source file salt://none not found in saltenv 'base'"},
		{"none of the sources", "/d/f", []any{"source", []string{"salt://none", "/none"}},
			"none of the specified sources were found"},
		{"no pillar", "/d/f", []any{"contents_pillar", "none"}, "Pillar none does not exist"},
		{"empty", "/d/f", []any{"contents", "", "allow_empty", false}, "'contents' value would result in empty contents"},
		{"a link loop", "/d/loop", []any{"contents", "x"}, "too many levels of symbolic links"},
		{"an unverified URL", "/d/f", []any{"source", "http://joe:secret@x/f"},
			"Unable to verify upstream hash of source file http://joe:xxxxx@x/f"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.h.MustWrite("/d/file", "", 0o644)
			_ = w.h.Symlink("/d/loop", "/d/loop")
			if got := w.run("file.managed", tt.path, tt.args...); !strings.Contains(got.Err, tt.want) {
				t.Errorf("got %q, want %q", got.Err, tt.want)
			}
		})
	}
}

func TestManagedSourceHash(t *testing.T) {
	sum, _ := hashBytes([]byte("over http"), "sha256")
	files := fakeFiles{"http://x/f.tgz": "over http", "salt://sums": "0123456789abcdef0123456789abcdef  other\n" + sum +
		"  f.tgz\n"}
	for _, tt := range []struct{ hash, err string }{
		{sum, ""}, {"sha256=" + strings.ToUpper(sum), ""}, {"salt://sums", ""},
		{"md5=0123456789abcdef0123456789abcdef", "does not match actual checksum"}, {"nonsense", "format is invalid"},
	} {
		w := newWorld(t)
		w.env.Files = files
		got := w.run("file.managed", "/d/f", "source", "http://x/f.tgz", "source_hash", tt.hash)
		if (tt.err == "") != (got.Err == "") || !strings.Contains(got.Err, tt.err) {
			t.Errorf("%s: got %q, want %q", tt.hash, got.Err, tt.err)
		}
		if tt.err != "" && lexists(w.h, "/d/f") {
			t.Errorf("%s: the file was written all the same", tt.hash)
		}
	}
}

func TestManagedThroughLinks(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/real", "old\n", 0o640)
	if err := w.h.Symlink("real", "/d/l"); err != nil {
		t.Fatal(err)
	}
	w.run("file.managed", "/d/l", "contents", "new")
	w.holds("/d/real", "new\n", 0o640)
	got := w.run("file.managed", "/d/l", "contents", "own", "follow_symlinks", false)
	if got.Changes != "{'diff': '--- \\n+++ \\n@@ -1 +1 @@\\n-new\\n+own\\n'}" {
		t.Errorf("got %s", got.Changes)
	}
	w.holds("/d/real", "new\n", 0o640)
	w.holds("/d/l", "own\n", 0)
}

// TestManagedThroughALinkToNowhere makes the file that it leads to.
func TestManagedThroughALinkToNowhere(t *testing.T) {
	w := newWorld(t)
	_ = w.h.Symlink("real", "/d/l")
	w.run("file.managed", "/d/l", "contents", "new")
	w.holds("/d/real", "new\n", 0)
	if to, err := w.h.Readlink("/d/l"); err != nil || to != "real" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}

// TestManagedTooLargeForADiff: it is memory for nobody's eyes.
func TestManagedTooLargeForADiff(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", strings.Repeat("0123456\n", diffLimit/8+1), 0o640)
	if got := w.run("file.managed", "/d/f", "contents", "new"); !strings.Contains(got.Changes, "too many for a diff") {
		t.Errorf("got %.200s", got.Changes)
	}
	if got := diffOf([]byte("x\n"), bytes.Repeat([]byte("0123456\n"), diffLimit/8+1)); strings.Contains(got, "@@") {
		t.Errorf("got %.200s", got)
	}
}

func TestManagedMakesDirectories(t *testing.T) {
	w := newWorld(t)
	w.run("file.managed", "/d/a/b/f", "contents", "x", "makedirs", true, "mode", "0640", "user", "joe")
	i, err := w.h.Stat("/d/a/b")
	if err != nil || i.Perm() != 0o750 || i.UID != 1000 {
		t.Errorf("got %o, %d, %v", i.Perm(), i.UID, err)
	}
}

func TestManagedCheckCmd(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "old\n", 0o644)
	w.h.Script = func(c host.Cmd) (*host.Output, error) {
		if len(c.Args) != 3 || c.Args[1] != "a b" || c.Shell != "" {
			t.Errorf("ran %q", c.Args)
		}
		text, err := w.h.ReadFile(c.Args[2])
		if err != nil || string(text) == "bad\n" {
			return &host.Output{Code: 1, Stdout: []byte("line 1 is bad\n")}, nil
		}
		return &host.Output{}, nil
	}
	if got := w.run("file.managed", "/d/f", "contents", "bad", "check_cmd",
		"checker 'a b'\n"); got.Err != "check_cmd execution failed\nline 1 is bad" {
		t.Errorf("got %q", got.Err)
	}
	w.holds("/d/f", "old\n", 0)
	w.run("file.managed", "/d/f", "contents", "good", "check_cmd", "checker 'a b'\n")
	w.holds("/d/f", "good\n", 0)
	infos, _ := w.h.ReadDir("/tmp")
	if len(infos) > 0 {
		t.Errorf("left in /tmp: %v", infos)
	}
}

func TestManagedVariablesOfTheTemplate(t *testing.T) {
	w := newWorld(t)
	w.run("file.managed", "/d/f", "source", "salt://t", "template", "jinja", "who", "you", "defaults",
		dict("who", "nobody"))
	w.holds("/d/f", "hello nobody /d/f\n", 0)
	w.run("file.managed", "/d/g", "source", "salt://t", "template", "jinja", "who", "you")
	w.holds("/d/g", "hello you /d/g\n", 0)
}

func TestManagedContentsThatAreNone(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "old\n", 0o644)
	if got := w.run("file.managed", "/d/f", "contents", value.NewList()); !strings.Contains(got.Err,
		"is not a string or list of strings") {
		t.Errorf("got %q", got.Err)
	}
	w.holds("/d/f", "old\n", 0)
	w.run("file.managed", "/d/f", "contents", dict("a", dict("b", 1), "c", "x"))
	w.holds("/d/f", "OrderedDict([('a', OrderedDict([('b', 1)])), ('c', 'x')])\n", 0)
}

func TestManagedFromItself(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "{{ who }}\n", 0o644)
	got := w.run("file.managed", "/d/f", "source", "/d/f", "template", "jinja", "who", "me")
	if got.Err != "Source file cannot be the same as destination" {
		t.Errorf("got %q", got.Err)
	}
	w.holds("/d/f", "{{ who }}\n", 0)
}

func TestDiffOfLatin1(t *testing.T) {
	if got := diffOf([]byte("gr\xfcn\nb\n"), []byte("grün\n")); got != "--- \n+++ \n@@ -1,2 +1 @@\n grün\n-b\n" {
		t.Errorf("got %q", got)
	}
}

func TestManagedBackup(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "old\n", 0o644)
	w.run("file.managed", "/d/f", "contents", "new", "backup", "minion")
	infos, err := w.h.ReadDir(defaultCache + "/file_backup/d")
	if err != nil || len(infos) != 1 || !strings.HasPrefix(infos[0].Path, "f_") {
		t.Fatalf("got %v, %v", infos, err)
	}
	w.holds(defaultCache+"/file_backup/d/"+infos[0].Path, "old\n", 0o600)
}

func TestManagedPreviewGoesToTheOverlay(t *testing.T) {
	w := newWorld(t)
	o := host.NewOverlay(w.h)
	o.Promise(host.Fact{Kind: host.FactUser, Name: "new", Value: "present"})
	fn := w.bind("file.managed", "/d/f", "contents", "x", "user", "new", "check_cmd", "false")
	f, err := modtest.Of(fn).Check(t.Context(), w.env, o)
	if err == nil {
		_, err = modtest.Of(fn).Apply(t.Context(), w.env, o, f)
	}
	if err != nil {
		t.Fatal(err)
	}
	if again, err := modtest.Of(fn).Check(t.Context(), w.env, o); err != nil || again.Pending {
		t.Errorf("after the preview: %v, %v", repr(again.Changes), err)
	}
	if j := w.h.Journal(); len(j) > 0 {
		t.Errorf("the machine was written: %v", j)
	}
}

func TestManagedArguments(t *testing.T) {
	for _, tt := range []struct {
		args []any
		want string
	}{
		{[]any{"source", "salt://f", "contents", "x"}, "file.managed: 'source' cannot be used in combination"},
		{[]any{"contents", "x", "contents_pillar", "y"}, "only one of 'contents'"},
		{[]any{"contents", "x", "mode", "keep"}, "mode preservation cannot be used"},
		{[]any{"source", value.NewList(value.NewList())}, `argument "source" of file.managed takes a list of sources, but item 1 is a list`},
		{[]any{"encoding", "klingon"}, "unknown encoding: klingon"},
	} {
		spec := managedSpec()
		_, diags := modules.Bind(&spec, &state.Low{Name: "/d/f", Args: dict(tt.args...)})
		if len(diags) != 1 || !strings.Contains(diags[0].Msg, tt.want) {
			t.Errorf("%v: got %v, want %q", tt.args, diags, tt.want)
		}
	}
	spec := managedSpec()
	_, diags := modules.Bind(&spec, &state.Low{Name: "etc/motd"})
	if len(diags) != 1 || diags[0].Msg != `argument "name" of file.managed takes an absolute path, not the text "etc/motd"` {
		t.Errorf("a relative name: %v", diags)
	}
}

func TestDiffIsPythons(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"a\nb\nc\n", "a\nB\nc\n", "--- \n+++ \n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"", "x\n", "--- \n+++ \n@@ -0,0 +1 @@\n+x\n"},
		{"x", "y", "--- \n+++ \n@@ -1 +1 @@\n-x+y"},
	} {
		if diff := cmp.Diff(tt.want, diffOf([]byte(tt.old), []byte(tt.new))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

var errDisk = errors.New("no space left on device")

// fullDisk fails every write.
type fullDisk struct{ *hosttest.Memory }

func (fullDisk) WriteFile(string, io.Reader, host.Attr) error { return errDisk }

func TestManagedKeepsTheOldFileWhenTheDiskIsFull(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "old\n", 0o644)
	fn := w.bind("file.managed", "/d/f", "contents", "new")
	f, err := modtest.Of(fn).Check(t.Context(), w.env, w.h)
	if err != nil {
		t.Fatal(err)
	}
	a, err := modtest.Of(fn).Apply(t.Context(), w.env, fullDisk{w.h}, f)
	if !errors.Is(err, errDisk) || a.Changes.Len() > 0 {
		t.Errorf("got %v with changes %v", err, repr(a.Changes))
	}
	w.holds("/d/f", "old\n", 0o644)
}
