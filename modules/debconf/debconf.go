// Package debconf keeps answers to the questions that Debian packages ask.
package debconf

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "debconf", States: []modules.StateSpec{setSpec(), setFileSpec()}}
}

// An answer is one line for debconf-set-selections.
type answer struct{ owner, question, kind, value string }

func (a answer) String() string {
	return strings.TrimRight(strings.Join([]string{a.owner, a.question, a.kind, a.value}, " "), " ")
}

// current are the answers of a package: question to value. Passwords are never shown.
func current(ctx context.Context, h host.Reader, owner string) (map[string]string, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"debconf-show", owner}, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return nil, fmt.Errorf("ask debconf about %s: %w", owner, err)
	}
	m := map[string]string{}
	for line := range strings.Lines(string(out.Stdout)) {
		q, v, ok := strings.Cut(strings.TrimSpace(strings.TrimLeft(line, "* ")), ":")
		if ok {
			m[q] = strings.TrimSpace(v)
		}
	}
	return m, nil
}

// differing are the answers that are not as wanted, those of other states' promises included. A password counts as answered
// once it has any answer: debconf does not tell it.
func differing(ctx context.Context, h host.Reader, wanted []answer) ([]answer, error) {
	known := map[string]map[string]string{}
	var out []answer
	for _, a := range wanted {
		if known[a.owner] == nil {
			m, err := current(ctx, h, a.owner)
			if err != nil {
				return nil, err
			}
			known[a.owner] = m
		}
		now, there := known[a.owner][a.question]
		if f, ok := h.Fact("debconf", a.owner+" "+a.question); ok {
			now, there = f.Value, true
		}
		if !there || now != a.value && !(a.kind == "password" && now != "") {
			out = append(out, a)
		}
	}
	return out, nil
}

func forecast(todo []answer) state.Forecast {
	f := state.Forecast{Pending: true, Changes: value.NewDict(len(todo))}
	for _, a := range todo {
		shown := a.value
		if a.kind == "password" {
			shown = "(password hidden)"
		}
		f.Changes.SetStr(a.question, value.Str("New value: "+shown))
		f.Effects = append(f.Effects, host.Fact{Kind: "debconf", Name: a.owner + " " + a.question, Value: a.value})
	}
	f.Comment = "The answers of debconf would be set"
	return f
}

func apply(ctx context.Context, h host.Host, todo []answer) error {
	var b strings.Builder
	for _, a := range todo {
		b.WriteString(a.String() + "\n")
	}
	out, err := h.Run(ctx, host.Cmd{Args: []string{"debconf-set-selections"}, Stdin: []byte(b.String()), Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return fmt.Errorf("run debconf-set-selections: %w", err)
	}
	if out.Code != 0 {
		return errors.New("debconf-set-selections: " + strings.TrimSpace(string(out.Stderr)))
	}
	return nil
}

// tool is embedded by the states.
type tool struct{}

// Locks keeps package states out, which read the answers.
func (tool) Locks() []string { return []string{"apt"} }

// NeedsRoot is true: only root may change answers.
func (tool) NeedsRoot(*modules.Env) bool { return true }

// Set keeps answers of one package.
type Set struct {
	tool
	Name string      `arg:"name,required" doc:"the package"`
	Data *value.Dict `arg:"data,required" doc:"the answers: question: {type, value}"`
}

func setSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "debconf.set",
		Doc:     "Keeps answers to the questions of a package.",
		Example: "tzdata:\n  debconf.set:\n    - data:\n        'tzdata/Areas': {'type': 'select', 'value': 'Europe'}",
		New:     func() modules.StateFunc { return &Set{} },
	}
}

