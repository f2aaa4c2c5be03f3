// Package quota keeps quotas of a file system switched on or off, and tells of and sets those of users and groups.
package quota

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "quota", States: []modules.StateSpec{modeSpec()}, Execs: execs()}
}

// Mode keeps quotas on or off.
type Mode struct {
	Name string `arg:"name,required,path" doc:"Where the file system is mounted."`
	Mode string `arg:"mode,required,word" doc:"Whether quotas are on: true or false, on or off."`
	Type string `arg:"quotatype,required,word" choices:"user|group" doc:"Whose quotas are looked at. Those of users and groups are switched together."`
}

func modeSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "quota.mode", Doc: "Keeps the quotas of a file system switched on or off.",
		Example: "/home:\n  quota.mode:\n    - mode: true\n    - quotatype: user",
		New:     func() modules.StateFunc { return &Mode{} },
	}
}

// NeedsRoot is true: only root may switch quotas.
func (*Mode) NeedsRoot(*modules.Env) bool { return true }

// onOff is "on" or "off" for a word, "" for none.
func onOff(word string) string {
	switch strings.ToLower(word) {
	case "true", "on", "yes", "1":
		return "on"
	case "false", "off", "no", "0":
		return "off"
	}
	return ""
}

// Validate refuses what is neither on nor off.
func (m *Mode) Validate() []modules.Fault {
	if onOff(m.Mode) == "" {
		return []modules.Fault{{Arg: "mode", Msg: fmt.Sprintf("%q is neither on nor off", m.Mode), Hint: "true or false"}}
	}
	return nil
}

// installed is an error where the tools are not there.
func installed(h host.Reader) error {
	if _, err := h.LookPath("quotaon"); host.IsUnknown(err) {
		return err
	} else if err != nil {
		return host.Missing("quota is not installed: pkg.installed quota before it")
	}
	return nil
}

// A mode is what quotaon -p says of a file system: its device, and on or off for user, group and project.
type mode struct {
	device string
	is     map[string]string
	kinds  []string
}

// modes are what quotaon -p says: "user quota on /home (/dev/sda2) is on". Its complaint is the error.
func modes(ctx context.Context, h host.Reader, device string) (map[string]*mode, error) {
	if err := installed(h); err != nil {
		return nil, err
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{"quotaon", "-p", device}, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return nil, fmt.Errorf("run quotaon: %w", err)
	}
	all := map[string]*mode{}
	for line := range strings.Lines(string(out.Stdout)) {
		f := strings.Fields(line)
		if len(f) < 7 || f[1] != "quota" {
			continue
		}
		if all[f[3]] == nil {
			all[f[3]] = &mode{device: strings.Trim(f[4], "()"), is: map[string]string{}}
		}
		all[f[3]].is[f[0]], all[f[3]].kinds = f[6], append(all[f[3]].kinds, f[0])
	}
	if len(all) == 0 {
		return all, fmt.Errorf("%s", strings.TrimSpace(string(out.Stderr)+string(out.Stdout)))
	}
	return all, nil // quotaon -p ends with 1 where a quota is on
}

// Act switches the quotas.
//
// Salt differs: it says that they were switched when quotaon failed, and takes the text on for off.
func (m *Mode) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	now, want := "", onOff(m.Mode)
	if f, ok := h.Fact(host.FactVolume, "quota "+m.Name); ok {
		now = f.Value
	} else if all, err := modes(ctx, h, m.Name); err != nil {
		return state.Effect{}, host.Missing("%w", err)
	} else if is := all[m.Name]; is != nil {
		now = is.is[m.Type]
	}
	if now == "" {
		return state.Effect{}, host.Missing("%s is no file system with quotas of kind %s", m.Name, m.Type)
	}
	if now == want {
		return state.Settled(fmt.Sprintf("Quota for %s already set to %s", m.Name, want)), nil
	}
	err := modules.Tool{On: host.FactVolume, Args: []string{"quota" + want, m.Name}, Foretell: func(o host.Host) error {
		o.Promise(host.Fact{Kind: host.FactVolume, Name: "quota " + m.Name, Value: want})
		return nil
	}}.Run(ctx, h)
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to set quota for %s to %s: %w", m.Name, want, err) //nolint:staticcheck // Salt's
	}
	return state.Effect{Changes: value.DictOf("quota", value.Str(m.Name)), Foretold: value.NewDict(0),
		Comment: fmt.Sprintf("Set quota for %s to %s", m.Name, want),
		Preview: fmt.Sprintf("Quota for %s needs to be set to %s", m.Name, want)}, nil
}
