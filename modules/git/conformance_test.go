package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
)

// A tree is a machine below a directory, whose git is the real one: it is given the real paths and answers with those
// of the tree.
type tree struct{ *host.OS }

func (r tree) LookPath(name string) (string, error) { return exec.LookPath(name) }

func (r tree) Query(ctx context.Context, c host.Cmd) (*host.Output, error) { return r.Run(ctx, c) }

func (r tree) Do(ctx context.Context, d host.Deed) error { return d.Do(ctx) }

func (r tree) Run(ctx context.Context, c host.Cmd) (*host.Output, error) {
	for i, a := range c.Args {
		if strings.HasPrefix(a, "/") {
			c.Args[i] = filepath.Join(r.Root(), a)
		}
	}
	for i, kv := range c.Env {
		c.Env[i] = strings.ReplaceAll(kv, "VALUE_0=/", "VALUE_0="+r.Root()+"/")
	}
	c.Env = append(c.Env, "HOME="+r.Root()+"/root", "GIT_CONFIG_NOSYSTEM=1", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	real, err := host.NewOS("/")
	if err != nil {
		return nil, err
	}
	out, err := real.Run(ctx, c)
	if out != nil {
		out.Stdout = bytes.ReplaceAll(out.Stdout, []byte(r.Root()), nil)
		out.Stderr = bytes.ReplaceAll(out.Stderr, []byte(r.Root()), nil)
	}
	return out, err
}

// script runs git commands in a tree with a remote, /remote.
const script = `set -e
export HOME=$PWD/root GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE=2026-01-01T00:00:00Z GIT_COMMITTER_DATE=2026-01-01T00:00:00Z
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@e.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@e.org
mkdir -p root srv usr/bin
touch usr/bin/git; chmod 755 usr/bin/git
echo "root:x:0:0:root:/root:/bin/sh" >etc/passwd
git init -q -b main remote
cd remote
echo one >file; git add file; git commit -q -m one; git tag v1; git branch other
cd ..
git clone -q "$PWD/remote" behind
cd remote; echo two >file; git commit -q -a -m two; cd ..
`

func situation(more string) func(t *testing.T) host.Host {
	return func(t *testing.T) host.Host {
		h := modtest.Tree(func(t *testing.T, root string) {
			cmd := exec.Command("/bin/sh", "-c", script+more)
			cmd.Dir = root
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})(t)
		return tree{h.(*host.OS)}
	}
}

func TestConformance(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to work with")
	}
	const co = "/srv/co"
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{
			"nothing":    situation(""),
			"a folder":   situation("mkdir srv/co; touch srv/co/mine"),
			"behind":     situation("mv behind srv/co"),
			"dirty":      situation("mv behind srv/co; echo mine >srv/co/file"),
			"up to date": situation(`git clone -q "$PWD/remote" srv/co; git -C srv/co config a.b 1; git config --global a.b 2; git config --global --add a.b 3`),
		},
		Deeds: []modtest.Deed{
			modtest.State("git.latest", "/remote", "target", co),
			modtest.State("git.latest", "/remote", "target", co, "rev", "v1").In("behind"),
			modtest.State("git.latest", "/remote", "target", co, "rev", "other", "branch", "mine").In("nothing", "up to date"),
			modtest.State("git.latest", "/remote", "target", co, "force_reset", true).In("dirty"),
			modtest.State("git.latest", "/remote", "target", co, "force_clone", true).In("a folder"),
			modtest.State("git.latest", "/remote", "target", co, "rev", "nothing-of-the-kind").In("nothing"),
			modtest.State("git.latest", "/nowhere", "target", co).In("nothing"),
			modtest.State("git.latest", "/remote", "target", "/srv/mirror", "mirror", true).In("nothing"),
			modtest.State("git.cloned", "/remote", "target", co).In("nothing", "a folder"),
			modtest.State("git.cloned", "/remote", "target", co, "branch", "other").In("up to date"),
			modtest.State("git.present", co).In("nothing", "a folder", "behind"),
			modtest.State("git.present", co, "bare", false).In("nothing"),
			modtest.State("git.config_set", "a.b", "repo", co, "value", "x").In("nothing", "a folder", "up to date"),
			modtest.State("git.config_set", "a.b", "multivar", []string{"2", "3"}).In("nothing", "up to date"),
			modtest.State("git.config_unset", "a.b", "repo", co).In("up to date"),
			modtest.State("git.config_unset", "a.b").In("nothing", "up to date"),
			modtest.State("git.config_unset", "a.b", "all", true).In("up to date"),
		},
	}.Run(t)
}

// A look runs nothing that the repository's configuration names, and writes no index.
func TestALookLeavesTheRepositoryAlone(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to work with")
	}
	h := situation("mv behind srv/co; sleep 0.01; touch srv/co/file")(t).(tree)
	co := h.Root() + "/srv/co"
	spy := "#!/bin/sh\ntouch " + h.Root() + "/ran\n"
	config := "[core]\n\tfsmonitor = " + h.Root() + "/spy\n\thooksPath = " + h.Root() + "/hooks\n"
	old, err := os.ReadFile(co + "/.git/config")
	err = errors.Join(err, os.WriteFile(h.Root()+"/spy", []byte(spy), 0o755),
		os.WriteFile(co+"/.git/config", append(old, config...), 0o644),
		os.Mkdir(h.Root()+"/hooks", 0o755), os.WriteFile(h.Root()+"/hooks/post-index-change", []byte(spy), 0o755))
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(co + "/.git/index")
	if err != nil {
		t.Fatal(err)
	}
	l := &Latest{Name: "/remote", Target: "/srv/co", Rev: "HEAD", Remote: "origin", Update: true}
	if e, err := l.Act(t.Context(), nil, host.NewOverlay(h)); err != nil || !e.Alters() {
		t.Fatalf("%+v, %v", e, err)
	}
	if _, err := os.Stat(h.Root() + "/ran"); err == nil {
		t.Error("a look ran what the repository's configuration names")
	}
	if after, err := os.Stat(co + "/.git/index"); err != nil || !after.ModTime().Equal(before.ModTime()) ||
		!os.SameFile(before, after) {
		t.Errorf("a look wrote the index: %v, %v", err, after)
	}
}
