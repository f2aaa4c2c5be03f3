package pip

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Installed keeps Python packages installed.
type Installed struct {
	Common
	Name         string      `arg:"name,required" doc:"The package, as in a file of requirements."`
	Pkgs         []string    `arg:"pkgs" doc:"Several packages."`
	Requirements []string    `arg:"requirements,path" doc:"Files of requirements, each a path or salt://; what they include is read, too."`
	Editable     string      `arg:"editable" doc:"A checkout to install for editing."`
	Upgrade      bool        `arg:"upgrade" doc:"To the newest version."`
	Force        bool        `arg:"force_reinstall" doc:"Install anew at every run."`
	Ignore       bool        `arg:"ignore_installed" doc:"Install beside what is there, at every run."`
	Index        string      `arg:"index_url" doc:"The index."`
	ExtraIndex   string      `arg:"extra_index_url" doc:"One more index."`
	FindLinks    string      `arg:"find_links" doc:"A page or folder with packages."`
	NoIndex      bool        `arg:"no_index" doc:"Only find_links."`
	Target       string      `arg:"target,path" doc:"The folder to install to."`
	NoDeps       bool        `arg:"no_deps" doc:"Without what the packages need."`
	Pre          bool        `arg:"pre_releases" doc:"Also versions before a release."`
	Cert         string      `arg:"cert,path" doc:"The certificate of the index."`
	Trusted      []string    `arg:"trusted_host" doc:"Hosts whose certificate is not checked."`
	NoCache      bool        `arg:"no_cache_dir" doc:"Without pip's cache."`
	Constraint   string      `arg:"constraint,path" doc:"A file of constraints."`
	Exists       string      `arg:"exists_action" doc:"What pip does with a path that is there: s, i, w or b."`
	CacheDir     string      `arg:"cache_dir,path" doc:"Where pip keeps its cache."`
	NoBinary     []string    `arg:"no_binary" doc:"Packages that are built here, :all: for all."`
	Global       []string    `arg:"global_options" doc:"Options of setup.py before its command."`
	Extra        value.Value `arg:"extra_args" doc:"More words for pip install."`
	Others       value.Value `arg:"log" alias:"use_wheel,no_use_wheel,build,source,download,download_cache,install_options,mirrors,use_vt,no_install,no_download,allow_all_external,allow_external,allow_unverified,process_dependency_links,disable_version_check" doc:"No effect."`

	apart bool // changes name the packages of a file of requirements, too
}

func installedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pip.installed",
		Doc:     "Keeps Python packages installed.",
		Example: "requests:\n  pip.installed:\n    - name: requests >= 2.28\n    - bin_env: /srv/app/venv",
		New:     func() modules.StateFunc { return &Installed{} },
		AnyArgs: true,
	}
}

// wanted are the requirements, those of the files included.
func (p *Installed) wanted(ctx context.Context, env *modules.Env, h host.Reader) ([]requirement, error) {
	out, err := p.filed(ctx, env, h)
	if p.Editable != "" {
		out = append(out, requirement{text: "-e " + p.Editable})
	}
	texts := p.Pkgs
	switch {
	case err != nil || !p.apart && (len(out) > 0 || p.Requirements != nil):
		return out, err
	case texts == nil && !p.apart:
		texts = []string{p.Name}
	}
	for _, t := range texts {
		out = append(out, parseRequirement(t))
	}
	return out, nil
}

// place is where a path leads for pip, which runs in cwd.
func (p *Installed) place(file string) string {
	if path.IsAbs(file) {
		return file
	}
	return path.Join("/", p.Cwd, file)
}

// lacking are the requirements that are not met.
func (p *Installed) lacking(ctx context.Context, env *modules.Env, h host.Reader) ([]requirement, error) {
	want, err := p.wanted(ctx, env, h)
	if err != nil {
		return nil, err
	}
	have, err := p.have(ctx, h)
	if err != nil {
		return nil, err
	}
	var newer []string
	if p.Upgrade {
		if newer, err = p.outdated(ctx, h); err != nil {
			return nil, err
		}
	}
	var out []requirement
	for _, r := range want {
		v, there := have[r.name]
		if p.Force || p.Ignore || r.name == "" || !there || !r.met(v) || slices.Contains(newer, r.name) &&
			len(r.specs) == 0 && v != promised {
			out = append(out, r)
		}
	}
	return out, nil
}

// outdated are the packages of which the index has newer versions.
func (p *Installed) outdated(ctx context.Context, h host.Reader) ([]string, error) {
	args := []string{"list", "--outdated", "--format=json"}
	if p.Index != "" {
		args = append(args, "--index-url", p.Index)
	}
	out, err := p.ask(ctx, h, args...)
	if err != nil {
		return nil, err
	}
	var list []struct{ Name string }
	if err := json.Unmarshal(out.Stdout, &list); err != nil {
		return nil, fmt.Errorf("ask pip what is outdated: %w", err)
	}
	var names []string
	for _, one := range list {
		names = append(names, normal(one.Name))
	}
	return names, nil
}

// unknowable says whether only pip can tell if a requirement is met, so that it is asked at every run.
func (p *Installed) unknowable(rs []requirement) bool {
	return p.Force || p.Ignore || slices.ContainsFunc(rs, func(r requirement) bool { return r.name == "" })
}

