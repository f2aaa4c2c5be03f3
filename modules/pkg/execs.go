package pkg

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

type execFn func(ctx context.Context, c *modules.Call, s *session) (value.Value, error)

func exec(name, doc string, params []string, fn execFn) modules.ExecSpec {
	return modules.ExecSpec{Name: "pkg." + name, Doc: doc, Params: params, Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
		s, err := sessionOf(c.Env, c.Host)
		if err != nil {
			return nil, err
		}
		return fn(ctx, c, s)
	}}
}

func execSpecs() []modules.ExecSpec {
	many := []string{"name=None", "pkgs=None", "**kwargs"}
	return append(modules.Writing(
		exec("refresh_db", "Fetches the lists of the sources.", []string{"cache_valid_time=0", "failhard=false", "**kwargs"}, refreshDB),
		exec("install", "Installs packages.", []string{"name=None", "refresh=false", "fromrepo=None", "skip_verify=false", "debconf=None", "pkgs=None", "sources=None", "version=None", "reinstall=false", "**kwargs"}, install),
		exec("remove", "Removes packages.", many, remove(false)),
		exec("purge", "Removes packages with their configuration files.", many, remove(true)),
		exec("upgrade", "Upgrades all packages.", []string{"refresh=true", "dist_upgrade=false", "**kwargs"}, upgrade),
		exec("hold", "Keeps upgrades away from packages.", many, hold(true)),
		exec("unhold", "Lets upgrades of packages in again.", many, hold(false)),
		exec("mod_repo", "Changes a source: not offered here, see the state pkgrepo.managed.", []string{"repo", "**kwargs"}, modRepo),
	), []modules.ExecSpec{
		exec("version", "Gives the installed version: text for one name, a map for several.", []string{"*names", "**kwargs"}, versions(installedVersion)),
		exec("latest_version", "Gives the version that an upgrade would install, empty when there is none.", []string{"*names", "**kwargs"}, latestVersion),
		exec("available_version", "Gives the version that an upgrade would install, empty when there is none.", []string{"*names", "**kwargs"}, latestVersion),
		exec("upgrade_available", "Says whether a newer version is to be had.", []string{"name", "**kwargs"}, upgradeAvailable),
		exec("list_pkgs", "Lists the installed packages with their versions.", []string{"versions_as_list=false", "removed=false", "purge_desired=false", "**kwargs"}, listPkgs),
		exec("list_upgrades", "Lists the packages that could be upgraded, with the new versions.", []string{"refresh=true", "dist_upgrade=true", "**kwargs"}, listUpgrades),
		exec("list_repo_pkgs", "Lists the versions that the sources have.", []string{"*args", "**kwargs"}, listRepoPkgs),
		exec("version_cmp", "Compares two versions: -1, 0 or 1.", []string{"pkg1", "pkg2", "ignore_epoch=false", "**kwargs"}, versionCmp),
		exec("normalize_name", "Drops the architecture from a name when it is the machine's own.", []string{"name"}, normalizeName),
		exec("get_selections", "Lists the packages by their selection: install, hold, deinstall, purge.", []string{"pattern=None", "state=None"}, getSelections),
		exec("owner", "Names the package that a file belongs to.", []string{"*paths", "**kwargs"}, owner),
		exec("file_list", "Lists the files of packages.", []string{"*packages", "**kwargs"}, fileList),
		exec("info_installed", "Tells what is known of installed packages.", []string{"*names", "**kwargs"}, infoInstalled),
		exec("list_repos", "Lists the sources.", []string{"**kwargs"}, listRepos),
	}...)
}

func installedVersion(db *Database, name string) string { return db.Version(name) }

// versions applies a look-up to the names: text for one, a map for several, as Salt does.
func versions(of func(*Database, string) string) execFn {
	return func(_ context.Context, c *modules.Call, s *session) (value.Value, error) {
		db, err := s.database(c.Host)
		if err != nil {
			return nil, err
		}
		return forNames(c, func(n string) value.Value { return value.Str(of(db, n)) }), nil
	}
}

func restNames(c *modules.Call) []string {
	out := make([]string, 0, len(c.Rest()))
	for _, v := range c.Rest() {
		out = append(out, value.String(v))
	}
	return out
}

func forNames(c *modules.Call, of func(string) value.Value) value.Value {
	names := restNames(c)
	if len(names) == 1 {
		return of(names[0])
	}
	if len(names) == 0 {
		return value.Str("")
	}
	out := value.NewDict(len(names))
	for _, n := range names {
		out.SetStr(n, of(n))
	}
	return out
}

