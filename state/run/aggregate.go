package run

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// An aggregation knows the states that may be done together.
type aggregation struct {
	later map[string][]*state.Low // by function, in plan order, those not yet taken
	taken map[int]bool            // by Low.Index
}

func newAggregation(cfg Config) *aggregation {
	g := &aggregation{later: map[string][]*state.Low{}, taken: map[int]bool{}}
	if cfg.Preview {
		return g
	}
	for _, low := range cfg.Plan.Order {
		if !low.Opts().Aggregate && !cfg.Aggregate || Noop(low, cfg.Noop) || low.Meta().Audit ||
			cfg.Only != nil && !cfg.Only[low.Index] {
			continue
		}
		if _, ok := cfg.Bound[low.Index].(modules.Aggregator); ok {
			g.later[low.Fun()] = append(g.later[low.Fun()], low)
		}
	}
	return g
}

// aggregate hands a state the later ones of its function whose requisites are met already.
func (x *executor) aggregate(t *task) {
	fun := t.low.Fun()
	if x.agg.taken[t.low.Index] || len(x.agg.later[fun]) == 0 || x.noop(t.low) {
		return
	}
	a, ok := t.fn.(modules.Aggregator)
	if !ok || !t.low.Opts().Aggregate && !x.cfg.Aggregate {
		return
	}
	var others []modules.StateFunc
	keep := x.agg.later[fun][:0]
	for _, low := range x.agg.later[fun] {
		switch {
		case low == t.low || x.begun[low.Index]:
		case x.aggregable(low):
			x.agg.taken[low.Index] = true
			others = append(others, x.cfg.Bound[low.Index])
			t.also = append(t.also, low)
		default:
			keep = append(keep, low)
		}
	}
	x.agg.later[fun] = keep
	if len(others) > 0 {
		a.Aggregate(x.cfg.Abort, x.env(t, false), others)
	}
}

// aggregable says whether a state could just as well run now: nothing holds it back or is still to come before it.
func (x *executor) aggregable(low *state.Low) bool {
	o := low.Opts()
	if x.unscheduled(low) != "" {
		return false
	}
	if o.HasOnlyif || o.HasUnless || len(o.Onlyif)+len(o.Unless)+len(o.Creates) > 0 ||
		len(x.plan.PrereqOf[low.Index]) > 0 {
		return false
	}
	for _, g := range x.plan.Groups[low.Index] {
		if g.Kind != state.Require && g.Kind != state.Watch && g.Kind != state.Staged {
			return false
		}
		for _, t := range g.Targets {
			if t.Set == requisite.NotFound || !x.finished(t.Set) || x.summarize(t.Set).fail {
				return false
			}
		}
	}
	return true
}
