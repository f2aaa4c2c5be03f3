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

// AuthAbsent keeps keys out of authorized_keys.
type AuthAbsent struct{ Auth }

func authAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "ssh_auth.absent",
		Doc:     "Keeps a key from logging in to an account.",
		Example: "lost laptop:\n  ssh_auth.absent:\n    - user: alice\n    - name: AAAAC3Nza...",
		New:     func() modules.StateFunc { return &AuthAbsent{} },
	}
}

func (f *keyFile) take(keys []authKey) *value.Dict {
	changes := value.NewDict(0)
	for _, k := range keys {
		for _, i := f.findKey(k.key); i >= 0; _, i = f.findKey(k.key) {
			f.lines = slices.Delete(f.lines, i, i+1)
			changes.SetStr(k.key, value.Str("Removed"))
		}
	}
	return changes
}

// Check says which keys would be removed. An account that is not there has none.
func (a *AuthAbsent) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	keys, err := a.keys(ctx, env)
	if err != nil {
		return state.Forecast{}, err
	}
	if _, err := h.User(a.User); err != nil {
		return state.Forecast{Comment: fmt.Sprintf("User %s is not there, so it has no keys", a.User)}, nil
	}
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return state.Forecast{}, err
	}
	changes := f.take(keys)
	if changes.Len() == 0 {
		return state.Forecast{Comment: fmt.Sprintf("Key is already absent from user %s", a.User)}, nil
	}
	return state.Forecast{Pending: true, Changes: changes, Comment: fmt.Sprintf("Key %s for user %s is set for removal", a.Name, a.User)}, nil
}

// Apply removes them.
func (a *AuthAbsent) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	keys, err := a.keys(ctx, env)
	if err != nil {
		return state.Applied{}, err
	}
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return state.Applied{}, err
	}
	changes := f.take(keys)
	return state.Applied{Changes: changes, Comment: "Key removed"}, f.write(h)
}
