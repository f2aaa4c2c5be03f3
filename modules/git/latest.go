package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Latest keeps a checkout at a revision of its remote.
type Latest struct {
	Name        string      `arg:"name,required" doc:"The address of the repository."`
	Target      string      `arg:"target,required,path" doc:"The folder of the checkout."`
	Rev         string      `arg:"rev,word" default:"HEAD" doc:"The branch, tag or commit."`
	Branch      string      `arg:"branch,word" doc:"The local branch; the one of rev when not given."`
	User        string      `arg:"user,word" doc:"Who runs git."`
	Identity    []string    `arg:"identity,path" doc:"Private keys for ssh, paths on the machine."`
	Remote      string      `arg:"remote,word" default:"origin" doc:"The name of the remote."`
	ForceReset  value.Value `arg:"force_reset" doc:"Throw away local changes and commits; remote-changes: only when the remote changed."`
	ForceClone  bool        `arg:"force_clone" doc:"Replace a folder that is no checkout of the repository."`
	ForceCheck  bool        `arg:"force_checkout" doc:"Throw away local changes when another revision is checked out."`
	ForceFetch  bool        `arg:"force_fetch" doc:"Fetch though history was rewritten."`
	Submodules  bool        `arg:"submodules" doc:"Update submodules too."`
	Depth       int         `arg:"depth" doc:"Clone only so many commits."`
	Bare        bool        `arg:"bare" doc:"A repository without checkout."`
	Mirror      bool        `arg:"mirror" doc:"A bare copy of all references."`
	UpdateHead  bool        `arg:"update_head" default:"true" doc:"False fetches and leaves the checkout as it is."`
	FetchTags   bool        `arg:"fetch_tags" default:"true" doc:"Fetch all tags."`
	SyncTags    bool        `arg:"sync_tags" default:"true" doc:"No effect."`
	AlwaysFetch value.Value `arg:"always_fetch" alias:"refspec_branch,refspec_tag,https_user,output_encoding" doc:"No effect."`
	Pass        value.Value `arg:"https_pass,secret" alias:"password" doc:"No effect."`
}

func latestSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "git.latest",
		Doc: "Keeps a checkout at a revision of its remote. A repository brings commands along (hooks, filters, what its " +
			"configuration names), which run as user: where none is named and gostate is root, git runs as the owner of the " +
			"checkout, with the owner's keys. What belongs to several users is refused by git, unless that user's own " +
			"configuration has a safe.directory.",
		Example: "https://github.com/example/app.git:\n  git.latest:\n    - target: /srv/app\n    - rev: v1.2\n    - user: " +
			"app",
		New:     func() modules.StateFunc { return &Latest{} },
		AnyArgs: true,
	}
}

// Validate refuses contradictions.
func (l *Latest) Validate() []modules.Fault {
	if !path.IsAbs(l.Target) {
		return []modules.Fault{{Arg: "target", Msg: fmt.Sprintf("target '%s' is not an absolute path", l.Target)}}
	}
	return nil
}

func (l *Latest) repo() repo { return repo{dir: l.Target, user: l.User, identity: l.Identity} }

// A sight is where the checkout is and where it has to be.
type sight struct {
	clone  bool // there is no checkout
	forced bool // something else is in its place, which force_clone removes
	noHead bool // the remote's HEAD is a branch that is not there
	head   string
	branch string // the local branch, "" when detached
	url    string
	dirty  bool
	stuck  bool // the checkout has commits that the goal has not
	goal   goal
}

func (l *Latest) look(ctx context.Context, h host.Reader) (*sight, error) {
	if err := modules.Needs(h, "git"); err != nil {
		return nil, err
	}
	s := &sight{}
	text, err := (repo{user: l.User, identity: l.Identity}).must(ctx, h, "ls-remote", "--", l.Name)
	if err != nil {
		return nil, fmt.Errorf("Failed to check remote refs: %w", err)
	}
	remote := refs(text)
	if s.goal, err = aim(remote, l.Rev); err != nil {
		return nil, err
	}
	s.noHead = remote["HEAD"] == ""
	entries, err := h.ReadDir(l.Target)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0:
		s.clone = true
		return s, nil
	case err != nil:
		return nil, fmt.Errorf("look at %s: %w", l.Target, err)
	}
	r := l.repo()
	top, ok, err := r.ask(ctx, h, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	if bare, bok, _ := r.ask(ctx, h, "rev-parse", "--is-bare-repository"); !ok && (!bok || bare != "true") || ok &&
		top != path.Clean(l.Target) {
		if !l.ForceClone {
			return nil, fmt.Errorf("Target '%s' exists, is non-empty and is not a git repository. Set force_clone to True to "+
				"remove its contents", l.Target)
		}
		s.clone, s.forced = true, true
		return s, nil
	}
	return s, l.lookInside(ctx, h, r, s)
}

