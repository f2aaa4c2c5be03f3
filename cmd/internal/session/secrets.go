package session

import (
	"os"

	"golang.org/x/term"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// hides sets up what is secret in this run, and who sees it. --show-secrets is for the eyes of who sits at a terminal:
// elsewhere it is refused, since what is written down there stays.
func (s *Session) hides() error {
	s.secrets, s.keys = secret.New(), secret.NewKeys(s.config.Strings("secrets"))
	s.process.Secrets, s.process.SecretPath = s.secrets, s.secretPath
	if !s.opts.ShowSecrets {
		return nil
	}
	if f, ok := report.Under(s.process.Out).(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return diag.Errorf(diag.Pos{File: "--show-secrets"}, "standard output is no terminal, and what is written "+
			"elsewhere would keep the secrets").WithHint("run it on a terminal, without a pipe or a file")
	}
	s.secrets.Reveal()
	return nil
}

// shown is the store that hides what goes to standard output: none where secrets are asked for.
func (p *Process) shown() *secret.Store {
	if p.Secrets.Revealed() {
		return nil
	}
	return p.Secrets
}

// shownErr is the same for standard error, which may go elsewhere.
func (p *Process) shownErr() *secret.Store {
	if p.Secrets.Revealed() && IsTerminal(p.Err) {
		return nil
	}
	return p.Secrets
}

// Hide is a text for standard output without its secrets.
func (p *Process) Hide(text string) string { return p.shown().Text(text) }

// HideValue is a value for standard output without its secrets.
func (p *Process) HideValue(v value.Value) value.Value { return p.shown().Value(v) }

// secretPath says whether a key of a YAML file is secret, as far as keys can tell.
func (s *Session) secretPath(path []string) bool {
	return len(path) > 0 && modules.SecretName(path[len(path)-1]) || s.keys.Match(path)
}

// seenPillar registers the secrets in what a file of the pillar, or another source of it, gives.
func (s *Session) seenPillar(data *value.Dict) { s.keys.Mark(s.secrets, data) }

// ShownPillar is the pillar as it may be shown: what `secrets` names is hidden, however short it is, and
// what is encrypted stays closed.
func (s *Session) ShownPillar() *value.Dict {
	p := s.closed(s.Pillar()).(*value.Dict)
	if s.process.shown() == nil || s.keys.Empty() {
		return p
	}
	return s.keys.Hide(p).(*value.Dict)
}

// markHigh registers the secrets among the arguments of all states.
func (s *Session) markHigh(high *state.High) {
	for _, decls := range [][]*state.Decl{high.Decls, high.Extends} {
		for _, d := range decls {
			for i := range d.States {
				s.markState(d.ID, &d.States[i])
			}
		}
	}
}

func (s *Session) markState(id string, d *state.StateDecl) {
	spec := s.specOf(d)
	name := id
	for i := range d.Args {
		a := &d.Args[i]
		switch {
		case a.IsFunc() || a.Val == nil:
			continue
		case spec == nil:
			modules.MarkWithin(s.secrets, a.Val)
		default:
			spec.MarkArg(s.secrets, a.Name, a.Val)
		}
		if text, ok := a.Val.(value.Str); ok && (a.Name == "name" || a.Name == "key") {
			name = string(text)
		}
	}
	for _, word := range []string{id, name} {
		s.secrets.Spare(word)
	}
	modules.MarkWithin(s.secrets, value.Str(id))
}

// markChanges registers what changes hold under arguments that are declared secret: what was there before, too.
func (s *Session) markChanges(r *run.Report) {
	for _, res := range r.Results {
		if res.Changed() {
			s.markChanged(res)
		}
	}
}

func (s *Session) markChanged(res *state.Result) {
	if spec, _ := s.registry.Lookup(res.Low.Module, res.Low.Func); spec != nil {
		spec.MarkChanged(s.secrets, res.Changes)
	}
}

// specOf is the function that a declaration names, nil where there is none.
func (s *Session) specOf(d *state.StateDecl) *modules.StateSpec {
	for i := range d.Args {
		if d.Args[i].IsFunc() {
			spec, _ := s.registry.Lookup(d.Module, d.Args[i].Func())
			return spec
		}
	}
	return nil
}

// ShownHigh is the high data as it may be shown: arguments that are declared secret are hidden, however short they are.
func (s *Session) ShownHigh(high *state.High, r Request) *value.Dict {
	if r.Data || s.process.shown() == nil {
		return high.Dict()
	}
	return high.Mapped(func(d *state.StateDecl) func(a *state.Arg) value.Value {
		spec := s.specOf(d)
		return func(a *state.Arg) value.Value {
			if spec != nil && spec.IsSecret(a.Name) {
				return secret.Mask(a.Value())
			}
			return a.Value()
		}
	})
}

// HideNames hides the secrets in the names of states that are only drawn: a picture cuts names off, so that what is
// left of a secret would not be found.
func (s *Session) HideNames(low []*state.Low) {
	for _, l := range low {
		l.ID, l.Name = s.process.Hide(l.ID), s.process.Hide(l.Name)
	}
}

// ShownChunks is the same for low states.
func (s *Session) ShownChunks(low []*state.Low, r Request) *value.List {
	out := Chunks(low)
	if r.Data || s.process.shown() == nil {
		return out
	}
	for i, l := range low {
		spec, _ := s.registry.Lookup(l.Module, l.Func)
		chunk := out.Items[i].(*value.Dict)
		for j := range chunk.Len() {
			if e := chunk.At(j); spec != nil && spec.IsSecret(value.String(e.Key)) {
				chunk.SetStr(value.String(e.Key), secret.Mask(e.Val))
			}
		}
	}
	return out
}
