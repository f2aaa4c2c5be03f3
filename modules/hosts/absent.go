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

// Absent keeps a name from an address, or from all.
type Absent struct {
	Name string   `arg:"name,required" doc:"The name of the host."`
	IP   []string `arg:"ip" doc:"The addresses that must not have it; all when not given."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "host.absent",
		Doc:     "Keeps a name away from /etc/hosts.",
		Example: "old.example.org:\n  host.absent: []",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Act takes the name away.
func (a *Absent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := read(h)
	if err != nil {
		return state.Effect{}, err
	}
	from := t.drop(a.Name, func(ip string) bool { return len(a.IP) == 0 || slices.Contains(a.IP, ip) })
	if len(from) == 0 {
		return state.Settled(fmt.Sprintf("Host %s (%s) already absent", a.Name, strings.Join(a.IP, ", "))), nil
	}
	ips := strings.Join(from, ", ")
	return state.Effect{Changes: value.DictOf("host", value.Str(a.Name)), Comment: fmt.Sprintf("Removed host %s (%s)", a.Name, ips),
		Preview: fmt.Sprintf("Host %s (%s) needs to be removed", a.Name, ips)}, t.write(h)
}
