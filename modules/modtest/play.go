package modtest

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func (s Suite) names() []string { return slices.Sorted(maps.Keys(s.Situations)) }

// A play is one deed in one situation.
type play struct {
	s         Suite
	t         *testing.T
	situation string
	index     int
	d         Deed
	beyond    []string // what is not foretold
}

// verdict is what became of a deed.
type verdict string

const (
	quiet   verdict = "nothing to do"
	changes verdict = "changes"
	fails   verdict = "fails"
	unknown verdict = "cannot tell"
)

// A story is how a deed went.
type story struct {
	verdict verdict
	effect  state.Effect
	err     error
}

func told(e state.Effect, err error) story {
	switch {
	case err != nil:
		return story{fails, e, err}
	case e.Alters():
		return story{changes, e, nil}
	}
	return story{quiet, e, nil}
}

// foretell acts on an overlay, as a preview does.
func (p *play) foretell(over *host.Overlay, d Deed) story {
	over.Acting(d.String())
	over.Doubt()
	fn, low := p.s.bind(p.t, d)
	out := told(fn.Act(p.t.Context(), p.s.env(p.t, low), over))
	if over.Doubt() != nil || host.IsUnknown(out.err) {
		out.verdict = unknown
	}
	return out
}

// run acts on the machine, as the executor does: it looks, does, and looks again.
func (p *play) run(fn modules.StateFunc, env *modules.Env, h host.Host) story {
	ctx := p.t.Context()
	look := func() story {
		over := host.Forecast(h)
		out := told(fn.Act(ctx, env, over))
		if over.Doubt() != nil {
			out.verdict = changes
		}
		return out
	}
	first := look()
	if first.verdict == fails && !(first.effect.Once && first.effect.Alters()) || first.verdict == quiet &&
		!first.effect.Once {
		return first
	}
	did := told(fn.Act(ctx, env, h))
	if did.verdict == fails || did.effect.Once {
		return did
	}
	if again := look(); again.verdict != quiet {
		p.t.Errorf("%v: does not converge: %v %s", p.d, again.err, repr(again.effect.Changes))
	}
	return did
}

// all plays the deed: looked at, previewed, run, looked at again.
func (p *play) all() {
	p.t.Helper()
	h := p.s.Situations[p.situation](p.t)
	before := newWitness(p.t, h)
	p.foretell(host.Forecast(h), p.d)
	over := host.NewOverlay(h)
	said := p.foretell(over, p.d)
	foreseen := p.picture(over, over.Promised())
	if diff := before.diff(p.t, h); diff != "" {
		p.t.Errorf("%v: the preview wrote (-before +after):\n%s", p.d, diff)
		return
	}
	fn, low := p.s.bind(p.t, p.d)
	did := p.run(fn, p.s.env(p.t, low), h)
	after := p.picture(h, over.Promised())
	p.leavesNothing(after)
	if p.agrees(said, did) && did.verdict != fails && p.d.untold == "" {
		p.foresaw(foreseen, after)
		if again := after.next[0]; !did.effect.Once && again.verdict != quiet {
			p.t.Errorf("%v: the second run: %s, %v, %s", p.d, again.verdict, again.err, repr(again.effect.Changes))
		}
	}
	p.keepsNothing(did)
}

// agrees compares what a preview says with what the run does.
func (p *play) agrees(said, did story) bool {
	p.t.Helper()
	switch {
	case errors.Is(said.err, host.ErrPreview):
		p.t.Errorf("%v: nothing foretells it: %v", p.d, said.err)
		return false
	case p.d.untold != "" && (said.verdict == changes || said.verdict == unknown):
		return true
	case said.verdict == unknown: // of its own doing
		return did.verdict != fails
	case said.verdict != did.verdict:
		p.t.Errorf("%v: the preview says: %s (%v, %s), the run: %s (%v, %s)", p.d, said.verdict, said.err,
			repr(said.effect.Changes),
			did.verdict, did.err, repr(did.effect.Changes))
		return false
	}
	shown := said.effect.Changes != nil && said.effect.Changes.Len() > 0
	// those of a preview are others, or not known before
	if said.effect.Foretold != nil || !shown || did.verdict == fails {
		return true
	}
	if diff := cmp.Diff(p.s.still(repr(said.effect.Changes)), p.s.still(repr(did.effect.Changes))); diff != "" {
		p.t.Errorf("%v: changes (-foretold +done):\n%s", p.d, diff)
	}
	return true
}

// keepsNothing lets one state function act on the machine of the situation before, then on a new one of this, where it
// does as one that has not acted yet.
func (p *play) keepsNothing(did story) {
	p.t.Helper()
	names := p.s.names()
	i := slices.Index(names, p.situation)
	fn, low := p.s.bind(p.t, p.d)
	other := p.s.Situations[names[(i+len(names)-1)%len(names)]](p.t)
	_, _ = fn.Act(p.t.Context(), p.s.env(p.t, low), other)
	again := p.run(fn, p.s.env(p.t, low), p.s.Situations[p.situation](p.t))
	if diff := cmp.Diff(p.s.still(again.text()), p.s.still(did.text())); diff != "" {
		p.t.Errorf("%v: it keeps something between calls (-after another call +at first):\n%s", p.d, diff)
	}
}

func (s story) text() string {
	text := string(s.verdict) + ": " + s.effect.Comment + repr(s.effect.Changes)
	if s.err != nil {
		text += s.err.Error()
	}
	return text
}

// still is a text without what tells the time.
func (s Suite) still(text string) string {
	if s.Moment == nil {
		return text
	}
	return s.Moment.ReplaceAllString(text, "TIME")
}

func repr(d *value.Dict) string {
	if d == nil {
		return "{}"
	}
	return value.Repr(d)
}
