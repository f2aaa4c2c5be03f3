package git

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// updated moves a checkout to its goal, where it is not there.
func (l *Latest) updated(ctx context.Context, env *modules.Env, h host.Host, s *sight) (state.Effect, error) {
	there := s.goal.is(s.head)
	switch {
	case there && s.dirty && l.Reset != value.Value(value.Bool(true)):
		return state.Settled(l.upToDate(nil) + ", but with uncommitted changes. Set 'force_reset' to True to purge " +
			"uncommitted changes."), nil
	case s.has && !there && !l.Update && !l.switches(s):
		return state.Settled(l.leftBehind(s)), nil
	case s.onward == sideways && !l.resets():
		return state.Effect{}, l.notForward(s)
	}
	foretold, actions := l.foretell(h, s)
	if len(actions) == 0 {
		return state.Settled(l.upToDate(nil)), nil
	}
	return l.work(ctx, env, h, state.Effect{Foretold: foretold, Preview: joined(actions)},
		func(d *doing) error { return l.update(d, s) })
}

// upToDate tells that HEAD stays, and what was done beside it.
//
// Salt differs: it tells that letter by letter, with full stops in between.
func (l *Latest) upToDate(said []string) string {
	text := fmt.Sprintf("Repository %s is up-to-date", l.Target)
	if len(said) > 0 {
		text += "\n\nChanges made: " + joined(said)
	}
	return text
}

// leftBehind tells that the goal is known, and that HEAD stays all the same.
func (l *Latest) leftBehind(s *sight) string {
	place := s.goal.place()
	if s.goal.rev == "HEAD" {
		place = strings.ToUpper(place[:1]) + strings.ToLower(place[1:])
	}
	return fmt.Sprintf("%s is already present and local HEAD (%s) does not match, but update_head=False. HEAD has not "+
		"been "+
		"updated locally.", place, shorten(s.head))
}

// foretell is what would change, and what would be done; nothing where all is as it should be.
//
// Salt differs: its preview knows nothing of tags that come and go, and of resets, and is true where only those, the
// address or the tracking branch would change.
func (l *Latest) foretell(h host.Reader, s *sight) (changes *value.Dict, actions []string) {
	changes = value.NewDict(2)
	would := func(format string, args ...any) { actions = append(actions, fmt.Sprintf(format, args...)) }
	there := s.goal.is(s.head)
	if there && s.dirty {
		changes.SetStr("forced update", value.Bool(true))
		would("%s is up-to-date, but with uncommitted changes. Since 'force_reset' is set to True, these local changes would "+
			"be reset. To only reset when there are changes in the remote repository, set 'force_reset' to 'remote-changes'.",
			l.Target)
		return changes, actions
	}
	if s.goal.kind == noRevision {
		return changes, nil
	}
	if !l.knowsAddress(s) {
		would("Remote '%s' would be changed from %s to %s", l.Remote, orNone(redacted(s.url)), redacted(l.Name))
	}
	fresh, stray := l.tags(h, s)
	if !s.has || len(fresh) > 0 {
		would("Remote '%s' would be fetched", l.Remote)
	}
	setTags(changes, fresh, stray)
	if len(stray) > 0 {
		would("The following tags would be removed from the local checkout: %s", strings.Join(stray, ", "))
	}
	if !there && (l.Update || l.switches(s)) {
		changes.SetStr("revision", revision(s.head, s.goal.commit))
		if s.onward == sideways {
			changes.SetStr("forced update", value.Bool(true))
		}
	}
	actions = append(actions, l.moves(s)...)
	if action := s.goal.follow(l.upstream(s)); action != "" {
		would("Tracking branch would be %s", action)
	}
	return changes, actions
}

