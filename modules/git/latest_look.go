package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A kind is what a revision is at the remote.
type kind uint8

const (
	noRevision kind = iota // of an empty remote, or a bare repository
	aBranch
	aTag
	aCommit
)

// A goal is the revision that a checkout has to be at.
type goal struct {
	kind   kind
	commit string // may be shortened for a commit that the user names
	rev    string
	// upstream is the branch to follow, "" for none; leave says that what is followed stays.
	upstream string
	leave    bool
}

// place is what the goal is called, with its commit.
func (g goal) place() string {
	switch {
	case g.kind == noRevision:
		return "None"
	case g.rev == "HEAD":
		return "remote HEAD (" + shorten(g.commit) + ")"
	case g.kind == aCommit:
		return shorten(g.commit)
	case g.kind == aBranch:
		return fmt.Sprintf("%s (%s)", g.upstream, shorten(g.commit))
	}
	return fmt.Sprintf("%s (%s)", g.rev, shorten(g.commit))
}

// is says whether a commit is the goal.
func (g goal) is(commit string) bool {
	if g.kind == aCommit && commit != "" {
		return strings.HasPrefix(commit, g.commit)
	}
	return g.commit == commit
}

// A sight is where the checkout is and where it has to be.
type sight struct {
	refs  map[string]string // of the remote
	goal  goal
	there bool // there is a checkout
	full  bool // what is in its place is not empty
	made  bool // what is in its place is a folder

	head   string // "" before the first commit
	branch string // that is checked out, "" before the first commit, HEAD for none
	base   string // the commit that moves: the one of the branch to check out, where it is there
	local  map[string]localRef
	url    string
	dirty  bool
	has    bool // the checkout knows the goal
	onward onward
}

// A localRef is a reference of the checkout: its commit, and the upstream of a branch.
type localRef struct{ commit, upstream string }

// onward says whether the base can be fast-forwarded to the goal.
type onward uint8

const (
	untold onward = iota // before a fetch
	forward
	sideways
)

func (l *Latest) look(ctx context.Context, h host.Reader) (*sight, error) {
	if err := modules.Needs(h, "git"); err != nil {
		return nil, err
	}
	i, err := h.Stat(l.Target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("look at %s: %w", l.Target, err)
	case i.IsRegular():
		return nil, fmt.Errorf("Target '%s' exists and is a regular file, cannot proceed", l.Target)
	}
	s := &sight{made: err == nil && i.IsDir()}
	text, err := l.outside().must(ctx, h, "ls-remote", "--", l.Name)
	if err != nil {
		return nil, fmt.Errorf("Failed to check remote refs: %w", err)
	}
	s.refs = refs(text)
	if s.goal, err = l.aim(s.refs); err != nil {
		return nil, err
	}
	if l.Depth != 0 && s.goal.kind != aBranch && s.goal.kind != aTag {
		return nil, errors.New("When 'depth' is used, 'rev' must be set to the name of a branch or tag on the remote " +
			"repository")
	}
	if err := l.lookAt(h, s); err != nil || !s.there {
		return s, err
	}
	return s, l.lookInside(ctx, h, s)
}

// lookAt finds out whether the target is a repository.
func (l *Latest) lookAt(h host.Reader, s *sight) error {
	if !s.made {
		return nil
	}
	mark := ".git" // a folder, or the file of a worktree
	if l.bare() {
		mark = "refs"
	}
	_, err := h.Stat(path.Join(l.Target, mark))
	if s.there = err == nil; s.there {
		return nil
	}
	entries, err := h.ReadDir(l.Target)
	s.full = len(entries) > 0
	return err
}

// refs are the references of a remote with their commits.
func refs(text string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 2 {
			m[f[1]] = f[0]
		}
	}
	return m
}

// aim finds the revision among the remote's references: HEAD, a branch, a tag, or what looks like a commit.
func (l *Latest) aim(remote map[string]string) (goal, error) {
	g := goal{rev: l.Rev}
	if l.bare() {
		return g, nil
	}
	commit := func(k kind, ref string) bool {
		c, ok := remote[ref]
		if ok {
			g.kind, g.commit = k, c
		}
		return ok
	}
	switch {
	case l.Rev == "HEAD":
		g.leave = commit(aCommit, "HEAD")
	case commit(aBranch, "refs/heads/"+l.Rev):
		g.upstream = l.Remote + "/" + l.Rev
	case commit(aTag, "refs/tags/"+l.Rev+"^{}"), commit(aTag, "refs/tags/"+l.Rev): // annotated or not
	case len(l.Rev) <= 40 && strings.Trim(strings.ToLower(l.Rev), "0123456789abcdef") == "":
		g.rev = strings.ToLower(l.Rev)
		g.kind, g.commit = aCommit, g.rev
	default:
		return g, fmt.Errorf("No revision matching '%s' exists in the remote repository", l.Rev)
	}
	return g, nil
}

