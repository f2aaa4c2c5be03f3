package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// A world is a remote repository and a place for checkouts, on the real machine.
type world struct {
	*host.OS
	t              *testing.T
	remote, target string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to work with")
	}
	h, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	w := &world{OS: h, t: t, remote: filepath.Join(dir, "remote"), target: filepath.Join(dir, "co")}
	w.git(dir, "init", "-q", "-b", "main", w.remote)
	w.commit("one")
	w.git(w.remote, "tag", "v1")
	return w
}

func (w *world) git(dir string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@e.org"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (w *world) commit(text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.remote, "file"), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	w.git(w.remote, "add", "file")
	w.git(w.remote, "commit", "-q", "-m", text)
}

// latest runs git.latest until it converges and gives its comment ("" when it had nothing to do) or its error.
func (w *world) latest(args ...any) (comment, fault string) {
	w.t.Helper()
	spec := latestSpec()
	fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: w.remote,
		Args: value.DictOf(append([]any{"target", value.Str(w.target)}, args...)...)})
	if fn == nil {
		w.t.Fatal(diags[0])
	}
	ctx := context.Background()
	env := &modules.Env{Progress: func(string) {}}
	f, err := modtest.Of(fn).Check(ctx, env, w)
	if err != nil {
		return "", err.Error()
	}
	if !f.Pending {
		return "", ""
	}
	a, err := modtest.Of(fn).Apply(ctx, env, w, f)
	if err != nil {
		return "", err.Error()
	}
	if again, err := modtest.Of(fn).Check(ctx, env, w); err != nil || again.Pending {
		w.t.Errorf("does not converge: %+v %v", again, err)
	}
	comment = strings.NewReplacer(w.remote, "REMOTE", w.target, "TARGET").Replace(a.Comment)
	return regexp.MustCompile(`\b[0-9a-f]{7,40}\b`).ReplaceAllString(comment, "COMMIT"), ""
}

func (w *world) file() string {
	data, _ := os.ReadFile(filepath.Join(w.target, "file"))
	return string(data)
}

func TestLatest(t *testing.T) {
	w := newWorld(t)
	step := func(what, wantComment, wantFault, wantFile string, args ...any) {
		t.Helper()
		comment, fault := w.latest(args...)
		if comment != wantComment || !strings.HasPrefix(fault, wantFault) || wantFault == "" && fault != "" ||
			w.file() != wantFile {
			t.Errorf("%s: comment %q, error %q, file %q", what, comment, fault, w.file())
		}
	}
	yes := value.Bool(true)
	step("clone", "REMOTE cloned to TARGET", "", "one")
	step("again", "", "", "one")
	w.commit("two")
	step("fast-forward", "REMOTE was fetched, resulting in updated refs. Repository was fast-forwarded to remote HEAD "+
		"(COMMIT).",
		"", "two")
	step("an older tag", "", "Repository would be updated to", "two", "rev", value.Str("v1"))
	step("tag", "Repository was hard-reset to v1 (COMMIT). Tracking branch was unset.", "", "one", "rev", value.Str("v1"),
		"force_reset", yes)
	if got := w.git(w.target, "symbolic-ref", "--short", "HEAD"); got != "main" {
		t.Errorf("the local branch became %q", got)
	}
	step("commit", "Repository was reset to COMMIT (fast-forward)", "", "two", "rev",
		value.Str(w.git(w.remote, "rev-parse", "HEAD")))
	step("branch", "Repository TARGET is up-to-date\n\nChanges made: Tracking branch was set to origin/main", "", "two",
		"rev",
		value.Str("main"))
	step("no such revision", "", "No revision matching 'nope' exists in the remote repository", "two", "rev",
		value.Str("nope"))

	os.WriteFile(filepath.Join(w.target, "file"), []byte("dirty"), 0o644)
	w.commit("three")
	step("dirty", "", "Repository would be updated from", "dirty")
	step("reset", "REMOTE was fetched, resulting in updated refs. Uncommitted changes were discarded. Repository was "+
		"fast-forwarded to remote HEAD (COMMIT).", "", "three", "force_reset", yes)

	w.git(w.target, "commit", "-q", "--allow-empty", "-m", "mine")
	step("ahead", "", "Repository would be updated to", "three")
	w.commit("four")
	step("diverged", "", "Repository would be updated to", "three")
	step("reset commits", "Repository was hard-reset to remote HEAD (COMMIT)", "", "four", "force_reset", yes)

	os.RemoveAll(w.target)
	os.MkdirAll(w.target, 0o755)
	os.WriteFile(filepath.Join(w.target, "other"), nil, 0o644)
	_, fault := w.latest()
	if !strings.Contains(fault, "is not a git repository") {
		t.Errorf("a folder in the way: %q", fault)
	}
	step("force clone", "REMOTE cloned to TARGET", "", "four", "force_clone", yes)

	w.git(w.remote, "branch", "side", "v1")
	os.RemoveAll(w.target)
	step("another branch", "REMOTE cloned to TARGET. Repository was reset to origin/side (COMMIT). Tracking branch was "+
		"updated to origin/side.", "", "one", "rev", value.Str("side"))
	if got := w.git(w.target, "symbolic-ref", "--short", "HEAD"); got != "main" {
		t.Errorf("the local branch is %q, not the remote's default one", got)
	}
	os.RemoveAll(w.target)
	step("a branch by name", "REMOTE cloned to TARGET. Branch 'mine' checked out, with origin/side (COMMIT) as a "+
		"starting point.",
		"", "one", "rev", value.Str("side"), "branch", value.Str("mine"))
	if got := w.git(w.target, "rev-parse", "--abbrev-ref", "mine@{upstream}"); got != "origin/side" {
		t.Errorf("the branch follows %q", got)
	}
}

