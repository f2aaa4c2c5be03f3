package session

import (
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/run"
)

// onlyIDs keeps the states of the IDs and what runs because of their requisites, as Salt's state.sls_id does, and gives
// who else reacts to these.
func (s *Session) onlyIDs(low []*state.Low, ids []string) ([]*state.Low, map[string][]run.Debtor, error) {
	plan, _ := s.Resolve(low)
	needed := plan.Needed(func(l *state.Low) bool { return slices.ContainsFunc(ids, l.IsCalled) })
	if len(needed) == 0 {
		var known []string
		for _, l := range low {
			known = append(known, l.ID)
		}
		d := diag.Errorf(diag.Pos{}, "no state has the ID %q", strings.Join(ids, ", "))
		if near := diag.Nearest(ids[0], known); near != "" {
			d.WithHint("did you mean %q?", near)
		}
		return nil, nil, d
	}
	can := func(l *state.Low) bool { return s.registry.HasModWatch(l.Module) }
	return needed, run.Outside(plan, needed, can), nil
}

// selects says whether only some states are meant, by their tags.
func (s *Session) selects() bool { return len(s.opts.Tags)+len(s.opts.SkipTags) > 0 }

// Selection marks, by place in the low state, the states that are meant: those with one of the tags, with what they
// require where that was asked for, less those with one of the tags to skip. nil is all of them.
func (s *Session) Selection(plan *requisite.Plan) ([]bool, error) {
	if s.opts.Requirements && len(s.opts.Tags) == 0 {
		return nil, diag.Errorf(diag.Pos{}, "--with-requirements is about the states of --tags, and there is none").
			WithHint("gostate highstate --tags web --with-requirements")
	}
	if !s.selects() {
		return nil, nil
	}
	if err := knownTags(plan.Low, s.opts.Tags, s.opts.SkipTags); err != nil {
		return nil, err
	}
	in := make([]bool, len(plan.Low))
	picked := func(l *state.Low) bool { return len(s.opts.Tags) == 0 || l.HasTag(s.opts.Tags...) }
	if s.opts.Requirements {
		in = plan.Closure(picked)
	}
	for i, l := range plan.Low {
		in[i] = (in[i] || picked(l)) && !l.HasTag(s.opts.SkipTags...)
	}
	if !slices.Contains(in, true) {
		return nil, diag.Errorf(diag.Pos{}, "--tags and --skip-tags leave no state").
			WithHint("gostate show lowstate lists the states; take a word away")
	}
	return in, nil
}

// knownTags says which words are the tag of no state.
func knownTags(low []*state.Low, words ...[]string) error {
	known := map[string]bool{}
	for _, l := range low {
		for _, t := range l.TagWords() {
			known[t] = true
		}
	}
	var all diag.List
	for _, w := range slices.Concat(words...) {
		if known[strings.ToLower(w)] {
			continue
		}
		d := diag.Errorf(diag.Pos{}, "no state has the tag %q", w)
		if near := diag.Nearest(strings.ToLower(w), slices.Sorted(maps.Keys(known))); near != "" {
			d.WithHint("did you mean %q?", near)
		} else {
			d.WithHint("the parts of an SLS's name, modules, functions and plain IDs are tags, beside those that `tags:` gives")
		}
		all.Add(d)
	}
	return all.Err()
}

// Only are the states that are meant.
func (s *Session) Only(low []*state.Low) ([]*state.Low, error) {
	if !s.selects() {
		return low, nil
	}
	plan, _ := s.Resolve(low)
	in, err := s.Selection(plan)
	if in == nil {
		return low, err
	}
	var out []*state.Low
	for i, l := range low {
		if in[i] {
			out = append(out, l)
		}
	}
	return out, nil
}
