package pkg

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A want is one package that has to be installed or changed.
type want struct {
	Target
	rule    constraint
	now     string // the installed version
	version string // the version to install, "" where the package manager chooses
	virtual bool   // no package has the name; one that provides it will be taken
	unknown bool   // the sources do not have it now, and will be asked again first
}

// spec is what the package manager is asked for.
func (w want) spec() Spec {
	s := Spec{Name: w.Name, Old: w.now}
	if !w.rule.any() {
		s.Version = w.version
	}
	return s
}

// A packageFile is a package given as a file.
type packageFile struct {
	Target
	data                  []byte
	now, version, control string
}

// A survey is what a state found: what is missing of what it wants.
type survey struct {
	s       *session
	db      *Database
	need    []want
	files   []packageFile
	marks   marks
	claimed []Step // what a batch did for this state
	others  []want // what the batch's other states need
	fresh   bool   // reinstall what is there
	// warnings are what the package manager complained of beside what was asked of it.
	warnings []string
}

func (w *survey) installs() bool { return len(w.need)+len(w.files)+len(w.claimed) > 0 }
func (w *survey) pending() bool  { return w.installs() || !w.marks.empty() }

// stale says whether an earlier state, or this one, would have the lists fetched anew: what there is now is not what
// will be.
func stale(h host.Reader) bool {
	_, ok := h.Fact(host.FactRepository, "*")
	return ok
}

// untold notes that it cannot be told what the sources have.
func (s *session) untold(h host.Reader) { _, _ = h.Stat(s.provider.Sources()) }

// wantsRefresh says whether the lists have to be fetched before something is installed. Salt differs: Salt fetches them
// before the first installation of every run; here that is done when they are older than a day, or the sources changed
// since.
func (f *Fetching) wantsRefresh(s *session, h host.Host) bool {
	fetched, configured := s.provider.Lists(h)
	if s.isRefreshed(configured) || stale(h) || f.Refresh != nil && !*f.Refresh {
		return false
	}
	outdated, age := fetched.IsZero() || configured.After(fetched), time.Since(fetched)
	switch {
	case !outdated && f.CacheValid > 0 && age < f.CacheValid:
		return false
	case f.Refresh != nil: // a preview takes lists of the last minutes for what the run will fetch
		return outdated || !h.Preview() || age > 10*time.Minute
	}
	return outdated || age > 24*time.Hour
}

func (p *Installed) survey(ctx context.Context, env *modules.Env, h host.Host) (*survey, error) {
	s, db, err := lookUp(ctx, env, h)
	if err != nil {
		return nil, err
	}
	w := &survey{s: s, db: db, marks: s.marks()}
	if p.Sources != nil {
		err = w.lookAtFiles(ctx, env, h, p)
	} else {
		err = w.lookAtNames(ctx, env, h, p)
	}
	if err != nil {
		return nil, err
	}
	w.lookAtMarks(p)
	return w, nil
}

func (w *survey) lookAtNames(ctx context.Context, env *modules.Env, h host.Host, p *Installed) error {
	need, err := w.missing(p)
	if err != nil {
		return err
	}
	if len(need) > 0 && p.wantsRefresh(w.s, h) {
		if err := w.s.refresh(ctx, env, h); err != nil {
			w.warnings = append(w.warnings, err.Error())
		}
	}
	if p.Verify != nil && value.Truth(p.Verify) {
		if err := w.verify(ctx, h, p); err != nil {
			return err
		}
	}
	need, err = w.resolve(ctx, env, h, p, need)
	if err != nil {
		return err
	}
	w.need = append(w.need, need...)
	for _, o := range p.batch {
		their := &survey{s: w.s, db: w.db}
		theirs, err := their.missing(o)
		if err != nil {
			continue // that state will say so itself
		}
		if theirs, err = w.resolve(ctx, env, h, o, theirs); err == nil {
			w.others = append(w.others, theirs...)
		}
	}
	return nil
}

