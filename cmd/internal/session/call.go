package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/value"
)

// Call calls an execution function as the command line does, and prints its answer.
func (s *Session) Call(ctx context.Context, fun string, args []value.Value, kwargs *value.Dict) error {
	v, err := s.Answer(ctx, fun, args, kwargs)
	if err != nil {
		return err
	}
	if err := s.print(v, orderOf(fun, len(args))); err != nil {
		s.process.Code = 2 // it was called, and may have changed something
		s.told(err)
	}
	return nil
}

// Answer calls an execution function and gives its answer; the process keeps what it exits with.
func (s *Session) Answer(ctx context.Context, fun string, args []value.Value,
	kwargs *value.Dict) (value.Value, error) {
	if err := s.process.Begin(); err != nil {
		return nil, err
	}
	if !s.keys.Empty() {
		_ = s.LoadPillar(ctx) // what it holds may be in what the function gives; what is wrong with it is for others to tell
	}
	v, err := s.callOn(ctx, fun, args, kwargs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fun, err)
	}
	if s.process.Retcode == 0 && denies(v) {
		s.process.Retcode = 1
	}
	return v, nil
}

// orderOf says from which level on the maps that a function gives keep their order: those of SLS files do.
func orderOf(fun string, args int) int {
	switch {
	case fun == "pillar.items" || fun == "pillar.item" || fun == "pillar.raw" && args == 0:
		return report.OrderBelow
	case strings.HasPrefix(fun, "pillar.") || fun == "state.show_highstate" || fun == "state.show_sls":
		return report.OrderAll
	}
	return report.OrderNone
}

// denies says whether what a function gave is a map that says of itself that it failed.
func denies(v value.Value) bool {
	d, ok := v.(*value.Dict)
	if !ok {
		return false
	}
	for _, key := range []string{"result", "success"} {
		if word, ok := d.GetStr(key); ok && !value.Truth(word) {
			return true
		}
	}
	return false
}

// KnowsExec says that there is no execution function of the name, with the nearest; nil when there is one.
func (s *Session) KnowsExec(name string) error {
	if _, ok := s.registry.Exec(name); ok {
		return nil
	}
	d := diag.Errorf(diag.Pos{}, "unknown execution function %q", name)
	if near := diag.Nearest(name, s.registry.ExecNames()); near != "" {
		return d.WithHint("did you mean %q?", near)
	}
	return d.WithHint("gostate doc lists the functions")
}

// callOn calls the function, in test mode on an overlay: one that only looks answers, one that would write is refused.
func (s *Session) callOn(ctx context.Context, fun string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	if !s.preview() {
		return s.exec().typed(ctx, fun, args, kwargs)
	}
	if spec, _ := s.registry.Exec(fun); spec.Class == modules.Commands {
		return nil, host.ErrPreview
	}
	over := host.NewOverlay(s.machine)
	v, err := execFunctions{s, over}.typed(ctx, fun, args, kwargs)
	if err != nil {
		return nil, err
	}
	if j := over.Journal(); len(j) > 0 {
		return nil, fmt.Errorf("test mode writes nothing, and it would %s %s", j[0].Op, j[0].Path)
	}
	if len(over.Promised()) > 0 {
		return nil, host.ErrPreview
	}
	return v, nil
}