func TestConfig(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	try := func(spec modules.StateSpec, args ...any) (bool, error) {
		t.Helper()
		fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: "user.name", Args: value.DictOf(args...)})
		if fn == nil {
			t.Fatal(diags[0])
		}
		f, err := modtest.Of(fn).Check(ctx, nil, w)
		if err != nil || !f.Pending {
			return false, err
		}
		if _, err := modtest.Of(fn).Apply(ctx, nil, w, f); err != nil {
			return false, err
		}
		again, err := modtest.Of(fn).Check(ctx, nil, w)
		if again.Pending {
			t.Error("does not converge")
		}
		return true, err
	}
	local := []any{"repo", value.Str(w.remote)}
	if changed, err := try(configSetSpec(), append(local, "value", value.Str("Web"))...); !changed || err != nil {
		t.Errorf("%t %v", changed, err)
	}
	if got := w.git(w.remote, "config", "--local", "user.name"); got != "Web" {
		t.Errorf("user.name is %q", got)
	}
	if changed, err := try(configSetSpec(), append(local, "multivar",
		value.NewList(value.Str("a"), value.Str("b")))...); !changed || err != nil {
		t.Errorf("%t %v", changed, err)
	}
	if _, err := try(configUnsetSpec(), local...); err == nil {
		t.Error("several values were unset without all")
	}
	if changed, err := try(configUnsetSpec(), append(local, "all", value.Bool(true))...); !changed || err != nil {
		t.Errorf("%t %v", changed, err)
	}
}

// TestNothingToSet: a setting that is given nothing would lose the values that it has.
func TestNothingToSet(t *testing.T) {
	spec := configSetSpec()
	for _, args := range []*value.Dict{value.NewDict(0),
		value.DictOf("value", value.Str("1"), "multivar", value.NewList(value.Str("2")))} {
		if fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: "x.multi", Args: args}); fn != nil || len(diags) != 1 {
			t.Errorf("%s is bound: %v", value.Repr(args), diags)
		}
	}
}

