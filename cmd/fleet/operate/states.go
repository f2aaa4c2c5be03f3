package operate

import (
	"encoding/json"
	"strings"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/page"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/value"
)

// A State is one of a report: it changed or failed, the others are only counted.
type State struct {
	Tag     string `json:"tag"`
	ID      string `json:"__id__"`
	Name    string `json:"name"`
	SLS     string `json:"__sls__"`
	Comment string `json:"comment"`
	Result  *bool  `json:"result"`
	// Duration is in milliseconds.
	Duration float64         `json:"duration"`
	Changes  json.RawMessage `json:"changes"`
}

// statesOf are the states of a report; what is none is left out and counted.
func statesOf(r *agent.Report) (out []State, odd int) {
	if r.Applied == nil {
		return nil, 0
	}
	for _, text := range r.Applied.States {
		var s State
		if json.Unmarshal(text, &s) != nil || s.Tag == "" {
			odd++
			continue
		}
		out = append(out, s)
	}
	return out, odd
}

// Fun is the function: file.managed.
func (s *State) Fun() string {
	words := strings.Split(s.Tag, "_|-")
	if len(words) < 2 {
		return s.Tag
	}
	return words[0] + "." + words[len(words)-1]
}

// Kind is what became of it, as the page of a run has it.
func (s *State) Kind() page.Kind {
	switch {
	case s.Result == nil:
		return page.Unknown
	case !*s.Result && strings.HasPrefix(s.Comment, "One or more requisite failed"):
		return page.Blocked
	case !*s.Result:
		return page.Failed
	}
	return page.Changed
}

// Altered are its changes, one by one.
func (s *State) Altered() []page.Property {
	v, err := value.ParseJSON(string(s.Changes))
	if err != nil {
		return nil
	}
	h := history.State{Changes: history.Value{Value: v}}
	var out []page.Property
	for _, p := range h.Altered() {
		out = append(out, page.Property{Name: p.Name, Before: plain(p.Before.Value), After: plain(p.After.Value)})
	}
	return out
}

// plain is a value as a text.
func plain(v value.Value) string {
	if v == nil {
		return ""
	}
	return value.String(v)
}

// FailedStates are those that failed.
func FailedStates(r *agent.Report) (out []State) {
	all, _ := statesOf(r)
	for _, s := range all {
		if k := s.Kind(); k == page.Failed || k == page.Blocked {
			out = append(out, s)
		}
	}
	return out
}
