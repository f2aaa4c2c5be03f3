package pkg

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Installed keeps packages installed.
type Installed struct {
	Selection
	Fetching
	Version     string      `arg:"version" doc:"The version: exact, a pattern (1.2*), comparisons (>=1.2,<2), or latest."`
	Sources     Sources     `arg:"sources" doc:"Package files, each name: salt://, path or URL."`
	Hold        *bool       `arg:"hold" doc:"Keep upgrades away from them, or let them in again."`
	UpdateHolds bool        `arg:"update_holds" doc:"Change held packages too."`
	IgnoreEpoch *bool       `arg:"ignore_epoch" doc:"Compare versions without the epoch; by default where a version is given exactly and without one."`
	AllowUpd    bool        `arg:"allow_updates" doc:"A newer version than the one given is fine."`
	Verify      value.Value `arg:"pkg_verify" doc:"Install anew what had its files changed."`
	Reinstall   bool        `arg:"reinstall" doc:"Install anew at every run."`
	Normalize   bool        `arg:"normalize" default:"true" doc:"Drop the architecture from a name when it is the machine's own."`
	OnlyUpgrade bool        `arg:"only_upgrade" doc:"Upgrade what is installed; what is not is a failure."`
	Upgrade     bool        `arg:"upgrade" doc:"No effect on apt: version: latest upgrades."`
	ReportOnly  bool        `arg:"report_reboot_exit_codes" default:"true" doc:"Of other package managers; no effect here."`
	BypassFile  string      `arg:"bypass_file,path" doc:"Do nothing when the file is there."`

	batch []*Installed // later states whose packages are installed along with this one's
}

func installedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "pkg.installed",
		Doc:  "Keeps packages installed.\n\nWith a version, in that version; without, in whatever version there is.",
		Example: `tools:
  pkg.installed:
    - pkgs:
      - vim
      - git: '>=2.30'`,
		New:     func() modules.StateFunc { return &Installed{} },
		AnyArgs: true,
	}
}

// Validate checks the versions that are asked for.
func (p *Installed) Validate() []modules.Fault {
	var faults []modules.Fault
	targets, _ := p.targets(p.Version)
	for _, t := range targets {
		if _, err := parseConstraint(t.Version, nil); err != nil {
			faults = append(faults, modules.Fault{Arg: "version", Msg: err.Error()})
		}
	}
	if p.Pkgs != nil && p.Sources != nil {
		faults = append(faults, modules.Fault{Arg: "sources", Msg: "pkgs and sources exclude each other"})
	}
	return faults
}

// Act installs in one call, then holds or releases.
func (p *Installed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if p.Pkgs != nil && len(p.Pkgs) == 0 {
		return state.Settled("No packages to install provided"), nil
	}
	if p.BypassFile != "" {
		if _, err := h.Stat(p.BypassFile); err == nil {
			return state.Settled(fmt.Sprintf("The file %s is there, so nothing is installed", p.BypassFile)), nil
		}
	}
	w, err := p.survey(ctx, env, h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case !w.pending():
		return state.Effect{Comment: w.settled(p), Warnings: w.warnings}, nil
	}
	e := state.Effect{Once: p.Reinstall}
	if e.Changes, err = w.install(ctx, env, h, p); err != nil {
		err = fmt.Errorf("An error was encountered while installing package(s): %w", err)
	} else if !w.marks.empty() {
		w.marks.addTo(e.Changes, w.installs())
		err = w.marks.set(ctx, w.s, h)
	}
	e.Warnings = w.warnings
	e.Comment, e.Preview = w.comments()
	return e, err
}

// comments are those of the run and of a preview.
func (w *survey) comments() (done, preview string) {
	if !w.installs() {
		what := strings.Join(slices.Concat(w.marks.hold, w.marks.release, names(w.marks.wanted)), ", ")
		return "The following packages were held or released: " + what,
			"The following packages would be held or released: " + what
	}
	what := strings.Join(w.specs(), ", ")
	return "The following packages were installed/updated: " + what,
		"The following packages would be installed/updated: " + what
}

// Aggregate takes over the packages of later states: one call of the package manager installs them all, and each state
// reports its own. Salt differs: the first reports all, and one that is given by name is lost beside another with pkgs.
func (p *Installed) Aggregate(_ context.Context, _ *modules.Env, others []modules.StateFunc) {
	for _, o := range others {
		if i, ok := o.(*Installed); ok && i.alike(p) {
			p.batch = append(p.batch, i)
		}
	}
}

// alike says whether two states want their packages installed in the same way.
func (p *Installed) alike(o *Installed) bool {
	sameRecommends := (p.Recommends == nil) == (o.Recommends == nil) &&
		(p.Recommends == nil || *p.Recommends == *o.Recommends)
	return sameRecommends && fmt.Sprint(p.repos()) == fmt.Sprint(o.repos()) && p.SkipVerify == o.SkipVerify &&
		p.NewConf == o.NewConf &&
		p.Debconf == o.Debconf &&
		p.Sources == nil && o.Sources == nil && !p.Reinstall && !o.Reinstall && !p.OnlyUpgrade && !o.OnlyUpgrade &&
		p.UpdateHolds == o.UpdateHolds
}
