package gitroots

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// TestOffline: what cannot be fetched is used as it was; what never was is an error.
func TestOffline(t *testing.T) {
	at := repos(t)
	c, _ := cache(t, "gitfs_remotes: [file://"+at+"/one]\n")
	first, err := c.Files(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(at, "one"), filepath.Join(at, "gone")); err != nil {
		t.Fatal(err)
	}
	var warned []string
	c.Warn = func(d *diag.Diagnostic) { warned = append(warned, d.Msg) }
	again, err := c.Files(context.Background(), nil)
	if err != nil || cmp.Diff(first, again) != "" || len(warned) != 1 ||
		!strings.Contains(warned[0], "cannot be fetched, and is used as it was ") ||
		!strings.Contains(warned[0], "minutes ago: '"+at+"/one' does not appear to be a git repository") {
		t.Errorf("%v, %q\n%s", err, warned, cmp.Diff(first, again))
	}
	c.Dir = filepath.Join(t.TempDir(), "git")
	if got, err := c.Files(context.Background(), nil); err == nil {
		t.Errorf("without a copy: %v", got)
	}
	c.Offline = true
	if got, err := c.Files(context.Background(), nil); err != nil || len(got) != 0 {
		t.Errorf("what needs no tree: %v, %v", got, err)
	}
}

// TestNewCommit: a push is served by the next run, from a directory of its own.
func TestNewCommit(t *testing.T) {
	at := repos(t)
	c, _ := cache(t, "gitfs_remotes: [file://"+at+"/two]\n")
	first, err := c.Files(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	gitIn(t, filepath.Join(at, "two"), "branch", "-D", "qa")
	gitIn(t, filepath.Join(at, "two"), "rm", "-q", "whoami.txt")
	gitIn(t, filepath.Join(at, "two"), "commit", "-qm", "no more")
	second, err := c.Files(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	was, is := roots.New(first), roots.New(second)
	if f, _ := was.Lookup("base", "whoami.txt"); f == nil {
		t.Error("what the first run reads was taken from it")
	}
	if f, _ := is.Lookup("base", "whoami.txt"); f != nil || is.Has("qa") {
		t.Errorf("the second run has %v, %v", f, is.Envs())
	}
}

// TestHostile: a commit that git itself would not make leads nowhere out of its directory.
func TestHostile(t *testing.T) {
	at := repos(t)
	one := filepath.Join(at, "one")
	blob := gitIn(t, one, "hash-object", "-w", "whoami.txt")
	evil := strings.TrimSpace(gitWith(t, one, "/etc", "hash-object", "-w", "--stdin"))
	up := strings.TrimSpace(gitWith(t, one, "../../../out", "hash-object", "-w", "--stdin"))
	inner := gitWith(t, one, "100644 blob "+blob+"\tpasswd\n", "mktree")
	tree := gitWith(t, one, "100644 blob "+blob+"\tfine\n120000 blob "+evil+"\tlink\n120000 blob "+up+"\tup\n"+
		"040000 tree "+inner+"\tlinked\n", "mktree")
	// one tree holds a name twice, as a link and as a directory; others have names that lead up
	raw := "120000 link\x00" + unhex(evil) + "40000 link\x00" + unhex(inner) + "40000 ..\x00" + unhex(inner) +
		"40000 .git\x00" + unhex(inner) + "100644 fine\x00" + unhex(blob)
	bad := gitWith(t, one, raw, "hash-object", "-w", "-t", "tree", "--stdin", "--literally")
	for _, root := range []string{tree, bad} {
		commit := gitIn(t, one, "commit-tree", "-m", "x", root)
		gitIn(t, one, "update-ref", "refs/heads/master", commit)
		c, _ := cache(t, "gitfs_remotes: [file://"+one+"]\n")
		envs, err := c.Files(context.Background(), nil)
		outside, _ := filepath.Glob(filepath.Join(c.Dir, "*", "trees", "passwd"))
		if len(outside) > 0 {
			t.Errorf("written outside: %v", outside)
		}
		if err != nil {
			continue // refused as a whole
		}
		r := roots.New(envs)
		if f, err := r.Lookup("base", "fine"); f == nil || err != nil {
			t.Errorf("fine: %v, %v", f, err)
		}
		for _, p := range []string{"link", "up", "link/passwd", "../passwd", ".git/passwd"} {
			if f, _ := r.Lookup("base", p); f != nil && !strings.HasSuffix(f.Abs, "link/passwd") {
				t.Errorf("%s: %v", p, f)
			}
		}
	}
}

// TestLinks: a link below the root is one, a link elsewhere in the commit is a copy, and any other is left out.
func TestLinks(t *testing.T) {
	at := repos(t)
	c, _ := cache(t, "gitfs_remotes: [{'file://"+at+"/one': [{root: salt}]}]\n")
	envs, err := c.Files(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := roots.New(envs).Dirs("base")[0]
	got := map[string]string{}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, _ error) error {
		if to, err := os.Readlink(path); err == nil {
			got[strings.TrimPrefix(path, dir+"/")] = to
		}
		return nil
	})
	want := map[string]string{"near.txt": "in-root.txt", "nearer.txt": "near.txt", "links/dir": "../web",
		"dangling": "nowhere"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("links (-want +got)\n%s", d)
	}
	if f, err := roots.New(envs).Lookup("base", "links/dir/init.sls"); f == nil || err != nil {
		t.Errorf("through a link to a directory: %v, %v", f, err)
	}
}

// TestQuietAccount: an account is in no argument, no file of the copy and no address.
func TestQuietAccount(t *testing.T) {
	c, _ := cache(t, "x: y\n")
	var secrets []string
	c.Secret = func(text string) { secrets = append(secrets, text) }
	r, err := c.remote(fileRole, value.Str("https://me:pssst-word@127.0.0.1:1/x.git"), diag.Pos{})
	if err != nil {
		t.Fatal(err)
	}
	p := &repo{remote: r, c: c}
	env := strings.Join(p.environ(), "\n")
	if r.url != "https://127.0.0.1:1/x.git" || cmp.Diff(secrets, []string{"pssst-word"}) != "" ||
		strings.Count(env, "pssst-word") != 1 || !strings.Contains(env, "GOSTATE_GIT_PASSWORD=pssst-word") {
		t.Errorf("%q, %q\n%s", r.url, secrets, env)
	}
	_, err = c.open(context.Background(), r)
	if err == nil || strings.Contains(err.Error(), "pssst") {
		t.Errorf("no server: %v", err)
	}
	_ = filepath.WalkDir(c.Dir, func(path string, d os.DirEntry, _ error) error {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "pssst") {
			t.Errorf("%s has the password", path)
		}
		return nil
	})
}

func gitIn(t *testing.T, dir string, words ...string) string {
	t.Helper()
	return gitWith(t, dir, "", words...)
}

func gitWith(t *testing.T, dir, in string, words ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@x"}, words...)...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", words, err, out)
	}
	return strings.TrimSpace(string(out))
}

func unhex(text string) string {
	var b []byte
	_, _ = fmt.Sscanf(text, "%x", &b)
	return string(b)
}
