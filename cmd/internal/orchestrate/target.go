package orchestrate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// machines are the arguments that say which machines are meant, and how the work is spread over them.
type machines struct {
	Tgt         value.Value   `arg:"tgt,required,text" doc:"Which machines are meant."`
	TgtType     string        `arg:"tgt_type" alias:"expr_form" default:"glob" choices:"glob|pcre|list|grain|grain_pcre|pillar|pillar_exact|pillar_pcre|nodegroup|ipcidr|compound" doc:"What kind of target tgt is."`
	FailMinions value.Value   `arg:"fail_minions,text" doc:"Machines that may fail: a list, or a text with commas."`
	Timeout     time.Duration `arg:"timeout" doc:"Seconds that a machine may take to answer at all."`
	Batch       string        `arg:"batch" doc:"How many machines are worked on at once, a number or a share such as 10%."`
	Subset      int64         `arg:"subset" doc:"How many of the machines are taken, always the same."`
	Others      value.Value   `arg:"ssh,text" alias:"roster,ret,ret_config,ret_kwargs,orchestration_jid,batch_wait,expr,sync_mods,env" doc:"No effect."`
}

// target is the target as one text.
func (m *machines) target() string {
	if list, err := modules.Texts(m.Tgt); err == nil {
		return strings.Join(list, ",")
	}
	return value.String(m.Tgt)
}

// may says whether a machine may fail.
func (m *machines) may(id string) bool {
	var names []string
	switch v := m.FailMinions.(type) {
	case value.Str:
		names = strings.Split(string(v), ",")
	case *value.List:
		names, _ = modules.Texts(v)
	}
	return slices.ContainsFunc(names, func(n string) bool { return strings.TrimSpace(n) == id })
}

// ids are the machines that are meant.
func (m *machines) ids(ctx context.Context, c *Conductor) ([]string, error) {
	ids, err := c.Machines.Target(ctx, m.TgtType, m.target())
	if m.Subset > 0 && int(m.Subset) < len(ids) {
		ids = subset(ids, int(m.Subset))
	}
	return ids, err
}

// subset takes some by a hash of their names, in their order. Salt differs: it takes others each time, so that nobody
// can say before a run which they will be.
func subset(ids []string, n int) (out []string) {
	hash := func(id string) string { h := sha256.Sum256([]byte(id)); return string(h[:]) }
	sorted := slices.SortedFunc(slices.Values(ids), func(a, b string) int { return cmp.Compare(hash(a), hash(b)) })
	for _, id := range ids {
		if slices.Contains(sorted[:n], id) {
			out = append(out, id)
		}
	}
	return out
}

// check finds what is wrong with the target.
func (m *machines) check(c *Conductor, needed bool) []modules.Fault {
	ids, err := m.ids(context.Background(), c)
	var d *diag.Diagnostic
	switch {
	case errors.As(err, &d):
		return []modules.Fault{{Arg: "tgt", Msg: d.Msg, Hint: d.Hint}}
	case err != nil:
		return []modules.Fault{{Arg: "tgt", Msg: err.Error()}}
	case len(ids) == 0 && needed:
		return []modules.Fault{nobody(m.TgtType, m.target())}
	}
	return nil
}

// work is the part of a work that these arguments say.
func (m *machines) work(low failharder) *Work {
	w := &Work{Batch: m.Batch, Timeout: m.Timeout}
	if f := low.Opts().Failhard; f != nil {
		w.Failhard = *f
	}
	return w
}
