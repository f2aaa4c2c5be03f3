package file

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

func TestDirectory(t *testing.T) {
	tests := []struct {
		name, path string
		args       []any
		want       outcome
	}{
		{"a new one", "/d/n", []any{"mode", "0750"}, outcome{Foretold: "{'/d/n': {'directory': 'new'}}",
			Changes: "{'/d/n': {'directory': 'new'}}"}},
		{"in place", "/d/", nil, outcome{Foretold: "{}", Comment: "The directory /d is in the correct state"}},
		{"another mode", "/d", []any{"dir_mode", 700}, outcome{Foretold: "{'/d': {'mode': '0700'}}",
			Changes: "{'/d': {'mode': '0700'}, 'mode': '0700'}", Comment: "Directory /d updated"}},
		{"no parent", "/d/x/y", nil, outcome{Foretold: "{}", Err: "No directory to create /d/x/y in"}},
		{"makedirs", "/d/x/y", []any{"makedirs", true}, outcome{Foretold: "{'/d/x/y': {'directory': 'new'}}",
			Changes: "{'/d/x/y': {'directory': 'new'}}"}},
		{"a file in its place", "/d/sub/f", nil, outcome{Foretold: "{}",
			Err: "Specified location /d/sub/f exists and is a file"}},
		{"force", "/d/sub/f", []any{"force", true}, outcome{Foretold: "{'forced': 'File was forcibly replaced', " +
			"'/d/sub/f': {'directory': 'new'}}",
			Changes: "{'forced': 'File was forcibly replaced', '/d/sub/f': {'directory': 'new'}}"}},
		{"force, and a link to a directory", "/l", []any{"force", true},
			outcome{Foretold: "{}", Comment: "The directory /l is in the correct state"}},
		{"only what is in it", "/d", []any{"user", "joe", "recurse", []string{"user"}, "children_only", true}, outcome{
			Foretold: "{'/d/sub': {'user': 'joe'}, '/d/sub/f': {'user': 'joe'}}",
			Changes:  "{'/d/sub': {'user': 'joe'}, '/d/sub/f': {'user': 'joe'}, 'user': 'joe'}",
			Comment:  "Directory /d/* updated"}},
		{"only what is not excluded", "/d", []any{"user", "joe", "recurse", []string{"user", "ignore_excluded"},
			"exclude_pat",
			[]string{"sub"}}, outcome{Foretold: "{'/d': {'user': 'joe'}, '/d/sub/f': {'user': 'joe'}}",
			Changes: "{'/d': {'user': 'joe'}, '/d/sub/f': {'user': 'joe'}, 'user': 'joe'}", Comment: "Directory /d updated"}},
		{"recurse", "/d", []any{"user", "joe", "file_mode", "0600", "recurse", []string{"user", "mode"}}, outcome{
			Foretold: "{'/d': {'user': 'joe'}, '/d/sub': {'user': 'joe'}, '/d/sub/f': {'user': 'joe', 'mode': '0600'}}",
			Changes: "{'/d': {'user': 'joe'}, '/d/sub': {'user': 'joe'}, '/d/sub/f': {'user': 'joe', 'mode': '0600'}, " +
				"'user': 'joe', 'mode': '0600'}",
			Comment: "Directory /d updated"}},
		{"clean", "/d", []any{"clean", true}, outcome{
			Foretold: "{'/d/sub': {'removed': 'Removed due to clean'}, '/d/sub/f': {'removed': 'Removed due to clean'}}",
			Changes: "{'/d/sub': {'removed': 'Removed due to clean'}, '/d/sub/f': {'removed': 'Removed due to clean'}, " +
				"'removed': ['/d/sub']}",
			Comment: "Files cleaned from directory /d"}},
		{"clean looks into what is excluded", "/d", []any{"clean", true, "exclude_pat", "E@^sub(|/keep)$"}, outcome{
			Foretold: "{'/d/sub/f': {'removed': 'Removed due to clean'}}",
			Changes:  "{'/d/sub/f': {'removed': 'Removed due to clean'}, 'removed': ['/d/sub/f']}",
			Comment:  "Files cleaned from directory /d"}},
		{"clean of a directory with something excluded", "/d", []any{"clean", true, "exclude_pat", "sub/f"}, outcome{
			Foretold: "{'/d/sub': {'removed': 'Removed due to clean'}}",
			Changes:  "{'/d/sub': {'removed': 'Removed due to clean'}, 'removed': ['/d/sub']}",
			Comment:  "Files cleaned from directory /d"}},
		{"clean leaves all that is excluded", "/d", []any{"clean", true, "exclude_pat", "sub*"},
			outcome{Foretold: "{}", Comment: "The directory /d is in the correct state"}},
		{"max_depth leaves the directories of the last level", "/d",
			[]any{"user", "joe", "recurse", []string{"user"}, "max_depth", 0}, outcome{
				Foretold: "{'/d': {'user': 'joe'}, '/d/sub/f': {'user': 'joe'}}",
				Changes:  "{'/d': {'user': 'joe'}, '/d/sub/f': {'user': 'joe'}, 'user': 'joe'}", Comment: "Directory /d updated"}},
		{"recurse without an owner, nothing to do", "/d", []any{"recurse", []string{"user"}},
			outcome{Foretold: "{}", Comment: "The directory /d is in the correct state"}},
		{"recurse without an owner", "/d", []any{"mode", "0700", "recurse", []string{"user"}}, outcome{
			Foretold: "{'/d': {'mode': '0700'}}", Err: "user not specified, but configured as a target for recursive " +
				"ownership management"}},
		{"recurse in silence", "/d", []any{"mode", "0700", "file_mode", "0600", "recurse", []string{"mode", "silent"}},
			outcome{
				Foretold: "{'/d': {'mode': '0700'}, '/d/sub': {'mode': '0700'}, '/d/sub/f': {'mode': '0600'}}",
				Changes:  "{'recursion': 'Changes silenced', 'mode': '0600'}", Comment: "Directory /d updated"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.h.MustWrite("/d/sub/f", "", 0o644)
			_ = w.h.Symlink("/d", "/l")
			got := w.run("file.directory", tt.path, tt.args...)
			if tt.want.Comment == "" {
				got.Comment = ""
			}
			w.want(got, tt.want)
		})
	}
}

