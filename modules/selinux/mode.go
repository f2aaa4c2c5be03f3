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

// Mode keeps the mode of SELinux.
type Mode struct {
	root
	Name string `arg:"name,required,word" doc:"The mode: enforcing, permissive or disabled."`
}

func modeSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "selinux.mode",
		Doc: "Keeps the mode of SELinux, now and at boot. What only a boot can change, to and from disabled, is written for " +
			"the next one.",
		Example: "enforcing:\n  selinux.mode: []", New: func() modules.StateFunc { return &Mode{} },
	}
}

// refined is the mode that a word means, "" for none.
func refined(word string) string {
	word = strings.ToLower(word)
	switch {
	case strings.HasPrefix(word, "e"), word == "1", word == "on", word == "true":
		return "Enforcing"
	case strings.HasPrefix(word, "p"), word == "0", word == "off", word == "false":
		return "Permissive"
	case strings.HasPrefix(word, "d"):
		return "Disabled"
	}
	return ""
}

// Validate refuses what is no mode.
func (m *Mode) Validate() []modules.Fault {
	if refined(m.Name) == "" {
		return []modules.Fault{{Arg: "name", Msg: m.Name + " is not an accepted mode",
			Hint: "enforcing, permissive or disabled"}}
	}
	return nil
}

// Act sets the mode.
//
// Salt differs: it sets a mode that takes a boot in each run until then, and fails where SELinux is switched off.
func (m *Mode) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := installed(h); err != nil {
		return state.Effect{}, err
	}
	want, now := refined(m.Name), enforced(h)
	boot, err := configured(h)
	if err != nil {
		return state.Effect{}, err
	}
	waits := now != want && (now == "Disabled" || want == "Disabled")
	switch {
	case boot == want && waits:
		return state.Settled(fmt.Sprintf("SELinux will be in %s mode after the next boot", want)), nil
	case boot == want && now == want:
		return state.Settled(fmt.Sprintf("SELinux is already in %s mode", want)), nil
	}
	if boot != want {
		if err := configure(h, want); err != nil {
			return state.Effect{}, err
		}
	}
	old := now
	if now == want || waits {
		old = boot
	}
	if !waits && now != want {
		err = switchTo(ctx, h, want)
	}
	e := state.Effect{Changes: value.DictOf("old", value.Str(old), "new", value.Str(want)),
		Comment: fmt.Sprintf("SELinux has been set to %s mode", want),
		Preview: fmt.Sprintf("SELinux mode is set to be changed to %s", want)}
	if waits {
		e.Comment += ": it takes a reboot"
	}
	return e, err
}