// newer gives the candidate where it is newer than what is installed.
func newer(ctx context.Context, h host.Reader, s *session, names []string, fromRepo string) (map[string]string, error) {
	db, err := s.database(h)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	offers, err := s.provider.Offers(ctx, h, names, fromRepo)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, n := range names {
		if v := offers[n].Candidate; v != "" && (db.Version(n) == "" || Compare(v, db.Version(n)) > 0) {
			out[n] = v
		}
	}
	return out, nil
}

func latestVersion(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	m, err := newer(ctx, c.Host, s, restNames(c), c.Str("fromrepo"))
	if err != nil {
		return nil, err
	}
	return forNames(c, func(n string) value.Value { return value.Str(m[n]) }), nil
}

func upgradeAvailable(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	m, err := newer(ctx, c.Host, s, []string{c.Str("name")}, "")
	return value.Bool(m[c.Str("name")] != ""), err
}

func listPkgs(_ context.Context, c *modules.Call, s *session) (value.Value, error) {
	db, err := s.database(c.Host)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for _, p := range db.All() {
		gone := p.State == "config-files"
		if (c.Bool("removed") || c.Bool("purge_desired")) != gone || !gone && !p.Installed() {
			continue
		}
		if c.Bool("versions_as_list") {
			out.SetStr(p.Name, value.NewList(value.Str(p.Version)))
		} else {
			out.SetStr(p.Name, value.Str(p.Version))
		}
	}
	return out, nil
}

func listUpgrades(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	steps, err := s.simulate(ctx, c.Host, Request{DistUpgrade: c.Bool("dist_upgrade"), Upgrade: !c.Bool("dist_upgrade")})
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for _, step := range sorted(steps) {
		if step.New != "" {
			out.SetStr(step.Name, value.Str(step.New))
		}
	}
	return out, nil
}

func listRepoPkgs(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	names := restNames(c)
	if len(names) == 0 {
		return nil, errors.New("pkg.list_repo_pkgs needs the names of packages")
	}
	offers, err := s.provider.Offers(ctx, c.Host, names, c.Str("fromrepo"))
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for _, n := range names {
		if o, ok := offers[n]; ok {
			l := value.NewList()
			for _, v := range o.Versions {
				l.Items = append(l.Items, value.Str(v))
			}
			out.SetStr(n, l)
		}
	}
	return out, nil
}

func versionCmp(_ context.Context, c *modules.Call, _ *session) (value.Value, error) {
	a, b := c.Str("pkg1"), c.Str("pkg2")
	if c.Bool("ignore_epoch") {
		a, b = withoutEpoch(a), withoutEpoch(b)
	}
	return value.Int(Compare(a, b)), nil
}

func normalizeName(_ context.Context, c *modules.Call, s *session) (value.Value, error) {
	db, err := s.database(c.Host)
	if err != nil {
		return nil, err
	}
	return value.Str(db.Normalize(c.Str("name"))), nil
}

func refreshDB(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	if err := s.refresh(ctx, c.Env, c.Host); err != nil {
		if c.Bool("failhard") {
			return nil, err
		}
		c.Log("error", err.Error())
		return value.Bool(false), nil
	}
	return value.Bool(true), nil
}

// called are the packages that a call names: name, or pkgs.
func called(c *modules.Call) ([]Target, error) {
	if v := c.Arg("pkgs"); v != value.Value(value.None) {
		var t Targets
		err := t.BindValue(v)
		return t, err
	}
	var out []Target
	for _, n := range c.Strs("name") {
		out = append(out, Target{Name: n})
	}
	if len(out) == 0 {
		return nil, errors.New("no package was named")
	}
	return out, nil
}

func install(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	if c.Arg("sources") != value.Value(value.None) {
		return nil, errors.New("pkg.install from sources is not offered here; the state pkg.installed has it")
	}
	targets, err := called(c)
	if err != nil {
		return nil, err
	}
	if c.Bool("refresh") {
		if err := s.provider.Refresh(ctx, c.Env, c.Host); err != nil {
			return nil, err
		}
	}
	r := Request{FromRepo: c.Str("fromrepo"), SkipVerify: c.Bool("skip_verify"), Reinstall: c.Bool("reinstall")}
	for _, t := range targets {
		if v := c.Str("version"); t.Version == "" && len(targets) == 1 {
			t.Version = v
		}
		if t.Version != "" {
			t.Name += "=" + t.Version
		}
		r.Install = append(r.Install, t.Name)
	}
	return s.transact(ctx, c.Env, c.Host, r, installs)
}

