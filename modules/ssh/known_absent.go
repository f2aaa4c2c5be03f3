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

// OnlyFiles: known hosts are a file.
func (*KnownAbsent) OnlyFiles() {}

// drop removes the host's lines and says how many there were.
func (k *KnownAbsent) drop(f *keyFile) int {
	n := len(f.lines)
	f.lines = slices.DeleteFunc(f.lines, func(l string) bool { known, ok := parseKnown(l); return ok && known.is(k.pattern()) })
	return n - len(f.lines)
}

// Check says whether keys would be removed.
func (k *KnownAbsent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	f, err := k.open(h)
	if err != nil {
		return state.Forecast{}, err
	}
	if k.drop(f) == 0 {
		return state.Forecast{Comment: "Host is already absent"}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(k.Name, value.Str("removed")), Comment: fmt.Sprintf("Key for %s is set to be removed from %s", k.Name, f.path)}, nil
}

// Apply removes them.
func (k *KnownAbsent) Apply(_ context.Context, _ *modules.Env, h host.Host, fc state.Forecast) (state.Applied, error) {
	f, err := k.open(h)
	if err != nil {
		return state.Applied{}, err
	}
	k.drop(f)
	return state.Applied{Changes: fc.Changes, Comment: fmt.Sprintf("%s's key removed from %s", k.Name, f.path)}, f.write(h)
}
