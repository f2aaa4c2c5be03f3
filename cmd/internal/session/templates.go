package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/sls/render"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// templates gives the renderer to modules; templates look at the machine h.
type templates struct {
	s *Session
	h host.Host
}

func (t templates) Render(ctx context.Context, engine, source string, text []byte, sls, env string,
	vars *value.Dict) ([]byte, error) {
	return t.s.renderer.Text(context.WithValue(ctx, machineKey{}, t.h), engine, source, text, sls, env, vars)
}

// RenderFile renders a file of the command line; pipe "" is what its first line says.
func (s *Session) RenderFile(ctx context.Context, file string, vars *value.Dict, pipe string) ([]byte, error) {
	return s.renderer.File(ctx, file, vars, pipe)
}

// machineKey is the machine that a template looks at, in the context of its rendering.
type machineKey struct{}

// machineOf is the machine of a rendering, the session's own unless a state renders for another.
func (s *Session) machineOf(ctx context.Context) host.Host {
	if h, ok := ctx.Value(machineKey{}).(host.Host); ok {
		return h
	}
	return s.machine
}

// templateFunctions are execution functions as templates call them: on the machine that the rendering looks at.
// Commands of the user's are marked, or kept from running.
//
// Salt differs: what a template writes in test mode is written; here it goes to the overlay, or is refused where that
// cannot hold it.
type templateFunctions struct{ execFunctions }

func (t templateFunctions) Call(ctx context.Context, name string, args []value.Value,
	kwargs *value.Dict) (value.Value, error) {
	s := t.s
	spec, _ := s.registry.Exec(name)
	if s.unjudged != nil {
		for _, v := range kwargs.All() {
			if u := value.UnknownAmong(v); u != nil {
				return u, nil
			}
		}
		if u := value.UnknownAmong(args...); u != nil {
			return u, nil
		}
	}
	command := spec != nil && spec.Class == modules.Commands
	if command {
		if u, err := s.mayRun(ctx, spec, args, kwargs); u != nil || err != nil {
			return u, err
		}
	}
	h := s.machineOf(ctx)
	v, err := execFunctions{s, h}.Call(ctx, name, args, kwargs)
	if !errors.Is(err, host.ErrPreview) {
		if command && h.Preview() {
			s.ran.note(s.process, fmt.Sprintf("ran while rendering %s: %s", render.CallPos(ctx),
				commandText(spec, args, kwargs)))
		}
		return v, err
	}
	if s.unjudged != nil {
		return s.unjudged.unknown(ctx, name), nil
	}
	return nil, diag.Errorf(diag.Pos{}, "%s would change the machine, and what it does cannot be foretold: %v", name, err).
		WithHint("a run does it; have a state do it, so that a preview can tell")
}

// mayRun says what becomes of a template's command: lint gives an unknown value in its place, --no-commands refuses it;
// nil lets it run.
func (s *Session) mayRun(ctx context.Context, spec *modules.ExecSpec, args []value.Value,
	kwargs *value.Dict) (value.Value, error) {
	switch {
	case s.unjudged != nil:
		return s.unjudged.unknown(ctx, spec.Name), nil
	case s.opts.NoCommands:
		return nil, diag.Errorf(diag.Pos{}, "%s runs a command, and --no-commands is given: %s", spec.Name,
			commandText(spec, args, kwargs)).
			WithHint("leave the flag away, or take the value from grains or the pillar")
	}
	return nil, nil
}

// commandText is the command that a call names.
func commandText(spec *modules.ExecSpec, args []value.Value, kwargs *value.Dict) string {
	v := value.Value(value.Str(""))
	if len(args) > 0 {
		v = args[0]
	} else if given, ok := kwargs.GetStr(spec.Params[0]); ok {
		v = given
	}
	return value.String(v)
}

// remarks are shown once each.
type remarks struct {
	mu   sync.Mutex
	seen map[string]bool // guarded by mu
}

func (r *remarks) note(p *Process, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen[text] {
		return
	}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[text] = true
	fmt.Fprintln(p.Err, "note: "+p.shownErr().Text(text))
}
