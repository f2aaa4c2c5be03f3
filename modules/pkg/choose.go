package pkg

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A candidate is a package manager that a machine may have.
type candidate struct {
	names    []string // of Salt's module, and its own
	families []string // the grains os_family for which it is taken
	systems  []string // the grains os for which it is taken, in other families, in lower case
	// made makes the provider where the machine has its commands, else nil.
	made func(env *modules.Env, h host.Reader) Provider
}

// candidates are in the order in which they are looked for on a machine that does not say what it is.
func candidates() []candidate {
	return []candidate{
		{names: []string{"aptpkg", "apt"}, families: []string{"Debian"},
			made: func(*modules.Env, host.Reader) Provider { return newApt() }},
		{names: []string{"yumpkg", "dnf"}, families: []string{"RedHat"}, systems: []string{"amazon", "xcp", "xenserver",
			"virtuozzolinux", "virtuozzo", "issabel pbx", "openeuler"}, made: newDNF},
		{names: []string{"zypperpkg", "zypper"}, families: []string{"Suse"}, made: newZypper},
		{names: []string{"pacmanpkg", "pacman"}, families: []string{"Arch"}, made: newPacman},
		{names: []string{"apkpkg", "apk"}, families: []string{"Alpine"}, made: newApk},
	}
}

// choose picks the provider as Salt does: the one that the configuration forces (providers: {pkg: aptpkg}), else the
// one of the grain os_family or os, where its commands are there. On a machine of a family that nobody knows it is the
// one whose database is there.
func choose(env *modules.Env, h host.Reader) (Provider, error) {
	forced, family := env.Opts.Text("providers:pkg"), env.Grains.Text("os_family")
	system := strings.ToLower(env.Grains.Text("os"))
	var known []string
	for _, c := range candidates() {
		known = append(known, c.names[1])
		fits := slices.Contains(c.families, family) || slices.Contains(c.systems, system)
		if forced != "" {
			fits = slices.Contains(c.names, forced)
		}
		if !fits {
			continue
		}
		if p := c.made(env, h); p != nil {
			return p, nil
		}
		return nil, fmt.Errorf("this is %s, and the command of its package manager (%s) is not here", family, c.names[1])
	}
	all := strings.Join(known, ", ")
	if forced != "" {
		return nil, fmt.Errorf("the configuration asks for the package provider %q, which gostate does not have; it has %s",
			forced, all)
	}
	a := newApt()
	if _, err := h.Lstat(a.status()); err == nil {
		return a, nil
	}
	if family == "" {
		return nil, errors.New("no package manager that gostate knows is here: it knows " + all)
	}
	return nil, fmt.Errorf("no package manager that gostate knows is here: it knows %s, and this is %s", all, family)
}

// stamp tells the state of files and directories: it is another when one of them was changed.
func stamp(h host.Reader, files ...string) string {
	var out strings.Builder
	for _, f := range files {
		if i, err := h.Stat(f); err == nil {
			fmt.Fprintf(&out, "%s %d %d %d\n", f, i.Inode, i.Size, i.MTime.UnixNano())
		}
	}
	return out.String()
}