// missing are the packages that are not as the state wants them, as far as the database tells.
func (w *survey) missing(p *Installed) ([]want, error) {
	targets, _ := p.targets(p.Version)
	var need []want
	for _, t := range targets {
		rule, err := parseConstraint(t.Version, w.s.provider.Compare)
		if err != nil {
			return nil, err
		}
		if p.Normalize {
			t.Name = w.db.Normalize(t.Name)
		}
		if step, ok := w.s.claim(t.Name, false); ok {
			w.claimed = append(w.claimed, step)
			continue
		}
		now := w.db.Version(t.Name)
		if p.satisfied(w.db, t, rule, now) {
			continue
		}
		if now == "" && p.OnlyUpgrade {
			return nil, host.Sure(fmt.Errorf("the package %s is not installed, and only_upgrade installs nothing new", t.Name))
		}
		if now != "" && w.db.Held(t.Name) && !p.UpdateHolds && !p.Reinstall {
			if rule.latest {
				continue
			}
			return nil, held(t.Name, now)
		}
		need = append(need, want{Target: t, rule: rule, now: now})
	}
	return need, nil
}

// held refuses to change what is held. Salt differs: it changes it and holds it again, although its documentation says
// that it fails.
func held(name, version string) error {
	return host.Sure(fmt.Errorf("the package %s is held at version %s; update_holds: true changes held packages", name,
		version))
}

// satisfied says whether the package is as wanted. What is to be the latest has to be asked of the sources. Salt
// differs: it knows no package that another provides.
func (p *Installed) satisfied(db *Database, t Target, rule constraint, now string) bool {
	switch {
	case p.Reinstall:
		return false
	case now == "":
		return rule.any() && db.Provided(t.Name)
	case rule.latest:
		return false
	case rule.any(), rule.holds(now, p.IgnoreEpoch):
		return true
	}
	return p.AllowUpd && len(rule.parts) == 1 && rule.parts[0].op == "==" && rule.compare(now, rule.parts[0].version) > 0
}

// resolve finds the versions to install, with one question to the sources.
func (w *survey) resolve(ctx context.Context, env *modules.Env, h host.Reader, p *Installed,
	need []want) ([]want, error) {
	if len(need) == 0 {
		return nil, nil
	}
	var ask []string
	for _, n := range need {
		ask = append(ask, n.Name)
	}
	offers, err := w.s.offers(ctx, env, h, ask, p.repos())
	if err != nil {
		return nil, err
	}
	again := stale(h)
	var out []want
	var errs []error
	for _, n := range need {
		o, known := offers[n.Name]
		n.version = n.rule.choose(o.Candidate, o.Versions, p.IgnoreEpoch)
		n.virtual = known && len(o.Versions) == 0
		switch {
		case n.rule.latest && known && n.version == "" && n.now == "" && !again:
			errs = append(errs, fmt.Errorf("No information found for '%s'.", n.Name)) //nolint:staticcheck // Salt's words
			continue
		case n.rule.latest && known && n.version == n.now:
			if again {
				w.s.untold(h)
			}
			continue
		case !known && again, known && n.version == "" && !n.rule.any() && again:
			w.s.untold(h)
			n.unknown = true
		case !known:
			errs = append(errs, w.unlocated(ctx, h, n.Name))
			continue
		case n.version == "" && !n.rule.any():
			errs = append(errs, unfit(n, o))
			continue
		}
		out = append(out, n)
	}
	return out, host.Sure(errors.Join(errs...))
}

func (w *survey) unlocated(ctx context.Context, h host.Reader, name string) error {
	if g, ok := w.s.provider.(guesser); ok {
		if near := g.Nearest(ctx, h, name); near != "" {
			return fmt.Errorf("Unable to locate package %s; did you mean %s?", name, near)
		}
	}
	return fmt.Errorf("Unable to locate package %s", name)
}

func unfit(n want, o Offer) error {
	if len(o.Versions) == 0 {
		return fmt.Errorf("no source has a version of %s", n.Name)
	}
	return fmt.Errorf("no version of %s is %s: the sources have %s", n.Name, n.rule.text, strings.Join(o.Versions, ", "))
}