func TestDirectoryRefusesBadPatterns(t *testing.T) {
	for _, spec := range []modules.StateSpec{directorySpec(), recurseSpec()} {
		args := dict("clean", true, "exclude_pat", "E@(", "source", "salt://tree")
		if fn, _ := modules.Bind(&spec, &state.Low{ID: "x", Name: "/d", Args: args}); fn != nil {
			t.Errorf("%s takes a broken expression for a pattern that protects nothing", spec.Name)
		}
	}
}

func TestDirectoryCleanKeepsWhatItRequires(t *testing.T) {
	w := newWorld(t)
	for _, f := range []string{"/d/keep", "/d/tree/a", "/d/gone", "/d/other/x"} {
		w.h.MustWrite(f, "", 0o644)
	}
	fn := w.bind("file.directory", "/d", "clean", true)
	w.env.Low.Reqs = []state.Requisite{{Kind: state.Require, To: state.Ref{Module: "file", Target: "the-id"}},
		{Kind: state.Require, To: state.Ref{Module: "file", Target: "/d/tree"}}}
	w.env.States = func(r state.Ref) []*state.Low {
		if r.Target == "the-id" {
			return []*state.Low{{Name: "/d/keep", Func: "managed"}}
		}
		return []*state.Low{{Name: "/d/tree", Func: "directory"}}
	}
	f, err := modtest.Of(fn).Check(t.Context(), w.env, w.h)
	if err != nil {
		t.Fatal(err)
	}
	a, err := modtest.Of(fn).Apply(t.Context(), w.env, w.h, f)
	const gone = "{'removed': 'Removed due to clean'}"
	want := "{'/d/gone': " + gone + ", '/d/other': " + gone + ", '/d/other/x': " + gone +
		", 'removed': ['/d/gone', '/d/other']}"
	if diff := cmp.Diff(want, value.Repr(a.Changes)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestDirectoryThroughALink: what a link leads to keeps its mode when the link gets an owner.
func TestDirectoryThroughALink(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/f", "", 0o640)
	w.h.MustMkdir("/d/sub")
	_ = w.h.Symlink("/f", "/d/sub/l")
	w.run("file.directory", "/d", "user", "joe", "file_mode", "0600", "recurse", []string{"user", "mode"})
	if l, err := w.h.Lstat("/d/sub/l"); err != nil || l.UID != 1000 {
		t.Errorf("the link: %+v %v", l, err)
	}
	w.holds("/f", "", 0o640)
}

func TestSymlink(t *testing.T) {
	tests := []struct {
		name, path string
		args       []any
		want       outcome
	}{
		{"a new one", "/d/n", []any{"target", "f"}, outcome{Foretold: "{'new': '/d/n'}", Changes: "{'new': '/d/n'}",
			Comment: "Created new symlink /d/n -> f"}},
		{"in place", "/d/l", []any{"target", "f"}, outcome{Foretold: "{}",
			Comment: "Symlink /d/l is present and owned by root:root"}},
		{"another target", "/d/l", []any{"target", "g"}, outcome{Foretold: "{'change': '/d/l'}", Changes: "{'new': '/d/l'}",
			Comment: "Created new symlink /d/l -> g"}},
		{"somebody else's", "/d/joes", []any{"target", "f"}, outcome{Foretold: "{}",
			Comment: "Symlink /d/joes is present and owned by joe:joe"}},
		{"another owner", "/d/l", []any{"target", "f", "user", "joe"},
			outcome{Foretold: "{'ownership': 'joe:root'}", Changes: "{'ownership': 'joe:root'}",
				Comment: "Set ownership of symlink /d/l to joe:root"}},
		{"a file in its place", "/d/f", []any{"target", "g"},
			outcome{Foretold: "{}", Err: "File exists where the symlink /d/f should be"}},
		{"a directory in its place", "/d/dir", []any{"target", "g"},
			outcome{Foretold: "{}", Err: "Directory exists where the symlink /d/dir should be"}},
		{"force", "/d/dir", []any{"target", "g", "force", true},
			outcome{Foretold: "{'new': '/d/dir'}", Changes: "{'new': '/d/dir'}", Comment: "Created new symlink /d/dir -> g"}},
		{"atomic", "/d/f", []any{"target", "g", "atomic", true},
			outcome{Foretold: "{'new': '/d/f'}", Changes: "{'new': '/d/f'}", Comment: "Created new symlink /d/f -> g"}},
		{"backupname", "/d/f", []any{"target", "g", "backupname", "f.old"},
			outcome{Foretold: "{'new': '/d/f'}", Changes: "{'new': '/d/f'}", Comment: "Created new symlink /d/f -> g"}},
		{"no directory", "/d/x/l", []any{"target", "g"}, outcome{Foretold: "{}",
			Err: "Directory /d/x for symlink is not present"}},
		{"makedirs", "/d/x/l", []any{"target", "g", "makedirs", true},
			outcome{Foretold: "{'new': '/d/x/l'}", Changes: "{'new': '/d/x/l'}", Comment: "Created new symlink /d/x/l -> g"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.h.MustWrite("/d/f", "", 0o644)
			w.h.MustWrite("/d/dir/x", "", 0o644)
			_ = w.h.Symlink("f", "/d/l")
			_ = w.h.Symlink("f", "/d/joes")
			_ = w.h.Chown("/d/joes", 1000, 1000)
			w.want(w.run("file.symlink", tt.path, tt.args...), tt.want)
		})
	}
}

func TestAbsent(t *testing.T) {
	for _, tt := range []struct {
		path string
		want outcome
	}{
		{"/d/none", outcome{Foretold: "{}", Comment: "File /d/none is not present"}},
		{"/d/f/below", outcome{Foretold: "{}", Comment: "File /d/f/below is not present"}},
		{"/d/f", outcome{Foretold: "{'removed': '/d/f'}", Changes: "{'removed': '/d/f'}", Comment: "Removed file /d/f"}},
		{"/d/dangling", outcome{Foretold: "{'removed': '/d/dangling'}", Changes: "{'removed': '/d/dangling'}",
			Comment: "Removed file /d/dangling"}},
		{"/d", outcome{Foretold: "{'removed': '/d'}", Changes: "{'removed': '/d'}", Comment: "Removed directory /d"}},
	} {
		w := newWorld(t)
		w.h.MustWrite("/d/f", "", 0o644)
		_ = w.h.Symlink("none", "/d/dangling")
		w.want(w.run("file.absent", tt.path), tt.want)
	}
}

func TestAppend(t *testing.T) {
	tests := []struct {
		name, old string
		args      []any
		want      outcome
		text      string
	}{
		{"to nothing", "-", []any{"text", []string{"l1", "l2"}},
			outcome{Foretold: "{'new': '/d/f'}", Changes: `{'diff': '--- \n\n+++ \n\n@@ -0,0 +1,2 @@\n\n+l1\n+l2'}`,
				Comment: "Appended 2 lines"}, "l1\nl2\n"},
		{"there", "l1\n  l2\tx\n", []any{"text", []string{"l1", "l2 x"}},
			outcome{Foretold: "{}", Comment: "File /d/f is in correct state"}, "l1\n  l2\tx\n"},
		{"only a part", "l10\n", []any{"text", "l1"},
			outcome{Foretold: `{'diff': '--- \n\n+++ \n\n@@ -1 +1,2 @@\n\n l10\n+l1'}`,
				Changes: `{'diff': '--- \n\n+++ \n\n@@ -1 +1,2 @@\n\n l10\n+l1'}`, Comment: "Appended 1 lines"}, "l10\nl1\n"},
		{"no newline at the end", "a", []any{"text", "b"},
			outcome{Foretold: `{'diff': '--- \n\n+++ \n\n@@ -1 +1,2 @@\n\n a\n+b'}`,
				Changes: `{'diff': '--- \n\n+++ \n\n@@ -1 +1,2 @@\n\n a\n+b'}`, Comment: "Appended 1 lines"}, "a\nb\n"},
		{"nothing", "a\n", nil, outcome{Foretold: "{}", Comment: "File /d/f is in correct state"}, "a\n"},
		{"several lines", "a\n\nb\n", []any{"text", "a\nb"},
			outcome{Foretold: "{}", Comment: "File /d/f is in correct state"}, "a\n\nb\n"},
		{"a source", "", []any{"source", "salt://t", "context", dict("who", "me")},
			outcome{Foretold: `{'diff': '--- \n\n+++ \n\n@@ -0,0 +1 @@\n\n+hello me /d/f'}`,
				Changes: `{'diff': '--- \n\n+++ \n\n@@ -0,0 +1 @@\n\n+hello me /d/f'}`, Comment: "Appended 1 lines"},
			"hello me /d/f\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			if tt.old != "-" {
				w.h.MustWrite("/d/f", tt.old, 0o640)
			}
			w.want(w.run("file.append", "/d/f", tt.args...), tt.want)
			w.holds("/d/f", tt.text, 0)
		})
	}
}
