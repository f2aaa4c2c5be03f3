package gittree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func git(t *testing.T, dir string, words ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, words...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", words, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestTree asks git itself what is to be found.
func TestTree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, format := range []string{"sha1", "sha256"} {
		top, _ := filepath.EvalSymlinks(t.TempDir())
		dir := filepath.Join(top, "salt")
		git(t, top, "init", "-q", "-b", "main", "--object-format", format)
		write(t, filepath.Join(dir, "top.sls"), "base: {}\n")
		write(t, filepath.Join(dir, "empty.sls"), "")
		write(t, filepath.Join(top, "other", "x"), "x\n")
		if err := os.Symlink("top.sls", filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		if got := Of(dir); got != nil {
			t.Errorf("%s: before the first commit: %+v", format, got)
		}
		git(t, top, "add", ".")
		git(t, top, "commit", "-qm", "one")
		clean := func(what string, want bool, at string) {
			t.Helper()
			tree := Of(at)
			if tree == nil || tree.Commit != git(t, at, "rev-parse", "HEAD") || tree.Dirty(at) != want {
				t.Errorf("%s: %s: %+v", format, what, tree)
			}
		}
		clean("a fresh commit", false, dir)
		git(t, top, "pack-refs", "--all")
		clean("packed references", false, dir)
		git(t, top, "worktree", "add", "-q", "../"+filepath.Base(top)+"-w", "-b", "w")
		clean("a worktree", false, filepath.Join(top+"-w", "salt"))
		write(t, filepath.Join(dir, "top.sls"), "base: {}\n")
		clean("written again as it was", false, dir)
		write(t, filepath.Join(top, "other", "x"), "y\n")
		clean("a change elsewhere", false, dir)
		write(t, filepath.Join(dir, "new.sls"), "")
		clean("a file that git does not know", false, dir)
		write(t, filepath.Join(dir, "top.sls"), "base: []\n")
		clean("a change of the same length", true, dir)
		git(t, top, "add", "-A")
		clean("what is staged", true, dir)
		git(t, top, "commit", "-qm", "two")
		clean("the next commit", false, dir)
		git(t, top, "checkout", "-q", "HEAD~1")
		clean("no branch", false, dir)
		if err := os.Remove(filepath.Join(dir, "empty.sls")); err != nil {
			t.Fatal(err)
		}
		clean("a file that is gone", true, dir)
	}
	if got := Of(t.TempDir()); got != nil {
		t.Errorf("without git: %+v", got)
	}
}

// TestBroken: a repository that is cut anywhere is not known, or is; nothing else comes of it.
func TestBroken(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	top, _ := filepath.EvalSymlinks(t.TempDir())
	git(t, top, "init", "-q")
	write(t, filepath.Join(top, "a"), "a\n")
	git(t, top, "add", ".")
	git(t, top, "commit", "-qm", "one")
	index := filepath.Join(top, ".git", "index")
	text, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	for n := range text {
		write(t, index, string(text[:n]))
		if tree := Of(top); tree == nil || tree.Dirty(top) {
			t.Errorf("cut at %d: %+v", n, tree)
		}
	}
	for _, head := range []string{"", "nonsense", "ref: ../../../etc/passwd", "ref: HEAD"} {
		write(t, filepath.Join(top, ".git", "HEAD"), head)
		if tree := Of(top); tree != nil {
			t.Errorf("HEAD %q: %+v", head, tree)
		}
	}
}
