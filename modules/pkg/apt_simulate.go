package pkg

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/host"
)

func (a *apt) Simulate(ctx context.Context, h host.Reader, db *Database, r Request) ([]Step, error) {
	cmd := host.Cmd{Args: append(append([]string{"apt-get", "-q", "-s", "-y"}, readOnly()...), r.args()...),
		Env: environ()}
	var err error
	if db.base != nil {
		cmd.Args = append([]string{"sh", "-c", withStatus, "sh"}, cmd.Args...)
		cmd.Stdin, err = a.promised(ctx, h, db)
	}
	if err != nil {
		return nil, err
	}
	out, err := h.Query(ctx, cmd)
	if err != nil {
		return nil, fmt.Errorf("ask apt what would happen: %w", err)
	}
	if out.Code == 0 {
		return parseSimulation(string(out.Stdout)), nil
	}
	if err = refused(out); !isBroken(err) || db.base != nil {
		return nil, err
	}
	first, err := a.mending(ctx, h, db)
	if err != nil {
		return nil, err
	}
	steps, err := a.Simulate(ctx, h, db.mended(first), r)
	return append(first, steps...), err
}

// parseSimulation reads the lines of `apt-get -s`: "Inst name [old] (new release [arch])", "Remv name [old]", "Purg
// name [old]".
func parseSimulation(text string) []Step {
	var steps []Step
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] != "Inst" && f[0] != "Remv" && f[0] != "Purg" {
			continue
		}
		s := Step{Name: f[1], Purged: f[0] == "Purg"}
		for _, w := range f[2:] {
			if strings.HasPrefix(w, "[") && s.Old == "" && s.New == "" {
				s.Old = strings.Trim(w, "[]")
			}
			if strings.HasPrefix(w, "(") && s.New == "" {
				s.New = strings.TrimPrefix(w, "(")
			}
		}
		steps = append(steps, s)
	}
	return steps
}
