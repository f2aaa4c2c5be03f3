// Package lvm keeps physical volumes, volume groups and logical volumes of LVM, with LVM's own commands.
//
// In a preview they are those of the machine and what earlier states of the run would have made of them. A device that
// holds something else is not taken without `force: true`.
package lvm

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
	return modules.Family{Name: "lvm", States: []modules.StateSpec{pvPresentSpec(), pvAbsentSpec(), vgPresentSpec(),
		vgAbsentSpec(), lvPresentSpec(), lvAbsentSpec()}, Execs: execs()}
}

// root is embedded by the states.
type root struct{}

// NeedsRoot is true: only root may see and change volumes.
func (root) NeedsRoot(*modules.Env) bool { return true }

// installed is an error where there is no LVM.
func installed(h host.Reader) error {
	if _, err := h.LookPath("lvm"); host.IsUnknown(err) {
		return err
	} else if err != nil {
		return host.Missing("lvm2 is not installed: pkg.installed lvm2 before it")
	}
	return nil
}

func cmd(args ...string) host.Cmd { return host.Cmd{Args: args, Env: []string{"LC_ALL=C.UTF-8"}} }

// rows are the lines of pvdisplay, vgdisplay or lvdisplay for a name, or for all where it is "": none where LVM knows
// none, as in Salt whatever the reason.
func rows(ctx context.Context, h host.Reader, program, name string) ([][]string, error) {
	args := []string{program, "-c"}
	if name != "" {
		args = append(args, name)
	}
	out, err := h.Query(ctx, cmd(args...))
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", program, err)
	}
	if out.Code != 0 {
		return nil, nil
	}
	var all [][]string
	for line := range strings.Lines(string(out.Stdout)) {
		f := strings.Split(strings.TrimSpace(line), ":")
		if len(f) > 11 { // not "... is a new physical volume of ..."
			all = append(all, f)
		}
	}
	return all, nil
}

// row is the line of one volume or group; nil where there is none.
func row(ctx context.Context, h host.Reader, program, name string) ([]string, error) {
	if err := installed(h); err != nil {
		return nil, err
	}
	all, err := rows(ctx, h, program, name)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return all[0], nil
}

// change runs a command of LVM's, or promises what it leaves. What the command said, where it failed, is the error.
func change(ctx context.Context, h host.Host, args []string, leaves ...host.Fact) error {
	return h.Do(ctx, host.Deed{What: strings.Join(args, " "), On: host.FactVolume,
		Do: func(ctx context.Context) error {
			out, err := h.Run(ctx, cmd(args...))
			if err != nil {
				return fmt.Errorf("run %s: %w", args[0], err)
			}
			return modules.Complaint(args[0], out)
		},
		Foretell: func(o host.Host) error {
			o.Promise(leaves...)
			return nil
		}})
}

// fact is what a change leaves of a volume or group.
func fact(name, val string, attrs ...string) host.Fact {
	f := host.Fact{Kind: host.FactVolume, Name: name, Value: val, Attrs: map[string]string{}}
	for i := 0; i+1 < len(attrs); i += 2 {
		f.Attrs[attrs[i]] = attrs[i+1]
	}
	return f
}

// done is the effect of a change, in Salt's words. As in Salt a preview shows no changes.
func done(what, name, verb string, changes *value.Dict) state.Effect {
	return state.Effect{Changes: changes, Foretold: value.NewDict(0),
		Comment: fmt.Sprintf("%s %s %s", title(verb), what, name),
		Preview: fmt.Sprintf("%s %s is set to be %s", what, name, verb)}
}

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// options are arguments as options of a command: those that are given, in the order of their names.
func options(pairs ...string) []string {
	var out []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, "--"+pairs[i], pairs[i+1])
		}
	}
	return out
}

// quiet is the option that answers all questions with yes, or with no.
func quiet(yes bool) string {
	if yes {
		return "--yes"
	}
	return "-qq"
}