func (l *Latest) lookInside(ctx context.Context, h host.Reader, r repo, s *sight) error {
	var err error
	if s.head, _, err = r.ask(ctx, h, "rev-parse", "--verify", "-q", "HEAD^{commit}"); err != nil {
		return err
	}
	if s.branch, _, err = r.ask(ctx, h, "symbolic-ref", "-q", "--short", "HEAD"); err != nil {
		return err
	}
	if s.url, _, err = r.ask(ctx, h, "remote", "get-url", l.Remote); err != nil {
		return err
	}
	if !l.Bare && !l.Mirror {
		status, _, err := r.ask(ctx, h, "status", "--porcelain", "--untracked-files=no")
		if err != nil {
			return err
		}
		s.dirty = status != ""
	}
	if s.goal.commit == "" { // an abbreviated commit, known only when it was fetched
		if s.goal.commit, _, err = r.ask(ctx, h, "rev-parse", "--verify", "-q", l.Rev+"^{commit}"); err != nil {
			return err
		}
	}
	return l.lookForward(ctx, h, r, s)
}

// lookForward finds out whether the checkout can be fast-forwarded, where what it has tells.
func (l *Latest) lookForward(ctx context.Context, h host.Reader, r repo, s *sight) error {
	base := s.head
	if b := l.localBranch(s); b != s.branch {
		at, exists, err := r.ask(ctx, h, "rev-parse", "--verify", "-q", "refs/heads/"+b)
		if err != nil || !exists {
			return err
		}
		base = at
	}
	if s.goal.commit == "" || base == "" || base == s.goal.commit {
		return nil
	}
	if _, known, err := r.ask(ctx, h, "rev-parse", "--verify", "-q", s.goal.commit+"^{commit}"); err != nil || !known {
		return err
	}
	_, forward, err := r.ask(ctx, h, "merge-base", "--is-ancestor", base, s.goal.commit)
	s.stuck = !forward
	return err
}

func (l *Latest) resets() bool {
	return l.ForceReset != nil && value.Truth(l.ForceReset)
}

// localBranch is the branch that has to be checked out: without one that is asked for, what is checked out stays, be it
// no branch.
func (l *Latest) localBranch(s *sight) string {
	if l.Branch != "" {
		return l.Branch
	}
	return s.branch
}

// pending says whether the checkout has to change.
func (l *Latest) pending(s *sight) bool {
	if s.clone || s.url != l.Name {
		return true
	}
	if !l.UpdateHead {
		return false
	}
	if b := l.localBranch(s); b != "" && s.branch != b && !l.Bare && !l.Mirror {
		return true
	}
	remoteOnly := l.ForceReset == value.Value(value.Str("remote-changes"))
	return s.goal.commit == "" || s.head != s.goal.commit || s.dirty && l.resets() && !remoteOnly
}

