package pkg

import (
	"context"
	"strconv"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Properties are the version that is installed, and whether it is held.
func (p *Installed) Properties(ctx context.Context, env *modules.Env, h host.Reader) (map[string]string, error) {
	return properties(ctx, env, h, p.Name)
}

// Properties are those of what is installed and to be kept new.
func (l *Latest) Properties(ctx context.Context, env *modules.Env, h host.Reader) (map[string]string, error) {
	return properties(ctx, env, h, l.Name)
}

// Properties are those of what is installed and not wanted.
func (r *Removed) Properties(ctx context.Context, env *modules.Env, h host.Reader) (map[string]string, error) {
	return properties(ctx, env, h, r.Name)
}

// Properties are those of what is installed and to be held.
func (p *Held) Properties(ctx context.Context, env *modules.Env, h host.Reader) (map[string]string, error) {
	return properties(ctx, env, h, p.Name)
}

func properties(ctx context.Context, env *modules.Env, h host.Reader, name string) (map[string]string, error) {
	_, db, err := lookUp(ctx, env, h)
	if err != nil {
		return nil, err
	}
	p := db.Get(name)
	if p == nil || !p.Installed() {
		return nil, nil
	}
	return map[string]string{modules.Is: "installed", "version": p.Version, "hold": strconv.FormatBool(p.Held())}, nil
}
