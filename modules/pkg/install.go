package pkg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// install does it and gives the difference of the database. It is given even beside an error: what came along is there.
func (w *survey) install(ctx context.Context, env *modules.Env, h host.Host, p *Installed) (*value.Dict, error) {
	if !w.installs() {
		return value.NewDict(0), nil
	}
	answers, err := p.answers(ctx, env)
	if err != nil {
		return nil, err
	}
	before, after, err := w.s.change(ctx, h, "install "+strings.Join(w.specs(), " "),
		func(ctx context.Context) error { return w.do(ctx, env, h, p, answers) },
		func() ([]Step, error) { return w.told(ctx, h, p) })
	if before == nil {
		return nil, err
	}
	changes := w.divide(difference(before.Versions(), after.Versions()))
	if p.Reinstall || w.fresh {
		for _, n := range w.need {
			if _, ok := changes.GetStr(n.Name); !ok && err == nil {
				changes.SetStr(n.Name, change(n.now, after.Version(n.Name)))
			}
		}
	}
	return changes, err
}

// do calls the package manager and looks whether it did what it was asked for. Salt differs: it fails where the call
// failed for another package.
func (w *survey) do(ctx context.Context, env *modules.Env, h host.Host, p *Installed, answers []byte) error {
	err := debconf(ctx, h, answers)
	if err == nil {
		err = w.run(ctx, env, h, p)
	}
	for _, c := range w.claimed {
		w.s.claim(c.Name, true)
	}
	after, derr := w.s.database(ctx, h)
	if derr != nil {
		return errors.Join(err, derr)
	}
	w.announce(h, after)
	if herr := w.holdAgain(ctx, h, p); herr != nil {
		return errors.Join(err, herr)
	}
	left := w.unmet(p, after)
	if err != nil && left == nil && len(w.need) > 0 { // another package, broken before, made the call fail; ours are there
		w.warnings = append(w.warnings, err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	return left
}

func (w *survey) run(ctx context.Context, env *modules.Env, h host.Host, p *Installed) error {
	if len(w.files) > 0 {
		return w.runFiles(ctx, env, h, p)
	}
	if len(w.need) == 0 {
		return nil
	}
	err := w.s.provider.Run(ctx, env, h, w.request(p, true))
	if err != nil && len(w.others) > 0 { // what fails may be another's package: then ours alone
		w.others = nil
		err = w.s.provider.Run(ctx, env, h, w.request(p, false))
	}
	_, sources := w.s.provider.Lists(h)
	if err != nil && strings.Contains(err.Error(), "Failed to fetch") && !w.s.isRefreshed(sources) {
		if rerr := w.s.refresh(ctx, env, h); rerr == nil {
			err = w.s.provider.Run(ctx, env, h, w.request(p, false))
		}
	}
	return err
}

// told are the steps that the package manager foretells, in one call. Of what it does not know yet, or would not touch
// as the machine is now, at least the package itself comes.
func (w *survey) told(ctx context.Context, h host.Reader, p *Installed) ([]Step, error) {
	var steps []Step
	for _, f := range w.files {
		steps = append(steps, Step{Name: f.Name, Old: f.now, New: f.version, Control: f.control})
	}
	known := *w
	known.need = slices.DeleteFunc(slices.Clone(w.need), func(n want) bool { return n.unknown })
	told, err := w.s.simulate(ctx, h, known.request(p, false))
	if err != nil {
		return nil, err
	}
	for _, n := range w.need {
		if !n.virtual && !slices.ContainsFunc(told, func(s Step) bool { return s.Name == n.Name }) {
			steps = append(steps, Step{Name: n.Name, Old: n.now, New: cmp.Or(n.version, "installed")})
		}
	}
	return append(steps, told...), nil
}

// runFiles puts the package files where apt can read them, installs and removes them.
func (w *survey) runFiles(ctx context.Context, env *modules.Env, h host.Host, p *Installed) error {
	const dir = "/var/cache/gostate"
	if err := h.Mkdir(dir, host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}); err != nil {
		if _, serr := h.Stat(dir); serr != nil {
			return fmt.Errorf("make %s: %w", dir, err)
		}
	}
	r := p.request()
	r.Reinstall, r.ChangeHeld = p.Reinstall, p.UpdateHolds
	for _, f := range w.files {
		file := path.Join(dir, f.Name+"_"+strings.ReplaceAll(f.version, ":", "%3a")+w.s.provider.Ending())
		if err := h.WriteFile(file, strings.NewReader(string(f.data)),
			host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}); err != nil {
			return fmt.Errorf("write %s: %w", file, err)
		}
		defer h.Remove(file)
		r.Install = append(r.Install, Spec{Name: f.Name, Version: f.version, File: file, Old: f.now})
	}
	return w.s.provider.Run(ctx, env, h, r)
}

