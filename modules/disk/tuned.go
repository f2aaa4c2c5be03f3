package disk

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Tuned keeps settings of a device.
type Tuned struct {
	root
	Name      string `arg:"name,required,word" doc:"The device."`
	ReadAhead *int   `arg:"read-ahead" doc:"How much is read ahead, in sectors of 512 bytes."`
	FSAhead   *int   `arg:"filesystem-read-ahead" doc:"How much is read ahead for the file system, in sectors of 512 bytes."`
	ReadOnly  *bool  `arg:"read-only" doc:"Lets nobody write to the device."`
	ReadWrite *bool  `arg:"read-write" doc:"Lets the device be written."`
}

func tunedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "blockdev.tuned", Doc: "Keeps settings of a block device, as blockdev(8) makes them. They last until the boot.",
		Example: "/dev/vdb:\n  blockdev.tuned:\n    - read-ahead: 1024\n    - read-only: true",
		New:     func() modules.StateFunc { return &Tuned{} },
	}
}

// Validate refuses a device that is to be both.
func (t *Tuned) Validate() []modules.Fault {
	if t.ReadOnly != nil && t.ReadWrite != nil && *t.ReadOnly == *t.ReadWrite {
		return []modules.Fault{{Arg: "read-write", Msg: "read-only and read-write contradict each other"}}
	}
	return nil
}

// A setting is one that blockdev makes: its name among the changes, the question, the option, and what is wanted.
type setting struct {
	name, get, set string
	want           string
	flips          bool // the answer is the opposite of what the name says
}

func (t *Tuned) settings() []setting {
	var out []setting
	for _, a := range []struct {
		name, what string
		n          *int
	}{{"read-ahead", "ra", t.ReadAhead}, {"filesystem-read-ahead", "fra", t.FSAhead}} {
		if a.n != nil {
			out = append(out, setting{a.name, "get" + a.what, "--set" + a.what, strconv.Itoa(*a.n), false})
		}
	}
	bit := func(on bool) (set, want string) {
		if on {
			return "--setro", "1"
		}
		return "--setrw", "0"
	}
	if t.ReadOnly != nil {
		set, want := bit(*t.ReadOnly)
		out = append(out, setting{"read-only", "getro", set, want, false})
	}
	if t.ReadWrite != nil {
		set, want := bit(!*t.ReadWrite)
		out = append(out, setting{"read-write", "getro", set, want, true})
	}
	return out
}

// Act makes the settings.
//
// Salt differs: its preview says of each device that it would be changed, it gives blockdev options that there are not
// (--read-only), and it takes what is no device.
func (t *Tuned) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	now, err := t.now(ctx, h)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.NewDict(2), Foretold: value.NewDict(0),
		Comment: fmt.Sprintf("Block device %s successfully modified ", t.Name),
		Preview: fmt.Sprintf("Changes to %s will be applied ", t.Name)}
	args := []string{"blockdev"}
	for _, s := range t.settings() {
		if now[s.get] == s.want {
			continue
		}
		if args = append(args, s.set); s.get != "getro" {
			args = append(args, s.want)
		}
		e.Changes.SetStr(s.name, value.Str(fmt.Sprintf("Changed from %s to %s", s.shown(now[s.get]), s.shown(s.want))))
	}
	if len(args) == 1 {
		return state.Settled(fmt.Sprintf("Block device %s already in correct state", t.Name)), nil
	}
	err = modules.Tool{On: host.FactVolume, Args: append(args, t.Name), Foretell: func(o host.Host) error {
		for _, s := range t.settings() {
			now[s.get] = s.want
		}
		o.Promise(host.Fact{Kind: host.FactVolume, Name: "blockdev " + t.Name, Value: "present", Attrs: now})
		return nil
	}}.Run(ctx, h)
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to modify block device %s: %w", t.Name, err) //nolint:staticcheck // Salt's
	}
	return e, nil
}

// shown is an answer of blockdev's as Salt shows it.
func (s setting) shown(answer string) string {
	switch {
	case s.get != "getro":
		return answer
	case (answer == "1") != s.flips:
		return "True"
	}
	return "False"
}

// now is what blockdev tells of the device.
func (t *Tuned) now(ctx context.Context, h host.Reader) (map[string]string, error) {
	out := map[string]string{}
	if f, ok := h.Fact(host.FactVolume, "blockdev "+t.Name); ok {
		for k, v := range f.Attrs {
			out[k] = v
		}
		return out, nil
	}
	answer, err := h.Query(ctx, host.Cmd{Args: questions(t.Name), Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return nil, fmt.Errorf("run blockdev: %w", err)
	}
	if answer.Code != 0 {
		return nil, host.Missing("Changes to %s cannot be applied. Not a block device. ", t.Name)
	}
	for k, v := range told(answer).All() {
		out[value.String(k)] = value.String(v)
	}
	return out, nil
}
