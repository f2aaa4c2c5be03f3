package pkg

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// install does it and gives the difference of the database. It is given even beside an error: what came along is there.
func (w *survey) install(ctx context.Context, env *modules.Env, h host.Host, p *Installed) (*value.Dict, error) {
	before := w.db.Versions()
	err := w.run(ctx, env, h, p)
	w.s.forget()
	db, derr := w.s.database(h)
	if derr != nil {
		return nil, errors.Join(err, derr)
	}
	after := db.Versions()
	w.announce(h, before, after)
	changes := w.divide(difference(before, after))
	left := w.unmet(p, db)
	switch {
	case err == nil:
		err = left
	case left == nil && len(w.need) > 0: // another package, broken before, made the call fail; ours are there
		w.warning, err = err.Error(), nil
	}
	if p.Reinstall || w.fresh {
		for _, n := range w.need {
			if _, ok := changes.GetStr(n.Name); !ok && err == nil {
				changes.SetStr(n.Name, change(n.now, db.Version(n.Name)))
			}
		}
	}
	w.db = db
	return changes, err
}

func (w *survey) run(ctx context.Context, env *modules.Env, h host.Host, p *Installed) error {
	if err := debconf(ctx, env, h, p.Debconf); err != nil {
		return err
	}
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
	if err != nil && strings.Contains(err.Error(), "Failed to fetch") && !w.s.isRefreshed() {
		if rerr := w.s.refresh(ctx, env, h); rerr == nil {
			err = w.s.provider.Run(ctx, env, h, w.request(p, false))
		}
	}
	return err
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
		file := path.Join(dir, f.Name+"_"+strings.ReplaceAll(f.version, ":", "%3a")+".deb")
		if err := h.WriteFile(file, strings.NewReader(string(f.data)), host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}); err != nil {
			return fmt.Errorf("write %s: %w", file, err)
		}
		defer h.Remove(file)
		r.Install = append(r.Install, file)
	}
	return w.s.provider.Run(ctx, env, h, r)
}

// debconf answers the packages' questions before they are asked.
func debconf(ctx context.Context, env *modules.Env, h host.Host, source string) error {
	if source == "" {
		return nil
	}
	data, err := env.Files.Fetch(ctx, source, env.Low.Env)
	if err != nil {
		return fmt.Errorf("fetch the debconf answers: %w", err)
	}
	out, err := h.Run(ctx, host.Cmd{Args: []string{"debconf-set-selections"}, Stdin: data, Env: environ()})
	if err != nil {
		return fmt.Errorf("run debconf-set-selections: %w", err)
	}
	if out.Code != 0 {
		return fmt.Errorf("debconf-set-selections: %s", reason(out))
	}
	return nil
}

// announce tells the service states which units are new: their packages started them before they were configured.
func (w *survey) announce(h host.Host, before, after map[string]string) {
	for n := range after {
		if before[n] != "" {
			continue
		}
		for _, unit := range w.s.provider.Units(h, n) {
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
		if step, ok := w.s.claim(c.Name, true); ok {
			changes.SetStr(step.Name, change(step.Old, step.New))
		}
	}
	return changes
}

// unmet are the packages that the package manager left out without an error.
func (w *survey) unmet(p *Installed, db *Database) error {
	var left []string
	for _, n := range w.need {
		v := db.Version(n.Name)
		if v == "" && !db.Provided(n.Name) || v != "" && !n.rule.latest && !n.rule.any() && !n.rule.holds(v, p.IgnoreEpoch) {
			left = append(left, n.spec())
		}
	}
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("the package manager reported success and did not install %s", strings.Join(left, ", "))
}

// mark holds or releases.
func (w *survey) mark(ctx context.Context, h host.Host, p *Installed, done *state.Applied) error {
	if len(w.hold) == 0 {
		return nil
	}
	if err := w.s.provider.Hold(ctx, h, w.hold, *p.Hold); err != nil {
		return err
	}
	w.s.forget()
	if done.Changes == nil {
		done.Changes = value.NewDict(0)
	}
	w.holdChanges(done.Changes, p.Hold)
	return nil
}
