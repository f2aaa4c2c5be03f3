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
			f.tidy()
			changes.SetStr(k.key, value.Str("Removed"))
		}
	}
	return changes
}

// Act removes them. An account that is not there has none.
func (a *AuthAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	keys, err := a.keys(ctx, env)
	if err != nil {
		return state.Effect{}, err
	}
	if _, err := h.User(a.User); err != nil {
		return state.Settled(fmt.Sprintf("User %s is not there, so it has no keys", a.User)), nil
	}
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return state.Effect{}, err
	}
	changes := a.told(f.take(keys), "Removed")
	if changes.Len() == 0 {
		return state.Settled(fmt.Sprintf("Key is already absent from user %s", a.User)), nil
	}
	return state.Effect{Changes: changes, Comment: "Key removed",
		Preview: fmt.Sprintf("Key %s for user %s is set for removal", a.Name, a.User)}, f.write(h)
}
