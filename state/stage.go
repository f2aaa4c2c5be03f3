package state

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
)

// stage is the run stage that an argument names. Where no stages are configured, the argument is the function's, if it
// takes any.
func (c *compiler) stage(l *Low, a *Arg, loose bool) string {
	name, known := "", c.opts.Stages
	if len(known) == 0 && loose && !a.Default {
		return ""
	}
	if name = c.word(l, a); name == "" || slices.Contains(known, name) {
		return name
	}
	if len(known) == 0 {
		c.diags.Add(diag.Errorf(a.ValuePos(), "'stage: %s' of ID '%s' in SLS '%s': no run stages are configured", name,
			l.ID, l.SLS).WithHint("list them in the configuration, in the order of the run: 'stages: [%s, main]'", name))
		return ""
	}
	d := diag.Errorf(a.ValuePos(), "unknown run stage '%s' of ID '%s' in SLS '%s'", name, l.ID, l.SLS)
	if near := diag.Nearest(name, known); near != "" {
		d.WithHint("did you mean '%s'?", near)
	} else {
		d.WithHint("the configuration has the stages %s", strings.Join(known, ", "))
	}
	c.diags.Add(d)
	return ""
}