// A shallow clone stays without the tags of what it has not, and is quiet afterwards; a bare one is fetched when the
// remote has something new.
func TestLatestClonesOfOtherKinds(t *testing.T) {
	w := newWorld(t)
	w.commit("two")
	shallow := []any{"depth", value.Int(1), "rev", value.Str("main")}
	w.remote = "file://" + w.remote
	for i, want := range []string{"REMOTE cloned to TARGET", ""} {
		if comment, fault := w.latest(shallow...); comment != want || fault != "" {
			t.Errorf("shallow, run %d: %q %s", i, comment, fault)
		}
	}
	if tags := w.git(w.target, "tag"); tags != "" {
		t.Errorf("a shallow clone has the tags %q", tags)
	}
	if _, fault := w.latest("depth", value.Int(1)); !strings.HasPrefix(fault, "When 'depth' is used, 'rev' must be set") {
		t.Errorf("depth without rev: %q", fault)
	}
	w.remote, w.target = strings.TrimPrefix(w.remote, "file://"), w.target+".git"
	for i, want := range []string{"REMOTE cloned to TARGET as bare repository", "",
		"Repository TARGET is up-to-date\n\nChanges made: Bare repository at TARGET was fetched, resulting in updated refs",
		""} {
		if i == 2 {
			w.commit("three")
		}
		if comment, fault := w.latest("bare", value.Bool(true)); comment != want || fault != "" {
			t.Errorf("bare, run %d: %q %s", i, comment, fault)
		}
	}
}

// A preview tells of tags that come and go, and of what would be thrown away.
func TestLatestForetellsTags(t *testing.T) {
	w := newWorld(t)
	if _, fault := w.latest(); fault != "" {
		t.Fatal(fault)
	}
	w.git(w.target, "commit", "-q", "--allow-empty", "-m", "mine")
	w.git(w.remote, "tag", "-d", "v1")
	w.git(w.remote, "tag", "v2")
	l := &Latest{Name: w.remote, Target: w.target, Rev: "HEAD", Remote: "origin", Update: true, FetchTags: true,
		SyncTags: true,
		Tags:     "*", Branches: "*", Reset: value.Bool(true)}
	e, err := l.Act(t.Context(), nil, host.NewOverlay(w))
	want := "'new_tags': ['v2'], 'deleted_tags': ['v1'], 'revision':"
	if got := value.Repr(e.Foretold); err != nil || !strings.Contains(got, want) ||
		!strings.Contains(got, "'forced update': True") {
		t.Errorf("%s, %v", got, err)
	}
	w.git(w.remote, "commit", "-q", "--amend", "--allow-empty", "-m", "again")
	if _, fault := w.latest("force_reset", value.Bool(true)); !strings.Contains(fault, "Set 'force_fetch' to True") ||
		!strings.Contains(fault, "[rejected]") {
		t.Errorf("history that was rewritten: %s", fault)
	}
	if comment, fault := w.latest("force_reset", value.Bool(true), "force_fetch", value.Bool(true)); fault != "" ||
		!strings.Contains(comment, "hard-reset") {
		t.Errorf("%q %s", comment, fault)
	}
}

// The account for an address is in git's environment alone: in no argument, and in no file of the checkout. A remote
// that has it already, as Salt writes it, is the one that is asked for.
func TestAccountOfARepository(t *testing.T) {
	l := &Latest{Name: "https://e.org/app.git", Target: "/srv/app", HTTPSUser: "u", HTTPSPass: "s3cret"}
	_, cmd := l.outside().cmd(hosttest.NewMemory(), l.cloneWords())
	if strings.Contains(strings.Join(cmd.Args, " "), "s3cret") ||
		!strings.Contains(strings.Join(cmd.Env, "\n"), "=url.https://u:s3cret@e.org/app.git.insteadOf\n") {
		t.Errorf("%q %q", cmd.Args, cmd.Env)
	}
	for url, want := range map[string]bool{l.Name: true, "https://u:s3cret@e.org/app.git": true,
		"https://u:old@e.org/app.git": false} {
		if got := l.knowsAddress(&sight{url: url}); got != want {
			t.Errorf("%s: %t", url, got)
		}
	}
	if faults := (&Latest{Name: "http://e.org/x", Target: "/x", Rev: "HEAD",
		HTTPSUser: "u"}).Validate(); len(faults) != 1 {
		t.Errorf("an account for an address that is not https: %v", faults)
	}
}
