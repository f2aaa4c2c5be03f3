package pkg

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A session is what one run knows of packages: the provider, the database until it changes, and what batches did.
type session struct {
	provider Provider

	mu        sync.Mutex
	db        *Database       // guarded by mu
	read      string          // the provider's stamp when db was read; guarded by mu
	refreshed bool            // guarded by mu
	sources   time.Time       // when the sources that were refreshed were configured; guarded by mu
	claims    map[string]Step // guarded by mu: what a batch did for states that have not run yet
}

type sessionKey struct{}

type openSession struct {
	s   *session
	err error
}

func sessionOf(env *modules.Env, h host.Reader) (*session, error) {
	open := func() openSession {
		p, err := choose(env, h)
		return openSession{&session{provider: p, claims: map[string]Step{}}, err}
	}
	if env.Cache == nil {
		o := open()
		return o.s, o.err
	}
	o := modules.Get(env.Cache, sessionKey{}, open)
	return o.s, o.err
}

// installed is what is installed on the machine, read when it is another than before.
func (s *session) installed(ctx context.Context, h host.Reader) (*Database, error) {
	now := s.provider.Stamp(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil && now == s.read {
		return s.db, nil
	}
	db, err := s.provider.Database(ctx, h)
	if err == nil {
		s.db, s.read = db, now
	}
	return db, err
}

// database is what is installed, with what earlier states of a preview promised.
func (s *session) database(ctx context.Context, h host.Reader) (*Database, error) {
	db, err := s.installed(ctx, h)
	if err != nil {
		return nil, err
	}
	return db.promised(h.Facts(host.FactPackage), h.Facts(host.FactHold)), nil
}

// refresh fetches the lists of the sources. A preview does not, and cannot tell what will be in them.
func (s *session) refresh(ctx context.Context, env *modules.Env, h host.Host) error {
	return h.Do(ctx, host.Deed{What: "fetch the lists of packages", On: host.FactPackage,
		Do: func(ctx context.Context) error {
			_, configured := s.provider.Lists(h)
			s.mu.Lock()
			s.refreshed, s.sources = true, configured
			s.mu.Unlock()
			return s.provider.Refresh(ctx, env, h)
		},
		Foretell: func(o host.Host) error {
			o.Promise(host.Fact{Kind: host.FactRepository, Name: "*", Value: "unknown"},
				host.Fact{Kind: host.FactPath, Name: s.provider.Sources(), Value: "unknown"})
			return nil
		}})
}

// offers asks the sources once in an attempt, as long as the lists are the same.
func (s *session) offers(ctx context.Context, env *modules.Env, h host.Reader, names []string,
	from Repos) (map[string]Offer, error) {
	type answer struct {
		offers map[string]Offer
		err    error
	}
	type question struct {
		names, from string
		fetched     time.Time
	}
	ask := func() answer {
		offers, err := s.provider.Offers(ctx, h, names, from)
		return answer{offers, err}
	}
	if env.Kept == nil {
		a := ask()
		return a.offers, a.err
	}
	fetched, _ := s.provider.Lists(h)
	a := modules.Get(env.Kept, question{strings.Join(names, " "), fmt.Sprint(from), fetched}, ask)
	return a.offers, a.err
}

// isRefreshed says whether this run fetched the lists since the sources were configured.
func (s *session) isRefreshed(configured time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refreshed && configured.Equal(s.sources)
}

// claim takes what a batch did for the package, once.
func (s *session) claim(name string, take bool) (Step, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	step, ok := s.claims[name]
	if ok && take {
		delete(s.claims, name)
	}
	return step, ok
}
