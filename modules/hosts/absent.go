package hosts

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps a name from an address.
type Absent struct {
	Name string   `arg:"name,required,word" not:"#" doc:"The name of the host."`
	IP   []string `arg:"ip,required,word" not:"#" doc:"The address that must not have it, or several."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "host.absent",
		Doc:     "Keeps a name from an address in /etc/hosts.",
		Example: "old.example.org:\n  host.absent:\n    - ip: 192.0.2.5",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Act takes the name away.
func (a *Absent) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	f, err := open(h, env)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.NewEffect()
	var did, would []string
	for _, ip := range a.IP {
		if !f.has(ip, a.Name) {
			did = append(did, fmt.Sprintf("Host %s (%s) already absent", a.Name, ip))
			continue
		}
		f.drop(ip, a.Name)
		e.Changes.SetStr("host", value.Str(a.Name))
		did, would = append(did, fmt.Sprintf("Removed host %s (%s)", a.Name, ip)),
			append(would, fmt.Sprintf("Host %s (%s) needs to be removed", a.Name, ip))
	}
	e.Comment, e.Preview = strings.Join(did, "\n"), strings.Join(would, "\n")
	if !e.Alters() {
		return e, nil
	}
	return e, f.write(h)
}
