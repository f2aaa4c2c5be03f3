package session

import (
	"context"

	"filippo.io/age"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/sls/sealed"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ID is the minion id.
func (s *Session) ID() string { return s.id }

// Config is the configuration that was read.
func (s *Session) Config() *config.Config { return s.config }

// StateDir is where gostate keeps its own files.
func (s *Session) StateDir() string { return s.stateDir() }

// Identities are the age keys of this machine, those of age_keyfile, where the configuration is.
func (s *Session) Identities() ([]age.Identity, error) {
	root := "/"
	if s.config.Inside {
		root = s.config.Root
	}
	h, err := host.NewOS(root)
	if err != nil {
		return nil, err
	}
	return (&sealed.Keys{Host: h, AgeFiles: s.ciphers.AgeFiles}).Identities()
}

// OpenPillar compiles the pillar for another machine: with what is encrypted in it opened, and the names of the grains
// that its files have asked for.
func (s *Session) OpenPillar(ctx context.Context) (p *value.Dict, sealed [][]string, grains []string, err error) {
	if err := s.LoadPillar(ctx); err != nil {
		return nil, nil, nil, err
	}
	return s.pillar, sealedPaths(s.pillar, nil), s.grains.Asked(), nil
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
