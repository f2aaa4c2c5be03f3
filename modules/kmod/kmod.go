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
	return modules.Family{Name: "kmod", States: []modules.StateSpec{presentSpec(), absentSpec()}}
}

const bootFile = "/etc/modules"

// Common are the arguments of both states.
type Common struct {
	Name    string   `arg:"name,required" doc:"the module"`
	Persist bool     `arg:"persist" doc:"at boot too: note it in /etc/modules"`
	Mods    []string `arg:"mods" doc:"several modules"`
}

// Locks keeps other changes of modules out.
func (*Common) Locks() []string { return []string{"kmod"} }

// NeedsRoot is true: only root may load modules.
func (*Common) NeedsRoot(*modules.Env) bool { return true }

func (c *Common) mods() []string {
	if c.Mods != nil {
		return c.Mods
	}
	return []string{c.Name}
}

// plain is the kernel's spelling: it takes - for _.
func plain(name string) string { return strings.ReplaceAll(name, "-", "_") }

// loaded says for each module whether it is in the kernel, as a module or built in.
func loaded(h host.Reader, name string) (bool, error) {
	if f, ok := h.Fact(host.FactModule, plain(name)); ok {
		return f.Value == "present", nil
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

func bootLines(h host.Reader) ([]string, error) {
	data, err := h.ReadFile(bootFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", bootFile, err)
	}
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\n"), nil
}

func lineText(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func names(line, mod string) bool {
	f := strings.Fields(line)
	return len(f) > 0 && plain(f[0]) == plain(mod)
}

// A plan is what has to be done.
type plan struct {
	load  []string // to load, or to unload
	lines []string
	write bool
	all   []string // the modules that change in any way
}

func (c *Common) plan(h host.Reader, want bool) (plan, error) {
	var p plan
	var err error
	if p.lines, err = bootLines(h); err != nil {
		return p, err
	}
	for _, m := range c.mods() {
		is, err := loaded(h, m)
		if err != nil {
			return p, err
		}
		noted := slices.ContainsFunc(p.lines, func(l string) bool { return names(l, m) })
		changed := is != want
		if changed {
			p.load = append(p.load, m)
		}
		switch {
		case !c.Persist || noted == want:
		case want:
			p.lines, p.write, changed = append(p.lines, m), true, true
		default:
			p.lines = slices.DeleteFunc(p.lines, func(l string) bool { return names(l, m) })
			p.write, changed = true, true
		}
		if changed {
			p.all = append(p.all, m)
		}
	}
	return p, nil
}

func (c *Common) check(h host.Reader, want bool, word, past string) (state.Forecast, error) {
	p, err := c.plan(h, want)
	if err != nil {
		return state.Forecast{}, err
	}
	if len(p.all) == 0 {
		return state.Forecast{Comment: fmt.Sprintf("Kernel module %s is already %s", strings.Join(c.mods(), ", "), past)}, nil
	}
	f := state.Forecast{Pending: true, Changes: value.NewDict(len(p.all)), Comment: fmt.Sprintf("Kernel module %s is set to be %s", strings.Join(p.all, ", "), word)}
	for _, m := range p.all {
		f.Changes.SetStr(m, value.Str(word))
	}
	fact := "absent"
	if want {
		fact = "present"
	}
	for _, m := range p.load {
		f.Effects = append(f.Effects, host.Fact{Kind: host.FactModule, Name: plain(m), Value: fact})
	}
	return f, nil
}

func (c *Common) apply(ctx context.Context, h host.Host, want bool, f state.Forecast, word string) (state.Applied, error) {
	p, err := c.plan(h, want)
	if err != nil {
		return state.Applied{}, err
	}
	for _, m := range p.load {
		args := []string{"modprobe", "-r", m}
		if want {
			args = []string{"modprobe", m}
		}
		out, err := h.Run(ctx, host.Cmd{Args: args})
		if err != nil {
			return state.Applied{}, fmt.Errorf("run modprobe: %w", err)
		}
		if out.Code != 0 {
			return state.Applied{}, fmt.Errorf("modprobe %s: %s", m, strings.TrimSpace(string(out.Stderr)))
		}
	}
	if p.write {
		a := host.KeepAttr()
		if _, err := h.Stat(bootFile); err != nil {
			a = host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}
		}
		if err := h.WriteFile(bootFile, strings.NewReader(lineText(p.lines)), a); err != nil {
			return state.Applied{}, fmt.Errorf("write %s: %w", bootFile, err)
		}
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Kernel module %s was %s", strings.Join(p.all, ", "), word)}, nil
}
