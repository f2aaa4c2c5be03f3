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
	files
	Name string   `arg:"name,required" doc:"the name of the host"`
	IP   []string `arg:"ip" doc:"the addresses that must not have it; all when not given"`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "host.absent",
		Doc:     "Keeps a name away from /etc/hosts.",
		Example: "old.example.org:\n  host.absent: []",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

func (a *Absent) plan(t *table) []string {
	return t.drop(a.Name, func(ip string) bool { return len(a.IP) == 0 || slices.Contains(a.IP, ip) })
}

// Check says whether the name would go.
func (a *Absent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	t, err := read(h)
	if err != nil {
		return state.Forecast{}, err
	}
	from := a.plan(&t)
	if len(from) == 0 {
		return state.Forecast{Comment: fmt.Sprintf("Host %s (%s) already absent", a.Name, strings.Join(a.IP, ", "))}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("host", value.Str(a.Name)),
		Comment: fmt.Sprintf("Host %s (%s) needs to be removed", a.Name, strings.Join(from, ", "))}, nil
}

// Apply writes the table.
func (a *Absent) Apply(_ context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	t, err := read(h)
	if err != nil {
		return state.Applied{}, err
	}
	from := a.plan(&t)
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Removed host %s (%s)", a.Name, strings.Join(from, ", "))}, t.write(h)
}
