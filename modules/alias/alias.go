// Package alias keeps mail aliases in /etc/aliases.
package alias

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
	return modules.Family{Name: "alias", States: []modules.StateSpec{presentSpec(), absentSpec()}}
}

const file = "/etc/aliases"

func read(h host.Reader) ([]string, error) {
	data, err := h.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\n"), nil
}

// find is the line of a name and what it stands for; -1 when there is none.
func find(lines []string, name string) (int, string) {
	for i, l := range lines {
		n, target, ok := strings.Cut(l, ":")
		if ok && !strings.HasPrefix(strings.TrimSpace(l), "#") && strings.EqualFold(strings.Trim(strings.TrimSpace(n), `"`), name) {
			return i, strings.TrimSpace(target)
		}
	}
	return -1, ""
}

// write replaces the file and, where the mail server keeps a database of it, has that made anew.
func write(ctx context.Context, h host.Host, lines []string) error {
	a := host.KeepAttr()
	if _, err := h.Stat(file); err != nil {
		a = host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}
	}
	text := strings.Join(lines, "\n")
	if text != "" {
		text += "\n"
	}
	if err := h.WriteFile(file, strings.NewReader(text), a); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if _, err := h.LookPath("newaliases"); err != nil {
		return nil
	}
	out, err := h.Run(ctx, host.Cmd{Args: []string{"newaliases"}})
	if err != nil {
		return fmt.Errorf("run newaliases: %w", err)
	}
	if out.Code != 0 {
		return errors.New("newaliases: " + strings.TrimSpace(string(out.Stderr)))
	}
	return nil
}

// Present keeps an alias.
type Present struct {
	Name   string   `arg:"name,required" doc:"the alias"`
	Target []string `arg:"target,required" doc:"where its mail goes"`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alias.present",
		Doc:     "Keeps a mail alias in /etc/aliases.",
		Example: "root:\n  alias.present:\n    - target: admin@example.org",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Locks keeps other changes of the file out.
func (*Present) Locks() []string { return []string{"aliases"} }

func (p *Present) target() string { return strings.Join(p.Target, ", ") }

// Check says whether the alias would be set.
func (p *Present) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	lines, err := read(h)
	if err != nil {
		return state.Forecast{}, err
	}
	_, now := find(lines, p.Name)
	if f, ok := h.Fact("alias", p.Name); ok {
		now = f.Value
	}
	if now == p.target() {
		return state.Forecast{Comment: fmt.Sprintf("Alias %s already present", p.Name)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("alias", value.Str(p.Name)), Effects: []host.Fact{{Kind: "alias", Name: p.Name, Value: p.target()}},
		Comment: fmt.Sprintf("Alias %s -> %s is set to be added", p.Name, p.target())}, nil
}

// Apply sets it.
func (p *Present) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	lines, err := read(h)
	if err != nil {
		return state.Applied{}, err
	}
	line := p.Name + ": " + p.target()
	if i, _ := find(lines, p.Name); i >= 0 {
		lines[i] = line
	} else {
		lines = append(lines, line)
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Set email alias %s -> %s", p.Name, p.target())}, write(ctx, h, lines)
}

// Absent keeps an alias away.
type Absent struct {
	Name string `arg:"name,required" doc:"the alias"`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alias.absent",
		Doc:     "Keeps a mail alias out of /etc/aliases.",
		Example: "postmaster:\n  alias.absent: []",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Locks keeps other changes of the file out.
func (*Absent) Locks() []string { return []string{"aliases"} }

// Check says whether the alias would be removed.
func (a *Absent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	lines, err := read(h)
	if err != nil {
		return state.Forecast{}, err
	}
	i, _ := find(lines, a.Name)
	if f, ok := h.Fact("alias", a.Name); ok && f.Value == "" || !ok && i < 0 {
		return state.Forecast{Comment: fmt.Sprintf("Alias %s already absent", a.Name)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("alias", value.Str(a.Name)), Effects: []host.Fact{{Kind: "alias", Name: a.Name}},
		Comment: fmt.Sprintf("Alias %s is set to be removed", a.Name)}, nil
}

// Apply removes it.
func (a *Absent) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	lines, err := read(h)
	if err != nil {
		return state.Applied{}, err
	}
	for i, _ := find(lines, a.Name); i >= 0; i, _ = find(lines, a.Name) {
		lines = slices.Delete(lines, i, i+1)
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Removed alias %s", a.Name)}, write(ctx, h, lines)
}
