package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// repository is a machine with a repository (main, branch other, tag v1) and calls of functions in it.
func repository(t *testing.T) (w *world, call func(fun, args, kwargs string) string) {
	t.Helper()
	w = newWorld(t)
	t.Setenv("GIT_AUTHOR_NAME", "t")
	t.Setenv("GIT_AUTHOR_EMAIL", "t@e.org")
	t.Setenv("GIT_COMMITTER_NAME", "t")
	t.Setenv("GIT_COMMITTER_EMAIL", "t@e.org")
	x := modtest.Execs{Family: Family(), Host: w}
	return w, func(fun, args, kwargs string) string {
		t.Helper()
		in := func(s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s, "REPO", w.remote), "CO", w.target)
		}
		got := x.Call(t, "git."+fun, in(args), in(kwargs))
		got = strings.ReplaceAll(strings.ReplaceAll(got, w.remote, "REPO"), w.target, "CO")
		return strings.ReplaceAll(got, filepath.Dir(w.remote), "DIR")
	}
}

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.remote, name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func TestExecutionFunctions(t *testing.T) {
	w, call := repository(t)
	first := w.git(w.remote, "rev-parse", "HEAD")
	for _, r := range [][4]string{
		{"init", `["CO", true]`, "", "'Initialized empty Git repository in CO/'"},
		{"current_branch", `["REPO"]`, "", "'main'"},
		{"describe", `["REPO"]`, "", "'" + first[:7] + "'"},
		{"list_tags", `["REPO"]`, "", "['v1']"},
		{"checkout", `["REPO"]`, `{"opts": "-b other"}`, `"Switched to a new branch 'other'"`},
		{"checkout", `["REPO"]`, "", "error: 'rev' argument is required unless -b or -B in opts"},
		{"list_branches", `["REPO"]`, "", "['main', 'other']"},
		{"branch", `["REPO", "third"]`, "", "True"},
		{"branch", `["REPO", "third"]`, `{"opts": ["-D"]}`, "True"},
		{"branch", `["REPO", "third"]`, `{"opts": "-D"}`,
			"error: Command 'git branch -D third' failed: error: branch 'third' not found."},
		{"rev_parse", `["REPO", "HEAD"]`, `{"opts": "--abbrev-ref --"}`, "'other'"},
		{"symbolic_ref", `["REPO", "HEAD"]`, `{"opts": "--quiet"}`, "'refs/heads/other'"},
		{"symbolic_ref", `["REPO", "HEAD", "refs/heads/main"]`, "", "''"},
		{"symbolic_ref", `["REPO", "HEAD", "x"]`, `{"opts": "-d"}`,
			"error: Value cannot be set for symbolic ref if -d/--delete is included in opts"},
		{"merge_base", `["REPO", "main, other"]`, "", "'" + first + "'"},
		{"merge_base", `["REPO", ["main", "other"]]`, `{"is_ancestor": true}`, "True"},
		{"merge_base", `["REPO", ["main"]]`, `{"is_ancestor": true}`,
			"error: Two refs/commits are required if 'is_ancestor' is True"},
		{"merge_base", `["REPO", ["main", "v1"]]`, `{"all": true}`, "['" + first + "']"},
		{"tag", `["REPO", "v2"]`, `{"message": "two"}`, "''"},
		{"describe", `["REPO"]`, "", "'v2'"}, // which an annotated tag tells
		{"tag", `["REPO", "v2"]`, `{"opts": "-d"}`, ""},
		{"tag", `["REPO", "v3"]`, `{"opts": "-m x"}`, `error: Tag messages must be passed in the "message" argument`},
		{"status", `["/none"]`, "", "error: Specified cwd '/none' either not absolute or does not exist"},
		{"rebase", `["REPO"]`, `{"opts": "-i"}`, "error: Interactive rebases are not supported"},
		{"rebase", `["REPO", "other"]`, "", "'Current branch main is up to date.'"},
		{"stash", `["REPO", "list"]`, "", "''"},
		{"submodule", `["REPO", "status"]`, "", "''"},
		{"submodule", `["REPO", "status"]`, `{"init": true}`,
			"error: The 'init' argument is no longer supported. Either set " +
				"'command' to 'init', or include '--init' in the 'opts' argument and set 'command' to 'update'."},
		{"reset", `["REPO"]`, `{"opts": "--hard HEAD"}`, "'HEAD is now at " + first[:7] + " one'"},
	} {
		got := call(r[0], r[1], r[2])
		if r[3] != "" && got != r[3] {
			t.Errorf("git.%s %s %s: got %s, want %s", r[0], r[1], r[2], got, r[3])
		}
	}
}

