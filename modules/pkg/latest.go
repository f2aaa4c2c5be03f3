package pkg

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Latest keeps packages installed in the newest version that the sources have.
type Latest struct {
	Selection
	Fetching
	OnlyUpgrade bool        `arg:"only_upgrade" doc:"Upgrade what is installed; what is not is a failure."`
	UpdateHolds bool        `arg:"update_holds" doc:"Change held packages too."`
	Upgrade     value.Value `arg:"upgrade" doc:"Of other package managers; no effect here."`
	WatchFlags  bool        `arg:"watch_flags" default:"true" doc:"Of other package managers; no effect here."`
	DistUpgrade value.Value `arg:"dist-upgrade" alias:"dist_upgrade?" doc:"No effect: what the packages need comes along anyway."`

	batch []*Latest // later states whose packages are installed along with this one's
}

func latestSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pkg.latest",
		Doc:     "Keeps packages installed in the newest version that the sources have.",
		Example: "openssl:\n  pkg.latest:\n    - refresh: true",
		New:     func() modules.StateFunc { return &Latest{} },
		AnyArgs: true,
	}
}

// installed is the state in terms of pkg.installed.
func (l *Latest) installed() *Installed {
	i := &Installed{Selection: l.Selection, Fetching: l.Fetching, Version: "latest", OnlyUpgrade: l.OnlyUpgrade,
		UpdateHolds: l.UpdateHolds, Normalize: true}
	if l.Pkgs != nil {
		i.Pkgs = Targets{}
		for _, t := range l.Pkgs {
			i.Pkgs = append(i.Pkgs, Target{Name: t.Name, Version: "latest"})
		}
	}
	for _, o := range l.batch {
		i.batch = append(i.batch, o.installed())
	}
	return i
}

// Aggregate takes over the packages of later states, as pkg.installed does.
func (l *Latest) Aggregate(_ context.Context, _ *modules.Env, others []modules.StateFunc) {
	for _, o := range others {
		if o, ok := o.(*Latest); ok && o.installed().alike(l.installed()) {
			l.batch = append(l.batch, o)
		}
	}
}

// Act installs and upgrades.
func (l *Latest) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	i := l.installed()
	e, err := i.Act(ctx, env, h)
	targets, none := i.targets("latest")
	all := strings.Join(names(targets), ", ")
	switch {
	case err != nil || none:
	case e.Changes != nil && e.Changes.Len() > 0:
		changed := l.changed(e, targets)
		e.Comment = "The following packages were successfully installed/upgraded: " + changed
		e.Preview = "The following packages are set to be installed/upgraded: " + changed
	case len(targets) == 1:
		e.Comment = fmt.Sprintf("Package %s is already up-to-date", all)
	default:
		e.Comment = fmt.Sprintf("All packages are up-to-date (%s)", all)
	}
	return e, err
}

// changed names those of the targets that change.
func (l *Latest) changed(e state.Effect, targets []Target) string {
	var out []string
	for _, t := range targets {
		if _, ok := e.Changes.GetStr(t.Name); ok {
			out = append(out, t.Name)
		}
	}
	if len(out) == 0 {
		out = names(targets)
	}
	return strings.Join(out, ", ")
}
