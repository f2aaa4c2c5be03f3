package roots

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plant writes files below a directory and gives it. A value that begins with "->" makes a link.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		switch {
		case text == "dir":
			err = os.MkdirAll(p, 0o755)
		case len(text) > 2 && text[:2] == "->":
			err = os.Symlink(text[2:], p)
		default:
			err = os.WriteFile(p, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFindSLS(t *testing.T) {
	one := plant(t, map[string]string{"a.sls": "1", "b/init.sls": "1", "c/init.sls": "1", "only/x.sls": "1"})
	two := plant(t, map[string]string{"a.sls": "2", "b.sls": "2", "c/d.sls": "2", "f": "a file"})
	r := New([]EnvDirs{{"base", []string{one, two}}, {"dev", []string{two}},
		{"__env__", []string{filepath.Join(one, "__env__")}}})
	for _, tt := range []struct{ env, name, want string }{
		{"base", "a", one + "/a.sls"},
		{"dev", "a", two + "/a.sls"},
		{"base", "b", two + "/b.sls"}, // b.sls of any root comes before b/init.sls
		{"base", "c", one + "/c/init.sls"},
		{"base", "c.d", two + "/c/d.sls"},
		{"only", "x", one + "/only/x.sls"},
		{"base", "f.x", ""}, // a parent that is a file
		{"base", "nope", ""},
	} {
		f, err := r.FindSLS(tt.env, tt.name)
		got := ""
		if err == nil {
			got = f.Abs
		}
		if got != tt.want {
			t.Errorf("%s:%s: got %q (%v), want %q", tt.env, tt.name, got, err, tt.want)
		}
	}
	_, err := r.FindSLS("base", "c.dd")
	var missing *NotFoundError
	if !errors.As(err, &missing) {
		t.Fatalf("error %v is no NotFoundError", err)
	}
	want := &NotFoundError{Path: "c.dd", SLS: true, Env: "base", Dirs: []string{one, two}, Nearest: []string{"c.d"}}
	if d := cmp.Diff(want, missing); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"a", "b", "c", "c.d", "only.x"}, r.ListSLS("base")); d != "" {
		t.Errorf("ListSLS (-want +got)\n%s", d)
	}
}

func TestNoPathLeavesItsRoot(t *testing.T) {
	outside := plant(t, map[string]string{"secret": "s", "dir/x": "x"})
	other := plant(t, map[string]string{"shared/y": "y"})
	root := plant(t, map[string]string{
		"in": "i", "sub/f": "f", "link-in": "->in", "abs-in": "->sub/f", "out": "->" + outside + "/secret",
		"outdir": "->" + outside + "/dir", "other": "->" + other + "/shared", "loop": "->loop",
	})
	r := New([]EnvDirs{{"base", []string{root}}, {"x", []string{other}}})
	for _, tt := range []struct {
		path   string
		ok     bool
		escape bool
	}{
		{"in", true, false}, {"link-in", true, false}, {"abs-in", true, false}, {"other/y", true, false},
		{"salt://sub/f", true, false},
		{"out", false, true}, {"outdir/x", false, true}, {"../in", false, true}, {"sub/../in", false, true},
		{"/etc/passwd", false, true},
		{"loop", false, false}, {"a\x00b", false, true},
	} {
		_, err := r.Find("base", tt.path)
		var escape *EscapeError
		if (err == nil) != tt.ok || errors.As(err, &escape) != tt.escape {
			t.Errorf("%q: %v", tt.path, err)
		}
	}
}

func TestFileServer(t *testing.T) {
	one := plant(t, map[string]string{"d/a": "one", "d/sub/b": "b", "d/empty/deep": "dir"})
	two := plant(t, map[string]string{"d/a": "two", "d/c": "->a"})
	s := NewFileServer(New([]EnvDirs{{"base", []string{one, two}}, {"dev", []string{two}}}))
	ctx := context.Background()
	for _, tt := range []struct{ src, want string }{
		{"salt://d/a", "one"}, {"salt://d/a?saltenv=dev", "two"}, {"file://" + two + "/d/a", "two"}, {two + "/d/a", "two"},
	} {
		b, err := s.Fetch(ctx, tt.src, "base")
		if err != nil || string(b) != tt.want {
			t.Errorf("%s: %q, %v", tt.src, b, err)
		}
	}
	if _, err := s.Fetch(ctx, "gopher://x", "base"); err == nil {
		t.Error("gopher:// was fetched")
	}
	got, err := s.List("salt://d", "base")
	want := []SourceFile{{Path: "a", Mode: 0o644}, {Path: "c", Mode: 0o644, Link: "a"}, {Path: "empty/deep/", Mode: 0o755},
		{Path: "sub/b", Mode: 0o644}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
	h, err := s.Hash(ctx, "salt://d/a", "base")
	if err != nil || h != "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed" {
		t.Errorf("hash %s, %v", h, err)
	}
	if f, d := s.Exists("salt://d", "base"); f || !d {
		t.Error("salt://d is no directory")
	}
}
