package ssh

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// KnownAbsent keeps a host unknown.
type KnownAbsent struct{ Known }

func knownAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "ssh_known_hosts.absent",
		Doc:     "Keeps a host's keys out of the known ones.",
		Example: "old.example.org:\n  ssh_known_hosts.absent:\n    - user: root",
		New:     func() modules.StateFunc { return &KnownAbsent{} },
	}
}

// Act removes its keys.
func (k *KnownAbsent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	f, err := k.open(h)
	if err != nil {
		return state.Effect{}, err
	}
	old, n := k.entries(f), len(f.lines)
	f.lines = slices.DeleteFunc(f.lines, func(l string) bool {
		known, ok := parseKnown(l)
		return ok &&
			known.is(k.pattern())
	})
	if len(f.lines) == n {
		return state.Settled("Host is already absent"), nil
	}
	return state.Effect{Changes: value.DictOf("old", old, "new", value.None),
		Comment: fmt.Sprintf("%s's key removed from %s", k.Name, f.path),
		Preview: fmt.Sprintf("Key for %s is set to be removed from %s", k.Name, f.path)}, f.write(h)
}
