package svn

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Latest keeps a working copy at a revision.
type Latest struct{ Tree }

func latestSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "svn.latest", Doc: "Keeps a working copy at a revision of its repository.",
		Example: "https://svn.example.com/app/trunk:\n  svn.latest:\n    - target: /srv/app\n    - user: app",
		New:     func() modules.StateFunc { return &Latest{} },
	}
}

// Act checks out or updates.
func (l *Latest) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	is, dir, err := l.there(h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case is && !dir:
		return state.Effect{}, fmt.Errorf("The path \"%s\" exists and is not a directory.", //nolint:staticcheck // Salt's words
			l.Target)
	}
	if is {
		above, name := l.place()
		if info, err := l.ask(ctx, h, above, "info", "--", name); err == nil {
			return l.update(ctx, h, info)
		}
	}
	return l.checkout(ctx, h)
}

// at are the options of the revision, those that the arguments come to, and what follows.
func (l *Latest) at(rest ...string) (words []string) {
	if l.Rev != "" {
		words = append(words, "-r", l.Rev)
	}
	return append(append(append(words, l.options()...), "--"), rest...)
}

// now is the revision of the working copy.
func (l *Latest) now(ctx context.Context, h host.Reader) (string, error) {
	info, err := l.ask(ctx, h, l.Target, "info")
	return field(info, "Revision"), err
}

func (l *Latest) checkout(ctx context.Context, h host.Host) (state.Effect, error) {
	goal, err := l.goal(ctx, h, l.Name)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.DictOf("new", value.Str(l.Name), "revision", value.Str(goal)),
		Foretold: value.NewDict(0), Preview: fmt.Sprintf("%s doesn't exist and is set to be checked out at revision %s.",
			l.Target, cmp.Or(l.Rev, "HEAD"))}
	err = l.bring(ctx, h, "svn checkout", func(ctx context.Context) (err error) {
		above, name := l.place()
		if e.Comment, err = l.do(ctx, h, above, "checkout", l.at(l.Name, name)...); err != nil {
			return err
		}
		at, err := l.now(ctx, h)
		e.Changes.SetStr("revision", value.Str(at))
		return err
	})
	return state.Done(e, err)
}

// goal is the number of the revision that is wanted, as the repository has it at an address.
func (l *Latest) goal(ctx context.Context, h host.Reader, address string) (string, error) {
	info, err := l.ask(ctx, h, "/", "info", append(append([]string{"-r", cmp.Or(l.Rev, "HEAD")}, l.trusting()...), "--",
		address)...)
	return field(info, "Revision"), err
}

// update moves a working copy that has another revision, or that lacks files.
//
// Salt differs: its test mode says of each working copy that it would change.
func (l *Latest) update(ctx context.Context, h host.Host, info string) (state.Effect, error) {
	above, name := l.place()
	was := field(info, "Revision")
	goal, err := l.goal(ctx, h, field(info, "URL"))
	if err != nil {
		return state.Effect{}, err
	}
	status, err := l.ask(ctx, h, above, "status", "-q", "--", name)
	if err != nil {
		return state.Effect{}, err
	}
	if was == goal && !strings.Contains("\n"+status, "\n!") {
		return state.Settled(fmt.Sprintf("Updating '%s':\nAt revision %s.", name, was)), nil
	}
	e := state.Effect{Pending: true, Changes: value.NewDict(1),
		Preview: fmt.Sprintf("%s is set to be updated from revision %s to %s.", l.Target, was, goal)}
	if was != goal {
		e.Changes.SetStr("revision", value.Str(was+" => "+goal))
	}
	err = l.bring(ctx, h, "svn update", func(ctx context.Context) (err error) {
		if e.Comment, err = l.do(ctx, h, above, "update", l.at(name)...); err != nil {
			return err
		}
		at, err := l.now(ctx, h)
		if err == nil && at != was {
			e.Changes.SetStr("revision", value.Str(was+" => "+at))
		}
		return err
	})
	return state.Done(e, err)
}
