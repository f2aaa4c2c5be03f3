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

// Installed keeps packages installed.
type Installed struct {
	Selection
	Fetching
	Version     string      `arg:"version" doc:"the version: exact, a pattern (1.2*), comparisons (>=1.2,<2), or latest"`
	Sources     Sources     `arg:"sources" doc:"package files, each name: salt://, path or URL"`
	Hold        *bool       `arg:"hold" doc:"keep upgrades away from them, or let them in again"`
	UpdateHolds bool        `arg:"update_holds" doc:"change held packages too"`
	IgnoreEpoch bool        `arg:"ignore_epoch" doc:"compare versions without the epoch"`
	AllowUpd    bool        `arg:"allow_updates" doc:"a newer version than the one given is fine"`
	Verify      value.Value `arg:"pkg_verify" doc:"install anew what had its files changed"`
	Reinstall   bool        `arg:"reinstall" doc:"install anew at every run"`
	Normalize   bool        `arg:"normalize" default:"true" doc:"drop the architecture from a name when it is the machine's own"`
	OnlyUpgrade bool        `arg:"only_upgrade" doc:"upgrade what is installed and install nothing new"`
	Upgrade     bool        `arg:"upgrade" doc:"no effect on apt: version: latest upgrades"`
	ReportOnly  bool        `arg:"report_reboot_exit_codes" default:"true" doc:"of other package managers; no effect here"`
	BypassFile  string      `arg:"bypass_file" doc:"do nothing when the file is there"`

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
		if _, err := parseConstraint(t.Version); err != nil {
			faults = append(faults, modules.Fault{Arg: "version", Msg: err.Error()})
		}
	}
	if p.Pkgs != nil && p.Sources != nil {
		faults = append(faults, modules.Fault{Arg: "sources", Msg: "pkgs and sources exclude each other"})
	}
	return faults
}

// Check says what would be installed, with what comes along.
func (p *Installed) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	if p.Pkgs != nil && len(p.Pkgs) == 0 {
		return state.Forecast{Comment: "No packages to install provided"}, nil
	}
	if p.BypassFile != "" {
		if _, err := h.Stat(p.BypassFile); err == nil {
			return state.Forecast{Comment: fmt.Sprintf("The file %s is there, so nothing is installed", p.BypassFile)}, nil
		}
	}
	w, err := p.survey(ctx, env, h)
	if err != nil {
		return state.Forecast{}, err
	}
	if !w.pending() {
		return state.Forecast{Comment: w.settled(p)}, nil
	}
	steps, err := w.simulate(ctx, h, p)
	if err != nil {
		return state.Forecast{}, err
	}
	f := state.Forecast{Pending: true, Changes: foretold(steps), Effects: effects(steps), Action: p.Reinstall}
	w.holdChanges(f.Changes, p.Hold)
	if len(w.hold) > 0 {
		m := marks{hold: w.hold}
		if !*p.Hold {
			m = marks{release: w.hold}
		}
		f.Effects = append(f.Effects, m.facts()...)
	}
	f.Comment = "The following packages would be installed/updated: " + strings.Join(w.specs(), ", ")
	if len(w.need)+len(w.files)+len(w.claimed) == 0 {
		f.Comment = "The following packages would be held or released: " + strings.Join(w.hold, ", ")
	}
	return f, nil
}

// Apply installs in one call, then holds or releases.
func (p *Installed) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	s, err := sessionOf(env.Cache, env.Grains, env.Opts, h)
	if err != nil {
		return state.Applied{}, err
	}
	var done state.Applied
	if p.wantsRefresh(s, h) {
		if err := s.refresh(ctx, env, h); err != nil {
			done.Warnings = append(done.Warnings, err.Error())
		}
	}
	w, err := p.survey(ctx, env, h)
	if err != nil {
		return done, err
	}
	done.Changes, err = w.install(ctx, env, h, p)
	if err != nil {
		return done, fmt.Errorf("An error was encountered while installing package(s): %w", err)
	}
	if w.warning != "" {
		done.Warnings = append(done.Warnings, w.warning)
	}
	if err := w.mark(ctx, h, p, &done); err != nil {
		return done, err
	}
	done.Comment = "The following packages were installed/updated: " + strings.Join(w.specs(), ", ")
	if len(w.need)+len(w.files)+len(w.claimed) == 0 {
		done.Comment = "The following packages were held or released: " + strings.Join(w.hold, ", ")
	}
	return done, nil
}

// Aggregate takes over the packages of later states: one call of the package manager installs them all, and each state
// reports its own.
func (p *Installed) Aggregate(_ context.Context, _ *modules.Env, others []modules.StateFunc) {
	for _, o := range others {
		if i, ok := o.(*Installed); ok && i.alike(p) {
			p.batch = append(p.batch, i)
		}
	}
}

// alike says whether two states want their packages installed in the same way.
func (p *Installed) alike(o *Installed) bool {
	sameRecommends := (p.Recommends == nil) == (o.Recommends == nil) && (p.Recommends == nil || *p.Recommends == *o.Recommends)
	return sameRecommends && p.FromRepo == o.FromRepo && p.SkipVerify == o.SkipVerify && p.NewConf == o.NewConf && p.Debconf == o.Debconf &&
		p.Sources == nil && o.Sources == nil && !p.Reinstall && !o.Reinstall && !p.OnlyUpgrade && !o.OnlyUpgrade && p.UpdateHolds == o.UpdateHolds
}
