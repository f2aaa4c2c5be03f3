package session

import (
	"github.com/gostate/gostate/cmd/internal/journal"
	"github.com/gostate/gostate/state/diag"
)

// journal opens what this machine owes from earlier runs. Its troubles are warnings.
func (s *Session) journal() *journal.File {
	return journal.Open(s.stateDir(), s.id, s.machine.Root(), func(err error) {
		s.Show(&diag.List{All: []*diag.Diagnostic{diag.Warnf(diag.Pos{}, "%v", err)}})
	})
}

// whole says whether the Request is about all states of this machine: then what is owed by others is forgotten.
func (r Request) whole() bool { return r.Top && len(r.Exclude)+len(r.IDs) == 0 }
