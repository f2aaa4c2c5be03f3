package locale

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Properties are the locale that the machine has now.
func (s *System) Properties(_ context.Context, _ *modules.Env, h host.Reader) (map[string]string, error) {
	lines, err := modules.ReadLines(h, file(h))
	for _, line := range lines {
		name, ok := strings.CutPrefix(strings.NewReplacer(`"`, "", "'", "").Replace(strings.TrimSpace(line)), "LANG=")
		if ok {
			return map[string]string{"name": name}, nil
		}
	}
	return nil, err
}

// Properties say whether it is generated.
func (p *Present) Properties(ctx context.Context, _ *modules.Env, h host.Reader) (map[string]string, error) {
	if there, err := p.there(ctx, h); err != nil || !there {
		return nil, err
	}
	return map[string]string{}, nil
}
