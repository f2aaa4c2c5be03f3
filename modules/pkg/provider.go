package pkg

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
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
	Purged   bool   // nothing is left of it, no configuration files either
	Control  string // what the package says of itself, where no source has it
}

// A Provider is one package manager.
type Provider interface {
	// Database reads what is installed; Status is its file, which is another when anything changed.
	Database(h host.Reader) (*Database, error)
	Status() string
	// Offers asks the sources for the names that they have; a name that they lack has no entry.
	Offers(ctx context.Context, h host.Reader, names []string, fromRepo string) (map[string]Offer, error)
	// Lists says when the lists of the sources were fetched, never when there are none, and when the sources were
	// configured.
	Lists(h host.Reader) (fetched, configured time.Time)
	// Sources is the directory of the lists.
	Sources() string
	// Nearest is the name closest to one that the sources do not have, "" when none is near.
	Nearest(ctx context.Context, h host.Reader, name string) string
	// Simulate says what a request would do to a machine with that database, as it is or as it was promised. The error is
	// the package manager's reason why it would fail.
	Simulate(ctx context.Context, h host.Reader, db *Database, r Request) ([]Step, error)
	// Run does it. The error is one line with the reason.
	Run(ctx context.Context, env *modules.Env, h host.Host, r Request) error
	// Refresh fetches the lists of the sources.
	Refresh(ctx context.Context, env *modules.Env, h host.Host) error
	// Hold and Unhold mark packages.
	Hold(ctx context.Context, h host.Host, names []string, hold bool) error
	// Want takes back a mark that a package is to be purged.
	Want(ctx context.Context, h host.Host, names []string) error
	// FileOf is the package of a package file.
	FileOf(ctx context.Context, h host.Reader, data []byte) (*Package, error)
	// Verify gives those of the packages whose files were changed.
	Verify(ctx context.Context, h host.Reader, names []string) ([]string, error)
	// Leaves says whether a package that is removed leaves something to purge.
	Leaves(h host.Reader, p *Package) bool
	// Units are the systemd units that an installed package brought.
	Units(h host.Reader, name string) []string
}

// A session is what one run knows of packages: the provider, the database until it changes, and what batches did.
type session struct {
	provider Provider

	mu        sync.Mutex
	db        *Database       // guarded by mu
	read      host.Info       // the status file that db was read from; guarded by mu
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
func (s *session) installed(h host.Reader) (*Database, error) {
	now, _ := h.Stat(s.provider.Status())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil && now.Inode == s.read.Inode && now.Size == s.read.Size && now.MTime.Equal(s.read.MTime) {
		return s.db, nil
	}
	db, err := s.provider.Database(h)
	if err == nil {
		s.db, s.read = db, now
	}
	return db, err
}

// database is what is installed, with what earlier states of a preview promised.
func (s *session) database(h host.Reader) (*Database, error) {
	db, err := s.installed(h)
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
	fromRepo string) (map[string]Offer, error) {
	type answer struct {
		offers map[string]Offer
		err    error
	}
	type question struct {
		names, fromRepo string
		fetched         time.Time
	}
	ask := func() answer {
		offers, err := s.provider.Offers(ctx, h, names, fromRepo)
		return answer{offers, err}
	}
	if env.Kept == nil {
		a := ask()
		return a.offers, a.err
	}
	fetched, _ := s.provider.Lists(h)
	a := modules.Get(env.Kept, question{strings.Join(names, " "), fromRepo, fetched}, ask)
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

// choose picks the provider: the one that the configuration forces (providers: {pkg: aptpkg}), else by the grains, else
// by what the machine has.
func choose(env *modules.Env, h host.Reader) (Provider, error) {
	forced := env.Opts.Text("providers:pkg")
	switch forced {
	case "aptpkg", "apt":
		return newApt(), nil
	case "":
	default:
		return nil, fmt.Errorf("the configuration asks for the package provider %q, which gostate does not have; it has "+
			"aptpkg", forced)
	}
	family := env.Grains.Text("os_family")
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
