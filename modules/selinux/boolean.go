package selinux

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Boolean keeps a switch of the policy.
type Boolean struct {
	root
	Name    string `arg:"name,required,word" doc:"The boolean."`
	Value   string `arg:"value,required,word" doc:"What it is to be: on or off."`
	Persist bool   `arg:"persist" doc:"Sets it for the next boot, too."`
}

func booleanSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "selinux.boolean", Doc: "Keeps a boolean of the policy on or off.",
		Example: "httpd_can_network_connect:\n  selinux.boolean:\n    - value: true\n    - persist: true",
		New:     func() modules.StateFunc { return &Boolean{} },
	}
}

// onOff is "on" or "off" for a word, "" for none.
func onOff(word string) string {
	switch strings.ToLower(word) {
	case "1", "on", "yes", "true":
		return "on"
	case "0", "off", "no", "false":
		return "off"
	}
	return ""
}

// Validate refuses what is neither on nor off.
func (b *Boolean) Validate() []modules.Fault {
	if onOff(b.Value) == "" {
		return []modules.Fault{{Arg: "value", Msg: b.Value + " is not a valid value for the boolean", Hint: "true or false"}}
	}
	return nil
}

// A sebool is a boolean: what it is now, at the next boot, and what it is for.
type sebool struct{ now, boot, doc string }

// booleans are all that the policy has.
func booleans(ctx context.Context, h host.Reader) (names []string, all map[string]sebool, err error) {
	lines, err := list(ctx, h, "semanage", "boolean", "-l")
	all = make(map[string]sebool, len(lines))
	for _, l := range lines { // name (on , off) What it is for
		name, rest, _ := strings.Cut(l, " ")
		states, doc, _ := strings.Cut(strings.TrimLeft(rest, " ("), ")")
		now, boot, _ := strings.Cut(states, ",")
		names = append(names, name)
		all[name] = sebool{strings.TrimSpace(now), strings.TrimSpace(boot), strings.TrimSpace(doc)}
	}
	return names, all, err
}

// Act sets the boolean.
func (b *Boolean) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	_, all, err := booleans(ctx, h)
	if err != nil {
		return state.Effect{}, err
	}
	now, ok := all[b.Name]
	if !ok {
		return state.Effect{}, host.Missing("Boolean %s is not available", b.Name)
	}
	if f, ok := h.Fact(host.FactSELinux, "boolean "+b.Name); ok {
		now.now, now.boot = f.Value, f.Attrs["boot"]
	}
	want := onOff(b.Value)
	if now.now == want && (now.boot == want || !b.Persist) {
		return state.Settled("Boolean is in the correct state"), nil
	}
	args, boot := []string{"setsebool", b.Name, want}, now.boot
	if b.Persist {
		args, boot = []string{"setsebool", "-P", b.Name, want}, want
	}
	err = change(ctx, h, args, fact("boolean "+b.Name, want, map[string]string{"boot": boot}))
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to set the boolean %s to %s: %w", b.Name, want, err) //nolint:staticcheck // Salt's
	}
	changes := value.DictOf("State", value.DictOf("old", value.Str(now.now), "new", value.Str(want)))
	if now.boot != boot {
		changes.SetStr("Default", value.DictOf("old", value.Str(now.boot), "new", value.Str(want)))
	}
	return state.Effect{Changes: changes, Foretold: none(), Comment: fmt.Sprintf("Boolean %s has been set to %s", b.Name,
		want), Preview: fmt.Sprintf("Boolean %s is set to be changed to %s", b.Name, want)}, nil
}
