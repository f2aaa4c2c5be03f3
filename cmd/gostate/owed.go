package main

import (
	"github.com/gostate/gostate/cmd/internal/journal"
	"github.com/gostate/gostate/state/diag"
)

// journal opens what this machine owes from earlier runs. Its troubles are warnings.
func (s *session) journal() *journal.File {
	return journal.Open(s.stateDir(), s.id, s.machine.Root(), func(err error) {
		s.showDiagnostics(&diag.List{All: []*diag.Diagnostic{diag.Warnf(diag.Pos{}, "%v", err)}})
	})
}

// whole says whether the request is about all states of this machine: then what is owed by others is forgotten.
func (r request) whole() bool { return r.top && len(r.exclude)+len(r.ids) == 0 }
