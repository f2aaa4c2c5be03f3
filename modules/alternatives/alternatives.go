// Package alternatives keeps the choices of update-alternatives: which there are, and which one is taken.
//
// What there is is read from the tool's own notes in /var/lib/dpkg/alternatives; changes go through the tool.
package alternatives

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "alternatives", States: []modules.StateSpec{installSpec(), removeSpec(), setSpec(), autoSpec()}}
}

// A choice is one name with what can be taken for it.
type choice struct {
	name    string
	auto    bool
	link    string
	paths   []string
	prio    map[string]int // of each path
	current string         // what is taken, "" for nothing
}

// look reads the notes, then adds what earlier states promised. A name that is not known has no paths.
func look(h host.Reader, name string) (choice, error) {
	c := choice{name: name, auto: true, prio: map[string]int{}}
	for _, dir := range []string{"/var/lib/dpkg/alternatives/", "/var/lib/alternatives/"} {
		data, err := h.ReadFile(dir + name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return c, fmt.Errorf("read the alternatives of %s: %w", name, err)
		}
		c.parse(string(data))
	}
	if to, err := h.Readlink("/etc/alternatives/" + name); err == nil {
		c.current = to
	}
	if f, ok := h.Fact(host.FactAlternative, name); ok {
		c.auto, c.current = f.Attrs["auto"] == "true", f.Value
		c.paths, c.prio = nil, map[string]int{}
		for line := range strings.Lines(f.Attrs["paths"]) {
			path, prio, _ := strings.Cut(strings.TrimSpace(line), "\t")
			c.paths = append(c.paths, path)
			c.prio[path], _ = strconv.Atoi(prio)
		}
	}
	return c, nil
}

// parse reads the notes: the mode, the link, pairs of lines for slaves, an empty line; then for each choice its path, its
// priority and a line for each slave.
func (c *choice) parse(text string) {
	lines := strings.Split(text, "\n")
	if len(lines) < 2 {
		return
	}
	c.auto, c.link = lines[0] == "auto", lines[1]
	i, slaves := 2, 0
	for ; i+1 < len(lines) && lines[i] != ""; i += 2 {
		slaves++
	}
	for i++; i < len(lines) && lines[i] != ""; i += 2 + slaves {
		c.paths = append(c.paths, lines[i])
		if i+1 < len(lines) {
			c.prio[lines[i]], _ = strconv.Atoi(lines[i+1])
		}
	}
}

// settle takes the choice with the highest priority, where that is how it is chosen.
func (c *choice) settle() {
	if !c.auto && c.has(c.current) {
		return
	}
	c.auto, c.current = true, ""
	for _, p := range c.paths {
		if c.current == "" || c.prio[p] > c.prio[c.current] {
			c.current = p
		}
	}
}

func (c choice) has(path string) bool {
	for _, p := range c.paths {
		if p == path {
			return true
		}
	}
	return false
}

// promise is what later states may rely on in test mode.
func (c choice) promise() []host.Fact {
	var paths strings.Builder
	for _, p := range c.paths {
		fmt.Fprintf(&paths, "%s\t%d\n", p, c.prio[p])
	}
	return []host.Fact{{Kind: host.FactAlternative, Name: c.name, Value: c.current,
		Attrs: map[string]string{"auto": fmt.Sprint(c.auto), "paths": paths.String()}}}
}

func run(ctx context.Context, h host.Host, args ...string) error {
	out, err := h.Run(ctx, host.Cmd{Args: append([]string{"update-alternatives"}, args...), Env: []string{"LC_ALL=C.UTF-8"}})
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

// Locks keeps other changes of alternatives out.
func (tool) Locks() []string { return []string{"alternatives"} }

// NeedsRoot is true: only root may change alternatives.
func (tool) NeedsRoot(*modules.Env) bool { return true }
