package pkg

import (
	"context"
	"errors"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// writers are the execution functions that change something.
func writers() []modules.ExecSpec {
	many := []string{"name=None", "pkgs=None"}
	held := append(many, "sources=None")
	return []modules.ExecSpec{
		exec("refresh_db", "Fetches the lists of the sources.", []string{"cache_valid_time:int=0", "failhard=false"},
			refreshDB),
		exec("install", "Installs packages.", []string{"name=None", "refresh=false", "fromrepo=None", "enablerepo=None",
			"disablerepo=None", "skip_verify=false",
			"debconf=None", "pkgs=None", "sources=None", "reinstall=false",
			"downloadonly=false", "ignore_epoch=None", "version=None", "only_upgrade=false", "install_recommends=None",
			"force_conf_new=false", "cache_valid_time:int=0"}, install),
		exec("remove", "Removes packages.", many, remove(false)),
		exec("purge", "Removes packages with their configuration files.", many, remove(true)),
		exec("upgrade", "Upgrades all packages.", []string{"refresh=true", "dist_upgrade=false", "cache_valid_time:int=0",
			"force_conf_new=false", "download_only=false", "downloadonly=false", "skip_verify=false"}, upgrade),
		exec("hold", "Keeps upgrades away from packages.", held, hold(true)),
		exec("unhold", "Lets upgrades of packages in again.", held, hold(false)),
		exec("mod_repo", "Changes or makes a source of dnf, yum or zypper: its options are the arguments. On apt the state "+
			"pkgrepo.managed does it.", []string{"repo", "file:path!..=None", "clean_file=false", "**kwargs:env"}, modRepo),
		exec("del_repo", "Removes a source of dnf, yum or zypper; a file in which none is left goes.", []string{"repo"},
			delRepo),
	}
}

// refreshDB fetches the lists, unless they were fetched within cache_valid_time.
func refreshDB(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	if fetched, _ := s.provider.Lists(c.Host); time.Since(fetched) < time.Duration(c.Int("cache_valid_time",
		0))*time.Second {
		return value.NewDict(0), nil
	}
	if err := s.refresh(ctx, c.Env, c.Host); err != nil {
		if c.Bool("failhard") {
			return nil, err
		}
		c.Log("error", err.Error())
		return value.Bool(false), nil
	}
	return value.Bool(true), nil
}

// fresh fetches the lists where the call asks for that.
func fresh(ctx context.Context, c *modules.Call, s *session) error {
	if !c.Bool("refresh") {
		return nil
	}
	if fetched, _ := s.provider.Lists(c.Host); time.Since(fetched) < time.Duration(c.Int("cache_valid_time",
		0))*time.Second {
		return nil
	}
	return s.refresh(ctx, c.Env, c.Host)
}

// called are the packages that a call names: name, or pkgs.
func called(c *modules.Call) (t Targets, err error) {
	if v := c.Arg("pkgs"); v != value.Value(value.None) {
		if text, ok := v.(value.Str); ok {
			v = value.NewList(text)
		}
		return t, t.BindValue(v)
	}
	if v := c.Arg("sources"); v != value.Value(value.None) {
		var files Sources
		err = files.BindValue(v)
		return Targets(files), err
	}
	for _, n := range c.Strs("name") {
		t = append(t, Target{Name: n})
	}
	if len(t) == 0 {
		err = errors.New("no package was named")
	}
	return t, err
}

// asState is the environment of a state that does what a call asks for.
func asState(c *modules.Call) *modules.Env {
	env := *c.Env
	env.Low = &state.Low{Env: "base"}
	return &env
}

func install(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	if err := fresh(ctx, c, s); err != nil {
		return nil, err
	}
	f := Fetching{FromRepo: c.Str("fromrepo"), EnableRepo: c.Arg("enablerepo"), DisableRepo: c.Arg("disablerepo"),
		SkipVerify: c.Bool("skip_verify"), NewConf: c.Bool("force_conf_new"),
		Debconf: c.Str("debconf")}
	if v := c.Arg("install_recommends"); v != value.Value(value.None) {
		with := value.Truth(v)
		f.Recommends = &with
	}
	if v := c.Arg("sources"); v != value.Value(value.None) {
		p := &Installed{Fetching: f, Reinstall: c.Bool("reinstall")}
		if err := p.Sources.BindValue(v); err != nil {
			return nil, err
		}
		e, err := p.Act(ctx, asState(c), c.Host)
		return orNone(e.Changes), err
	}
	targets, err := called(c)
	if err != nil {
		return nil, err
	}
	r := f.request()
	r.Reinstall, r.OnlyUpgrade, r.DownloadOnly = c.Bool("reinstall"), c.Bool("only_upgrade"), c.Bool("downloadonly")
	if v := c.Str("version"); v != "" && len(targets) == 1 && targets[0].Version == "" {
		targets[0].Version = v
	}
	if r.Install, err = s.specs(ctx, c, targets); err != nil {
		return nil, err
	}
	return s.transact(ctx, c.Env, c.Host, r, installs)
}

// calledRepos are the sources that a call names.
func calledRepos(c *modules.Call) Repos {
	return Repos{From: c.Str("fromrepo"), Enable: c.Strs("enablerepo"), Disable: c.Strs("disablerepo")}
}

// specs are what the package manager is asked for, with the versions that fit.
func (s *session) specs(ctx context.Context, c *modules.Call, targets Targets) ([]Spec, error) {
	offers, err := s.provider.Offers(ctx, c.Host, names(targets), calledRepos(c))
	if err != nil {
		return nil, err
	}
	db, err := s.database(ctx, c.Host)
	if err != nil {
		return nil, err
	}
	var out []Spec
	for _, t := range targets {
		rule, err := parseConstraint(t.Version, s.provider.Compare)
		if err != nil {
			return nil, err
		}
		w := want{Target: t, rule: rule, now: db.Version(t.Name)}
		if o := offers[t.Name]; !rule.any() {
			if w.version = rule.choose(o.Candidate, o.Versions, nil); w.version == "" {
				return nil, unfit(w, o)
			}
		}
		out = append(out, w.spec())
	}
	return out, nil
}

func remove(purge bool) execFn {
	return func(ctx context.Context, c *modules.Call, _ *session) (value.Value, error) {
		targets, err := called(c)
		if err != nil {
			return nil, err
		}
		e, err := (&Removed{Selection: Selection{Pkgs: targets}, purge: purge}).Act(ctx, asState(c), c.Host)
		return orNone(e.Changes), err
	}
}

func orNone(d *value.Dict) *value.Dict {
	if d == nil {
		return value.NewDict(0)
	}
	return d
}

func upgrade(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	if err := fresh(ctx, c, s); err != nil {
		return nil, err
	}
	return s.transact(ctx, c.Env, c.Host, Request{DistUpgrade: c.Bool("dist_upgrade"), Upgrade: !c.Bool("dist_upgrade"),
		NewConf:      c.Bool("force_conf_new"),
		DownloadOnly: c.Bool("download_only") || c.Bool("downloadonly"), SkipVerify: c.Bool("skip_verify")}, installs)
}

func hold(on bool) execFn {
	return func(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
		targets, err := called(c)
		if err != nil {
			return nil, err
		}
		db, err := s.database(ctx, c.Host)
		if err != nil {
			return nil, err
		}
		out := value.NewDict(0)
		for _, t := range targets {
			if db.Held(t.Name) == on {
				word := map[bool]string{true: "already set to be held", false: "already set not to be held"}[on]
				out.SetStr(t.Name, value.DictOf("name", value.Str(t.Name), "changes", value.NewDict(0), "result", value.Bool(true),
					"comment", value.Str("Package "+t.Name+" is "+word+".")))
				continue
			}
			m := s.marks()
			if on {
				m.hold = []string{t.Name}
			} else {
				m.release = []string{t.Name}
			}
			if err := m.set(ctx, s, c.Host); err != nil {
				return nil, err
			}
			one, _ := m.returned().GetStr(t.Name)
			out.SetStr(t.Name, one)
		}
		return out, nil
	}
}