// verify adds the packages whose files were changed to what is needed. Salt differs: on Debian it has no pkg.verify,
// and fails.
func (w *survey) verify(ctx context.Context, h host.Reader, p *Installed) error {
	targets, _ := p.targets(p.Version)
	var there []string
	for _, t := range targets {
		if w.db.Version(t.Name) != "" {
			there = append(there, t.Name)
		}
	}
	v, ok := w.s.provider.(verifier)
	if !ok {
		return host.Sure(errors.New("pkg.verify not implemented")) //nolint:staticcheck // Salt's words
	}
	altered, err := v.Verify(ctx, h, there)
	for _, n := range altered {
		w.fresh = true
		w.need = append(w.need, want{Target: Target{Name: n}, now: w.db.Version(n), version: w.db.Version(n)})
	}
	return err
}

// lookAtFiles reads the packages that are given as files.
func (w *survey) lookAtFiles(ctx context.Context, env *modules.Env, h host.Reader, p *Installed) error {
	for _, t := range p.Sources {
		data, err := env.Files.Fetch(ctx, t.Source, env.Low.SourceEnv())
		if err != nil {
			return fmt.Errorf("fetch the package %s: %w", t.Name, err)
		}
		p2, err := w.s.provider.FileOf(ctx, h, data)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Source, err)
		}
		if p2.Name != t.Name {
			return fmt.Errorf("%s is the package %s, not %s", t.Source, p2.Name, t.Name)
		}
		now := w.db.Version(t.Name)
		if now == p2.Version && !p.Reinstall {
			continue
		}
		if now != p2.Version && w.db.Held(t.Name) && !p.UpdateHolds {
			return held(t.Name, now)
		}
		w.files = append(w.files, packageFile{Target: t, data: data, now: now, version: p2.Version, control: p2.control})
	}
	return nil
}

// lookAtMarks finds the packages whose mark has to change.
func (w *survey) lookAtMarks(p *Installed) {
	targets, _ := p.targets(p.Version)
	if p.Sources != nil {
		targets = p.Sources
	}
	for _, t := range targets {
		if e := w.db.Get(t.Name); e != nil && e.Want == "purge" && e.Installed() && (p.Hold == nil || !*p.Hold) {
			w.marks.wanted = append(w.marks.wanted, Target{Name: e.Name, Version: e.Version})
		}
	}
	if p.Hold == nil {
		return
	}
	for _, t := range targets {
		virtual := slices.ContainsFunc(w.need, func(n want) bool { return n.Name == t.Name && n.virtual })
		switch {
		case virtual || w.db.Version(t.Name) == "" && w.db.Provided(t.Name): // what has no package of its own cannot be held
		case *p.Hold && !w.db.Held(t.Name):
			w.marks.hold = append(w.marks.hold, t.Name)
		case !*p.Hold && w.db.Held(t.Name):
			w.marks.release = append(w.marks.release, t.Name)
		}
	}
}

// specs name what is installed for the user: "vim", "git=2.39".
func (w *survey) specs() []string {
	var out []string
	for _, s := range w.claimed {
		out = append(out, s.Name)
	}
	for _, n := range w.need {
		out = append(out, n.spec().String())
	}
	for _, f := range w.files {
		out = append(out, f.Name)
	}
	return out
}

// settled words that there is nothing to do.
func (w *survey) settled(p *Installed) string {
	versions := p.Version != ""
	for _, t := range p.Pkgs {
		versions = versions || t.Version != ""
	}
	text := "All specified packages are already installed"
	if versions {
		text += " and are at the desired version"
	}
	if p.Hold != nil && *p.Hold {
		text += " and are already held"
	}
	return text
}

// request is the call of the package manager for what is needed.
func (w *survey) request(p *Installed, withOthers bool) Request {
	r := p.request()
	r.Reinstall, r.OnlyUpgrade, r.ChangeHeld = p.Reinstall || w.fresh, p.OnlyUpgrade, p.UpdateHolds
	all := w.need
	if withOthers {
		all = append(slices.Clone(all), w.others...)
	}
	for _, n := range all {
		if s := n.spec(); !slices.Contains(r.Install, s) {
			r.Install = append(r.Install, s)
		}
	}
	return r
}