// changesOf are the changes for what lacks, as far as they are known before.
func (p *Installed) changesOf(rs []requirement) *value.Dict {
	out := p.changes()
	for _, r := range rs {
		if p.apart || p.Requirements == nil && p.Editable == "" {
			out.SetStr(r.text, value.Str("Installed"))
		}
	}
	return out
}

// changes are Salt's for files of requirements and checkouts, which it does not take apart.
func (p *Installed) changes() *value.Dict {
	out := value.NewDict(1)
	if p.Requirements != nil && !p.apart {
		out.SetStr("requirements", value.Bool(true))
	}
	if p.Editable != "" {
		out.SetStr("editable", value.Bool(true))
	}
	return out
}

// Act installs what is lacking in one call.
func (p *Installed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	lack, err := p.lacking(ctx, env, h)
	if err != nil || len(lack) == 0 {
		return state.Settled("All specified packages are already installed"), err
	}
	e := state.Effect{Foretold: p.changesOf(lack), Comment: "All packages were successfully installed",
		Once:    p.unknowable(lack),
		Preview: fmt.Sprintf("Python package(s) set to be installed:\n%s", strings.Join(texts(lack), "\n"))}
	e.Changes = e.Foretold
	return e, p.deed(ctx, h, lack, func() (err error) {
		e.Changes, err = p.install(ctx, env, h, lack)
		return err
	})
}

// deed installs what lacks, by do.
func (p *Installed) deed(ctx context.Context, h host.Host, lack []requirement, do func() error) error {
	return h.Do(ctx, host.Deed{What: "pip install " + strings.Join(texts(lack), " "), On: host.FactLibrary,
		Do: func(context.Context) error { return do() },
		Foretell: func(o host.Host) error {
			versions := map[string]string{}
			for _, r := range lack {
				if r.name == "" { // nobody knows what it brings
					o.Promise(host.Fact{Kind: host.FactPath, Name: p.lib(o), Value: "unknown"})
				} else {
					versions[r.name] = promised
				}
			}
			p.promise(o, versions)
			return nil
		}})
}

func texts(rs []requirement) []string {
	var out []string
	for _, r := range rs {
		out = append(out, r.text)
	}
	return out
}

// install gives what was installed by name and version.
func (p *Installed) install(ctx context.Context, env *modules.Env, h host.Host,
	lack []requirement) (*value.Dict, error) {
	before, err := p.have(ctx, h)
	if err != nil {
		return nil, err
	}
	env.Progress("pip install " + strings.Join(texts(lack), " "))
	files, clean, err := p.files(ctx, env, h)
	if err != nil {
		return nil, err
	}
	defer clean()
	out, err := p.run(ctx, h, p.args(lack, files)...)
	if err != nil {
		return nil, fmt.Errorf("Failed to install packages: %s. Error: %w", strings.Join(texts(lack), ", "), err)
	}
	after, err := p.have(ctx, h)
	changes := p.changes()
	if changes.Len() > 0 {
		return changes, err
	}
	for _, r := range lack {
		switch {
		case r.name == "" && string(out.Stdout) != "" && !strings.Contains(string(out.Stdout), "Successfully installed"):
		case r.name != "" && after[r.name] != "" && (before[r.name] != after[r.name] || p.Force || p.Ignore):
			changes.SetStr(r.shown+"=="+after[r.name], value.Str("Installed"))
		case r.name == "" || p.Target != "":
			changes.SetStr(r.text+"==???", value.Str("Installed"))
		}
	}
	return changes, err
}

func (p *Installed) args(rs []requirement, files []string) []string {
	args := []string{"install"}
	add := func(on bool, words ...string) {
		if on {
			args = append(args, words...)
		}
	}
	add(p.Upgrade, "--upgrade")
	add(p.Force, "--force-reinstall")
	add(p.Ignore, "--ignore-installed")
	add(p.Index != "", "--index-url", p.Index)
	add(p.ExtraIndex != "", "--extra-index-url", p.ExtraIndex)
	add(p.FindLinks != "", "--find-links", p.FindLinks)
	add(p.NoIndex, "--no-index")
	add(p.Target != "", "--target", p.Target)
	add(p.NoDeps, "--no-deps")
	add(p.Pre, "--pre")
	add(p.Cert != "", "--cert", p.Cert)
	add(p.NoCache, "--no-cache-dir")
	add(p.Constraint != "", "--constraint", p.Constraint)
	add(p.Exists != "", "--exists-action", p.Exists)
	add(p.CacheDir != "", "--cache-dir", p.CacheDir)
	add(len(p.NoBinary) > 0, "--no-binary", strings.Join(p.NoBinary, ","))
	for _, o := range p.Global {
		add(true, "--global-option", o)
	}
	for _, t := range p.Trusted {
		add(true, "--trusted-host", t)
	}
	if p.Extra != nil {
		words, _ := modules.Texts(p.Extra)
		for _, w := range words {
			add(true, strings.Fields(w)...)
		}
	}
	for _, f := range files {
		args = append(args, "-r", f)
	}
	if p.Editable != "" {
		return append(args, "-e", p.Editable)
	}
	if files != nil {
		return append(args, p.Pkgs...)
	}
	for _, r := range rs {
		args = append(args, r.text)
	}
	return args
}
