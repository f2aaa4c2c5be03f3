// Package kmod keeps kernel modules loaded, or not.
package kmod

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "kmod", Describers: []modules.Describer{describer()}, States: []modules.StateSpec{
		{Name: "kmod.present", Doc: "Keeps kernel modules loaded.",
			Example: "br_netfilter:\n  kmod.present:\n    - persist: true",
			New: func() modules.StateFunc {
				return &Modules{loaded: true, word: "loaded", already: "present", modprobe: []string{"modprobe"}}
			}},
		{Name: "kmod.absent", Doc: "Keeps kernel modules from being loaded.",
			Example: "pcspkr:\n  kmod.absent:\n    - persist: true",
			New: func() modules.StateFunc {
				return &Absent{Modules: Modules{word: "removed", already: "removed", modprobe: []string{"modprobe", "-r"}}}
			}},
	}}
}

// bootFile is where modules are noted that are loaded at boot.
func bootFile(h host.Reader) string {
	if i, err := h.Stat("/run/systemd/system"); err == nil && i.IsDir() {
		return "/etc/modules-load.d/salt_managed.conf"
	}
	return "/etc/modules"
}

// Modules is both states: they differ in whether the modules have to be there.
type Modules struct {
	Name    string   `arg:"name,required,word" doc:"The module."`
	Persist bool     `arg:"persist" doc:"At boot too: notes it in /etc/modules-load.d/salt_managed.conf where systemd runs, else in /etc/modules."`
	Mods    []string `arg:"mods,word" doc:"Several modules."`

	loaded        bool
	comments      bool   // a line that goes becomes a comment
	word, already string // Salt's words for what is done, and for what is so before
	modprobe      []string
}

// Absent has one argument more.
type Absent struct {
	Modules
	Comment bool `arg:"comment" default:"true" doc:"Makes the line for the boot a comment; else it is removed."`
}

// Act unloads, and forgets the modules for the next boot.
func (a *Absent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	m := a.Modules
	m.comments = a.Comment
	return m.Act(ctx, env, h)
}

// NeedsRoot is true: only root may load modules.
func (*Modules) NeedsRoot(*modules.Env) bool { return true }

// plain is the kernel's spelling: it takes - for _.
func plain(name string) string { return strings.ReplaceAll(name, "-", "_") }

// loaded says whether a module is in the kernel, as a module or built in.
func loaded(h host.Reader, name string) (bool, error) {
	if f, ok := h.Fact(host.FactModule, plain(name)); ok {
		return f.Value == "loaded", nil
	}
	if _, err := h.Stat("/sys/module/" + plain(name)); err == nil {
		return true, nil
	}
	data, err := h.ReadFile("/proc/modules")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("read the kernel's modules: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, plain(name)+" ") {
			return true, nil
		}
	}
	return false, nil
}

// Act loads or unloads, then notes the modules for the next boot.
func (m *Modules) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	mods := m.Mods
	if mods == nil {
		mods = []string{m.Name}
	}
	was, err := modules.ReadLines(h, bootFile(h))
	if err != nil {
		return state.Effect{}, err
	}
	e, lines := state.NewEffect(), slices.Clone(was)
	var changed []string
	for _, name := range mods {
		is, err := loaded(h, name)
		if err == nil && is != m.loaded {
			err = m.probe(ctx, h, name)
		}
		if err != nil {
			return e, err
		}
		before := slices.Clone(lines)
		if m.Persist {
			lines = m.note(lines, name)
		}
		if is != m.loaded || !slices.Equal(lines, before) {
			changed = append(changed, name)
			e.Changes.SetStr(name, value.Str(m.word))
		}
	}
	if changed == nil {
		return state.Settled(fmt.Sprintf("Kernel module %s is already %s", strings.Join(mods, ", "), m.already)), nil
	}
	names := strings.Join(changed, ", ")
	e.Comment, e.Preview = fmt.Sprintf("Kernel module %s was %s", names, m.word),
		fmt.Sprintf("Kernel module %s is set to be %s", names, m.word)
	if !slices.Equal(was, lines) {
		err = modules.WriteLines(h, bootFile(h), lines)
	}
	return e, err
}

// note gives the lines of the boot file with the module, or without it. One that is a comment comes back.
func (m *Modules) note(lines []string, name string) []string {
	is := func(l string) bool { f := strings.Fields(l); return len(f) > 0 && plain(f[0]) == plain(name) }
	switch {
	case !m.loaded && m.comments:
		for i, l := range lines {
			if is(l) {
				lines[i] = "#" + l
			}
		}
		return lines
	case !m.loaded:
		return slices.DeleteFunc(lines, is)
	case slices.ContainsFunc(lines, is):
		return lines
	}
	for i, l := range lines {
		if rest, ok := strings.CutPrefix(l, "#"); ok && strings.TrimSpace(rest) == name {
			lines[i] = name
			return lines
		}
	}
	return append(lines, name)
}

// probe loads or unloads a module. A preview asks modprobe whether it could.
func (m *Modules) probe(ctx context.Context, h host.Host, name string) error {
	return modules.Tool{On: host.FactModule, Args: append(slices.Clone(m.modprobe), name),
		Foretell: func(o host.Host) error {
			if out, err := o.Query(ctx, host.Cmd{Args: append(slices.Clone(m.modprobe), "-n", name)}); err != nil {
				return fmt.Errorf("ask modprobe for %s: %w", name, err)
			} else if err := modules.Complaint("modprobe", out); err != nil {
				return host.Missing("%w", err)
			}
			o.Promise(host.Fact{Kind: host.FactModule, Name: plain(name),
				Value: map[bool]string{true: "loaded", false: "absent"}[m.loaded]})
			return nil
		}}.Run(ctx, h)
}
