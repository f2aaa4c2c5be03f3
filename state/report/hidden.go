package report

import (
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// hidden is a report without its secrets: the texts and the changes of the results, and the names of their states. What
// is said around them is ours. A report without secrets to hide is itself.
func hidden(r *run.Report, s *secret.Store) *run.Report {
	if s.Empty() {
		return r
	}
	h := &hider{s, map[*state.Result]*state.Result{}, map[*state.Low]*state.Low{}}
	out := *r
	out.Results = nil
	for _, res := range r.Results {
		out.Results = append(out.Results, h.result(res))
	}
	out.Handled = map[*state.Result]bool{}
	for res, yes := range r.Handled {
		out.Handled[h.result(res)] = yes
	}
	out.Stopped = h.result(r.Stopped)
	return &out
}

// A hider hides each result and each state once, so that who compares them finds them the same.
type hider struct {
	secrets *secret.Store
	results map[*state.Result]*state.Result
	lows    map[*state.Low]*state.Low
}

func (h *hider) result(r *state.Result) *state.Result {
	if r == nil || h.results[r] != nil {
		return h.results[r]
	}
	out := *r
	h.results[r] = &out
	out.ID, out.Comment = h.secrets.Text(r.ID), h.secrets.Text(r.Comment)
	out.Doubt, out.Sample = h.secrets.Text(r.Doubt), h.secrets.Text(r.Sample)
	if r.Changes != nil {
		out.Changes = h.secrets.Value(r.Changes).(*value.Dict)
	}
	out.Warnings = nil
	for _, w := range r.Warnings {
		out.Warnings = append(out.Warnings, h.secrets.Text(w))
	}
	out.Low, out.Cause = h.low(r.Low), h.result(r.Cause)
	return &out
}

func (h *hider) low(l *state.Low) *state.Low {
	if l == nil || h.lows[l] != nil {
		return h.lows[l]
	}
	out := *l
	out.ID, out.Name = h.secrets.Text(l.ID), h.secrets.Text(l.Name)
	h.lows[l] = &out
	return &out
}
