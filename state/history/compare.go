package history

// A Difference is what became of a state in two runs, where that differs.
type Difference struct {
	State string `json:"state"` // Salt's tag
	Label string `json:"label"`
	// A and B are nil where the run had no such state.
	A *State `json:"a,omitempty"`
	B *State `json:"b,omitempty"`
	// Declared says that it was declared otherwise.
	Declared bool `json:"declared,omitempty"`
}

// Compare gives the states of two runs that came out otherwise, or were declared otherwise: those of b in its order,
// then those that only a had.
func Compare(a, b *Run) []Difference {
	out := []Difference{}
	old := make(map[string]*State, len(a.States))
	for i := range a.States {
		old[a.States[i].Tag()] = &a.States[i]
	}
	seen := make(map[string]bool, len(b.States))
	for i := range b.States {
		y := &b.States[i]
		tag := y.Tag()
		seen[tag] = true
		x := old[tag]
		declared := x != nil && a.Key == b.Key && x.Hash != y.Hash
		if x == nil || declared || x.Outcome() != y.Outcome() {
			out = append(out, Difference{tag, y.Label(), x, y, declared})
		}
	}
	for i := range a.States {
		x := &a.States[i]
		if tag := x.Tag(); !seen[tag] {
			out = append(out, Difference{tag, x.Label(), x, nil, false})
		}
	}
	return out
}

// Outcome is what became of a state in one word.
func (s *State) Outcome() string {
	switch {
	case s.Result == False && s.How == HowRequisite:
		return "blocked"
	case s.Result == False:
		return "failed"
	case s.Result == Null, s.Noop && s.Changed():
		return "pending"
	case s.How != "" && s.How != HowWatched && s.How != HowListened:
		return "skipped"
	case s.Changed():
		return "changed"
	}
	return "in order"
}
