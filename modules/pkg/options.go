package pkg

import (
	"slices"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Selection are the arguments that name packages.
type Selection struct {
	Name string  `arg:"name,required" doc:"The package, where pkgs and sources are not given."`
	Pkgs Targets `arg:"pkgs" doc:"Several packages, each a name or name: version."`
}

// NeedsRoot is true: only root may change packages.
func (*Selection) NeedsRoot(*modules.Env) bool { return true }

// Fetching are the arguments that say how packages are found and installed.
type Fetching struct {
	Refresh      *bool         `arg:"refresh" doc:"Fetch the lists of the sources first, at most once a run; by default only when they are older than a day or the sources were changed since."`
	CacheValid   time.Duration `arg:"cache_valid_time" doc:"Seconds for which lists that were fetched are good enough."`
	FromRepo     string        `arg:"fromrepo" doc:"The only source to take packages from; on apt, the release to prefer, as apt-get -t."`
	SkipVerify   bool          `arg:"skip_verify" doc:"Install what is not signed."`
	SkipSuggest  bool          `arg:"skip_suggestions" doc:"Do not install suggested packages."`
	Recommends   *bool         `arg:"install_recommends" doc:"Whether recommended packages come along."`
	NewConf      bool          `arg:"force_conf_new" doc:"Take the package's version of a configuration file that was changed; by default the changed one stays."`
	Debconf      string        `arg:"debconf,path" doc:"A file with answers for debconf-set-selections."`
	Resolve      bool          `arg:"resolve_capabilities" doc:"No effect: what a package only provides is taken anyway."`
	EnableRepo   value.Value   `arg:"enablerepo" doc:"Sources that are disabled and are taken here (dnf, yum); no effect on apt."`
	DisableRepo  value.Value   `arg:"disablerepo" doc:"Sources that are not taken here (dnf, yum); no effect on apt."`
	RefreshMods  bool          `arg:"refresh_modules" doc:"No effect: functions need not be loaded anew."`
	InstallFlags value.Value   `arg:"extra_install_flags" doc:"Of other package managers; no effect here."`
}

// repos are the sources that the state takes its packages from.
func (f *Fetching) repos() Repos {
	return Repos{From: f.FromRepo, Enable: texts(f.EnableRepo), Disable: texts(f.DisableRepo)}
}

// texts are the words of an argument, none where it is not given.
func texts(v value.Value) []string {
	if v == nil {
		return nil
	}
	words, _ := modules.Texts(v)
	return slices.DeleteFunc(words, func(w string) bool { return w == "" || v == value.Value(value.None) })
}

// request begins a request to the package manager.
func (f *Fetching) request() Request {
	return Request{Repos: f.repos(), SkipVerify: f.SkipVerify, Recommends: f.Recommends, NewConf: f.NewConf,
		SkipSuggestions: f.SkipSuggest}
}

// targets are the packages that the state is about. none is true for an empty list, which asks for nothing.
func (s *Selection) targets(version string) (ts []Target, none bool) {
	if s.Pkgs != nil {
		return dedupe(s.Pkgs), len(s.Pkgs) == 0
	}
	return []Target{{Name: s.Name, Version: version}}, false
}

// dedupe keeps the first mention of each package; a later one with a version gives it that version.
func dedupe(ts []Target) []Target {
	at := map[string]int{}
	var out []Target
	for _, t := range ts {
		if i, ok := at[t.Name]; ok {
			if out[i].Version == "" {
				out[i].Version = t.Version
			}
			continue
		}
		at[t.Name] = len(out)
		out = append(out, t)
	}
	return out
}
