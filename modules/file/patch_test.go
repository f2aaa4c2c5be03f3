package file

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPatch(t *testing.T) {
	const change = "--- a/f\t2024-01-01\n+++ b/f\n@@ -1,3 +1,4 @@\n one\n-two\n+TWO\n+and\n three\n"
	for _, tt := range []struct {
		name, patch, old, want, err string
	}{
		{"a change", change, "one\ntwo\nthree\n", "one\nTWO\nand\nthree\n", ""},
		{"moved", change, "zero\nhalf\none\ntwo\nthree\n", "zero\nhalf\none\nTWO\nand\nthree\n", ""},
		{"applied already", change, "one\nTWO\nand\nthree\n", "one\nTWO\nand\nthree\n", ""},
		{"something else", change, "one\n2\nthree\n", "one\n2\nthree\n", "Hunk #1 FAILED at 1."},
		{"another line around it", change, "zero\ntwo\nthree\n", "zero\ntwo\nthree\n", "Hunk #1 FAILED at 1."},
		{"no newline at the end", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "a", "b\n", ""},
		{"the newline goes", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "a\n", "b", ""},
		{"only added", "--- f\n+++ f\n@@ -1,0 +2 @@\n+b\n", "a\n", "a\nb\n", ""},
		{"only removed", "--- f\n+++ f\n@@ -2 +1,0 @@\n-b\n", "a\nb\n", "a\n", ""},
		{"no patch", "hello\n", "a\n", "a\n", "no unified diff"},
		{"cut short", "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n", "a\n", "a\n", "the hunk has no end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.env.Files = fakeFiles{"salt://p": tt.patch}
			w.h.MustWrite("/d/f", tt.old, 0o640)
			got := w.run("file.patch", "/d/f", "source", "salt://p")
			if !strings.Contains(got.Err, tt.err) || (tt.err == "") != (got.Err == "") {
				t.Errorf("got %+v", got)
			}
			w.holds("/d/f", tt.want, 0o640)
			if again := w.run("file.patch", "/d/f", "source", "salt://p"); tt.err == "" &&
				again.Comment != "Patch was already applied" {
				t.Errorf("the second time: %+v", again)
			}
		})
	}
}

// TestPatchTree: all files or none, and none outside.
func TestPatchTree(t *testing.T) {
	const tree = "--- a/x/f\n+++ b/x/f\n@@ -1 +1 @@\n-1\n+2\n--- /dev/null\n+++ b/new/g\n@@ -0,0 +1 @@\n+g\n--- " +
		"a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-o\n"
	w := newWorld(t)
	w.env.Files = fakeFiles{"salt://p": tree, "salt://out": "--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 " +
		"@@\n-1\n+2\n",
		"salt://half": "--- a/x/f\n+++ b/x/f\n@@ -1 +1 @@\n-2\n+3\n--- a/new/g\n+++ b/new/g\n@@ -1 +1 @@\n-not\n+h\n"}
	w.h.MustWrite("/d/x/f", "1\n", 0o644)
	w.h.MustWrite("/d/old", "o\n", 0o644)
	got := w.run("file.patch", "/d", "source", "salt://p", "strip", 1)
	want := outcome{Foretold: "{'retcode': 0, 'stderr': '', 'stdout': 'patching file /d/x/f\\npatching file " +
		"/d/new/g\\npatching file /d/old'}",
		Comment: "Patch successfully applied"}
	want.Changes = want.Foretold
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w.holds("/d/x/f", "2\n", 0)
	w.holds("/d/new/g", "g\n", 0)
	if exists(w.h, "/d/old") {
		t.Error("the file is still there")
	}
	for _, p := range []string{"salt://out", "salt://half"} {
		if got := w.run("file.patch", "/d", "source", p, "strip", 1); got.Err == "" {
			t.Errorf("%s: %+v", p, got)
		}
	}
	w.holds("/d/x/f", "2\n", 0)
}