// moves say how HEAD would move.
func (l *Latest) moves(s *sight) []string {
	one := func(format string, args ...any) []string { return []string{fmt.Sprintf(format, args...)} }
	_, known := s.local["refs/heads/"+l.Branch]
	to := shorten(s.goal.commit)
	how := [...]string{untold: "updated", forward: "fast-forwarded", sideways: "hard-reset"}[s.onward]
	switch {
	case l.switches(s) && !known:
		return one("New branch '%s' would be checked out, with %s as a starting point", l.Branch, s.goal.place())
	case l.switches(s):
		return one("Branch '%s' would be checked out and %s to %s", l.Branch, how, to)
	case s.goal.is(s.head):
		return nil
	case l.Update:
		return one("Repository would be %s from %s to %s", how, orNone(shorten(s.head)), to)
	}
	return one("Local HEAD (%s) does not match %s but update_head=False, HEAD would not be updated locally",
		shorten(s.head), s.goal.place())
}

func orNone(text string) string {
	if text == "" {
		return "None"
	}
	return text
}

// knowsAddress says whether the remote is the one that is asked for. An account in it may be there or not.
func (l *Latest) knowsAddress(s *sight) bool {
	if s.url == l.Name {
		return true
	}
	a := accountFor(l.Name, l.HTTPSUser, l.HTTPSPass)
	return a != nil && s.url == a.with
}

// upstream is what the branch that moves follows, "" for nothing.
func (l *Latest) upstream(s *sight) string {
	if l.switches(s) {
		if b, ok := s.local["refs/heads/"+l.Branch]; ok {
			return b.upstream
		}
		return s.goal.upstream // a new branch follows what it begins at
	}
	return s.local["refs/heads/"+s.branch].upstream
}

// follow says what is done to the tracking branch, which is now: "set to origin/main", "" for nothing.
func (g goal) follow(now string) string {
	switch {
	case g.leave || now == g.upstream:
		return ""
	case now == "":
		return "set to " + g.upstream
	case g.upstream == "":
		return "unset"
	}
	return "updated to " + g.upstream
}

func revision(old, now string) *value.Dict {
	return value.DictOf("old", textOrNone(old), "new", textOrNone(now))
}

func textOrNone(text string) value.Value {
	if text == "" {
		return value.None
	}
	return value.Str(text)
}

func setTags(changes *value.Dict, fresh, stray []string) {
	if len(fresh) > 0 {
		changes.SetStr("new_tags", modules.TextList(fresh))
	}
	if len(stray) > 0 {
		changes.SetStr("deleted_tags", modules.TextList(stray))
	}
}

// notForward says why the checkout is not moved, in Salt's words.
func (l *Latest) notForward(s *sight) error {
	why, remoteToo, discard, to := "this is not a fast-forward merge", "", "", "to "+shorten(s.goal.commit)
	if s.dirty {
		why, remoteToo, discard = "there are uncommitted changes", " (or 'remote-changes')", " and discard these changes"
		if s.base != s.goal.commit {
			to = "from " + shorten(s.base) + " " + to
		}
	}
	if l.switches(s) {
		to += fmt.Sprintf(" (after checking out local branch '%s')", l.Branch)
	}
	return fmt.Errorf("Repository would be updated %s, but %s. Set 'force_reset' to True%s to force this update%s.%s", to,
		why,
		remoteToo, discard, l.branchAdvice(s)) //nolint:staticcheck // Salt's words
}

// branchAdvice names the argument that may be meant where another branch is checked out.
func (l *Latest) branchAdvice(s *sight) string {
	first := headBranch(s.refs)
	switch {
	case l.Branch != "":
	case l.Rev != "HEAD" && s.branch != l.Rev:
		return fmt.Sprintf(" The desired rev (%s) differs from the name of the local branch (%s), if the desired rev is a "+
			"branch name then a forced update could possibly be avoided by setting the 'branch' argument to '%[1]s' instead.",
			l.Rev, orNone(s.branch))
	case l.Rev == "HEAD" && first != "" && s.branch != first:
		return fmt.Sprintf(" The default remote branch (%s) differs from the local branch (%s). This could be caused by "+
			"changing the default remote branch, or if the local branch was manually changed. Rather than forcing an update, it "+
			"may be advisable to set the 'branch' argument to '%[1]s' instead. To ensure that this state follows the '%[1]s' "+
			"branch instead of the remote HEAD, set the 'rev' argument to '%[1]s'.", first, orNone(s.branch))
	}
	return ""
}

