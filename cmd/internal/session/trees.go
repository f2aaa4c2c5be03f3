package session

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// trees gives the SLS files to execution functions.
type trees struct{ s *Session }

func request(r modules.TreeRequest) Request {
	return Request{Top: len(r.SLS) == 0, TopFile: r.TopFile, SLS: r.SLS, Exclude: r.Exclude, IDs: r.IDs, Env: r.Env}
}

func (t trees) Show(ctx context.Context, what string, r modules.TreeRequest) (value.Value, error) {
	switch what {
	case "top":
		return t.s.Top(ctx)
	case "high":
		high, err := t.s.Load(ctx, request(r))
		if err != nil {
			return nil, err
		}
		return high.Dict(), nil
	}
	low, err := t.s.Compile(ctx, request(r))
	return Chunks(low), err
}

// Top is what the top file assigns to this machine, by environment.
func (s *Session) Top(ctx context.Context) (*value.Dict, error) {
	envs, err := s.MatchTop(ctx, "")
	if err != nil {
		return nil, err
	}
	out := value.NewDict(len(envs))
	for _, e := range envs {
		names := make([]string, len(e.SLS))
		for i, n := range e.SLS {
			names[i] = n.Name
		}
		out.SetStr(e.Env, modules.TextList(names))
	}
	return out, nil
}

// Chunks are low states as Salt shows them.
func Chunks(low []*state.Low) *value.List {
	out := value.NewList()
	for _, l := range low {
		out.Items = append(out.Items, l.Chunk())
	}
	return out
}

// Apply works on an overlay of the machine in test mode.
func (t trees) Apply(ctx context.Context, h host.Host, r modules.TreeRequest) (*value.Dict, error) {
	s := t.s
	p, err := t.prepare(ctx, r)
	if err != nil {
		return nil, err
	}
	preview := r.Test || s.preview() || h.Preview()
	if r.Test {
		h = host.NewOverlay(h)
	}
	if !preview {
		if err := s.needRoot(p); err != nil {
			return nil, err
		}
	}
	if !preview && r.Lock {
		lock, err := s.lock(ctx, "call state")
		if err != nil {
			return nil, err
		}
		defer lock.Release()
	}
	cfg := s.runConfig(p, h, watcher{})
	cfg.Preview = preview
	return report.Data(run.Run(ctx, cfg), s.reportOptions()), nil
}

func (t trees) prepare(ctx context.Context, r modules.TreeRequest) (*Prepared, error) {
	env := firstOf(r.Env, t.s.saltenv)
	var low []*state.Low
	var err error
	switch {
	case r.Single != "":
		low, err = t.single(r, env)
	case r.High != nil:
		low, err = t.s.compileData(r.High, env)
	case r.Text != "":
		low, err = t.text(ctx, r.Text, env)
	default:
		return t.s.Prepare(ctx, request(r))
	}
	if err != nil {
		return nil, err
	}
	return t.s.prepareLow(&compiled{low: low, faults: &diag.List{}})
}

func (t trees) single(r modules.TreeRequest, env string) ([]*state.Low, error) {
	module, fun, ok := strings.Cut(r.Single, ".")
	if !ok {
		return nil, diag.Errorf(diag.Pos{}, "%q is no state function",
			r.Single).WithHint("write MODULE.FUNCTION, for example file.managed")
	}
	body := value.NewList(value.Str(fun))
	for k, v := range r.Args.All() {
		body.Items = append(body.Items, value.DictOf(value.String(k), v))
	}
	return t.s.compileData(value.DictOf(r.Name, value.DictOf(module, body)), env)
}

// text are the low states of an SLS that is in no file, which can refer to no other.
func (t trees) text(ctx context.Context, text, env string) ([]*state.Low, error) {
	if err := t.s.LoadPillar(ctx); err != nil {
		return nil, err
	}
	const name = "<template-str>"
	v, err := t.s.renderer.Data(ctx, "", name, []byte(text), "", env, value.NewDict(0))
	if err != nil {
		return nil, err
	}
	data, ok := v.(*value.Dict)
	if !ok {
		return nil, diag.Errorf(diag.Pos{File: name}, "Template failed to render to a map: it is a %s", v.TypeName())
	}
	for _, key := range []string{"include", "exclude", "extends"} {
		if data.Has(value.Str(key)) {
			return nil, diag.Errorf(diag.Pos{File: name}, "The '%s' declaration found on '%s' is invalid when rendering "+
				"single templates", key, name)
		}
	}
	return t.s.compileData(data, env)
}
