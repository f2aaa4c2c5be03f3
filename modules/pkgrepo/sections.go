package pkgrepo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// manager is the package manager whose sources the machine has, as Salt chooses it: "dnf" and "zypper" have them in
// files of sections, which pkg reads and writes; others than apt have none that a state could manage.
func manager(env *modules.Env) (string, error) {
	switch family := grain(env, "os_family"); family {
	case "RedHat":
		return "dnf", nil
	case "Suse":
		return "zypper", nil
	case "Arch", "Alpine":
		return "", host.Sure(errors.New("Repo management not implemented on this platform")) //nolint:staticcheck // Salt's words
	}
	return "apt", nil
}

// aptOnly are the arguments of others than apt: they are options of a source.
func aptOnly() []string {
	return []string{"aptkey", "ppa", "ppa_auth", "allow_insecure_key", "saltenv", "copr"}
}

// options are the arguments as options of a source, in the order in which Salt writes them.
func (m *Managed) options(tool string) *value.Dict {
	out := value.NewDict(0)
	for k, v := range m.Rest.All() {
		if key := value.String(k); !slices.Contains(aptOnly(), key) {
			out.SetStr(key, v)
		}
	}
	if len(m.Comments) > 0 {
		out.SetStr("comments", value.From([]string(m.Comments)))
	}
	if tool == "zypper" && m.Refresh != nil {
		out.SetStr("refresh", value.Bool(*m.Refresh))
	}
	human := m.HumanName
	if human == "" {
		human = m.Name
	}
	out.SetStr("name", value.Str(human))
	out.SetStr("enabled", value.Bool(!m.off()))
	return out
}

// off says whether the source is to be disabled.
func (m *Managed) off() bool {
	return m.Disabled != nil && *m.Disabled || m.Enabled != nil && !*m.Enabled
}

// section keeps a source in its file. Salt differs: on zypper it configures anew at every run what has an option that
// zypper names otherwise (refresh, cache) or does not have (gpgkey). It has copr, which calls a command that writes
// what nobody knows.
func (m *Managed) section(ctx context.Context, env *modules.Env, h host.Host, tool string) (state.Effect, error) {
	if _, ok := m.Rest.GetStr("copr"); ok {
		return state.Effect{}, host.Sure(errors.New("copr is not offered: give the source's baseurl and gpgkey, or run dnf " +
			"copr enable before"))
	}
	options := m.options(tool)
	before, err := repo(ctx, env, m.Name)
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to examine repo '%s': %w", m.Name, err) //nolint:staticcheck // Salt's words
	}
	given := value.DictOf("repo", value.Str(m.Name), "file", value.Str(m.File), "clean_file", value.Bool(m.Clean))
	for k, v := range options.All() {
		if key := value.String(k); key != "enabled" || tool != "dnf" || before.Len() == 0 || differs(before, key, v) {
			given.SetStr(key, v)
		}
	}
	if _, err := env.Exec.Call(ctx, "pkg.mod_repo", nil, given); err != nil {
		return state.Effect{}, fmt.Errorf("Failed to configure repo '%s': %w", m.Name, err) //nolint:staticcheck // Salt's words
	}
	after, err := repo(ctx, env, m.Name)
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to confirm config of repo '%s': %w", m.Name, err) //nolint:staticcheck // Salt's words
	}
	e := state.Effect{Changes: changed(before, after), Comment: fmt.Sprintf("Configured package repo '%s'", m.Name),
		Preview: fmt.Sprintf("Package repo '%s' would be configured", m.Name), Warnings: m.useless()}
	switch {
	case before.Len() == 0:
		e.Changes = value.DictOf("repo", value.Str(m.Name))
	case e.Changes.Len() == 0:
		e = state.Settled(fmt.Sprintf("Package repo '%s' already configured", m.Name))
		e.Warnings = m.useless()
		return e, nil
	}
	if v, ok := m.Rest.GetStr("gpgautoimport"); ok && tool == "zypper" && value.Truth(v) {
		return e, m.importKeys(ctx, h)
	}
	return e, nil
}

