package session

import (
	"errors"
	"path/filepath"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/run"
)

// Reports are what earlier runs on this machine left.
func (s *Session) Reports() (*history.Dir, error) {
	d, err := history.Open(s.stateDir(), s.id, s.machine.Root())
	if err != nil {
		return nil, diag.Errorf(diag.Pos{File: s.stateDir()}, "the reports cannot be read: %v", err).
			WithHint("they are their owner's alone: sudo gostate ...")
	}
	return d, nil
}

// FindReport is the ID of the report that a word names.
func (s *Session) FindReport(d *history.Dir, word string) (string, error) {
	id, err := d.Find(word)
	var unknown *history.FindError
	if !errors.As(err, &unknown) {
		return id, err
	}
	fault := diag.Errorf(diag.Pos{}, "%v", err)
	switch {
	case unknown.None:
		return "", fault.WithHint("every run that is no preview leaves one; another --id, --root or --state-dir has its own")
	case len(unknown.Like) == 0:
		return "", fault.WithHint("gostate report list shows them; last and last~1 name the latest")
	case len(unknown.Like) > 1:
		return "", fault.WithHint("it may be %s or %s", unknown.Like[0], unknown.Like[len(unknown.Like)-1])
	}
	return "", fault.WithHint("did you mean %s?", unknown.Like[0])
}

// A Status is how a machine stands with gostate.
type Status struct {
	// Last is the report of the last run, without its states; nil where there is none, and where LastErr says why it
	// cannot be read.
	Last    *history.Run
	LastErr error
	// Holder is who works on the machine now, nil for nobody.
	Holder *host.Held
	// Owed are the reactions that are still to come.
	Owed []run.Debt
	// Drifting are the states that run after run corrects.
	Drifting []history.State
}

// Status looks at what the runs on this machine left, and who runs.
func (s *Session) Status() (*Status, error) {
	st := &Status{Owed: s.journal().Debts()}
	var err error
	if st.Holder, err = host.Holder(filepath.Join(s.stateDir(), "run.lock")); err != nil {
		return nil, err
	}
	d, err := s.Reports()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	ids, err := d.IDs()
	if err != nil || len(ids) == 0 {
		return st, err
	}
	st.Last, st.LastErr = d.Summary(ids[len(ids)-1])
	st.Drifting, err = d.Drifting(nevers)
	return st, err
}