func TestFilesOfACheckout(t *testing.T) {
	w, call := repository(t)
	w.write("new", "x\n")
	w.write("free", "x\n")
	w.write("file", "changed")
	for _, r := range [][4]string{
		{"add", `["REPO", "new"]`, `{"opts": "-v"}`, `"add 'new'"`},
		{"status", `["REPO"]`, "", "{'modified': ['file'], 'new': ['new'], 'untracked': ['free']}"},
		{"diff", `["REPO"]`, `{"cached": true, "opts": "--name-only"}`, "'new'"},
		{"diff", `["REPO", "HEAD"]`, `{"opts": "--name-only", "paths": "file,free"}`, "'file'"},
		{"diff", `["REPO"]`, `{"cached": true, "no_index": true}`,
			"error: The 'no_index' and 'cached' options cannot be used together"},
		{"discard_local_changes", `["REPO", "file"]`, "", "''"},
		{"status", `["REPO"]`, "", "{'new': ['new'], 'untracked': ['free']}"},
		{"rm", `["REPO", "new"]`, `{"opts": "-f"}`, `"rm 'new'"`},
		{"archive", `["REPO", "CO.tar"]`, `{"prefix": "p/"}`, "True"},
	} {
		if diff := cmp.Diff(r[3], call(r[0], r[1], r[2])); diff != "" {
			t.Errorf("git.%s %s %s (-want +got)\n%s", r[0], r[1], r[2], diff)
		}
	}
	w.write("file", "committed")
	if got := call("commit", `["REPO", "a word"]`, `{"filename": "file"}`); !strings.Contains(got,
		"] a word\\n 1 file changed") {
		t.Errorf("commit: %s", got)
	}
	if got := call("diff", `["REPO"]`, `{"no_index": true, "paths": ["file", "free"]}`); !strings.Contains(got, "+x") {
		t.Errorf("diff of files: %s", got)
	}
}

func TestSettings(t *testing.T) {
	_, call := repository(t)
	for _, r := range [][4]string{
		{"config_set", `["a.b", "x"]`, "", "error: 'cwd' argument required unless global=True"},
		{"config_set", `["a.b", "x"]`, `{"cwd": "REPO", "multivar": "y"}`,
			"error: Only one of 'value' and 'multivar' is permitted"},
		{"config_set", `["a.b"]`, `{"cwd": "REPO"}`, "error: One of 'value' and 'multivar' is required"},
		{"config_set", `["a.b", "x"]`, `{"cwd": "REPO"}`, "['x']"},
		{"config_set", `["a.b", "y"]`, `{"cwd": "REPO", "add": true}`, "['x', 'y']"},
		{"config_get", `["a.b", "REPO"]`, "", "'y'"},
		{"config_get", `["a.c", "REPO"]`, "", "None"},
		{"config_get", `["a.b", "REPO"]`, `{"all": true}`, "['x', 'y']"},
		{"config_get_regexp", `["^a"]`, `{"cwd": "REPO"}`, "{'a.b': ['x', 'y']}"},
		{"config_get_regex", `["^a", "x"]`, `{"cwd": "REPO"}`, "{'a.b': ['x']}"},
		{"config_unset", `["a.b"]`, `{"cwd": "REPO"}`, "error: Multiple values exist for key 'a.b'"},
		{"config_unset", `["a.c"]`, `{"cwd": "REPO"}`, "error: Key 'a.c' does not exist"},
		{"config_unset", `["nokey"]`, `{"cwd": "REPO"}`,
			"error: Failed to unset key 'nokey', git config returned exit code 2"},
		{"config_unset", `["a.b", "("]`, `{"cwd": "REPO"}`, "error: The value_regex is invalid"},
		{"config_unset", `["a.b"]`, `{"cwd": "REPO", "all": true}`, "True"},
		{"config_set", `["a.m"]`, `{"global": true, "multivar": "x,y"}`, "['x', 'y']"},
		{"config_get", `["a.m"]`, `{"global": true}`, "'y'"},
		{"config_get", `["--list"]`, `{"global": true}`,
			"error: 'key' argument '--list' would be read as an option; options go into 'opts'"},
	} {
		if diff := cmp.Diff(r[3], call(r[0], r[1], r[2])); diff != "" {
			t.Errorf("git.%s %s %s (-want +got)\n%s", r[0], r[1], r[2], diff)
		}
	}
}

