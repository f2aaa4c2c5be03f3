// Package alternatives keeps the choices of update-alternatives: which there are, and which one is taken.
//
// What there is is read from the tool's own notes in /var/lib/dpkg/alternatives; changes go through the tool.
package alternatives

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "alternatives", States: []modules.StateSpec{installSpec(), removeSpec(), setSpec(),
		autoSpec()}, Execs: execs(), Describers: []modules.Describer{describer()}}
}

// A choice is one name with what can be taken for it.
type choice struct {
	name, file string // file holds the tool's notes
	auto       bool
	link       string
	slaves     [][2]string // name and link of what follows the choice, as manual pages do
	options    []option
	current    string // what is taken, "" for nothing
}

// An option is one path with its priority and what the slaves are with it, "" for nothing.
type option struct {
	path   string
	prio   int
	slaves []string
}

const links = "/etc/alternatives/"

// look reads the notes. A name that is not known has no options.
func look(h host.Reader, name string) (*choice, error) {
	c := &choice{name: name, auto: true}
	for _, dir := range []string{"/var/lib/alternatives/", "/var/lib/dpkg/alternatives/"} {
		data, err := h.ReadFile(dir + name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the alternatives of %s: %w", name, err)
		}
		if _, there := h.Stat(dir); there == nil {
			c.file = dir + name
			c.parse(string(data))
		}
	}
	c.current, _ = h.Readlink(links + name)
	return c, nil
}

// parse reads the notes: the mode, the link, pairs of lines for slaves, an empty line; then for each option its path,
// its priority and a line for each slave.
func (c *choice) parse(text string) {
	lines := strings.Split(text, "\n")
	if len(lines) < 2 {
		return
	}
	c.auto, c.link, lines = lines[0] == "auto", lines[1], lines[2:]
	for ; len(lines) > 1 && lines[0] != ""; lines = lines[2:] {
		c.slaves = append(c.slaves, [2]string{lines[0], lines[1]})
	}
	each := 2 + len(c.slaves)
	for lines = lines[min(1, len(lines)):]; len(lines) >= each && lines[0] != ""; lines = lines[each:] {
		prio, _ := strconv.Atoi(lines[1])
		c.options = append(c.options, option{lines[0], prio, lines[2:each]})
	}
}

func (c *choice) notes() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", map[bool]string{true: "auto", false: "manual"}[c.auto], c.link)
	for _, s := range c.slaves {
		fmt.Fprintf(&b, "%s\n%s\n", s[0], s[1])
	}
	b.WriteString("\n")
	for _, o := range c.options {
		fmt.Fprintf(&b, "%s\n%d\n", o.path, o.prio)
		for _, s := range o.slaves {
			b.WriteString(s + "\n")
		}
	}
	return b.String() + "\n"
}

// settle takes the option with the highest priority, where that is how it is chosen.
func (c *choice) settle() {
	if !c.auto && c.has(c.current) {
		return
	}
	c.auto, c.current = true, ""
	best := 0
	for _, o := range c.options {
		if c.current == "" || o.prio > best {
			c.current, best = o.path, o.prio
		}
	}
}

func (c *choice) has(path string) bool {
	return slices.ContainsFunc(c.options, func(o option) bool { return o.path == path })
}

// become runs the tool, or writes what it would write: its notes and the links of the option that is taken.
func (c *choice) become(ctx context.Context, h host.Host, args ...string) error {
	return h.Do(ctx, host.Deed{What: "change the alternatives of " + c.name, On: host.FactPath,
		Do: func(ctx context.Context) error { return run(ctx, h, args...) },
		Foretell: func(o host.Host) error {
			if err := c.relink(o); err != nil || len(c.options) == 0 {
				return errors.Join(err, gone(o, c.file))
			}
			return o.WriteFile(c.file, strings.NewReader(c.notes()), host.KeepAttr())
		}})
}

// relink makes the links of the option that is taken, and removes those that it lacks.
func (c *choice) relink(o host.Host) error {
	all := [][3]string{{c.name, c.link, c.current}} // a name, its link, where it leads
	for i, s := range c.slaves {
		to := ""
		if j := slices.IndexFunc(c.options, func(o option) bool { return o.path == c.current }); j >= 0 &&
			i < len(c.options[j].slaves) {
			to = c.options[j].slaves[i]
		}
		if _, err := o.Stat(to); errors.Is(err, fs.ErrNotExist) { // manual pages that were not unpacked, say
			to = ""
		}
		all = append(all, [3]string{s[0], s[1], to})
	}
	var errs []error
	for _, l := range all {
		if l[2] == "" {
			errs = append(errs, gone(o, links+l[0]), gone(o, l[1]))
			continue
		}
		errs = append(errs, o.Symlink(l[2], links+l[0]), o.Symlink(links+l[0], l[1]))
	}
	return errors.Join(errs...)
}

func gone(o host.Host, path string) error {
	if err := o.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func run(ctx context.Context, h host.Host, args ...string) error {
	out, err := h.Run(ctx, host.Cmd{Args: append([]string{"update-alternatives"}, args...),
		Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return fmt.Errorf("run update-alternatives: %w", err)
	}
	if out.Code != 0 {
		return errors.New(strings.ReplaceAll(strings.TrimSpace(string(out.Stderr)), "\n", "; "))
	}
	return nil
}

// tool is embedded by the states.
type tool struct{}

// NeedsRoot is true: only root may change alternatives.
func (tool) NeedsRoot(*modules.Env) bool { return true }
