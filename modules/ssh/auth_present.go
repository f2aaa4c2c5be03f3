package ssh

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// AuthPresent keeps keys in authorized_keys.
type AuthPresent struct{ Auth }

func authPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "ssh_auth.present",
		Doc:  "Keeps a key that may log in to an account.",
		Example: `alice's laptop:
  ssh_auth.present:
    - user: alice
    - name: ssh-ed25519 AAAAC3Nza... alice@laptop`,
		New: func() modules.StateFunc { return &AuthPresent{} },
	}
}

// put changes the lines and tells what it changed: {key: New or Updated}.
func (f *keyFile) put(keys []authKey) *value.Dict {
	changes := value.NewDict(0)
	for _, k := range keys {
		now, i := f.findKey(k.key)
		switch {
		case i < 0:
			f.lines = append(f.lines, k.String())
			changes.SetStr(k.key, value.Str("New"))
		case now != k:
			f.tidy()
			_, i = f.findKey(k.key)
			f.lines[i] = k.String()
			changes.SetStr(k.key, value.Str("Updated"))
		}
	}
	return changes
}

// Act adds them.
func (a *AuthPresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	keys, err := a.keys(ctx, env)
	if err != nil {
		return state.Effect{}, err
	}
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return state.Effect{}, err
	}
	if _, err := h.Stat(f.owner.Home); errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(f.path, f.owner.Home+"/") {
		//nolint:staticcheck // Salt's words
		return state.Effect{}, host.Missing("Failed to add the ssh key. Is the home directory available, and/or does the " +
			"key file exist?")
	}
	changes := a.told(f.put(keys), "Updated")
	if changes.Len() == 0 {
		return state.Settled(fmt.Sprintf("The authorized host key %s is already present for user %s", a.Name, a.User)), nil
	}
	return state.Effect{Changes: changes, Comment: fmt.Sprintf("The authorized host key %s for user %s was added", a.Name,
		a.User),
		Preview: fmt.Sprintf("Key %s for user %s is set to be added", a.Name, a.User)}, f.write(h)
}