// headBranch is the branch that the remote's HEAD is, the first by name where several have its commit.
func headBranch(remote map[string]string) string {
	best := ""
	for ref, c := range remote {
		if b, ok := strings.CutPrefix(ref, "refs/heads/"); ok && c == remote["HEAD"] && (best == "" || b < best) {
			best = b
		}
	}
	return best
}

// update does what foretell tells.
func (l *Latest) update(d *doing, s *sight) error {
	if err := l.point(d, s); err != nil {
		return err
	}
	fresh, stray := l.tags(d.h, s)
	if err := l.dropTags(d, fresh, stray); err != nil {
		return err
	}
	if !s.has || len(fresh) > 0 {
		if err := l.fetch(d, s); err != nil {
			return err
		}
		if !s.goal.is(s.head) && !l.Update && !l.switches(s) {
			d.said = []string{l.leftBehind(s)}
			return nil
		}
		if s.onward == sideways && !l.resets() {
			return l.notForward(s)
		}
	}
	if err := l.move(d, s); err != nil {
		return err
	}
	if err := l.submodules(d); err != nil {
		return err
	}
	return l.arrived(d, s)
}

// point gives the remote its address.
func (l *Latest) point(d *doing, s *sight) error {
	if l.knowsAddress(s) {
		return nil
	}
	if s.url == "" {
		d.changes.SetStr("new", value.Str(l.Name+" => "+l.Remote))
		return d.git(fmt.Sprintf("Remote '%s' set to %s", l.Remote, redacted(l.Name)), "remote", "add", "--", l.Remote,
			l.Name)
	}
	said := fmt.Sprintf("Remote '%s' changed from %s to %s", l.Remote, redacted(s.url), redacted(l.Name))
	return d.git(said, "remote", "set-url", "--", l.Remote, l.Name)
}

func (l *Latest) dropTags(d *doing, fresh, stray []string) error {
	setTags(d.changes, fresh, stray)
	if len(stray) == 0 {
		return nil
	}
	return d.git("The following tags were removed from the local checkout: "+strings.Join(stray, ", "),
		append([]string{"tag", "-d", "--"}, stray...)...)
}

// fetch brings the goal, and tells whether it can be reached without loss.
func (l *Latest) fetch(d *doing, s *sight) (err error) {
	if err := d.git(redacted(l.Name)+" was fetched, resulting in updated refs", l.fetchWords()...); err != nil {
		return fmt.Errorf("Fetch failed. Set 'force_fetch' to True to force the fetch if the failure was due to not being "+
			"able "+
			"to fast-forward. Output of the fetch command follows:\n\n%w", err) //nolint:staticcheck // Salt's words
	}
	if _, err := l.repo().must(d.ctx, d.h, "rev-parse", "--verify", s.goal.commit+"^{commit}"); err != nil {
		return fmt.Errorf("Fetch did not successfully retrieve rev '%s' from %s: %w", l.Rev, redacted(l.Name), err) //nolint:staticcheck // Salt's words
	}
	s.onward, err = l.onward(d.ctx, d.h, s)
	return err
}

func (l *Latest) fetchWords() []string {
	words := []string{"fetch"}
	if l.Force {
		words = append(words, "--force")
	}
	words = append(words, "--", l.Remote)
	if l.FetchTags {
		words = append(words, fmt.Sprintf("refs/heads/%s:refs/remotes/%s/%[1]s", l.Branches, l.Remote),
			fmt.Sprintf("+refs/tags/%s:refs/tags/%[1]s", l.Tags))
	}
	return words
}

