package pkg

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

// A grouper has groups of packages: those that belong to it in any case, those that come along, and those that may.
type grouper interface {
	Group(ctx context.Context, h host.Reader, name string) (mandatory, usual, optional []string, err error)
}

// GroupInstalled keeps the packages of a group installed.
type GroupInstalled struct {
	Name    string   `arg:"name,required" doc:"The group, by its name or ID."`
	Skip    []string `arg:"skip" doc:"Packages that would come along and are left out."`
	Include []string `arg:"include" doc:"Further packages."`
	Fetching
}

func groupSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pkg.group_installed",
		Doc:     "Keeps the packages of a group of dnf, yum or pacman installed. Elsewhere the state fails.",
		Example: "Development Tools:\n  pkg.group_installed: []",
		New:     func() modules.StateFunc { return &GroupInstalled{} },
		AnyArgs: true,
	}
}

// NeedsRoot is true: only root may change packages.
func (*GroupInstalled) NeedsRoot(*modules.Env) bool { return true }

// Act installs what is missing, in one call.
func (g *GroupInstalled) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, db, err := lookUp(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	p, ok := s.provider.(grouper)
	if !ok {
		return state.Effect{}, host.Sure(errors.New("pkg.group_install not available for this platform"))
	}
	mandatory, usual, optional, err := p.Group(ctx, h, g.Name)
	if err != nil {
		return state.Effect{}, host.Sure(fmt.Errorf("An error was encountered while installing/updating group '%s': %w.", g.Name, err)) //nolint:staticcheck // Salt's words
	}
	both := func(n string) bool { return slices.Contains(g.Skip, n) }
	if bad := slices.DeleteFunc(slices.Clone(mandatory), func(n string) bool { return !both(n) }); len(bad) > 0 {
		return state.Effect{}, host.Sure(fmt.Errorf("The following mandatory packages cannot be skipped: %s", strings.Join(bad, ", "))) //nolint:staticcheck // Salt's words
	}
	there := func(n string) bool { return db.Version(n) != "" }
	targets := slices.Concat(mandatory, slices.DeleteFunc(slices.Clone(usual), both), g.Include)
	if targets = slices.DeleteFunc(targets, there); len(targets) == 0 {
		return state.Settled(fmt.Sprintf("Group '%s' is already installed", g.Name)), nil
	}
	done, will := "installed", "will be installed"
	if slices.ContainsFunc(slices.Concat(mandatory, usual, optional), there) {
		done, will = "updated", "is partially installed and will be updated"
	}
	i := &Installed{Fetching: g.Fetching, Normalize: true}
	for _, n := range targets {
		i.Pkgs = append(i.Pkgs, Target{Name: n})
	}
	e, err := i.Act(ctx, env, h)
	e.Comment = fmt.Sprintf("Group '%s' was %s", g.Name, done)
	e.Preview = fmt.Sprintf("Group '%s' %s", g.Name, will)
	return e, err
}

// Group asks for the description of a group, and of those that belong to a group of groups.
func (d *dnf) Group(ctx context.Context, h host.Reader, name string) (mandatory, usual, optional []string, err error) {
	return d.group(ctx, h, name, map[string]bool{})
}

func (d *dnf) group(ctx context.Context, h host.Reader, name string, seen map[string]bool) (mandatory, usual,
	optional []string, err error) {
	seen[name] = true
	out, err := d.look(ctx, h, "--quiet", "groupinfo", name)
	if err != nil {
		return nil, nil, nil, err
	}
	packages, groups := parseGroup(string(out.Stdout))
	if len(packages)+len(groups) == 0 {
		return nil, nil, nil, fmt.Errorf("Group '%s' not found", name) //nolint:staticcheck // Salt's words
	}
	mandatory, usual, optional = packages["mandatory"], packages["default"], packages["optional"]
	for _, kind := range []string{"mandatory", "default"} {
		for _, g := range groups[kind] {
			if seen[g] {
				continue
			}
			m, u, o, err := d.group(ctx, h, g, seen)
			if err != nil {
				return nil, nil, nil, err
			}
			mandatory, usual, optional = append(mandatory, m...), append(usual, u...), append(optional, o...)
		}
	}
	return sortedOnce(mandatory), sortedOnce(usual), sortedOnce(optional), nil
}

func sortedOnce(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}

// parseGroup reads `dnf groupinfo`: " Mandatory Packages:" and the packages below it, a sign before some; "Groups" in
// place of packages where the group has groups.
func parseGroup(text string) (packages, groups map[string][]string) {
	packages, groups = map[string][]string{}, map[string][]string{}
	var into map[string][]string
	kind := ""
	for line := range strings.Lines(text) {
		word := strings.TrimLeft(strings.TrimSpace(line), "+-=*")
		if title, ok := strings.CutSuffix(strings.ToLower(word), ":"); ok {
			f := strings.Fields(title)
			if into = nil; len(f) == 2 && (f[1] == "packages" || f[1] == "groups") {
				kind, into = f[0], map[bool]map[string][]string{true: packages, false: groups}[f[1] == "packages"]
			}
			continue
		}
		if into != nil && word != "" && !strings.Contains(word, ": ") {
			into[kind] = append(into[kind], word)
		}
	}
	return packages, groups
}

// Group asks the sources: pacman's groups have no parts.
func (p *pacman) Group(ctx context.Context, h host.Reader,
	name string) (mandatory, usual, optional []string, err error) {
	out, err := p.look(ctx, h, "-Sgq", "--", name)
	if err != nil {
		return nil, nil, nil, err
	}
	if usual = strings.Fields(string(out.Stdout)); out.Code != 0 || len(usual) == 0 {
		return nil, nil, nil, fmt.Errorf("Group '%s' not found", name) //nolint:staticcheck // Salt's words
	}
	return nil, usual, nil, nil
}

func groupInfo(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	p, ok := s.provider.(grouper)
	if !ok {
		return nil, errors.New("pkg.group_info is not available for this platform")
	}
	mandatory, usual, optional, err := p.Group(ctx, c.Host, c.Str("name"))
	return value.DictOf("mandatory", value.From(mandatory), "default", value.From(usual), "optional", value.From(optional),
		"conditional", value.NewList()), err
}

// listHolds gives the names of what is held.
func listHolds(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	if err := s.holds(ctx, c.Host); err != nil {
		return nil, err
	}
	db, err := s.database(ctx, c.Host)
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for _, p := range db.All() {
		if p.Held() {
			out.Items = append(out.Items, value.Str(p.Name))
		}
	}
	return out, nil
}