// answers are those to the packages' questions, nil when none are given.
func (p *Installed) answers(ctx context.Context, env *modules.Env) ([]byte, error) {
	if p.Debconf == "" {
		return nil, nil
	}
	data, err := env.Files.Fetch(ctx, p.Debconf, env.Low.SourceEnv())
	if err != nil {
		return nil, fmt.Errorf("fetch the debconf answers: %w", err)
	}
	return data, nil
}

// debconf answers the packages' questions before they are asked.
func debconf(ctx context.Context, h host.Host, answers []byte) error {
	if answers == nil {
		return nil
	}
	out, err := h.Run(ctx, host.Cmd{Args: []string{"debconf-set-selections"}, Stdin: answers, Env: environ()})
	if err != nil {
		return fmt.Errorf("run debconf-set-selections: %w", err)
	}
	if out.Code != 0 {
		return fmt.Errorf("debconf-set-selections: %s", reason(out))
	}
	return nil
}

// holdAgain holds what was held before it was changed: apt forgets that.
func (w *survey) holdAgain(ctx context.Context, h host.Host, p *Installed) error {
	keep, ok := w.s.provider.(holder)
	if !ok {
		return nil
	}
	var again []string
	for _, n := range w.changing() {
		if w.db.Held(n) && (p.Hold == nil || *p.Hold) {
			again = append(again, n)
		}
	}
	if len(again) == 0 {
		return nil
	}
	return keep.Hold(ctx, h, again, true)
}

// changing are the packages that the state itself installs or changes.
func (w *survey) changing() []string {
	var out []string
	for _, n := range w.need {
		out = append(out, n.Name)
	}
	for _, f := range w.files {
		out = append(out, f.Name)
	}
	return out
}

// announce tells the service states which units are new: their packages started them before they were configured.
func (w *survey) announce(h host.Host, after *Database) {
	brings, ok := w.s.provider.(starter)
	if !ok {
		return
	}
	for n := range after.Versions() {
		if w.db.Version(n) != "" {
			continue
		}
		for _, unit := range brings.Units(h, n) {
			h.Promise(host.Fact{Kind: host.FactUnit, Name: unit, Value: "new", Attrs: map[string]string{"pkg": n}})
		}
	}
}

// divide takes from the changes what belongs to the batch's other states and adds what a batch did for this one.
func (w *survey) divide(changes *value.Dict) *value.Dict {
	w.s.mu.Lock()
	for _, o := range w.others {
		v, ok := changes.GetStr(o.Name)
		if !ok || slices.ContainsFunc(w.need, func(n want) bool { return n.Name == o.Name }) {
			continue
		}
		d := v.(*value.Dict)
		old, _ := d.GetStr("old")
		now, _ := d.GetStr("new")
		w.s.claims[o.Name] = Step{Name: o.Name, Old: value.String(old), New: value.String(now)}
		changes.Delete(value.Str(o.Name))
	}
	w.s.mu.Unlock()
	for _, c := range w.claimed {
		changes.SetStr(c.Name, change(c.Old, c.New))
	}
	return changes
}

// unmet are the packages that the package manager left out without an error.
func (w *survey) unmet(p *Installed, db *Database) error {
	var left []string
	for _, n := range w.need {
		v := db.Version(n.Name)
		if v == "" && !db.Provided(n.Name) || v != "" && !n.rule.latest && !n.rule.any() && !n.rule.holds(v, p.IgnoreEpoch) {
			left = append(left, n.spec().String())
		}
	}
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("the package manager reported success and did not install %s", strings.Join(left, ", "))
}