func remove(purge bool) execFn {
	return func(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
		targets, err := called(c)
		if err != nil {
			return nil, err
		}
		return s.transact(ctx, c.Env, c.Host, Request{Remove: names(targets), Purge: purge}, installs)
	}
}

func upgrade(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	if c.Bool("refresh") {
		if err := s.provider.Refresh(ctx, c.Env, c.Host); err != nil {
			return nil, err
		}
	}
	return s.transact(ctx, c.Env, c.Host, Request{DistUpgrade: c.Bool("dist_upgrade"), Upgrade: !c.Bool("dist_upgrade")}, installs)
}

func hold(on bool) execFn {
	return func(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
		targets, err := called(c)
		if err != nil {
			return nil, err
		}
		db, err := s.database(c.Host)
		if err != nil {
			return nil, err
		}
		out := value.NewDict(0)
		for _, t := range targets {
			one := value.DictOf("name", value.Str(t.Name), "changes", value.NewDict(0), "result", value.Bool(true))
			if db.Held(t.Name) != on {
				m := marks{hold: []string{t.Name}}
				if !on {
					m = marks{release: []string{t.Name}}
				}
				if err := m.set(ctx, s, c.Host); err != nil {
					return nil, err
				}
				one.SetStr("changes", m.changes())
			}
			out.SetStr(t.Name, one)
		}
		return out, nil
	}
}

func getSelections(_ context.Context, c *modules.Call, s *session) (value.Value, error) {
	db, err := s.database(c.Host)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for _, p := range db.All() {
		if st := c.Str("state"); st != "" && st != p.Want {
			continue
		}
		l, ok := out.GetStr(p.Want)
		if !ok {
			l = value.NewList()
			out.SetStr(p.Want, l)
		}
		l.(*value.List).Items = append(l.(*value.List).Items, value.Str(p.Name))
	}
	return out, nil
}

func owner(ctx context.Context, c *modules.Call, _ *session) (value.Value, error) {
	var failure error
	v := forNames(c, func(file string) value.Value {
		out, err := c.Host.Query(ctx, host.Cmd{Args: []string{"dpkg-query", "-S", "--", file}, Env: environ()})
		if err != nil {
			failure = fmt.Errorf("ask dpkg who owns %s: %w", file, err)
			return value.Str("")
		}
		name, _, _ := strings.Cut(string(out.Stdout), ":")
		return value.Str(strings.TrimSpace(name))
	})
	return v, failure
}

func fileList(ctx context.Context, c *modules.Call, _ *session) (value.Value, error) {
	files := value.NewList()
	faults := value.NewList()
	for _, n := range restNames(c) {
		out, err := c.Host.Query(ctx, host.Cmd{Args: []string{"dpkg-query", "-L", "--", n}, Env: environ()})
		if err != nil {
			return nil, fmt.Errorf("ask dpkg for the files of %s: %w", n, err)
		}
		if out.Code != 0 {
			faults.Items = append(faults.Items, value.Str(strings.TrimSpace(string(out.Stderr))))
			continue
		}
		for line := range strings.Lines(string(out.Stdout)) {
			if l := strings.TrimSpace(line); strings.HasPrefix(l, "/") && l != "/." {
				files.Items = append(files.Items, value.Str(l))
			}
		}
	}
	return value.DictOf("errors", faults, "files", files), nil
}

func infoInstalled(_ context.Context, c *modules.Call, s *session) (value.Value, error) {
	db, err := s.database(c.Host)
	if err != nil {
		return nil, err
	}
	wanted := restNames(c)
	out := value.NewDict(0)
	for _, p := range db.All() {
		if !p.Installed() || len(wanted) > 0 && !slices.Contains(wanted, p.Name) {
			continue
		}
		d := value.DictOf("version", value.Str(p.Version), "arch", value.Str(p.Arch))
		if p.Source != "" {
			d.SetStr("source", value.Str(p.Source))
		}
		for _, f := range p.Fields {
			key, val, _ := strings.Cut(f, ":")
			d.SetStr(infoKey(key), value.Str(strings.TrimSpace(val)))
		}
		out.SetStr(p.Name, d)
	}
	return out, nil
}

// infoKey is Salt's name of a field of dpkg's.
func infoKey(field string) string {
	switch field {
	case "Section":
		return "group"
	case "Maintainer":
		return "packager"
	case "Homepage":
		return "url"
	case "Installed-Size":
		return "size"
	case "Description":
		return "summary"
	}
	return strings.ToLower(field)
}

func modRepo(context.Context, *modules.Call, *session) (value.Value, error) {
	return nil, errors.New("pkg.mod_repo is not offered here; the state pkgrepo.managed changes sources")
}
