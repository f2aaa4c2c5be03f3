package ssh

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Properties are those of the line that has the key.
func (a *AuthPresent) Properties(ctx context.Context, env *modules.Env, h host.Reader) (map[string]string, error) {
	return a.properties(ctx, env, h)
}

// Properties are those of the line with the key that is not wanted.
func (a *AuthAbsent) Properties(ctx context.Context, env *modules.Env, h host.Reader) (map[string]string, error) {
	return a.properties(ctx, env, h)
}

func (a *Auth) properties(ctx context.Context, env *modules.Env, h host.Reader) (map[string]string, error) {
	keys, err := a.keys(ctx, env)
	if err != nil {
		return nil, err
	}
	if _, err := h.User(a.User); err != nil || len(keys) != 1 {
		return nil, err
	}
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return nil, err
	}
	k, i := f.findKey(keys[0].key)
	if i < 0 {
		return nil, nil
	}
	return map[string]string{"enc": k.kind, "comment": k.comment, "options": k.options}, nil
}
