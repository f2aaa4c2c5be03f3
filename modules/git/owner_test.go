package git

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// An ambush is a repository of the user nobody, whose configuration notes who runs it.
type ambush struct {
	t             *testing.T
	dir, repo, by string // by is where commands leave NAME-UID
}

// plant makes the repository, a clone of another of the user's, with everything in it that git may run.
func plant(t *testing.T) *ambush {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("a repository of another user takes root")
	}
	dir, err := os.MkdirTemp("/tmp", "gostate-git-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	a := &ambush{t: t, dir: dir, repo: dir + "/repo", by: dir + "/by"}
	trap := dir + "/trap"
	script := `set -e
cd ` + dir + `
chmod 755 .
mkdir by home; chmod 1777 by
cat >trap <<'EOF'
#!/bin/sh
: > ` + a.by + `/$1-$(id -u)
exit 1
EOF
chmod 755 trap
export HOME=$PWD/home GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@e GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@e
git init -q -b main remote
cd remote; echo '* filter=evil diff=evil merge=evil' >.gitattributes; echo one >file; git add .; git commit -q -m one; git branch other
cd ..; git clone -q remote repo; (cd remote; echo two >file; git commit -q -a -m two)
cd repo
for h in post-checkout post-merge pre-commit post-commit pre-auto-gc reference-transaction post-index-change pre-merge-commit \
	commit-msg prepare-commit-msg post-rewrite pre-rebase pre-push; do
	printf '#!/bin/sh\n%s hook-%s\nexit 0\n' ` + trap + ` $h >.git/hooks/$h; chmod 755 .git/hooks/$h
done
cat >.git/more <<EOF
[filter "evil"]
	clean = ` + trap + ` clean; cat
	smudge = ` + trap + ` smudge; cat
[diff "evil"]
	textconv = ` + trap + ` textconv
EOF
cat >>.git/config <<EOF
[core]
	fsmonitor = ` + trap + ` fsmonitor
	sshCommand = ` + trap + ` ssh
	gitProxy = ` + trap + ` proxy
	editor = ` + trap + ` editor
	pager = ` + trap + ` pager
	alternateRefsCommand = ` + trap + ` refs
[include]
	path = more
[diff]
	external = ` + trap + ` external
[credential]
	helper = !` + trap + ` credential
[alias]
	status = !` + trap + ` alias
[protocol "ext"]
	allow = always
[remote "evil"]
	url = ext::` + trap + ` ext
	fetch = +refs/heads/*:refs/remotes/evil/*
[remote "ssh"]
	url = ssh://nowhere.invalid/x
[remote "origin"]
	uploadpack = ` + trap + ` uploadpack; git-upload-pack
[submodule "sub"]
	url = ext::` + trap + ` submodule
	update = !` + trap + ` update
[merge "evil"]
	driver = ` + trap + ` merge %A
[gpg]
	program = ` + trap + ` gpg
[commit]
	gpgSign = true
EOF
echo three >file
chown -R nobody ` + dir + `/remote ` + dir + `/repo
`
	if out, err := exec.Command("/bin/sh", "-c", script).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("HOME", dir+"/home")
	return a
}

// ran are the commands of the repository that ran, each as NAME-UID.
func (a *ambush) ran() []string {
	a.t.Helper()
	names, err := filepath.Glob(a.by + "/*")
	if err != nil {
		a.t.Fatal(err)
	}
	for i, n := range names {
		names[i] = filepath.Base(n)
	}
	return names
}

// noRoot fails for each command that ran as root.
func (a *ambush) noRoot(what string) {
	a.t.Helper()
	for _, n := range a.ran() {
		if strings.HasSuffix(n, "-0") {
			a.t.Errorf("%s: root ran %s", what, n)
			_ = os.Remove(filepath.Join(a.by, n))
		}
	}
}

