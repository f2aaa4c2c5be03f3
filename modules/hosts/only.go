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

// Only keeps exactly the names of an address.
type Only struct {
	Name      string   `arg:"name,required" doc:"The address."`
	Hostnames []string `arg:"hostnames,required" doc:"Its names, and no others."`
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

// plan changes the table and gives the names that the address had.
func (o *Only) plan(t *table) (old string, same bool) {
	var names []string
	for i := len(*t) - 1; i >= 0; i-- {
		if (*t)[i].ip == o.Name {
			names = append(slices.Clone((*t)[i].names), names...)
		}
	}
	if slices.Equal(names, o.Hostnames) {
		return strings.Join(names, " "), true
	}
	first := t.index(o.Name)
	for i := len(*t) - 1; i > first && first >= 0; i-- {
		if (*t)[i].ip == o.Name {
			t.set(i, nil)
		}
	}
	switch {
	case first >= 0:
		t.set(first, o.Hostnames)
	case len(o.Hostnames) > 0:
		*t = append(*t, entry{ip: o.Name, names: o.Hostnames, text: o.Name + "\t" + strings.Join(o.Hostnames, " ")})
	}
	return strings.Join(names, " "), false
}

// Act writes the table.
func (o *Only) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := read(h)
	if err != nil {
		return state.Effect{}, err
	}
	want := strings.Join(o.Hostnames, " ")
	old, same := o.plan(&t)
	if same {
		return state.Settled(fmt.Sprintf("IP address %s already set to %q", o.Name, want)), nil
	}
	return state.Effect{Changes: value.DictOf(o.Name, value.DictOf("old", value.Str(old), "new", value.Str(want))),
		Comment: fmt.Sprintf("successfully changed %s from %q to %q", o.Name, old, want),
		Preview: fmt.Sprintf("Would change %s from %q to %q", o.Name, old, want)}, t.write(h)
}
