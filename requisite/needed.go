package requisite

import (
	"slices"

	"github.com/gostate/gostate/state"
)

// Needed are the states that the function picks and all that must run or be asked before them, in chunk order: what
// `sls --id` runs. What is only of an earlier run stage is not needed. They are a low state of their own, to be
// resolved again, in which nothing listens.
func (p *Plan) Needed(pick func(*state.Low) bool) []*state.Low {
	in := p.Closure(pick)
	var out []*state.Low
	for i, l := range p.Low {
		if in[i] {
			own := *l
			own.Index = len(out)
			own.Reqs = slices.DeleteFunc(slices.Clone(l.Reqs), func(r state.Requisite) bool { return r.Kind == state.Listen })
			out = append(out, &own)
		}
	}
	p.dropLostIn(out)
	return out
}

// Closure marks, by place in the low state, what the function picks and all that must run or be asked before it.
func (p *Plan) Closure(pick func(*state.Low) bool) []bool {
	in := make([]bool, len(p.Low))
	doneSets := make([]bool, len(p.Sets))
	var queue []int32
	add := func(i int32) {
		if !in[i] {
			in[i] = true
			queue = append(queue, i)
		}
	}
	for i, l := range p.Low {
		if pick(l) {
			add(int32(i))
		}
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, t := range p.targets(i) {
			if t.Set == NotFound || doneSets[t.Set] || t.Req.Kind == state.Staged {
				continue
			}
			doneSets[t.Set] = true
			for _, m := range p.Sets[t.Set] {
				add(m)
			}
		}
		for _, a := range p.PrereqOf[i] {
			add(a)
		}
	}
	return in
}

// dropLostIn takes out of a part of the states what they say with before and notify of states that are not in it.
func (p *Plan) dropLostIn(low []*state.Low) {
	var x *index
	for _, l := range low {
		if len(l.In) == 0 {
			continue
		}
		if x == nil {
			x = newIndex(low)
			x.stages = newStages(low, p.Stages())
		}
		l.In = slices.DeleteFunc(slices.Clone(l.In), func(q state.Requisite) bool {
			return q.Kind != state.Listen && x.find(q.To) == NotFound
		})
	}
}
