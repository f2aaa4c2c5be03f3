package session

import (
	"context"

	"filippo.io/age"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// ID is the minion id.
func (s *Session) ID() string { return s.id }

// Config is the configuration that was read.
func (s *Session) Config() *config.Config { return s.config }

// StateDir is where gostate keeps its own files.
func (s *Session) StateDir() string { return s.stateDir() }

// Identities are the age keys of this machine, those of age_keyfile.
func (s *Session) Identities() ([]age.Identity, error) { return s.ciphers.Identities() }

// OpenPillar compiles the pillar for another machine: with what is encrypted in it opened, the keys that lead to that,
// and the names of the grains that its files have asked for. It runs no command, and a pillar that needs one is an
// error.
func (s *Session) OpenPillar(ctx context.Context) (p *value.Dict, sealed [][]string, grains []string, err error) {
	s.LeaveUnjudged()
	if err := s.LoadPillar(ctx); err != nil {
		return nil, nil, nil, err
	}
	if s.unjudged.some() {
		return nil, nil, nil, diag.Errorf(diag.Pos{}, "the pillar depends on what only a command would tell: %s",
			s.unjudged.first).WithHint("take the value from a grain, or write it into the pillar")
	}
	var faults diag.List
	opened, _ := opened(s.pillar, &faults).(*value.Dict)
	return opened, sealedPaths(s.pillar, nil), s.grains.Asked(), faults.Err()
}

// opened is a value with nothing sealed in it.
func opened(v value.Value, faults *diag.List) value.Value {
	switch v := v.(type) {
	case *value.Undefined: // what could not be opened
		faults.AddErr(v.Cause)
	case *value.Dict:
		out := value.NewDict(v.Len())
		for k, below := range v.All() {
			_ = out.Set(k, opened(below, faults))
		}
		return out
	case *value.List:
		out := make([]value.Value, len(v.Items))
		for i, below := range v.Items {
			out[i] = opened(below, faults)
		}
		return value.NewList(out...)
	}
	return v
}

// sealedPaths are the keys that lead to what is encrypted.
func sealedPaths(v value.Value, path []string) (out [][]string) {
	d, ok := v.(*value.Dict)
	if !ok {
		return nil
	}
	for k, below := range d.Peeks() {
		at := append(path[:len(path):len(path)], value.String(k))
		if _, ok := below.(*value.Sealed); ok {
			out = append(out, at)
		} else {
			out = append(out, sealedPaths(below, at)...)
		}
	}
	return out
}

// AgeFiles are the files of the age keys of this machine.
func (s *Session) AgeFiles() (out []string) {
	for _, f := range s.ciphers.AgeFiles {
		out = append(out, s.config.Place(f))
	}
	return out
}
