package gitroots

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// repos makes the repositories of testdata/repos.sh.
func repos(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	t.Setenv("GIT_CONFIG_SYSTEM", "/dev/null")
	script, err := filepath.Abs("testdata/repos.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command("sh", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// cache is one of a configuration.
func cache(t *testing.T, minion string) (*Cache, *config.Config) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "minion"), []byte(minion), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Read("/", dir, true)
	if err != nil {
		t.Fatal(err)
	}
	machine, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	return &Cache{Dir: filepath.Join(t.TempDir(), "git"), Config: c, Machine: machine, Secret: func(string) {},
		Warn: func(d *diag.Diagnostic) { t.Errorf("a warning: %v", d) }}, c
}

// TestLikeSalt compares with what Salt 3006.0 served of the same repositories: which environments there are, and which
// file with which mode is found at a path.
func TestLikeSalt(t *testing.T) {
	text, err := os.ReadFile("testdata/gitfs.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Envs, Paths []string
		Cases       map[string]struct {
			Config json.RawMessage
			Envs   []string
			Found  map[string][2]string
		}
	}
	if err := json.Unmarshal(text, &recorded); err != nil || len(recorded.Cases) < 20 {
		t.Fatal(err, len(recorded.Cases))
	}
	at, files, dir := repos(t), t.TempDir(), filepath.Join(t.TempDir(), "git")
	for name, content := range map[string]string{"whoami.txt": "roots", "roots-only.txt": "r"} {
		if err := os.WriteFile(filepath.Join(files, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	local := []roots.EnvDirs{{Env: "base", Dirs: []string{files}}, {Env: "rootsenv", Dirs: []string{files}}}
	for name, tt := range recorded.Cases {
		t.Run(name, func(t *testing.T) {
			c, conf := cache(t, strings.ReplaceAll(string(tt.Config), "REPOS", at))
			c.Warn = func(*diag.Diagnostic) {}               // of roots that there are not
			c.Dir, c.Since = dir, time.Now().Add(-time.Hour) // what one has fetched is new enough for all
			if _, ok := conf.Opts.GetStr("fileserver_backend"); !ok {
				conf.Opts.SetStr("fileserver_backend", textList("roots", "gitfs"))
			}
			remote, err := c.Files(context.Background(), recorded.Envs)
			if err != nil {
				t.Fatal(err)
			}
			served := roots.New(Serve(conf.Backends(), local, remote))
			got := map[string][2]string{}
			for _, env := range recorded.Envs {
				for _, p := range recorded.Paths {
					// Salt differs: it finds nothing through links to directories
					if f, err := served.Lookup(env, p); err == nil && f != nil && !strings.Contains(path.Dir(p), "dir") {
						got[env+" "+p] = look(t, f.Abs)
					}
				}
			}
			if d := cmp.Diff(tt.Found, got); d != "" {
				t.Errorf("files (-Salt +gostate)\n%s", d)
			}
			asked, err := c.Files(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			envs := roots.New(Serve(conf.Backends(), local, asked)).Envs()
			slices.Sort(envs)
			if d := cmp.Diff(tt.Envs, envs); d != "" {
				t.Errorf("environments (-Salt +gostate)\n%s", d)
			}
		})
	}
}

// look is the text of a file, and its mode.
func look(t *testing.T, file string) [2]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return [2]string{strings.TrimSpace(string(text)), fmt.Sprintf("0o100%o", info.Mode().Perm())}
}

func textList(words ...string) *value.List {
	l := value.NewList()
	for _, w := range words {
		l.Items = append(l.Items, value.Str(w))
	}
	return l
}

// TestRefused: each fault of a remote is told at its place, with a hint, and no account of an address is told.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ remotes, want string }{
		{"ext::sh -c id", "would have git run a program of its own: give https, ssh, git or file"},
		{"'-oProxyCommand=id'", "has no address"},
		{"states", "'states' is no address: give a URL, an absolute path or HOST:PATH"},
		{"ftp://x/y", "has the scheme 'ftp': git takes https, http, ssh, git and file"},
		{"12", "is 12, not an address"},
		{"https://me:pssst-word@x/y: [{rot: salt}]", "the remote 'https://x/y' of gitfs has a parameter 'rot', which there " +
			"is not"},
		{"http://me:pssst-word@x/y", "http would send its password for everybody to read: give https, or insecure_auth: true"},
		{"ssh://me:pssst-word@x/y", "'ssh://x/y' has a password, which ssh does not take: give a privkey"},
		{"'ftp://me:pssst-word@x/y'", "'ftp://x/y' has the scheme"},
		{"https://x/y:", "the remote 'https://x/y' of gitfs has no parameters"},
		{"https://x/y: [{ref_types: [brunch]}]", "has a type of reference 'brunch'"},
		{"https://x/y: [{root: ../z}]", "has a path '../z', which leads out of it"},
		{"https://x/y: [{saltenv: [{prod: [{rev: v1}]}]}]", "saltenv 'prod' has 'rev': it can have ref, root and mountpoint"},
		{"git@x:y: [{passphrase: pssst-word}]", "a passphrase of a key is for nobody to read"},
		{"git@x:y: [{pubkey: /x}]", "has a public key, and no private one"},
		{"git@x:y: [{privkey: /nonexistent}]", "its privkey cannot be read"},
		{"https://x/y: [{privkey: /dev/null}]", "a privkey is for ssh, and https://x/y is none"},
		{"file:///x: [{user: a}, {password: pssst-word}]", "a user with a password is for https"},
		{"{https://x/y: [{root: a}], https://x/z: [{root: a}]}", "a remote of gitfs is one address"},
		{"https://x/y\n- https://x/y", "have the same name"},
	} {
		c, _ := cache(t, "gitfs_remotes:\n- "+tt.remotes+"\n")
		_, err := c.Files(context.Background(), nil)
		text := fmt.Sprint(err)
		if !strings.Contains(text, tt.want) || !strings.Contains(text, "/minion:2") && !strings.Contains(text, "/minion:3") ||
			strings.Contains(text, "pssst") || strings.Contains(text, "me:") {
			t.Errorf("%s: %v", tt.remotes, err)
		}
	}
}
