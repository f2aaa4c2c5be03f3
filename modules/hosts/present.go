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
	Name  string   `arg:"name,required" doc:"The name of the host."`
	IP    []string `arg:"ip,required" doc:"Its address, or several."`
	Clean bool     `arg:"clean" doc:"Take the name from all other addresses."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "host.present",
		Doc:     "Keeps a name with its address in /etc/hosts.",
		Example: "db.example.org:\n  host.present:\n    - ip: 192.0.2.5",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Validate refuses what is no address.
func (p *Present) Validate() []modules.Fault {
	var faults []modules.Fault
	for _, ip := range p.IP {
		faults = append(faults, badAddress("ip", ip)...)
	}
	return faults
}

// plan changes the table and tells what it changed, in Salt's shape.
func (p *Present) plan(t *table) (changes *value.Dict, words []string) {
	added, removed := value.NewDict(0), value.NewDict(0)
	if p.Clean {
		for _, ip := range t.drop(p.Name, func(ip string) bool { return !slices.Contains(p.IP, ip) }) {
			removed.SetStr(ip, value.NewList(value.Str(p.Name)))
			words = append(words, fmt.Sprintf("Removed host %s from IP %s", p.Name, ip))
		}
	}
	for _, ip := range p.IP {
		if t.has(ip, p.Name) {
			continue
		}
		t.add(ip, p.Name)
		added.SetStr(ip, value.NewList(value.Str(p.Name)))
		words = append(words, fmt.Sprintf("Added host %s for IP %s", p.Name, ip))
	}
	changes = value.NewDict(2)
	if added.Len() > 0 {
		changes.SetStr("added", added)
	}
	if removed.Len() > 0 {
		changes.SetStr("removed", removed)
	}
	return changes, words
}

// Act writes the table.
func (p *Present) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := read(h)
	if err != nil {
		return state.Effect{}, err
	}
	ips := strings.Join(p.IP, ", ")
	changes, words := p.plan(&t)
	if len(words) == 0 {
		return state.Settled(fmt.Sprintf("Host %s (%s) already present", p.Name, ips)), nil
	}
	return state.Effect{Changes: changes, Comment: strings.Join(words, "\n"), Preview: fmt.Sprintf("Host %s (%s) would be added", p.Name, ips)}, t.write(h)
}