// importKeys trusts the keys of the source. The lists are fetched for it.
func (m *Managed) importKeys(ctx context.Context, h host.Host) error {
	return h.Do(ctx, host.Deed{What: "import the keys of " + m.Name, On: host.FactPackage,
		Do: func(ctx context.Context) error {
			out, err := h.Run(ctx, host.Cmd{Args: []string{"zypper", "--non-interactive", "--gpg-auto-import-keys", "refresh",
				m.Name}, Env: []string{"LC_ALL=C.UTF-8"}})
			if err == nil && out.Code != 0 {
				err = fmt.Errorf("import the keys of %s: %s", m.Name, strings.TrimSpace(string(out.Stderr)))
			}
			return err
		},
		Foretell: func(host.Host) error { return nil }})
}

// unknown are warnings of arguments that neither apt nor another package manager has.
func (m *Managed) unknown() (out []string) {
	known := append(aptOnly(), "baseurl", "mirrorlist", "gpgkey", "gpgcheck", "gpgautoimport", "sslverify", "priority",
		"repo_gpgcheck", "metadata_expire", "skip_if_unavailable", "exclude", "includepkgs", "failovermethod", "type",
		"cache")
	for k := range m.Rest.All() {
		if key := value.String(k); !slices.Contains(known, key) {
			out = append(out, fmt.Sprintf("%q is no argument of pkgrepo.managed on apt", key))
		}
	}
	return out
}

// useless are warnings of arguments that only apt has a use for.
func (m *Managed) useless() (out []string) {
	if m.KeyURL+m.KeyID+m.KeyText+m.KeyServer != "" {
		out = append(out, "key_url, key_text and keyid are of apt and have no effect here: gpgkey names the key of a source")
	}
	return out
}

// differs says whether an option is another than the source has; without one, a source is enabled.
func differs(before *value.Dict, key string, want value.Value) bool {
	now, ok := before.GetStr(key)
	if !ok {
		return !value.Truth(want)
	}
	on := !slices.Contains([]string{"0", "false", "no", "off"}, strings.ToLower(value.String(now)))
	return on != value.Truth(want)
}

// changed are the options that are not as they were, in Salt's shape.
func changed(before, after *value.Dict) *value.Dict {
	out := value.NewDict(0)
	note := func(d *value.Dict) {
		for k := range d.All() {
			key := value.String(k)
			was, had := before.GetStr(key)
			is, has := after.GetStr(key)
			if !had {
				was = value.None
			}
			if !has {
				is = value.None
			}
			if !value.Equal(was, is) {
				out.SetStr(key, value.DictOf("new", is, "old", was))
			}
		}
	}
	note(after)
	note(before)
	return out
}

// repo is what is configured of a source, empty for none.
func repo(ctx context.Context, env *modules.Env, name string) (*value.Dict, error) {
	v, err := env.Exec.Call(ctx, "pkg.get_repo", nil, value.DictOf("repo", value.Str(name)))
	if d, ok := v.(*value.Dict); ok && err == nil {
		return d, nil
	}
	return value.NewDict(0), err
}

// withoutSection keeps a source away from the files.
func (a *Absent) withoutSection(ctx context.Context, env *modules.Env) (state.Effect, error) {
	if a.KeyID != "" {
		return state.Effect{}, host.Sure(errors.New("Repo key management is not implemented for this platform")) //nolint:staticcheck // Salt's words
	}
	now, err := repo(ctx, env, a.Name)
	switch {
	case err != nil:
		return state.Effect{}, fmt.Errorf("Failed to configure repo '%s': %w", a.Name, err) //nolint:staticcheck // Salt's words
	case now.Len() == 0:
		return state.Settled(fmt.Sprintf("Package repo %s is absent", a.Name)), nil
	}
	_, err = env.Exec.Call(ctx, "pkg.del_repo", nil, value.DictOf("repo", value.Str(a.Name)))
	return state.Effect{Changes: value.DictOf("repo", value.Str(a.Name)), Comment: fmt.Sprintf("Removed repo %s", a.Name),
		Preview: fmt.Sprintf("Package repo '%s' will be removed", a.Name)}, err
}
