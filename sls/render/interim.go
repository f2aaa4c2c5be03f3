package render

import (
	"context"
	"strings"

	"github.com/gostate/gostate/state/diag"
)

type (
	engineKey struct{}
	engine    struct{}
	dataKey   struct{}
	loaded    struct{}
)

func (r *Renderer) runJinja(_ context.Context, p *piece) error {
	for i, line := range strings.Split(p.text, "\n") {
		if strings.Contains(line, "{{") || strings.Contains(line, "{%") {
			return diag.Errorf(diag.Pos{File: p.file, Line: i + 1}, "templates cannot be rendered yet")
		}
	}
	return nil
}
