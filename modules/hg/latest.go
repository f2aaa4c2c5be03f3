package hg

import (
	"cmp"
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
	Name       string `arg:"name,required,line" doc:"The address of the repository."`
	Rev        string `arg:"rev,line" doc:"The branch, tag or revision; the tip where none is given."`
	Target     string `arg:"target,required,line" doc:"The folder of the checkout."`
	Clean      bool   `arg:"clean" doc:"Throws away what was changed in the checkout."`
	User       string `arg:"user,word" doc:"Who runs hg."`
	Identity   string `arg:"identity,word" doc:"A private key for ssh, a path on the machine."`
	Force      bool   `arg:"force" doc:"Deletes what is in a folder that is no checkout."`
	Opts       string `arg:"opts,line" doc:"More options of hg pull and hg clone."`
	UpdateHead bool   `arg:"update_head" default:"true" doc:"False fetches and leaves the checkout as it is."`
}

func latestSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "hg.latest", Doc: "Keeps a checkout of a Mercurial repository at a revision.",
		Example: "https://hg.example.com/app:\n  hg.latest:\n    - target: /srv/app\n    - rev: stable",
		New:     func() modules.StateFunc { return &Latest{} },
	}
}

// Validate wants a path, and names that are no options.
func (l *Latest) Validate() []modules.Fault {
	for _, a := range [][2]string{{"name", l.Name}, {"rev", l.Rev}, {"identity", l.Identity}} {
		if strings.HasPrefix(a[1], "-") {
			return []modules.Fault{{Arg: a[0], Msg: fmt.Sprintf("'%s' begins with a dash", a[1])}}
		}
	}
	if !path.IsAbs(l.Target) {
		return []modules.Fault{{Arg: "target", Msg: fmt.Sprintf("target '%s' is not an absolute path", l.Target)}}
	}
	return nil
}

func (l *Latest) repo(dir string) repo {
	r := repo{dir: dir, user: l.User, identity: l.Identity}
	if l.Opts != "False" {
		r.opts = strings.Fields(l.Opts)
	}
	return r
}

// Act clones or updates.
func (l *Latest) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := modules.Needs(h, "hg"); err != nil {
		return state.Effect{}, err
	}
	if i, err := h.Stat(path.Join(l.Target, ".hg")); host.IsUnknown(err) {
		return state.Effect{}, err
	} else if err == nil && i.IsDir() {
		return l.update(ctx, h)
	}
	entries, err := h.ReadDir(l.Target)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return state.Effect{}, err
	case len(entries) > 0 && !l.Force:
		return state.Effect{}, errors.New("Directory exists, and is not empty") //nolint:staticcheck // Salt's words
	}
	return l.clone(ctx, h, len(entries) > 0)
}

// theirs is the hash of the revision that is wanted, as the remote has it.
func (l *Latest) theirs(ctx context.Context, h host.Reader, rev string) (string, error) {
	id, _, err := l.repo("/").ask(ctx, h, append(append([]string{"id", "-i", "--debug", "-r", rev},
		ssh(l.Identity)...), "--", l.Name)...)
	return id, err
}

func ssh(identity string) []string { return repo{identity: identity}.keyed() }

// clone makes the checkout, in place of what is there.
func (l *Latest) clone(ctx context.Context, h host.Host, occupied bool) (state.Effect, error) {
	tip, err := l.theirs(ctx, h, "tip")
	if err == nil && l.Rev != "" {
		_, err = l.theirs(ctx, h, l.Rev)
	}
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.DictOf("new", value.Str(l.Name), "revision", value.Str(tip)),
		Foretold: value.NewDict(0), Comment: fmt.Sprintf("Repository %s cloned to %s", l.Name, l.Target),
		Preview: fmt.Sprintf("Repository %s is about to be cloned to %s", l.Name, l.Target)}
	return state.Done(e, l.change(ctx, h, "hg clone", func(ctx context.Context) error {
		if occupied {
			if err := h.RemoveAll(l.Target); err != nil {
				return err
			}
		}
		r := l.repo("/")
		if _, err := r.do(ctx, h, append(append([]string{"clone"}, r.keyed()...), "--", l.Name, l.Target)...); err != nil {
			return err
		}
		in := l.repo(l.Target)
		if l.Rev != "" {
			if _, err := in.do(ctx, h, "update", "-r", l.Rev); err != nil {
				return err
			}
		}
		now, err := in.revision(ctx, h, "tip", true)
		e.Changes.SetStr("revision", value.Str(now))
		return err
	}))
}

