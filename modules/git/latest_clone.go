package git

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// cloned makes the checkout, or the bare repository.
func (l *Latest) cloned(ctx context.Context, env *modules.Env, h host.Host, s *sight) (state.Effect, error) {
	if s.full && !l.Clone {
		return state.Effect{}, fmt.Errorf("Target '%s' exists, is non-empty and is not a git repository. Set the "+
			"'force_clone' "+
			"option to True to remove this directory's contents and proceed with cloning the remote repository", l.Target)
	}
	changes, preview := value.NewDict(2), fmt.Sprintf("Repository %s would be cloned to %s", redacted(l.Name), l.Target)
	if s.made && l.Clone {
		changes.SetStr("forced clone", value.Bool(true))
		preview = fmt.Sprintf("Target directory %s exists. Since force_clone=True, the contents of %[1]s would be deleted, "+
			"and %s "+
			"would be cloned into this directory.", l.Target, redacted(l.Name))
	}
	changes.SetStr("new", value.Str(l.Name+" => "+l.Target))
	return l.work(ctx, env, h, state.Effect{Foretold: changes, Preview: preview}, func(d *doing) error {
		d.changes = changes.Copy()
		return l.clone(d, s)
	})
}

func (l *Latest) clone(d *doing, s *sight) error {
	if s.full {
		if err := l.empty(d); err != nil {
			return err
		}
	}
	if err := l.outside().into(d.h, l.Target).do(d.ctx, d.h, l.cloneWords()...); err != nil {
		return fmt.Errorf("Clone failed: %w", err)
	}
	d.say("%s cloned to %s%s", redacted(l.Name), l.Target, l.cloneKind())
	if s.goal.kind != noRevision {
		if err := l.settle(d, s); err != nil {
			return err
		}
		if err := l.submodules(d); err != nil {
			return err
		}
	}
	now, _, err := l.repo().ask(d.ctx, d.h, "rev-parse", "--verify", "-q", "HEAD^{commit}")
	if now != "" {
		d.changes.SetStr("revision", revision("", now))
	}
	return err
}

func (l *Latest) cloneKind() string {
	switch {
	case l.Mirror:
		return " as mirror"
	case l.Bare:
		return " as bare repository"
	}
	return ""
}

func (l *Latest) cloneWords() []string {
	words := []string{"clone", "-q"}
	switch {
	case l.Mirror:
		words = append(words, "--mirror")
	case l.Bare:
		words = append(words, "--bare")
	}
	if l.Remote != "origin" {
		words = append(words, "--origin", l.Remote)
	}
	if l.Depth != 0 {
		words = append(words, "--depth", strconv.Itoa(l.Depth), "--branch", l.Rev)
	}
	return append(words, "--", l.Name, l.Target)
}

// empty takes away what is in the place of the clone, but for the folder itself.
func (l *Latest) empty(d *doing) error {
	entries, err := d.h.ReadDir(l.Target)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := d.h.RemoveAll(path.Join(l.Target, e.Path)); err != nil {
			return fmt.Errorf("Unable to remove %s: %w", path.Join(l.Target, e.Path), err)
		}
	}
	return nil
}

// settle moves a fresh clone to the goal. As with Salt, the local branch is the remote's default one, whatever revision
// is asked for, unless the state names another.
func (l *Latest) settle(d *doing, s *sight) error {
	fresh := &sight{refs: s.refs, goal: s.goal}
	if err := l.lookInside(d.ctx, d.h, fresh); err != nil {
		return err
	}
	if _, known := fresh.local["refs/heads/"+l.Branch]; l.Branch != "" && !known {
		said := fmt.Sprintf("Branch '%s' checked out, with %s as a starting point", l.Branch, s.goal.place())
		if err := d.git(said, "checkout", "-q", "-b", l.Branch, l.start(fresh), "--"); err != nil {
			return err
		}
		if err := l.lookInside(d.ctx, d.h, fresh); err != nil {
			return err
		}
	}
	if fresh.branch == "" && s.refs["HEAD"] == "" {
		return errors.New("Remote HEAD refers to a ref that does not exist. This can happen when the default branch on the " +
			"remote repository is renamed or deleted. If you are unable to fix the remote repository, you can work around " +
			"this by " +
			"setting the 'branch' argument (which will ensure that the named branch is created if it does not already exist).")
	}
	if !s.goal.is(fresh.head) {
		if err := d.git("Repository was reset to "+s.goal.place(), "reset", "-q", "--hard", s.goal.commit, "--"); err != nil {
			return err
		}
	}
	return l.track(d, fresh, s.goal.follow(fresh.local["refs/heads/"+fresh.branch].upstream))
}

// refreshed fetches what a bare repository lacks.
//
// Salt differs: it fetches in each run, also where the remote has nothing new.
func (l *Latest) refreshed(ctx context.Context, env *modules.Env, h host.Host, s *sight) (state.Effect, error) {
	fresh, _ := l.tags(h, s)
	if len(fresh) == 0 && !l.lacksBranches(s) {
		return state.Settled(l.upToDate(nil)), nil
	}
	e := state.Effect{Preview: fmt.Sprintf("Bare repository at %s would be fetched", l.Target), Foretold: value.NewDict(0)}
	return l.work(ctx, env, h, e, func(d *doing) error {
		said := fmt.Sprintf("Bare repository at %s was fetched, resulting in updated refs", l.Target)
		if err := d.git(said, l.fetchWords()...); err != nil {
			return fmt.Errorf("Fetch failed: %w", err)
		}
		return l.arrived(d, s)
	})
}

// lacksBranches says whether a bare repository has not all branches of the remote that a fetch brings.
func (l *Latest) lacksBranches(s *sight) bool {
	for ref, commit := range s.refs {
		name, ok := strings.CutPrefix(ref, "refs/heads/")
		if !ok || !l.FetchTags || !starred(l.Branches, name) {
			continue
		}
		if s.local[ref].commit != commit && (l.Mirror || s.local["refs/remotes/"+l.Remote+"/"+name].commit != commit) {
			return true
		}
	}
	return false
}