func (s *Set) answers() ([]answer, error) {
	var out []answer
	for k, v := range s.Data.All() {
		d, err := modules.Map(v)
		if err != nil {
			return nil, fmt.Errorf("the answer to %s %w", value.String(k), err)
		}
		kind, _ := d.GetStr("type")
		val, _ := d.GetStr("value")
		a := answer{owner: s.Name, question: value.String(k)}
		if a.kind, err = modules.Text(kind); err != nil || a.kind == "" {
			return nil, fmt.Errorf("the answer to %s has no type", a.question)
		}
		switch b, is := val.(value.Bool); {
		case is && bool(b):
			a.value = "true"
		case is:
			a.value = "false"
		default:
			if a.value, err = modules.Text(val); err != nil {
				return nil, fmt.Errorf("the answer to %s %w", a.question, err)
			}
		}
		out = append(out, a)
	}
	return out, nil
}

// Validate reads the answers.
func (s *Set) Validate() []modules.Fault {
	if _, err := s.answers(); err != nil {
		return []modules.Fault{{Arg: "data", Msg: err.Error(), Hint: "an answer is: question: {type: select, value: x}"}}
	}
	return nil
}

// Check says which answers would be set.
func (s *Set) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	all, err := s.answers()
	if err != nil {
		return state.Forecast{}, err
	}
	todo, err := differing(ctx, h, all)
	if err != nil || len(todo) == 0 {
		return state.Forecast{Comment: "All specified answers are already set"}, err
	}
	return forecast(todo), nil
}

// Apply sets them.
func (s *Set) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	all, err := s.answers()
	if err != nil {
		return state.Applied{}, err
	}
	todo, err := differing(ctx, h, all)
	if err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Set %d answers", len(todo))}, apply(ctx, h, todo)
}

// SetFile keeps the answers of a file.
type SetFile struct {
	tool
	Name     string      `arg:"name,required" doc:"a name for the state"`
	Source   string      `arg:"source,required" doc:"the file, in the format of debconf-set-selections"`
	Template string      `arg:"template" doc:"the engine that renders it first"`
	Context  *value.Dict `arg:"context" doc:"variables of the template"`
	Defaults *value.Dict `arg:"defaults" doc:"variables of the template where context does not have them"`
}

func setFileSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "debconf.set_file",
		Doc:     "Keeps the answers of a file in the format of debconf-set-selections.",
		Example: "answers:\n  debconf.set_file:\n    - source: salt://answers",
		New:     func() modules.StateFunc { return &SetFile{} },
	}
}

func (s *SetFile) answers(ctx context.Context, env *modules.Env) ([]answer, error) {
	data, err := env.Files.Fetch(ctx, s.Source, env.Low.Env)
	if err != nil {
		return nil, fmt.Errorf("fetch the answers: %w", err)
	}
	if s.Template != "" {
		vars := value.NewDict(0)
		for _, d := range []*value.Dict{s.Defaults, s.Context} {
			if d == nil {
				continue
			}
			for k, v := range d.All() {
				vars.SetStr(value.String(k), v)
			}
		}
		if data, err = env.Templates.Render(ctx, s.Template, s.Source, data, env.Low.SLS, env.Low.Env, vars); err != nil {
			return nil, err
		}
	}
	var out []answer
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 3 || strings.HasPrefix(f[0], "#") {
			continue
		}
		out = append(out, answer{f[0], f[1], f[2], strings.Join(f[3:], " ")})
	}
	return out, nil
}

// Check says which answers would be set.
func (s *SetFile) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	all, err := s.answers(ctx, env)
	if err != nil {
		return state.Forecast{}, err
	}
	todo, err := differing(ctx, h, all)
	if err != nil || len(todo) == 0 {
		return state.Forecast{Comment: "All specified answers are already set"}, err
	}
	return forecast(todo), nil
}

// Apply sets them.
func (s *SetFile) Apply(ctx context.Context, env *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	all, err := s.answers(ctx, env)
	if err != nil {
		return state.Applied{}, err
	}
	todo, err := differing(ctx, h, all)
	if err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: f.Changes, Comment: "Debconf selections were set."}, apply(ctx, h, todo)
}
