package ssh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gostate/gostate/cmd/internal/roster"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/value/merge"
)

// Pillars renders the pillar of each machine here, by its own grains, with the options of the run. What the roster
// gives a machine lies over it.
func Pillars(o session.Options) func(context.Context, *roster.Host, string) (*value.Dict, []string, error) {
	return func(ctx context.Context, h *roster.Host, grains string) (*value.Dict, []string, error) {
		dir, err := os.MkdirTemp("", "gostate-grains-")
		if err != nil {
			return nil, nil, err
		}
		defer os.RemoveAll(dir)
		o := o
		o.ID, o.GrainsFile = h.ID, filepath.Join(dir, "grains")
		if err := os.WriteFile(o.GrainsFile, []byte(grains), 0o600); err != nil {
			return nil, nil, err
		}
		var said bytes.Buffer
		p := &session.Process{In: strings.NewReader(""), Out: report.NewScreen(&said), Err: report.NewScreen(&said),
			Abort: ctx, Begin: func() error { return nil }}
		defer p.Close()
		return pillarOf(ctx, p, o, h)
	}
}

func pillarOf(ctx context.Context, p *session.Process, o session.Options,
	h *roster.Host) (*value.Dict, []string, error) {
	s, err := session.Look(p, o)
	if err != nil {
		return nil, nil, fmt.Errorf("the pillar cannot be rendered: %w", err)
	}
	d, secrets, err := s.PillarFor(ctx)
	if err != nil {
		return nil, nil, err
	}
	if d == nil {
		return nil, nil, errors.New("the pillar is no map")
	}
	if h.Pillar != nil {
		merge.Update(d, h.Pillar, true, false)
	}
	return d, secrets, nil
}