// change does what changes the checkout; a preview cannot tell what is there then.
func (l *Latest) change(ctx context.Context, h host.Host, what string, do func(ctx context.Context) error) error {
	return h.Do(ctx, host.Deed{What: what + " " + l.Name, On: host.FactPath, Do: do, Foretell: func(o host.Host) error {
		o.Promise(host.Fact{Kind: host.FactPath, Name: l.Target, Value: "unknown"})
		return nil
	}})
}

// update pulls where the remote has more, and moves the checkout.
//
// Salt differs: its test mode says of each checkout that it is probably changed, and it pulls in each run.
func (l *Latest) update(ctx context.Context, h host.Host) (state.Effect, error) {
	r := l.repo(l.Target)
	was, err := r.revision(ctx, h, ".", true)
	if err != nil || was == "" {
		return state.Effect{}, errors.Join(err, fmt.Errorf("Seems that %s is not a valid hg repo", //nolint:staticcheck // Salt's
			l.Target))
	}
	_, more, err := r.ask(ctx, h, append(append([]string{"incoming", "-q", "-l", "1"}, ssh(l.Identity)...), "--",
		l.Name)...)
	if err != nil {
		return state.Effect{}, err
	}
	goal, err := l.goal(ctx, h, r, more)
	if err != nil {
		return state.Effect{}, err
	}
	dirty := ""
	if l.Clean {
		if dirty, _, err = r.ask(ctx, h, "status", "-mard"); err != nil {
			return state.Effect{}, err
		}
	}
	e := state.Effect{Pending: true, Changes: value.NewDict(1),
		Preview: fmt.Sprintf("Repository %s update is probably required (current revision is %s)", l.Target, was)}
	switch moves := was != goal || dirty != ""; {
	case !l.UpdateHead && !more:
		return state.Settled("No changes found and update_head=False so will skip updating."), nil
	case !l.UpdateHead:
		e.Comment = "Update is probably required but update_head=False so we will skip updating."
		return state.Done(e, l.pull(ctx, h, r))
	case !moves && !more:
		return state.Settled(""), nil
	case was != goal:
		e.Changes.SetStr("revision", value.Str(was+" => "+goal))
		e.Comment = fmt.Sprintf("Repository %s updated.", l.Target)
	}
	return state.Done(e, l.move(ctx, h, r, was, more, e.Changes))
}

// goal is the hash of the revision that is wanted: the remote's where it knows it, else the checkout's own.
func (l *Latest) goal(ctx context.Context, h host.Reader, r repo, more bool) (string, error) {
	rev := cmp.Or(l.Rev, "tip")
	if mine, err := r.revision(ctx, h, rev, true); err != nil || mine != "" && !more {
		return mine, err
	}
	return l.theirs(ctx, h, rev)
}

func (l *Latest) pull(ctx context.Context, h host.Host, r repo) error {
	return l.change(ctx, h, "hg pull", func(ctx context.Context) error {
		_, err := r.do(ctx, h, append(append([]string{"pull"}, r.keyed()...), "--", l.Name)...)
		return err
	})
}

// move pulls and updates, and sets right what changed.
func (l *Latest) move(ctx context.Context, h host.Host, r repo, was string, more bool, changes *value.Dict) error {
	if more {
		if err := l.pull(ctx, h, r); err != nil {
			return err
		}
	}
	return l.change(ctx, h, "hg update", func(ctx context.Context) error {
		words := []string{"update", "-r", cmp.Or(l.Rev, "tip")}
		if l.Clean {
			words = append(words, "-C")
		}
		if _, err := r.do(ctx, h, words...); err != nil {
			return err
		}
		now, err := r.revision(ctx, h, ".", true)
		if err == nil && now != was {
			changes.SetStr("revision", value.Str(was+" => "+now))
		}
		return err
	})
}
