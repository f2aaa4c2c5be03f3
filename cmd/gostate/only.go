package main

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// onlyIDs keeps the states of the IDs and what runs because of their requisites, as Salt's state.sls_id does. Nothing listens.
func (s *session) onlyIDs(low []*state.Low, ids []string) ([]*state.Low, error) {
	keep := make([]bool, len(low))
	var queue []int32
	var known []string
	for i, l := range low {
		known = append(known, l.ID)
		if slices.Contains(ids, l.ID) {
			keep[i] = true
			queue = append(queue, int32(i))
		}
	}
	if len(queue) == 0 {
		d := diag.Errorf(diag.Pos{}, "no state has the ID %q", strings.Join(ids, ", "))
		if near := diag.Nearest(ids[0], known); near != "" {
			d.WithHint("did you mean %q?", near)
		}
		return nil, d
	}
	plan, _ := s.resolve(low, false)
	add := func(i int32) {
		if !keep[i] {
			keep[i] = true
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, g := range plan.Groups[i] {
			for l := range plan.States(g.Targets) {
				add(int32(l.Index))
			}
		}
		for _, before := range plan.PrereqOf[i] {
			add(before)
		}
	}
	var out []*state.Low
	for i, l := range low {
		if keep[i] {
			l.Index = len(out)
			l.Reqs = slices.DeleteFunc(slices.Clone(l.Reqs), func(r state.Requisite) bool { return r.Kind == state.Listen })
			out = append(out, l)
		}
	}
	return out, nil
}
