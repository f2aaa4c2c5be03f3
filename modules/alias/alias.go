// Package alias keeps mail aliases in /etc/aliases (the state functions alias.*, the execution functions aliases.*).
package alias

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "alias", States: []modules.StateSpec{presentSpec(), absentSpec()}, Execs: execSpecs(),
		Describers: []modules.Describer{describer()}}
}

// A table is the file of aliases.
type table struct {
	path  string
	lines []line
}

// A line is an alias with its target and what stands behind it, or any other line.
type line struct {
	name, target, comment string
	raw                   string // where it is no alias
}

func aliasLine() *regexp.Regexp {
	return regexp.MustCompile(`^([^:#\s][^:#]*?)\s*:\s*([^#]*?)(\s*#.*)?$`)
}

// open reads the file: the one of the option aliases.file, else the system's.
func open(env *modules.Env, h host.Reader) (*table, error) {
	t := &table{path: "/etc/aliases"}
	if env != nil && env.Opts != nil {
		if v, ok := env.Opts("aliases.file"); ok {
			t.path, _ = modules.Text(v)
		}
	}
	raw, err := modules.ReadLines(h, t.path)
	pattern := aliasLine()
	for _, l := range raw {
		m := pattern.FindStringSubmatch(strings.TrimRight(l, " \t\r"))
		if m == nil || m[2] == "" {
			t.lines = append(t.lines, line{raw: l})
			continue
		}
		t.lines = append(t.lines, line{name: m[1], target: m[2], comment: m[3]})
	}
	return t, err
}

// is says whether the line is that of a name, which may stand in quotes.
func (l line) is(name string) bool { return l.name != "" && strings.Trim(l.name, `"`) == name }

func (l line) String() string {
	if l.name == "" {
		return l.raw
	}
	return l.name + ": " + l.target + l.comment
}

// get is what a name stands for: the last line of it counts.
func (t *table) get(name string) string {
	for _, l := range slices.Backward(t.lines) {
		if l.is(name) {
			return l.target
		}
	}
	return ""
}

// set makes the first line of a name its only one.
func (t *table) set(name, target string) {
	first := true
	t.each(name, func(l line) (line, bool) {
		keep := first
		first, l.target = false, target
		return l, keep
	})
	if first {
		t.lines = append(t.lines, line{name: name, target: target})
	}
}

func (t *table) remove(name string) { t.each(name, func(l line) (line, bool) { return l, false }) }

// each edits the lines of a name; lines that are indented go on with the one before, and go with it. Salt differs: it
// loses them.
func (t *table) each(name string, edit func(line) (l line, keep bool)) {
	var out []line
	its := false
	for _, l := range t.lines {
		switch goesOn := l.name == "" && strings.TrimLeft(l.raw, " \t") != l.raw && strings.TrimSpace(l.raw) != ""; {
		case goesOn && its:
		case l.is(name):
			its = true
			if l, keep := edit(l); keep {
				out = append(out, l)
			}
		default:
			its = its && goesOn
			out = append(out, l)
		}
	}
	t.lines = out
}

// write replaces the file and, where the mail server keeps a database of it, has that made anew.
func (t *table) write(ctx context.Context, h host.Host) error {
	lines := make([]string, len(t.lines))
	for i, l := range t.lines {
		lines[i] = l.String()
	}
	if err := modules.WriteLines(h, t.path, lines); err != nil {
		return err
	}
	if _, err := h.LookPath("newaliases"); err != nil {
		return nil
	}
	return modules.Tool{On: host.FactPath, Args: []string{"newaliases"}}.Run(ctx, h)
}
