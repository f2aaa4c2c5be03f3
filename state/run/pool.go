package run

import (
	"slices"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// A pool is the states that are under way, in the order of the plan. Each is looked at, which beside its forecast gives
// what it reads and writes (its footprint), and then carried out:
//
//	looking -> looked -> doing -> gone
//	   ^          |        ^
//	   +-- stale -+        |
//	waiting (alone) -------+
//
// Looking is done beside everything. Doing begins in the order of the plan, and only while no state is doing whose
// footprint this one meets. A forecast is stale, and made anew, when one that it meets was carried out since it began.
// So every state finds what it looks at as if one ran after the other, and results do not depend on the size of the
// pool. What cannot be seen on an overlay is done alone.
//
// Its fields belong to the goroutine of Run.
type pool struct {
	limit int
	tasks []*task
	// look and call are what is done in the two steps, in a goroutine each.
	look, call func(*task)
	// begin is told of a task that starts, doing of one that is carried out beside others.
	begin, doing func(*task)
	// quit says that what is not doing yet is not to begin.
	quit   func() bool
	events chan *task // tasks that end a step
}

// A phase is where a task of the pool stands.
type phase uint8

const (
	waiting phase = iota
	looking
	looked
	doing
	gone
)

func (p *pool) busy() bool { return len(p.tasks) > 0 }

func (p *pool) full() bool { return len(p.tasks) >= p.limit }

// add takes a task in. All that it refers to is gone.
func (p *pool) add(t *task) {
	p.tasks = append(p.tasks, t)
	if !t.alone {
		p.step(t, looking)
	}
	p.advance()
}

// next waits until a step ends, and gives the tasks that are gone then; advance lets others in after that. One without
// a result never began.
func (p *pool) next() []*task {
	if slices.ContainsFunc(p.tasks, func(t *task) bool { return t.phase == looking || t.phase == doing }) {
		if t := <-p.events; t.phase == looking {
			t.phase = looked
		} else {
			p.leave(t)
		}
	}
	var out []*task
	p.tasks = slices.DeleteFunc(p.tasks, func(t *task) bool {
		if t.phase == gone {
			out = append(out, t)
		}
		return t.phase == gone
	})
	return out
}

// leave marks a task as gone, and tells the later ones what was done while they looked.
func (p *pool) leave(t *task) {
	t.phase = gone
	for _, later := range p.tasks[slices.Index(p.tasks, t)+1:] {
		later.passed = append(later.passed, t)
	}
}

// advance lets in what can be let in, in the order of the plan.
func (p *pool) advance() {
	for i := 0; i < len(p.tasks); i++ {
		switch t := p.tasks[i]; {
		case t.phase == doing, t.phase == gone:
		case t.phase == looking:
			return
		case p.quit():
			t.phase = gone
		case t.stale():
			p.step(t, looking)
			return
		case slices.ContainsFunc(p.tasks[:i], func(o *task) bool { return o.phase == doing && meets(o, t) }):
			return
		default:
			p.step(t, doing)
		}
	}
}

// step starts a step of a task.
func (p *pool) step(t *task, to phase) {
	if t.phase == waiting {
		p.begin(t)
	}
	t.phase = to
	do := p.call
	if to == looking {
		do, t.passed = p.look, nil
	} else if p.limit > 1 {
		p.doing(t)
	}
	if p.limit == 1 {
		do(t)
		p.events <- t
		return
	}
	go func() {
		do(t)
		p.events <- t
	}()
}

// stale says whether something was carried out since the look at the state began that the look depends on.
func (t *task) stale() bool {
	return t.phase == looked && slices.ContainsFunc(t.passed, func(o *task) bool { return meets(o, t) })
}

// meets says whether the order of two states matters, of which the first is the earlier. Deeds may do more than they
// foretell: they are done beside nothing, unless the earlier one is `parallel: true`; then only deeds on one kind of
// thing meet, and what is known of files.
func meets(earlier, later *task) bool {
	switch {
	case earlier.alone || later.alone:
		return true
	case earlier.low.Opts().Parallel:
		return visible(earlier.foot).Meets(visible(later.foot))
	}
	return len(earlier.foot.Deeds)+len(later.foot.Deeds) > 0 || earlier.foot.Meets(later.foot)
}

// visible is a footprint without what may be anything.
func visible(f *host.Footprint) *host.Footprint {
	v := *f
	v.Queried = false
	v.Deeds = slices.DeleteFunc(slices.Clone(v.Deeds), func(k host.Kind) bool { return k == host.Anything })
	return &v
}

// alone says whether a state is carried out beside no other, whatever it does: its commands, its second tries and its
// reaction to others are not seen beforehand, and what it reloads is the others' to read.
func (x *executor) alone(t *task) bool {
	o := t.low.Opts()
	asks := len(o.Onlyif)+len(o.Unless)+len(o.CheckCmd) > 0 || o.Retry != nil
	return x.pool.limit == 1 || t.watch || x.noop(t.low) || len(t.also) > 0 || t.failhard || reloads(t.low) || asks &&
		!o.Parallel
}

// reloads says whether what others know changes with the state: a state of grains writes what all look up.
func reloads(low *state.Low) bool {
	return low.Module == "grains" || low.Opts().ReloadGrains || low.Opts().ReloadPillar || low.Opts().ReloadModules
}
