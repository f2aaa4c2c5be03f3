package sysctl

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Properties are the value that the kernel has now.
func (p *Present) Properties(_ context.Context, _ *modules.Env, h host.Reader) (map[string]string, error) {
	now, ok, err := current(h, p.Name)
	if err != nil || !ok {
		return nil, err
	}
	return map[string]string{"value": now}, nil
}
