package ssh

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// AuthManage keeps exactly the keys that are given.
type AuthManage struct {
	Auth
	Keys []string `arg:"ssh_keys,required,trimmed" doc:"The keys, and no others."`
}

func authManageSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "ssh_auth.manage",
		Doc:  "Keeps exactly the given keys of an account.",
		Example: "alice's keys:\n  ssh_auth.manage:\n    - user: alice\n    - ssh_keys:\n      - ssh-ed25519 AAAAC3Nza... " +
			"alice@laptop",
		New: func() modules.StateFunc { return &AuthManage{} },
	}
}

// Act writes the keys.
func (a *AuthManage) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return state.Effect{}, err
	}
	var keys []authKey
	var errs []error
	for _, text := range a.Keys {
		k, err := a.keyOf(text)
		errs = append(errs, err)
		keys = append(keys, k)
	}
	if err := errors.Join(errs...); err != nil {
		return state.Effect{}, err
	}
	var others []authKey
	for _, l := range f.lines {
		if k, ok := parseAuth(l); ok && !slices.ContainsFunc(keys, func(o authKey) bool { return o.key == k.key }) {
			others = append(others, k)
		}
	}
	changes := f.take(others)
	for k := range changes.All() {
		changes.SetStr(value.String(k), value.Str("Key removed"))
	}
	for k, v := range f.put(keys).All() {
		changes.SetStr(value.String(k), v)
	}
	if changes.Len() == 0 {
		return state.Settled(fmt.Sprintf("The keys of user %s are as they have to be", a.User)), nil
	}
	return state.Effect{Changes: changes, Comment: fmt.Sprintf("The keys of user %s were changed", a.User),
		Preview: fmt.Sprintf("The keys of user %s are set to be changed", a.User)}, f.write(h)
}
