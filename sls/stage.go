package sls

import (
	"context"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A placed is the run stage of an SLS that was loaded, and where it was asked for first.
type placed struct {
	stage string // "" for the default one
	own   bool   // the SLS says it itself
	pos   diag.Pos
}

// want loads an SLS unless it was loaded before. Its first inclusion decides on its run stage, as in Puppet.
func (l *loader) want(ctx context.Context, by asked) {
	key := envSLS{by.env, by.name}
	first, ok := l.loaded[key]
	if !ok {
		l.load(ctx, by)
		return
	}
	at, with := by.with.stage(), true
	if at == "" {
		at, with = by.passed.stage(), false
	}
	if at == "" || at == first.name() || first.own && !with {
		return
	}
	d := diag.Warnf(by.pos, "SLS '%s' is in the run stage '%s' by its first inclusion; '%s' has no effect here", by.name,
		first.name(), at).WithHint("say the stage in the SLS itself, or where it is included first")
	d.Related = []diag.Related{{Pos: first.pos, Msg: "the first inclusion"}}
	l.diags.Add(d)
}

func (p placed) name() string {
	if p.stage == "" {
		return state.MainStage
	}
	return p.stage
}

// stage is the run stage that is given, "" for none.
func (g *given) stage() (stage string) {
	for _, a := range g.meta {
		if s, ok := a.Val.(value.Str); ok && a.Name == "stage" {
			stage = string(s)
		}
	}
	return stage
}

// stage is the run stage that is said beside the name of an SLS, "" for none.
func (s Settings) stage() string {
	if s.Dict != nil {
		if v, ok := s.Dict.GetStr("stage"); ok {
			return value.String(v)
		}
	}
	return ""
}
