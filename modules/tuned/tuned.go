// Package tuned keeps the profile of tuned, with tuned-adm.
package tuned

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

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "tuned", States: []modules.StateSpec{profileSpec(), offSpec()}, Execs: append(
		modules.Writing(
			modules.NewExec("tuned.off", "Switches all profiles off; whether that went well.", off),
			modules.NewExec("tuned.profile", "Sets the profile; its name, or False.", setProfile, "profile_name"),
		),
		modules.NewExec("tuned.list", "The names of the profiles.", listProfiles),
		modules.NewExec("tuned.active", "The profile that is set, or none.", activeProfile))}
}

const program = "tuned-adm"

// root is embedded by the states.
type root struct{}

// NeedsRoot is true: only root may set a profile.
func (root) NeedsRoot(*modules.Env) bool { return true }

// Profile keeps a profile.
type Profile struct {
	root
	Name string `arg:"name,required,word" doc:"The profile."`
}

// Off keeps all profiles off.
type Off struct {
	root
	Name string `arg:"name,text" doc:"The name of the state."`
}

func profileSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "tuned.profile", Doc: "Keeps a profile of tuned set.",
		Example: "virtual-guest:\n  tuned.profile: []", New: func() modules.StateFunc { return &Profile{} },
	}
}

func offSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "tuned.off", Doc: "Keeps all profiles of tuned switched off.",
		Example: "tuned:\n  tuned.off: []", New: func() modules.StateFunc { return &Off{} },
	}
}

// ask asks tuned-adm.
func ask(ctx context.Context, h host.Reader, word string) (*host.Output, error) {
	if _, err := h.LookPath(program); host.IsUnknown(err) {
		return nil, err
	} else if err != nil {
		return nil, host.Missing("tuned is not installed: pkg.installed tuned before it")
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{program, word}, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", program, err)
	}
	return out, nil
}

// active is the profile that is set, several with blanks between; none where there is none.
func active(ctx context.Context, h host.Reader) (string, error) {
	if f, ok := h.Fact(host.FactProfile, "tuned"); ok {
		return f.Value, nil
	}
	out, err := ask(ctx, h, "active")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(out.Stdout)) {
		if p, ok := strings.CutPrefix(line, "Current active profile:"); ok && out.Code == 0 {
			return strings.TrimSpace(p), nil
		}
	}
	return "none", nil
}

// profiles are the names of all profiles: "- name   - what it is for".
func profiles(ctx context.Context, h host.Reader) ([]string, error) {
	out, err := ask(ctx, h, "list")
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(string(out.Stdout)) {
		if rest, ok := strings.CutPrefix(line, "- "); ok {
			name, _, _ := strings.Cut(rest, "- ")
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names, nil
}

// set gives tuned-adm its words, or promises what they leave.
func set(ctx context.Context, h host.Host, leaves string, words ...string) error {
	return modules.Tool{On: host.FactProfile, Args: append([]string{program}, words...),
		Foretell: func(o host.Host) error {
			o.Promise(host.Fact{Kind: host.FactProfile, Name: "tuned", Value: leaves})
			return nil
		}}.Run(ctx, h)
}

// changed is the effect of a change, in Salt's words.
func changed(now, profile, comment string) state.Effect {
	return state.Effect{Changes: value.DictOf("old", value.Str(now), "new", value.Str(profile)), Comment: comment,
		Foretold: value.DictOf("old", value.Str(now), "new", value.Str("Profile will be set to "+profile)),
		Preview:  fmt.Sprintf("The state of \"%s\" will be changed.", now)}
}

// Act sets the profile.
//
// Salt differs: it takes a profile for set whose name is a part of that of another.
func (p *Profile) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	now, err := active(ctx, h)
	if err != nil {
		return state.Effect{}, err
	}
	all, err := profiles(ctx, h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case !slices.Contains(all, p.Name):
		return state.Effect{}, host.Missing("Invalid Profile Name")
	case slices.Contains(strings.Fields(now), p.Name):
		return state.Settled("System already in the correct state"), nil
	}
	if err := set(ctx, h, p.Name, "profile", p.Name); err != nil {
		return state.Effect{}, err
	}
	return changed(now, p.Name, fmt.Sprintf("The state of \"%s\" was changed!", p.Name)), nil
}

// Act switches the profiles off.
//
// Salt differs: it does so in each run, and its comment is "off".
func (*Off) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	now, err := active(ctx, h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case now == "none" || now == "off":
		return state.Settled("System already in the correct state"), nil
	}
	return changed(now, "off", "tuned was switched off"), set(ctx, h, "none", "off")
}

// raised is an error as Salt raises it.
func raised(err error) error {
	if err == nil || errors.Is(err, host.ErrPreview) {
		return err
	}
	return value.Raise("CommandExecutionError", "%v", err)
}

func listProfiles(ctx context.Context, c *modules.Call) (value.Value, error) {
	names, err := profiles(ctx, c.Host)
	out := value.NewList()
	for _, n := range names {
		out.Items = append(out.Items, value.Str(n))
	}
	return out, raised(err)
}

func activeProfile(ctx context.Context, c *modules.Call) (value.Value, error) {
	now, err := active(ctx, c.Host)
	return value.Str(now), raised(err)
}

func off(ctx context.Context, c *modules.Call) (value.Value, error) {
	out, err := c.Outright(ctx, program, "off")
	if err != nil {
		return nil, err
	}
	return value.Bool(out.Code == 0), nil
}

func setProfile(ctx context.Context, c *modules.Call) (value.Value, error) {
	out, err := c.Outright(ctx, program, "profile", c.Str("profile_name"))
	if err != nil {
		return nil, err
	}
	if out.Code != 0 {
		return value.Bool(false), nil
	}
	return value.Str(c.Str("profile_name")), nil
}
