package hosts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps a name with its addresses.
type Present struct {
	Name    string   `arg:"name,required,word" not:"#" doc:"The name of the host."`
	IP      []string `arg:"ip,required,word" not:"#" doc:"Its address, or several."`
	Comment string   `arg:"comment" doc:"The comment of the addresses."`
	Clean   bool     `arg:"clean" doc:"Takes the name from all other addresses."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "host.present",
		Doc:     "Keeps a name with its address in /etc/hosts.",
		Example: "db.example.org:\n  host.present:\n    - ip: 192.0.2.5",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Validate refuses what is no address and no name.
func (p *Present) Validate() []modules.Fault {
	var faults []modules.Fault
	if len(strings.Fields(p.Name)) != 1 {
		faults = append(faults, modules.Fault{Arg: "name", Msg: fmt.Sprintf("%q is not one name", p.Name),
			Hint: "several names go into `names`"})
	}
	for _, ip := range p.IP {
		faults = append(faults, badAddress("ip", ip)...)
	}
	return faults
}

// A doing is what is done to a hosts file, in Salt's shape and words.
type doing struct {
	changes              *value.Dict
	did, would, warnings []string
}

func (d *doing) note(what, ip, entry, did, would string) {
	by, ok := d.changes.GetStr(what)
	if !ok {
		by = value.NewDict(1)
		d.changes.SetStr(what, by)
	}
	by.(*value.Dict).SetStr(ip, value.NewList(value.Str(entry)))
	d.did, d.would = append(d.did, did), append(d.would, would)
}

// plan changes the file: what is missing comes, then comments, then other addresses go. Salt differs: it adds addresses
// in the order of a Python set.
func (p *Present) plan(f *file) *doing {
	d := &doing{changes: value.NewDict(0)}
	now := f.entries()
	for _, ip := range p.IP {
		if !f.has(ip, p.Name) {
			f.add(ip, p.Name)
			d.note("added", ip, p.Name, fmt.Sprintf("Added host %s (%s)", p.Name, ip),
				fmt.Sprintf("Host %s (%s) would be added", p.Name, ip))
		}
	}
	for _, ip := range p.IP {
		if e, _ := f.of(ip); p.Comment != "" && e.comment != p.Comment {
			f.describe(ip, p.Comment)
			d.note("comment_added", ip, p.Comment, fmt.Sprintf("Set comment for host %s (%s)", ip, p.Comment),
				fmt.Sprintf("Comment for %s (%s) would be added", ip, p.Comment))
		}
	}
	for _, e := range now {
		switch {
		case e.ip == "" || slices.Contains(p.IP, e.ip) || !slices.Contains(e.names, p.Name):
		case p.Clean:
			f.drop(e.ip, p.Name)
			d.note("removed", e.ip, p.Name, fmt.Sprintf("Removed host %s (%s)", p.Name, e.ip),
				fmt.Sprintf("Host %s (%s) would be removed", p.Name, e.ip))
		default:
			d.warnings = append(d.warnings, fmt.Sprintf("Host %[1]s present for IP address %[2]s. To get rid of this warning, "+
				"either run this state with "+
				"'clean' set to True to remove %[1]s from %[2]s, or add %[2]s to the 'ip' argument.", p.Name, e.ip))
		}
	}
	return d
}

// Act writes the file.
func (p *Present) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	f, err := open(h, env)
	if err != nil {
		return state.Effect{}, err
	}
	d := p.plan(f)
	e := state.Effect{Changes: d.changes, Comment: strings.Join(d.did, "\n"), Preview: strings.Join(d.would, "\n"),
		Warnings: d.warnings}
	if !e.Alters() {
		e.Comment = fmt.Sprintf("Host %s (%s) already present", p.Name, strings.Join(p.IP, ", "))
		return e, nil
	}
	return e, f.write(h)
}
