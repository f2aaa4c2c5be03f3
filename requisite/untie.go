package requisite

import (
	"cmp"
	"slices"

	"github.com/gostate/gostate/state"
)

// untie leaves out of a plan the automatic relationships that would close a circle with what is written down, or with
// each other: taken in the order of the states that are stood on, then of those that stand on them, and what a link
// leads to last, each one that closes a circle with those that were kept before. Only knots are looked at, so a plan
// without a contradiction costs nothing. Where what is written is a circle by itself, nothing runs, and nothing is
// judged.
// It says whether any was in doubt.
func (p *Plan) untie(w *walk, prereq bool) bool {
	u := &untying{w: w, knot: make([]int32, len(w.num)), kept: map[int32][]int32{}, keptBy: map[int32][]int32{},
		parents: map[int32][]int32{}, down: search{seen: make([]int32, len(w.num))},
		up: search{seen: make([]int32, len(w.num))}}
	for k, knot := range w.knots {
		for _, v := range knot {
			u.knot[v] = int32(k) + 1
		}
	}
	u.suspect()
	if written := newWalk(p); !prereq && written.tied() {
		u.pairs = nil
	}
	u.judge()
	u.leaveOut()
	return len(u.suspects) > 0
}

type untying struct {
	w        *walk
	knot     []int32 // node -> number of its knot, from 1; 0 for none
	suspects []suspect
	pairs    []pair
	kept     map[int32][]int32 // state -> what it stands on after all, of what was in doubt
	keptBy   map[int32][]int32 // the same, seen from there
	parents  map[int32][]int32 // node of a knot -> those that wait for it there
	down, up search            // over what is waited for, and over what waits
}

// A suspect is an automatic target of a state that lies in one knot with it.
type suspect struct {
	low    int32
	target *Target
	set    int32
}

// A pair is one state that another stands on.
type pair struct {
	to, from int32
	suspect  int32
	weak     int8 // 1 for what may come later all the same: a link's target
	out      bool
}

// suspect takes the targets that are in doubt out of the graph.
func (u *untying) suspect() {
	p, w := u.w.plan, u.w
	for s := range w.n {
		targets := p.targets(s)
		for k := range targets {
			t := &targets[k]
			if t.Req.Mode != state.Automatic || t.Set == NotFound {
				continue
			}
			if in := u.knot[2*w.n+t.Set]; in == 0 || in != u.knot[s] && in != u.knot[w.n+s] {
				continue
			}
			weak := int8(0)
			if t.Req.Tie == state.TieTarget {
				weak = 1
			}
			for _, m := range p.Sets[t.Set] {
				u.pairs = append(u.pairs, pair{to: m, from: s, suspect: int32(len(u.suspects)), weak: weak})
			}
			u.suspects = append(u.suspects, suspect{s, t, t.Set})
			t.Set = NotFound
		}
	}
	slices.SortStableFunc(u.pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.weak, b.weak), cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from))
	})
}

// judge takes the pairs one by one.
func (u *untying) judge() {
	u.reverse()
	for i := range u.pairs {
		x := &u.pairs[i]
		if i == 0 || x.to != u.pairs[i-1].to || x.weak != u.pairs[i-1].weak {
			u.down.begin(x.to)
		}
		if x.out = u.waits(x.to, x.from); !x.out {
			u.kept[x.from] = append(u.kept[x.from], x.to)
			u.keptBy[x.to] = append(u.keptBy[x.to], x.from)
		}
	}
}

// waits says whether a state waits for another. It is sought from both ends in turn, so that a circle is closed in the
// time of the shorter search: one end of a chain that grows is near. What the first waits for is sought once for all
// that stand on it, since it does not grow by what is kept to it.
func (u *untying) waits(to, from int32) bool {
	in, n := u.knot[to], u.w.n
	if in == 0 {
		return false
	}
	u.up.begin()
	for _, v := range []int32{from, n + from} {
		if u.knot[v] == in {
			u.up.visit(v)
		}
	}
	for {
		switch {
		case u.down.came(from) || u.down.came(n+from) || u.up.came(to):
			return true
		case len(u.down.stack) == 0 || len(u.up.stack) == 0:
			return false
		}
		u.goDown(u.down.next(), in)
		u.goUp(u.up.next(), in)
	}
}

// goDown visits what a node waits for.
func (u *untying) goDown(x, in int32) {
	for k := int32(0); ; k++ {
		c, ok := u.w.child(x, k)
		if !ok {
			break
		}
		if c != NotFound && u.knot[c] == in {
			u.down.visit(c)
		}
	}
	if x < 2*u.w.n {
		for _, c := range u.kept[x%u.w.n] {
			if u.knot[c] == in {
				u.down.visit(c)
			}
		}
	}
}