// lookInside finds out where the checkout is. What it cannot be moved over is an error.
func (l *Latest) lookInside(ctx context.Context, h host.Reader, s *sight) error {
	r := l.repo()
	ask := func(into *string, args ...string) error {
		text, ok, err := r.ask(ctx, h, args...)
		if *into = ""; ok {
			*into = text
		}
		return err
	}
	var changed, listed string
	err := errors.Join(
		ask(&s.head, "rev-parse", "--verify", "-q", "HEAD^{commit}"),
		ask(&s.branch, "symbolic-ref", "-q", "--short", "HEAD"),
		ask(&listed, "for-each-ref", "--format=%(refname) %(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) "+
			"%(upstream:short)"),
		ask(&s.url, "config", "--get", "remote."+l.Remote+".url"))
	if err == nil && !l.bare() {
		err = ask(&changed, "status", "--porcelain", "--untracked-files=no")
	}
	if err != nil {
		return err
	}
	s.dirty, s.local = changed != "" && s.head != "", localRefs(listed)
	switch {
	case s.head == "":
		s.branch = ""
	case s.branch == "":
		s.branch = "HEAD"
	}
	if l.bare() {
		return nil
	}
	if s.goal.kind == noRevision && s.head != "" {
		return errors.New("Remote repository is empty, cannot update from a non-empty to an empty repository")
	}
	s.base = s.head
	if l.switches(s) {
		if to, ok := s.local["refs/heads/"+l.Branch]; ok {
			s.base = to.commit
		} else {
			s.base = s.goal.commit
		}
	}
	return l.lookForward(ctx, h, s)
}

func localRefs(listed string) map[string]localRef {
	m := map[string]localRef{}
	for line := range strings.Lines(listed) {
		if f := strings.Fields(line); len(f) >= 2 {
			m[f[0]] = localRef{commit: f[1], upstream: strings.Join(f[2:], "")}
		}
	}
	return m
}

// switches says whether another branch is to be checked out.
func (l *Latest) switches(s *sight) bool { return l.Branch != "" && l.Branch != s.branch }

// lookForward finds out whether the checkout knows the goal, and can be fast-forwarded to it.
func (l *Latest) lookForward(ctx context.Context, h host.Reader, s *sight) (err error) {
	if s.dirty && !l.resetsForRemote() {
		s.onward = sideways
	}
	if s.has, err = l.knows(ctx, h, s); err != nil || !s.has || s.onward != untold {
		return err
	}
	s.onward, err = l.onward(ctx, h, s)
	return err
}

// knows says whether nothing has to be fetched for the goal.
func (l *Latest) knows(ctx context.Context, h host.Reader, s *sight) (bool, error) {
	g := s.goal
	switch {
	case g.kind == noRevision:
		return false, nil
	case g.kind == aCommit && s.base != "" && strings.HasPrefix(s.base, g.commit):
		return true, nil
	}
	_, known, err := l.repo().ask(ctx, h, "rev-parse", "--verify", "-q", g.commit+"^{commit}")
	if err != nil || !known {
		return false, err
	}
	switch g.kind {
	case aBranch:
		return s.url != "" && s.local["refs/remotes/"+g.upstream].commit == g.commit, nil
	case aTag:
		tag, ok := s.local["refs/tags/"+g.rev]
		if ok && tag.commit != g.commit && !l.resets() {
			return false, fmt.Errorf("'%s' is a tag, but the remote SHA1 for this tag (%s) doesn't match the local SHA1 (%s). "+
				"Set "+
				"'force_reset' to True to force this update.", g.rev, shorten(g.commit), shorten(tag.commit)) //nolint:staticcheck // Salt's words
		}
		return ok && tag.commit == g.commit, nil
	}
	return true, nil
}

// onward asks whether the goal, which is known by now, comes after the base.
func (l *Latest) onward(ctx context.Context, h host.Reader, s *sight) (onward, error) {
	if s.base == "" {
		return forward, nil
	}
	_, ok, err := l.repo().ask(ctx, h, "merge-base", "--is-ancestor", s.base, s.goal.commit)
	if ok {
		return forward, err
	}
	return sideways, err
}

// tags are those that only the remote has, and those that only the checkout has, sorted. A shallow clone is made
// without the tags of others.
//
// Salt differs: it fetches the tags in the run after a shallow clone, and tells of those that refspec_tag leaves out,
// or that fetch_tags does not fetch, in each run.
func (l *Latest) tags(h host.Reader, s *sight) (fresh, stray []string) {
	if _, err := h.Lstat(path.Join(l.Target, ".git/shallow")); err == nil {
		return nil, nil
	}
	for ref := range s.refs {
		name, ok := strings.CutPrefix(ref, "refs/tags/")
		if _, known := s.local[ref]; ok && !known && l.FetchTags && !strings.HasSuffix(ref, "^{}") && starred(l.Tags, name) {
			fresh = append(fresh, name)
		}
	}
	for ref := range s.local {
		name, ok := strings.CutPrefix(ref, "refs/tags/")
		if _, known := s.refs[ref]; ok && !known && l.SyncTags {
			stray = append(stray, name)
		}
	}
	sort.Strings(fresh)
	sort.Strings(stray)
	return fresh, stray
}

// starred says whether a pattern of a refspec, which may have one star, means a name.
func starred(pattern, name string) bool {
	before, after, star := strings.Cut(pattern, "*")
	return pattern == name || star && len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) &&
		strings.HasSuffix(name, after)
}