// move checks the branch out, throws away what it may, and brings HEAD to the goal.
func (l *Latest) move(d *doing, s *sight) error {
	follow := s.goal.follow(l.upstream(s)) // of what is there before
	if err := l.checkout(d, s); err != nil {
		return err
	}
	switch {
	case s.onward == sideways:
		if err := d.git("", "reset", "-q", "--hard", s.goal.commit); err != nil {
			return err
		}
		d.changes.SetStr("forced update", value.Bool(true))
		if s.dirty {
			d.say("Uncommitted changes were discarded")
		}
		d.say("Repository was hard-reset to %s", s.goal.place())
	case s.onward == forward && s.dirty && l.resets():
		if err := d.git("Uncommitted changes were discarded", "reset", "-q", "--hard", "HEAD"); err != nil {
			return err
		}
	}
	if err := l.track(d, s, follow); err != nil {
		return err
	}
	if s.onward != forward || s.goal.is(s.base) {
		return nil
	}
	return l.forward(d, s)
}

func (l *Latest) checkout(d *doing, s *sight) error {
	if !l.switches(s) {
		return nil
	}
	if s.dirty && !l.Discard {
		return fmt.Errorf("Local branch '%s' has uncommitted changes. Set 'force_checkout' to True to discard them and "+
			"proceed.",
			s.branch) //nolint:staticcheck // Salt's words
	}
	words := []string{"checkout", "-q"}
	if l.Discard {
		words = append(words, "--force")
	}
	if _, known := s.local["refs/heads/"+l.Branch]; known {
		return d.git(fmt.Sprintf("'%s' was checked out", l.Branch), append(words, l.Branch, "--")...)
	}
	said := fmt.Sprintf("New branch '%s' was checked out, with %s as a starting point", l.Branch, s.goal.place())
	return d.git(said, append(words, "-b", l.Branch, l.start(s), "--")...)
}

// start is what a new branch begins at, which it then follows.
func (l *Latest) start(s *sight) string {
	if s.goal.upstream != "" {
		return s.goal.upstream
	}
	return s.goal.commit
}

// track makes the branch follow the remote's, or none.
func (l *Latest) track(d *doing, s *sight, follow string) error {
	if follow == "" {
		return nil
	}
	if s.branch == "" {
		return errors.New("Cannot set/unset upstream tracking branch, local HEAD refers to nonexistent branch. This may have " +
			"been caused by cloning a remote repository for which the default branch was renamed or deleted. If you are unable " +
			"to fix the remote repository, you can work around this by setting the 'branch' argument (which will ensure that " +
			"the " +
			"named branch is created if it does not already exist).")
	}
	how := "--unset-upstream"
	if s.goal.upstream != "" {
		how = "--set-upstream-to=" + s.goal.upstream
	}
	return d.git("Tracking branch was "+follow, "branch", "-q", how)
}

// forward moves the branch to a goal that comes after it.
func (l *Latest) forward(d *doing, s *sight) error {
	if s.goal.upstream == "" && l.Rev != "HEAD" {
		return d.git(fmt.Sprintf("Repository was reset to %s (fast-forward)", l.Rev), "reset", "-q", "--hard", s.goal.commit,
			"--")
	}
	if _, on, err := l.repo().ask(d.ctx, d.h, "symbolic-ref", "-q", "HEAD"); err != nil || !on {
		return errors.Join(err, errors.New("Unable to fast-forward, HEAD is detached"))
	}
	return d.git("Repository was fast-forwarded to "+s.goal.place(), "merge", "-q", "--ff-only", s.goal.commit)
}

// arrived looks where HEAD is now.
func (l *Latest) arrived(d *doing, s *sight) error {
	now, _, err := l.repo().ask(d.ctx, d.h, "rev-parse", "--verify", "-q", "HEAD^{commit}")
	switch {
	case err != nil:
		return err
	case !s.goal.is(now) && !l.bare():
		return errors.New("Failed to update repository")
	case now == s.head:
		d.said = []string{l.upToDate(d.said)}
	default:
		d.changes.SetStr("revision", revision(s.head, now))
	}
	return nil
}