// everything uses the repository in every way that the family has.
func (a *ambush) everything(h host.Host) {
	a.t.Helper()
	x := modtest.Execs{Family: Family(), Host: h}
	in := func(s string) string { return strings.ReplaceAll(s, "REPO", a.repo) }
	for _, c := range [][3]string{
		{"status", `["REPO"]`}, {"diff", `["REPO"]`}, {"diff", `["REPO", "HEAD"]`, `{"opts": "--ext-diff"}`},
		{"add", `["REPO", "file"]`}, {"commit", `["REPO", "m"]`}, {"stash", `["REPO"]`}, {"fetch", `["REPO"]`},
		{"fetch", `["REPO"]`, `{"remote": "evil"}`}, {"fetch", `["REPO"]`, `{"remote": "ssh"}`}, {"pull", `["REPO"]`},
		{"ls_remote", `["REPO", "evil"]`}, {"ls_remote", `["REPO", "ssh"]`}, {"ls_remote", `["REPO"]`},
		{"submodule", `["REPO", "update"]`, `{"init": true}`}, {"checkout", `["REPO", "other"]`},
		{"checkout", `["REPO", "main"]`, `{"force": true}`},
		{"merge", `["REPO", "origin/main"]`}, {"rebase", `["REPO", "origin/main"]`},
		{"reset", `["REPO"]`, `{"opts": "--hard"}`},
		{"archive", `["REPO", "/dev/null"]`}, {"branch", `["REPO", "x"]`}, {"tag", `["REPO", "x"]`},
		{"push", `["REPO", "evil", "main"]`},
		{"worktree_add", `["REPO", "REPO/../tree"]`}, {"list_worktrees", `["REPO"]`}, {"remotes", `["REPO"]`},
		{"revision", `["REPO"]`},
		{"discard_local_changes", `["REPO"]`}, {"config_get", `["user.name"]`, `{"cwd": "REPO"}`},
		{"list_branches", `["REPO"]`},
		{"config_set", `["a.b", "c"]`, `{"cwd": "REPO"}`}, {"remote_set", `["REPO", "/x"]`, `{"remote": "y"}`},
		{"rm", `["REPO", "file"]`},
		{"is_worktree", `["REPO"]`}, {"describe", `["REPO"]`}, {"rev_parse", `["REPO", "HEAD"]`},
		{"merge_base", `["REPO", "HEAD", "main"]`},
	} {
		kwargs := c[2]
		if kwargs == "" {
			kwargs = "{}"
		}
		_ = x.Call(a.t, "git."+c[0], in(c[1]), in(kwargs))
		a.noRoot("git." + c[0] + " " + c[1])
	}
	for _, s := range []struct {
		spec modules.StateSpec
		name string
		args *value.Dict
	}{
		{latestSpec(), a.dir + "/remote", value.DictOf("target", value.Str(a.repo), "force_reset", value.Bool(true),
			"submodules", value.Bool(true))},
		{clonedSpec(), a.dir + "/remote", value.DictOf("target", value.Str(a.repo), "branch", value.Str("other"))},
		{presentSpec(), a.repo, value.NewDict(0)},
		{configSetSpec(), "a.b", value.DictOf("repo", value.Str(a.repo), "value", value.Str("d"))},
		{configUnsetSpec(), "a.b", value.DictOf("repo", value.Str(a.repo))},
	} {
		fn, diags := modules.Bind(&s.spec, &state.Low{Name: s.name, Args: s.args})
		if fn == nil {
			a.t.Fatal(diags)
		}
		_, _ = fn.Act(context.Background(), &modules.Env{Progress: func(string) {}}, h)
		a.noRoot(s.spec.Name)
	}
}

// TestNothingOfAnothersRepositoryRunsAsRoot: hooks, filters, monitors, helpers and what else a configuration names,
// with every function of the family, in a run and where gostate only looks.
func TestNothingOfAnothersRepositoryRunsAsRoot(t *testing.T) {
	for _, owned := range []string{"", ".git", ".git/config", "repo"} { // what root owns of it
		t.Run(owned, func(t *testing.T) {
			a := plant(t)
			h, err := host.NewOS("/")
			if err != nil {
				t.Fatal(err)
			}
			if owned == "repo" {
				owned = "."
			}
			if owned != "" {
				if err := os.Chown(filepath.Join(a.repo, owned), 0, 0); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("SUDO_UID", fmt.Sprint(65534))
			a.everything(host.NewOverlay(h))
			a.everything(h)
			t.Log(a.ran())
			if owned == "" && len(a.ran()) < 5 {
				t.Errorf("the commands do not run as the owner either: %v", a.ran())
			}
		})
	}
}

// TestHooksOfTheUser: in a repository of its own, a user's hooks run as they do with Salt.
func TestHooksOfTheUser(t *testing.T) {
	a := plant(t)
	h, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	x := modtest.Execs{Family: Family(), Host: h}
	x.Call(t, "git.checkout", `["`+a.repo+`", "other"]`, `{"user": "nobody", "force": true}`)
	if !strings.Contains(strings.Join(a.ran(), " "), "hook-post-checkout-65534") {
		t.Errorf("the hook did not run: %v", a.ran())
	}
}