// goUp visits what waits for a node.
func (u *untying) goUp(x, in int32) {
	for _, v := range u.parents[x] {
		u.up.visit(v)
	}
	if x >= u.w.n {
		return
	}
	for _, s := range u.keptBy[x] {
		for _, v := range []int32{s, u.w.n + s} {
			if u.knot[v] == in {
				u.up.visit(v)
			}
		}
	}
}

// reverse finds for the nodes of the knots what waits for them in the same one.
func (u *untying) reverse() {
	if len(u.pairs) == 0 {
		return
	}
	for _, knot := range u.w.knots {
		for _, v := range knot {
			for k := int32(0); ; k++ {
				c, ok := u.w.child(v, k)
				if !ok {
					break
				}
				if c != NotFound && u.knot[c] == u.knot[v] {
					u.parents[c] = append(u.parents[c], v)
				}
			}
		}
	}
}

// A search goes over nodes, each once.
type search struct {
	seen  []int32 // node -> the number of the last search that came by, from 1
	num   int32
	stack []int32 // what has come by and is not looked at yet
}

// begin begins another search at nodes.
func (s *search) begin(at ...int32) {
	s.num++
	s.stack = s.stack[:0]
	for _, v := range at {
		s.visit(v)
	}
}

func (s *search) came(v int32) bool { return s.seen[v] == s.num }

func (s *search) visit(v int32) {
	if s.seen[v] != s.num {
		s.seen[v] = s.num
		s.stack = append(s.stack, v)
	}
}

func (s *search) next() int32 {
	v := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	return v
}

// leaveOut puts what was kept back into the plan, and notes the rest.
func (u *untying) leaveOut() {
	p := u.w.plan
	kept := make([][]int32, len(u.suspects))
	for _, x := range u.pairs {
		if x.out {
			p.LeftOut = append(p.LeftOut, Edge{From: x.from, To: x.to, Req: u.suspects[x.suspect].target.Req})
		} else {
			kept[x.suspect] = append(kept[x.suspect], x.to)
		}
	}
	for i, s := range u.suspects {
		switch n := len(kept[i]); {
		case n == len(p.Sets[s.set]):
			s.target.Set = s.set
		case n > 0:
			s.target.Set = int32(len(p.Sets))
			p.Sets = append(p.Sets, kept[i])
		}
	}
	for _, s := range u.suspects {
		p.dropLost(s.low)
	}
	p.sortLeftOut()
}

// dropLost ends the automatic group of a state before the targets that were left out, which the walk passes over. They
// are the last of its targets.
func (p *Plan) dropLost(s int32) {
	at := slices.IndexFunc(p.Groups[s], func(g Group) bool { return g.Mode == state.Automatic })
	if at < 0 {
		return
	}
	targets := p.targets(s)
	targets = targets[slices.IndexFunc(targets, func(t Target) bool { return t.Req.Mode == state.Automatic }):]
	slices.SortStableFunc(targets, func(a, b Target) int {
		return cmp.Compare(min(b.Set, NotFound+1), min(a.Set, NotFound+1))
	})
	if kept := slices.IndexFunc(targets, func(t Target) bool { return t.Set == NotFound }); kept >= 0 {
		targets = targets[:kept]
	}
	if p.Groups[s][at].Targets = targets; len(targets) == 0 {
		p.Groups[s] = slices.Delete(slices.Clone(p.Groups[s]), at, at+1)
	}
}

// dropAutomatic leaves out all automatic relationships of the states of knots, of all states for none, and says whether
// there were any.
func (p *Plan) dropAutomatic(knots [][]int32) bool {
	before, n := len(p.LeftOut), len(p.Low)
	in := make([]bool, n)
	for _, knot := range knots {
		for _, v := range knot {
			if int(v) < 2*n {
				in[int(v)%n] = true
			}
		}
	}
	for s := range p.Low {
		if knots != nil && !in[s] {
			continue
		}
		targets := p.targets(int32(s))
		for k := range targets {
			if t := &targets[k]; t.Req.Mode == state.Automatic && t.Set != NotFound {
				for _, m := range p.Sets[t.Set] {
					p.LeftOut = append(p.LeftOut, Edge{From: int32(s), To: m, Req: t.Req})
				}
				t.Set = NotFound
			}
		}
		p.dropLost(int32(s))
	}
	p.sortLeftOut()
	return len(p.LeftOut) > before
}

func (p *Plan) sortLeftOut() {
	slices.SortStableFunc(p.LeftOut, func(a, b Edge) int { return cmp.Compare(a.From, b.From) })
}
