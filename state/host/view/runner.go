//go:build linux

package view

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gostate/gostate/state/host"
)

// A Runner runs the users' commands of a preview in a view, which is made for the first of them and kept up with what
// the overlay has got since. A command that asks a service or the network, which a view cannot show, is run again as it
// is; so are all where there can be no view.
//
// Salt differs: test mode runs the commands of conditions and templates on the machine.
type Runner struct {
	// Machine is where commands run as they are. Say is told why, once for each reason.
	Machine host.Reader
	Say     func(text, hint string)

	mu   sync.Mutex // guards all below
	view *View
	over *host.Overlay   // that the view shows
	none error           // why there is no view
	said map[string]bool // what Say was told
}

var (
	_ host.Runner      = (*Runner)(nil)
	_ host.ChildRunner = (*Runner)(nil)
)

// RunIn runs a command.
func (r *Runner) RunIn(ctx context.Context, o *host.Overlay, c host.Cmd) (*host.Output, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.show(ctx, o); err != nil {
		r.without(err)
		return r.Machine.Query(ctx, c)
	}
	out, reached, err := r.view.Run(ctx, c)
	if reached == "" {
		return out, err
	}
	r.say("outside", fmt.Sprintf("%q asks for %s, which the view of a preview has not: it, and all like it, ran on the "+
		"machine as they are", line(c), reached), "")
	return r.Machine.Query(ctx, c)
}

// StartIn starts a command that runs on beside others. It sees, at each line that it is sent, what the overlay then
// holds.
func (r *Runner) StartIn(ctx context.Context, o *host.Overlay, c host.Cmd) (host.Child, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.show(ctx, o); err != nil {
		r.without(err)
		if m := host.Starting(r.Machine); m != nil {
			return m.Start(ctx, c)
		}
		return nil, host.ErrPreview
	}
	in, err := r.view.begin(ctx, c)
	if err != nil {
		return nil, err
	}
	return &shown{in, r, o, r.view, line(c)}, nil
}

// A shown child runs in a view.
type shown struct {
	*child
	r    *Runner
	over *host.Overlay
	view *View
	line string
}

var errViewGone = errors.New("the view that it ran in has ended")

func (s *shown) Ask(ctx context.Context, line []byte) ([]byte, error) {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	if s.r.view != s.view {
		return nil, errViewGone
	}
	if err := s.r.show(ctx, s.over); err != nil {
		return nil, err
	}
	if s.r.view != s.view {
		return nil, errViewGone
	}
	said, reached, err := s.child.askAll(ctx, line)
	if reached != "" {
		s.r.say("child outside", fmt.Sprintf("%q asks for %s, which the view of a preview has not: what it says may be "+
			"otherwise in a run", s.line, reached), "")
	}
	return said, err
}

// show makes the view and brings it up to date.
func (r *Runner) show(ctx context.Context, o *host.Overlay) error {
	if r.none != nil {
		return r.none
	}
	anew := r.view == nil || r.over != o || r.view.ended()
	if anew {
		r.end()
		if r.view, r.none = Open(ctx); r.none != nil {
			r.view = nil
			return r.none
		}
		r.over = o
	}
	changes, err := o.Changes(anew)
	if err != nil {
		return err
	}
	return r.view.Apply(ctx, changes, Promised(o))
}

// without says why commands run as they are.
func (r *Runner) without(err error) {
	hint := ""
	var u *Unavailable
	if errors.As(err, &u) {
		hint = u.Hint
	}
	r.say("none", fmt.Sprintf("commands of this preview run on the machine as they are, since there can be no view of "+
		"it: %v", err), hint)
}

func (r *Runner) say(key, text, hint string) {
	if r.said[key] {
		return
	}
	if r.said == nil {
		r.said = map[string]bool{}
	}
	r.said[key] = true
	r.Say(text, hint)
}

// line is a command's first line, for messages.
func line(c host.Cmd) string {
	text, _, _ := strings.Cut(strings.Join(c.Args, " "), "\n")
	return text
}

// Close ends the view.
func (r *Runner) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end()
}

func (r *Runner) end() {
	if r.view != nil {
		r.view.Close()
		r.view = nil
	}
}
