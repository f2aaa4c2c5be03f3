package pkg

import (
	"context"
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
	Install []Spec
	Remove  []string // names, or "name=version" for one of several that are installed
	Purge   bool
	// DistUpgrade upgrades all, and installs and removes for it; Upgrade upgrades all.
	DistUpgrade, Upgrade bool
	Repos                Repos
	SkipVerify           bool
	Recommends           *bool // nil leaves it to the package manager's own configuration
	Reinstall            bool
	OnlyUpgrade          bool
	DownloadOnly         bool
	ChangeHeld           bool
	NewConf              bool // take the package's version of a changed configuration file
	SkipSuggestions      bool
}

// A Spec is one package of a request: by its name, in a version or in any, or as a file.
type Spec struct {
	Name, Version string
	File          string
	Old           string // the version that is installed, "" for none
}

// String is the spec for people: "name", "name=version", or the file.
func (s Spec) String() string {
	switch {
	case s.File != "":
		return s.File
	case s.Version != "":
		return s.Name + "=" + s.Version
	}
	return s.Name
}

// Repos say which sources a request takes.
type Repos struct {
	From            string   // only this one; for apt, the release to prefer
	Enable, Disable []string // others than the configuration does
	Options         []string // further words for the command
}

// A Step is one package of a simulated request.
type Step struct {
	Name     string
	Old, New string // versions; "" for not installed
	Beside   bool   // New comes beside what is installed
	Purged   bool   // nothing is left of it, no configuration files either
	Control  string // what the package says of itself, where no source has it
}

// A Provider is one package manager. What only some have is in the small interfaces below it.
type Provider interface {
	// Database reads what is installed, and which of it is held; Stamp is another text when anything of that changed.
	Database(ctx context.Context, h host.Reader) (*Database, error)
	Stamp(h host.Reader) string
	// Compare orders two versions: -1, 0, 1.
	Compare(a, b string) int
	// Offers asks the sources for the names that they have; a name that they lack has no entry.
	Offers(ctx context.Context, h host.Reader, names []string, from Repos) (map[string]Offer, error)
	// Lists says when the lists of the sources were fetched, never when there are none, and when the sources were
	// configured.
	Lists(h host.Reader) (fetched, configured time.Time)
	// Sources is the directory of the lists.
	Sources() string
	// Simulate says what a request would do to a machine with that database, as it is or as it was promised. The error is
	// the package manager's reason why it would fail.
	Simulate(ctx context.Context, h host.Reader, db *Database, r Request) ([]Step, error)
	// Run does it. The error is one line with the reason.
	Run(ctx context.Context, env *modules.Env, h host.Host, r Request) error
	// Refresh fetches the lists of the sources.
	Refresh(ctx context.Context, env *modules.Env, h host.Host) error
	// FileOf is the package of a package file, whose usual ending is given.
	FileOf(ctx context.Context, h host.Reader, data []byte) (*Package, error)
	Ending() string
	// Owner is the package that a file belongs to, "" for none; Files are those of a package.
	Owner(ctx context.Context, h host.Reader, file string) (string, error)
	Files(ctx context.Context, h host.Reader, name string) ([]string, error)
}

// A holder keeps upgrades away from packages, or lets them in again. Refusal is why it cannot, "" where it can.
type holder interface {
	Hold(ctx context.Context, h host.Host, names []string, hold bool) error
	Refusal(h host.Reader, db *Database) string
}

// A guesser has the name closest to one that the sources do not have, "" when none is near.
type guesser interface {
	Nearest(ctx context.Context, h host.Reader, name string) string
}

// A selector has marks that a package is to be purged, and takes them back.
type selector interface {
	Want(ctx context.Context, h host.Host, names []string) error
}

// A verifier gives those of the packages whose files were changed.
type verifier interface {
	Verify(ctx context.Context, h host.Reader, names []string) ([]string, error)
}

// A keeper keeps what a package configured when it is removed, so that there is something to purge.
type keeper interface {
	Leaves(h host.Reader, p *Package) bool
}

// A starter starts the services of a package when it is installed: these are their units.
type starter interface {
	Units(h host.Reader, name string) []string
}

// A loader keeps the files of packages that were downloaded: which one is that of a version, or would be.
type loader interface {
	Archive(h host.Reader, name, version string) (file string, there bool)
}