func TestRemotesAndWorktrees(t *testing.T) {
	w, call := repository(t)
	head := w.git(w.remote, "rev-parse", "HEAD")
	wt := filepath.Join(filepath.Dir(w.remote), "wt")
	for _, r := range [][4]string{
		{"clone", `["CO"]`, "", "error: Missing 'url' argument"},
		{"clone", `["CO", "REPO"]`, `{"https_user": "x"}`, "error: Basic Auth only supported for HTTPS"},
		{"clone", `["CO", "REPO"]`, "", "True"},
		{"clone", `["CO/sub", "REPO", "in"]`, "", "True"},
		{"remotes", `["CO"]`, "", "{'origin': {'fetch': 'REPO', 'push': 'REPO'}}"},
		{"remote_set", `["CO", "/a", "second"]`, `{"push_url": "/b"}`, "{'fetch': '/a', 'push': '/b'}"},
		{"remote_set", `["CO", "/c", "second"]`, `{"https_pass": "y"}`, "error: Basic Auth only supported for HTTPS"},
		{"remote_get", `["CO", "second"]`, "", "{'fetch': '/a', 'push': '/b'}"},
		{"remote_get", `["CO", "second"]`, "", "{'fetch': '/a', 'push': '/b'}"},
		{"remote_set", `["CO", "https://h/x", "second"]`, `{"https_user": "u", "https_pass": "p"}`,
			"{'fetch': 'https://<redacted>@h/x', 'push': 'https://<redacted>@h/x'}"},
		{"remote_get", `["CO", "none"]`, "", "error: Remote 'none' not present in git checkout located at CO"},
		{"ls_remote", `["CO"]`, `{"ref": "v1"}`, "{'refs/tags/v1': '" + head + "'}"},
		{"ls_remote", `["CO", "--upload-pack=touch /tmp/gostate-evil"]`, "",
			"error: 'remote' argument '--upload-pack=touch /tmp/gostate-evil' would be read as an option; options go into " +
				"'opts'"},
		{"remote_refs", `["REPO"]`, `{"heads": true}`, "{'refs/heads/main': '" + head + "'}"},
		{"branch", `["REPO", "fresh"]`, "", "True"},
		{"fetch", `["CO", "origin"]`, "", "{'new branches': ['fresh']}"},
		{"fetch", `["CO", "origin"]`, `{"refspecs": "fresh"}`, "{}"},
		{"pull", `["CO"]`, "", "'Already up to date.'"},
		{"push", `["CO", "origin", "main:pushed"]`, "", "''"},
		{"is_worktree", `["REPO"]`, "", "False"},
		{"worktree_add", `["REPO", "` + wt + `"]`, `{"branch": "x", "detach": true}`,
			"error: Only one of 'branch' and 'detach' is allowed"},
		{"worktree_add", `["REPO", "` + wt + `", "v1"]`, "",
			`"Preparing worktree (new branch 'wt')\nHEAD is now at ` + head[:7] + ` one"`},
		{"is_worktree", `["` + wt + `"]`, "", "True"},
		{"list_worktrees", `["` + wt + `"]`, "", "{'REPO': {'stale': False, 'HEAD': '" + head + "', 'detached': False, " +
			"'branch': 'main'}, 'DIR/wt': {'stale': False, 'HEAD': '" + head + "', 'detached': False, 'branch': 'wt'}}"},
		{"worktree_rm", `["REPO"]`, "", "error: REPO is not a git worktree"},
		{"worktree_rm", `["` + wt + `"]`, "", "True"},
		{"list_worktrees", `["REPO"]`, `{"stale": true}`, "{'DIR/wt': {'stale': True, 'HEAD': '" + head +
			"', 'detached': False, 'branch': 'wt'}}"},
		{"worktree_prune", `["REPO"]`, "", "'Removing worktrees/wt: gitdir file points to non-existent location'"},
		{"merge_tree", `["REPO", "main", "fresh"]`, "", "''"},
	} {
		if diff := cmp.Diff(r[3], call(r[0], r[1], r[2])); diff != "" {
			t.Errorf("git.%s %s %s (-want +got)\n%s", r[0], r[1], r[2], diff)
		}
	}
}

// TestPreviewOfFunctions: one that looks answers, one that writes is refused, as is one whose options may name
// programs.
func TestPreviewOfFunctions(t *testing.T) {
	w := newWorld(t)
	x := modtest.Execs{Family: Family(), Host: host.NewOverlay(w)}
	repo := []value.Value{value.Str(w.remote)}
	for _, fun := range []string{"status", "diff", "rev_parse", "list_branches", "is_worktree"} {
		if _, err := x.Value(t, "git."+fun, repo, nil); fun != "rev_parse" && err != nil {
			t.Errorf("git.%s: %v", fun, err)
		}
	}
	options := value.DictOf("opts", value.Str("--output=/tmp/x"))
	for _, fun := range []string{"fetch", "reset", "diff", "ls_remote"} {
		if _, err := x.Value(t, "git."+fun, repo, options); !errors.Is(err, host.ErrPreview) {
			t.Errorf("git.%s with options in a preview: %v", fun, err)
		}
	}
	tool := value.DictOf("git_opts", value.Str("-c core.pager=x"))
	if _, err := x.Value(t, "git.rev_parse", append(repo, value.Str("HEAD")), tool); !errors.Is(err, host.ErrPreview) {
		t.Errorf("git.rev_parse with git_opts: %v", err)
	}
}
