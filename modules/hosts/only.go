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

// Only keeps exactly the names of an address.
type Only struct {
	Name      string   `arg:"name,required,word" not:"#" doc:"The address."`
	Hostnames []string `arg:"hostnames,required" not:"#" doc:"Its names, and no others."`
}

func onlySpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "host.only",
		Doc:     "Keeps exactly the names of an address in /etc/hosts.",
		Example: "127.0.1.1:\n  host.only:\n    - hostnames:\n      - web1.example.org\n      - web1",
		New:     func() modules.StateFunc { return &Only{} },
	}
}

// Validate refuses what is no address.
func (o *Only) Validate() []modules.Fault { return badAddress("name", o.Name) }

// Act writes the names.
func (o *Only) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	f, err := open(h, env)
	if err != nil {
		return state.Effect{}, err
	}
	var names []string
	for _, n := range o.Hostnames {
		names = append(names, strings.TrimSpace(n))
	}
	entry, _ := f.of(o.Name)
	old, want := strings.Join(entry.names, " "), strings.Join(names, " ")
	if old == want {
		return state.Settled(fmt.Sprintf("IP address %s already set to %q", o.Name, want)), nil
	}
	f.set(o.Name, want)
	return state.Effect{Changes: value.DictOf(o.Name, value.DictOf("old", value.Str(old), "new", value.Str(want))),
		Comment: fmt.Sprintf("successfully changed %s from %q to %q", o.Name, old, want),
		Preview: fmt.Sprintf("Would change %s from %q to %q", o.Name, old, want)}, f.write(h)
}