// Act asks the remote, and clones or updates where that is due.
func (l *Latest) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := l.look(ctx, h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case !l.pending(s):
		return state.Settled(fmt.Sprintf("Repository %s is up-to-date", l.Target)), nil
	case !s.clone && s.dirty && !l.resets() && !l.ForceCheck && s.head != s.goal.commit:
		return state.Effect{}, l.notForward(s)
	}
	if !s.clone && s.stuck && l.UpdateHead && !l.resets() {
		return state.Effect{}, l.notForward(s)
	}
	e := state.Effect{Pending: true, Changes: l.changes(s, s.goal.commit)}
	if s.clone {
		e.Comment, e.Preview = fmt.Sprintf("%s cloned to %s", l.Name, l.Target),
			fmt.Sprintf("%s would be cloned to %s", l.Name, l.Target)
	} else {
		e.Comment = fmt.Sprintf("Repository %s was updated", l.Target)
		if s.dirty && l.resets() {
			e.Comment += ". Uncommitted changes were discarded."
		}
		e.Preview = fmt.Sprintf("Repository %s would be updated from %s to %s", l.Target, shorten(s.head),
			shorten(s.goal.commit))
	}
	err = change(ctx, h, "git fetch "+l.Name, l.Target, func() error {
		env.Progress("git fetch " + l.Name)
		if err := l.bring(ctx, h, s); err != nil {
			return err
		}
		now, err := l.repo().must(ctx, h, "rev-parse", "HEAD")
		e.Changes = l.changes(s, now)
		return err
	})
	return state.Done(e, err)
}

// notForward says why the checkout is not moved, in Salt's words.
func (l *Latest) notForward(s *sight) error {
	to := "to " + shorten(s.goal.commit)
	if !s.dirty {
		return fmt.Errorf("Repository would be updated %s, but this is not a fast-forward merge. Set 'force_reset' to "+
			"True to force this update.", to) //nolint:staticcheck // Salt's words
	}
	if s.head != s.goal.commit {
		to = "from " + shorten(s.head) + " " + to
	}
	return fmt.Errorf("Repository would be updated %s, but there are uncommitted changes. Set 'force_reset' to True (or "+
		"'remote-changes') to force this update and discard these changes.", to) //nolint:staticcheck // Salt's words
}

func shorten(commit string) string { return commit[:min(7, len(commit))] }

func (l *Latest) changes(s *sight, now string) *value.Dict {
	out := value.NewDict(2)
	if s.forced {
		out.SetStr("forced clone", value.Bool(true))
	}
	if s.clone {
		out.SetStr("new", value.Str(l.Name+" => "+l.Target))
	}
	if !s.clone && s.url != l.Name {
		out.SetStr("remotes/"+l.Remote, value.DictOf("old", value.Str(s.url), "new", value.Str(l.Name)))
	}
	if s.head != now {
		var old value.Value = value.None
		if s.head != "" {
			old = value.Str(s.head)
		}
		out.SetStr("revision", value.DictOf("old", old, "new", value.Str(now)))
	}
	if !s.clone && (s.dirty || s.stuck) && l.resets() {
		out.SetStr("forced update", value.Bool(true))
	}
	return out
}

// bring clones, or fetches and moves the checkout.
func (l *Latest) bring(ctx context.Context, h host.Host, s *sight) error {
	move := func() error { return l.update(ctx, h, l.repo(), s) }
	if s.clone {
		move = func() error { return l.clone(ctx, h, s) }
	}
	if err := move(); err != nil || !l.Submodules || l.Bare || l.Mirror {
		return err
	}
	return l.repo().do(ctx, h, "submodule", "update", "--init", "--recursive")
}

func (l *Latest) clone(ctx context.Context, h host.Host, s *sight) error {
	if l.ForceClone {
		if err := h.RemoveAll(l.Target); err != nil {
			return fmt.Errorf("remove %s: %w", l.Target, err)
		}
	}
	args := []string{"clone", "-q", "--origin", l.Remote}
	switch {
	case l.Mirror:
		args = append(args, "--mirror")
	case l.Bare:
		args = append(args, "--bare")
	case l.Depth > 0 && (s.goal.branch != "" || s.goal.tag):
		args = append(args, "--depth", fmt.Sprint(l.Depth), "--branch", orRev(s.goal.branch, l.Rev))
	default:
		args = append(args, "--no-checkout")
	}
	outside := repo{user: l.User, identity: l.Identity}.into(h, l.Target)
	if err := outside.do(ctx, h, append(args, "--", l.Name, l.Target)...); err != nil {
		return err
	}
	if l.Bare || l.Mirror {
		return nil
	}
	return l.settle(ctx, h, l.repo(), s)
}

