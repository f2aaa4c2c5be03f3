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

type execFn func(ctx context.Context, c *modules.Call, s *session) (value.Value, error)

func exec(name, doc string, params []string, fn execFn) modules.ExecSpec {
	return modules.ExecSpec{Name: "pkg." + name, Doc: doc, Params: params,
		Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
			s, err := sessionOf(c.Env, c.Host)
			if err != nil {
				return nil, err
			}
			return fn(ctx, c, s)
		}}
}

func execSpecs() []modules.ExecSpec {
	newest := []string{"*names", "refresh=true", "show_installed=false", "fromrepo=None", "cache_valid_time:int=0",
		"enablerepo=None", "disablerepo=None"}
	return append(modules.Writing(writers()...), []modules.ExecSpec{
		exec("version", "Gives the installed version: text for one name, a map for several.",
			[]string{"*names", "use_context=true", "versions_as_list=false"}, versions(installedVersion)),
		exec("latest_version", "Gives the version that an upgrade would install, empty when there is none, as the lists "+
			"are now.", newest, latestVersion),
		exec("available_version", "Gives the version that an upgrade would install, empty when there is none, as the lists "+
			"are now.", newest, latestVersion),
		exec("upgrade_available", "Says whether a newer version is to be had.",
			[]string{"name", "refresh=true", "fromrepo=None"}, upgradeAvailable),
		exec("list_pkgs", "Lists the installed packages with their versions.",
			[]string{"versions_as_list=false", "removed=false", "purge_desired=false", "use_context=true"}, listPkgs),
		exec("list_upgrades", "Lists the packages that could be upgraded, with the new versions.",
			[]string{"refresh=true", "dist_upgrade=true", "cache_valid_time:int=0"}, listUpgrades),
		exec("list_repo_pkgs", "Lists the versions that the sources have.", []string{"*args", "fromrepo=None"}, listRepoPkgs),
		exec("version_cmp", "Compares two versions: -1, 0 or 1.", []string{"pkg1", "pkg2", "ignore_epoch=false"}, versionCmp),
		exec("normalize_name", "Drops the architecture from a name when it is the machine's own.", []string{"name"},
			normalizeName),
		exec("get_selections", "Lists the packages by their selection: install, hold, deinstall, purge.",
			[]string{"pattern=None", "state=None"}, getSelections),
		exec("owner", "Names the package that a file belongs to.", []string{"*paths"}, owner),
		exec("file_list", "Lists the files of packages.", []string{"*packages"}, fileList),
		exec("info_installed", "Tells what is known of installed packages.",
			[]string{"*names", "attr:list=None", "failhard=true", "filter_attrs=None"}, infoInstalled),
		exec("group_info", "Lists the packages of a group of dnf, yum or pacman.", []string{"name"}, groupInfo),
		exec("list_holds", "Lists the packages that are held.", nil, listHolds),
		exec("list_repos", "Lists the sources.", nil, listRepos),
		exec("get_repo", "Tells what is configured of a source of dnf, yum or zypper, an empty map where it is none.",
			[]string{"repo"}, getRepo),
	}...)
}

func installedVersion(db *Database, name string) string { return db.Version(name) }

// versions applies a look-up to the names: text for one, a map for several, as Salt does.
func versions(of func(*Database, string) string) execFn {
	return func(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
		db, err := s.database(ctx, c.Host)
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
func newer(ctx context.Context, h host.Reader, s *session, names []string, from Repos) (map[string]string, error) {
	db, err := s.database(ctx, h)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	offers, err := s.provider.Offers(ctx, h, names, from)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, n := range names {
		if v := offers[n].Candidate; v != "" && (db.Version(n) == "" || s.newest(db, n, v)) {
			out[n] = v
		}
	}
	return out, nil
}

// newest says whether a version is newer than all that are installed of a package.
func (s *session) newest(db *Database, name, version string) bool {
	for v := range strings.SplitSeq(db.Version(name), ",") {
		if s.provider.Compare(version, v) <= 0 {
			return false
		}
	}
	return true
}

func latestVersion(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	m, err := newer(ctx, c.Host, s, restNames(c), calledRepos(c))
	if err != nil {
		return nil, err
	}
	return forNames(c, func(n string) value.Value { return value.Str(m[n]) }), nil
}

func upgradeAvailable(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	m, err := newer(ctx, c.Host, s, []string{c.Str("name")}, calledRepos(c))
	return value.Bool(m[c.Str("name")] != ""), err
}

func listPkgs(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	db, err := s.database(ctx, c.Host)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for _, p := range db.All() {
		is := p.Installed()
		switch {
		case c.Bool("removed"):
			is = !is && p.Want == "deinstall" && p.State != "not-installed"
		case c.Bool("purge_desired"):
			is = is && p.Want == "purge"
		}
		if !is {
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
	offers, err := s.provider.Offers(ctx, c.Host, names, calledRepos(c))
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

func versionCmp(_ context.Context, c *modules.Call, s *session) (value.Value, error) {
	a, b := c.Str("pkg1"), c.Str("pkg2")
	if c.Bool("ignore_epoch") {
		a, b = withoutEpoch(a), withoutEpoch(b)
	}
	return value.Int(s.provider.Compare(a, b)), nil
}

func normalizeName(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	db, err := s.database(ctx, c.Host)
	if err != nil {
		return nil, err
	}
	return value.Str(db.Normalize(c.Str("name"))), nil
}

func getSelections(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	db, err := s.database(ctx, c.Host)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for _, p := range db.All() {
		fits, _ := path.Match(cmp.Or(c.Str("pattern"), "*"), p.Name)
		if st := c.Str("state"); !fits || st != "" && st != p.Want {
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

func owner(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	var failure error
	v := forNames(c, func(file string) value.Value {
		name, err := s.provider.Owner(ctx, c.Host, file)
		failure = errors.Join(failure, err)
		return value.Str(name)
	})
	return v, failure
}

func fileList(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	all, faults := value.NewList(), value.NewList()
	for _, n := range restNames(c) {
		files, err := s.provider.Files(ctx, c.Host, n)
		if err != nil {
			faults.Items = append(faults.Items, value.Str(err.Error()))
		}
		for _, f := range files {
			all.Items = append(all.Items, value.Str(f))
		}
	}
	return value.DictOf("errors", faults, "files", all), nil
}

func infoInstalled(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	db, err := s.database(ctx, c.Host)
	if err != nil {
		return nil, err
	}
	wanted, attr := restNames(c), c.Strs("attr")
	for _, n := range wanted {
		if db.Version(n) == "" && c.Bool("failhard") {
			return nil, fmt.Errorf("no packages found matching %s", n)
		}
	}
	out := value.NewDict(0)
	for _, p := range db.All() {
		if !p.Installed() || len(wanted) > 0 && !slices.Contains(wanted, p.Name) {
			continue
		}
		one := value.NewDict(0)
		for k, v := range info(p).All() {
			if key := value.String(k); attr == nil || slices.Contains(attr, key) {
				one.SetStr(key, v)
			}
		}
		out.SetStr(p.Name, one)
	}
	return out, nil
}

// info is what the database says of a package, under Salt's names.
func info(p *Package) *value.Dict {
	d := value.DictOf("version", value.Str(p.Version), "arch", value.Str(p.Arch))
	if p.Source != "" {
		d.SetStr("source", value.Str(p.Source))
	}
	for _, f := range p.Fields {
		key, val, _ := strings.Cut(f, ":")
		d.SetStr(infoKey(key), value.Str(strings.TrimSpace(val)))
	}
	return d
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
