package session

import (
	"context"
	"sync"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// reload asks anew for what the state's reload options name; templates and execution functions from now on see that.
// What cannot be had stays as it was, with a warning. Nothing else runs meanwhile.
func (s *Session) reload(low *state.Low) {
	s.machine.Invalidate("")
	var faults diag.List
	if low.Opts().ReloadGrains || low.Module == "grains" {
		if err := s.loadGrains(); err != nil {
			faults.AddErr(err)
		}
	}
	if low.Opts().ReloadPillar {
		old := s.pillar
		s.pillarOnce, s.pillar = sync.Once{}, nil
		if err := s.LoadPillar(context.Background()); err != nil {
			s.pillar = old
			faults.AddErr(err)
		}
	}
	for _, d := range faults.All {
		d.Severity = diag.Warning
	}
	if len(faults.All) > 0 {
		s.Show(&faults)
	}
}
