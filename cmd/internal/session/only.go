package session

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// onlyIDs keeps the states of the IDs and what runs because of their requisites, as Salt's state.sls_id does.
func (s *Session) onlyIDs(low []*state.Low, ids []string) ([]*state.Low, error) {
	plan, _ := s.Resolve(low, false)
	needed := plan.Needed(func(l *state.Low) bool { return slices.Contains(ids, l.ID) })
	if len(needed) == 0 {
		var known []string
		for _, l := range low {
			known = append(known, l.ID)
		}
		d := diag.Errorf(diag.Pos{}, "no state has the ID %q", strings.Join(ids, ", "))
		if near := diag.Nearest(ids[0], known); near != "" {
			d.WithHint("did you mean %q?", near)
		}
		return nil, d
	}
	return needed, nil
}