// settle moves a fresh clone to the goal. As with Salt, the local branch is the remote's default one, whatever revision
// is asked for, unless the state names another.
func (l *Latest) settle(ctx context.Context, h host.Host, r repo, s *sight) error {
	if l.Branch == "" && s.noHead {
		return errors.New("Remote HEAD refers to a ref that does not exist. This can happen when the default branch on the " +
			"remote repository is renamed or " +
			"deleted. If you are unable to fix the remote repository, you can work around this by setting the 'branch' argument")
	}
	commit := orRev(s.goal.commit, l.Rev)
	if l.Branch != "" {
		_, exists, err := r.ask(ctx, h, "rev-parse", "--verify", "-q", "refs/heads/"+l.Branch)
		if err != nil {
			return err
		}
		if !exists {
			if err := r.do(ctx, h, "checkout", "-q", "--force", "-b", l.Branch, commit); err != nil {
				return err
			}
			if err := l.track(ctx, h, r, s, l.Branch); err != nil {
				return err
			}
		}
	}
	if err := r.do(ctx, h, "reset", "-q", "--hard", commit); err != nil {
		return err
	}
	return l.untrack(ctx, h, r, s)
}

// untrack takes the upstream from the local branch where it is to be a tag or a commit.
func (l *Latest) untrack(ctx context.Context, h host.Host, r repo, s *sight) error {
	if s.goal.branch != "" {
		return nil
	}
	_, tracks, err := r.ask(ctx, h, "rev-parse", "--abbrev-ref", "@{upstream}")
	if err != nil || !tracks {
		return err
	}
	return r.do(ctx, h, "branch", "-q", "--unset-upstream")
}

func orRev(branch, rev string) string {
	if branch != "" {
		return branch
	}
	return rev
}

func (l *Latest) update(ctx context.Context, h host.Host, r repo, s *sight) error {
	if s.url != l.Name {
		verb := "set-url"
		if s.url == "" {
			verb = "add"
		}
		if err := r.do(ctx, h, "remote", verb, l.Remote, l.Name); err != nil {
			return err
		}
	}
	args := []string{"fetch", "-q", l.Remote}
	if l.FetchTags {
		args = append(args, "--tags")
	}
	if l.ForceFetch || l.resets() {
		args = append(args, "--force")
	}
	if l.Depth > 0 {
		args = append(args, "--depth", fmt.Sprint(l.Depth))
	}
	if err := r.do(ctx, h, args...); err != nil {
		return err
	}
	if l.Bare || l.Mirror || !l.UpdateHead {
		return nil
	}
	return l.checkout(ctx, h, r, s)
}

// checkout moves the checkout to the goal, fast-forwarded, or reset where that is allowed.
func (l *Latest) checkout(ctx context.Context, h host.Host, r repo, s *sight) error {
	commit := orRev(s.goal.commit, l.Rev)
	if branch := l.localBranch(s); branch != s.branch {
		_, exists, err := r.ask(ctx, h, "rev-parse", "--verify", "-q", "refs/heads/"+branch)
		if err != nil {
			return err
		}
		args := []string{"checkout", "-q"}
		if l.resets() || l.ForceCheck {
			args = append(args, "--force")
		}
		if !exists {
			args = append(args, "-b", branch, commit)
		} else {
			args = append(args, branch)
		}
		if err := r.do(ctx, h, args...); err != nil {
			return err
		}
		if !exists {
			return l.track(ctx, h, r, s, branch)
		}
	}
	move := []string{"merge", "-q", "--ff-only", commit}
	if l.resets() {
		move = []string{"reset", "-q", "--hard", commit}
	}
	if err := r.do(ctx, h, move...); err != nil {
		return fmt.Errorf("Repository %s cannot be fast-forwarded; force_reset: true throws away what it has besides (%w)",
			l.Target, err)
	}
	return l.untrack(ctx, h, r, s)
}

// track makes the local branch follow the remote's.
func (l *Latest) track(ctx context.Context, h host.Host, r repo, s *sight, branch string) error {
	if s.goal.branch == "" {
		return nil
	}
	_, known, err := r.ask(ctx, h, "rev-parse", "--verify", "-q", "refs/remotes/"+l.Remote+"/"+s.goal.branch)
	if err != nil || !known {
		return err
	}
	return r.do(ctx, h, "branch", "-q", "--set-upstream-to="+strings.Join([]string{l.Remote, s.goal.branch}, "/"), branch)
}
