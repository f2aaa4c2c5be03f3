package pkg

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// An Offer is what the package sources have of one name.
type Offer struct {
	Candidate string   // the version that would be installed, "" for none
	Versions  []string // all that there are, newest first
}

// A Request is one call of the package manager.
type Request struct {
	Install []string // "name", "name=version", or the path of a package file
	Remove  []string
	Purge   bool
	// DistUpgrade upgrades all, and installs and removes for it; Upgrade upgrades all.
	DistUpgrade, Upgrade bool
	FromRepo             string // the release to prefer
	SkipVerify           bool
	Recommends           *bool // nil leaves it to the package manager's own configuration
	Reinstall            bool
	OnlyUpgrade          bool
	DownloadOnly         bool
	ChangeHeld           bool
	NewConf              bool // take the package's version of a changed configuration file
	SkipSuggestions      bool
}

// A Step is one package of a simulated request.
type Step struct {
	Name     string
	Old, New string // versions; "" for not installed
}

// A Provider is one package manager.
type Provider interface {
	// Database reads what is installed.
	Database(h host.Reader) (*Database, error)
	// Offers asks the sources for the names that they have; a name that they lack has no entry.
	Offers(ctx context.Context, h host.Reader, names []string, fromRepo string) (map[string]Offer, error)
	// Lists says when the lists of the sources were fetched, and whether they are absent or the sources were configured since.
	Lists(h host.Reader) (fetched time.Time, outdated bool)
	// Nearest is the name closest to one that the sources do not have, "" when none is near.
	Nearest(ctx context.Context, h host.Reader, name string) string
	// Simulate says what a request would do. The error is the package manager's reason why it would fail.
	Simulate(ctx context.Context, h host.Reader, r Request) ([]Step, error)
	// Run does it. The error is one line with the reason.
	Run(ctx context.Context, env *modules.Env, h host.Host, r Request) error
	// Refresh fetches the lists of the sources.
	Refresh(ctx context.Context, env *modules.Env, h host.Host) error
	// Hold and Unhold mark packages.
	Hold(ctx context.Context, h host.Host, names []string, hold bool) error
	// FileOf is the package and version of a package file.
	FileOf(ctx context.Context, h host.Reader, data []byte) (name, version string, err error)
	// Verify gives those of the packages whose files were changed.
	Verify(ctx context.Context, h host.Reader, names []string) ([]string, error)
	// Units are the systemd units that an installed package brought.
	Units(h host.Reader, name string) []string
}

// A session is what one run knows of packages: the provider, the database until it changes, and what batches did.
type session struct {
	provider Provider

	mu        sync.Mutex
	db        *Database       // guarded by mu; nil when it has to be read
	refreshed bool            // guarded by mu
	claims    map[string]Step // guarded by mu: what a batch did for states that have not run yet
}

type sessionKey struct{}

type openSession struct {
	s   *session
	err error
}

func sessionOf(cache *modules.Cache, grain func(string) (value.Value, bool), opt func(string) (value.Value, bool), h host.Reader) (*session, error) {
	open := func() openSession {
		p, err := choose(grain, opt, h)
		return openSession{&session{provider: p, claims: map[string]Step{}}, err}
	}
	if cache == nil {
		o := open()
		return o.s, o.err
	}
	o := modules.Get(cache, sessionKey{}, open)
	return o.s, o.err
}

func (s *session) database(h host.Reader) (*Database, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil {
		return s.db, nil
	}
	db, err := s.provider.Database(h)
	if err == nil {
		s.db = db
	}
	return db, err
}

// forget makes the next look read the database anew.
func (s *session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.db = nil
}

// refresh fetches the lists, once a run.
func (s *session) refresh(ctx context.Context, env *modules.Env, h host.Host) error {
	s.mu.Lock()
	done := s.refreshed
	s.refreshed = true
	s.mu.Unlock()
	if done {
		return nil
	}
	return s.provider.Refresh(ctx, env, h)
}

func (s *session) isRefreshed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refreshed
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

// choose picks the provider: the one that the configuration forces (providers: {pkg: aptpkg}), else by the grains, else by
// what the machine has.
func choose(grain, opt func(string) (value.Value, bool), h host.Reader) (Provider, error) {
	forced := lookup(opt, "providers:pkg")
	switch forced {
	case "aptpkg", "apt":
		return newApt(), nil
	case "":
	default:
		return nil, fmt.Errorf("the configuration asks for the package provider %q, which gostate does not have; it has aptpkg", forced)
	}
	family := lookup(grain, "os_family")
	if family == "Debian" {
		return newApt(), nil
	}
	a := newApt()
	if _, err := h.Lstat(a.admindir + "/status"); err == nil {
		return a, nil
	}
	if family == "" {
		return nil, errors.New("no package manager that gostate knows is here: it knows apt")
	}
	return nil, fmt.Errorf("no package manager that gostate knows is here: it knows apt, and this is %s", family)
}

func lookup(f func(string) (value.Value, bool), path string) string {
	if f == nil {
		return ""
	}
	if v, ok := f(path); ok {
		if s, ok := v.(value.Str); ok {
			return string(s)
		}
	}
	return ""
}
