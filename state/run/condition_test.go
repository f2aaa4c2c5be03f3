package run_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

func commands(texts ...string) []state.Condition {
	var out []state.Condition
	for _, t := range texts {
		out = append(out, state.Condition{Command: t})
	}
	return out
}

// functions answer calls of conditions.
type functions map[string]value.Value

func (f functions) Has(name string) bool { _, ok := f[name]; return ok }

func (f functions) Call(_ context.Context, name string, _ []value.Value, _ *value.Dict) (value.Value, error) {
	if f[name] == nil {
		return nil, errors.New("no answer")
	}
	return f[name], nil
}

func TestConditions(t *testing.T) {
	t.Setenv("SHELL", "/bin/false") // which is not asked
	dir := t.TempDir()
	here, missing := filepath.Join(dir, "here"), filepath.Join(dir, "missing")
	if err := os.WriteFile(here, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	exec := functions{"is.true": value.Bool(true), "is.false": value.Bool(false), "is.broken": nil,
		"is.map": value.DictOf("a", value.DictOf("b", value.NewList(value.Int(0), value.Int(7))))}
	call := func(fun, path string) []state.Condition { return []state.Condition{{Fun: fun, GetReturn: path}} }
	const ran = "s null called: would act"
	for _, c := range []struct {
		name string
		opts state.Options
		want string
	}{
		{"onlyif that holds", state.Options{Onlyif: commands("true")}, ran},
		{"onlyif of which one fails", state.Options{Onlyif: commands("true", "false")},
			"s true conditional: onlyif condition is false"},
		{"onlyif that cannot be run", state.Options{Onlyif: commands("true"), Cwd: missing},
			"s true conditional: onlyif condition is false"},
		{"onlyif that is empty", state.Options{HasOnlyif: true},
			"s false called: onlyif is an empty list: it can neither hold nor fail"},
		{"unless that fails", state.Options{Unless: commands("false")}, ran},
		{"unless of which one fails", state.Options{Unless: commands("true", "false")}, ran},
		{"unless that holds", state.Options{Unless: commands("true", "true")},
			"s true conditional: unless condition is true"},
		{"creates that is there", state.Options{Creates: []string{here}}, "s true conditional: " + here + " exists"},
		{"creates of which one is not there", state.Options{Creates: []string{here, missing}}, ran},
		{"creates that are there", state.Options{Creates: []string{here, dir}},
			"s true conditional: All files in creates exist"},
		{"the environment of commands", state.Options{Onlyif: commands("test $A = 1 && test $(pwd) = " + dir),
			Env: []string{"A=1"}, Cwd: dir}, ran},
		{"a command that takes too long", state.Options{Onlyif: commands("sleep 5"), Timeout: 20 * time.Millisecond},
			"s true conditional: onlyif condition is false"},
		{"a call that is true", state.Options{Onlyif: call("is.true", "")}, ran},
		{"a call that is false", state.Options{Onlyif: call("is.false", "")},
			"s true conditional: onlyif condition is false"},
		{"a call's part that is true", state.Options{Onlyif: call("is.map", "a:b:1")}, ran},
		{"a call's part that is not there", state.Options{Onlyif: call("is.map", "a:c")},
			"s true conditional: onlyif condition is false"},
		{"a call of what is not there", state.Options{Unless: call("is.not", "")},
			"s false called: unless: the function is.not is not available"},
		{"a call that fails", state.Options{Unless: call("is.broken", "")}, "s false called: unless: is.broken: no answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rep := runSteps(t, run.Config{Preview: true, Host: machine(t), Exec: exec},
				step{id: "s", fn: acting(), opts: c.opts})
			if d := cmp.Diff([]string{c.want}, brief(rep, true)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestConditionCannotTell: what a pending state may bring is not missed.
func TestConditionCannotTell(t *testing.T) {
	for _, c := range []struct {
		opts state.Options
		want string
	}{
		{state.Options{Onlyif: commands("no-such-command -t")},
			"s null called: cannot tell until fake.fun a is applied: onlyif: the command of the condition is not there"},
		{state.Options{Unless: commands("no-such-command -t")}, "s null called: would act"},
		{state.Options{Onlyif: commands("false")}, "s true conditional: onlyif condition is false"},
	} {
		rep := runSteps(t, run.Config{Preview: true, Host: machine(t)}, step{id: "a", fn: changing()},
			step{id: "s", fn: acting(), opts: c.opts, reqs: need(state.Require, state.All, "a")})
		if d := cmp.Diff(c.want, brief(rep, true)[1]); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

// ownCheck has a check_cmd of its own.
type ownCheck struct {
	fake
	CheckCmd string `arg:"check_cmd"`
}

func TestCheckCmd(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	for _, c := range []struct {
		name string
		fn   step
		want string
	}{
		{"succeeds", step{id: "s", fn: failing(), opts: state.Options{CheckCmd: commands("true")}},
			"s true called: check_cmd determined the state succeeded"},
		{"fails", step{id: "s", fn: &fake{}, opts: state.Options{CheckCmd: commands("true", "false")}},
			"s false called: check_cmd determined the state failed"},
		{"is the function's own", step{id: "s", fn: &ownCheck{}, opts: state.Options{CheckCmd: commands("false")}},
			"s true called: "},
		{"after a condition", step{id: "s", fn: acting(), opts: state.Options{Unless: commands("true"),
			CheckCmd: commands("false")}}, "s false conditional: check_cmd determined the state failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rep := runSteps(t, run.Config{Host: machine(t)}, c.fn)
			if d := cmp.Diff([]string{c.want}, brief(rep, true)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	rep := runSteps(t, run.Config{Host: machine(t), Preview: true},
		step{id: "s", fn: &fake{}, opts: state.Options{CheckCmd: commands("touch " + mark)}})
	if _, err := os.Stat(mark); err == nil || rep.Results[0].Outcome != state.Succeeded {
		t.Error("a preview ran check_cmd")
	}
}

// TestPreviewWritesNothing: what touches files is applied to the overlay, the rest only promises.
func TestPreviewWritesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	reader := &fake{check: func(_ int, h host.Reader) (forecast, error) {
		if _, err := h.Stat(path); err != nil {
			return forecast{}, err
		}
		f, ok := h.Fact(host.FactUser, "www")
		return forecast{Comment: "sees " + f.Value}, map[bool]error{false: errors.New("no promise")}[ok]
	}}
	promiser := &fake{check: func(int, host.Reader) (forecast, error) {
		return forecast{Pending: true, Effects: []host.Fact{{Kind: host.FactUser, Name: "www", Value: "present"}}}, nil
	}}
	rep := runSteps(t, run.Config{Host: machine(t), Preview: true}, step{id: "w", fn: &writer{path}},
		step{id: "p", fn: promiser}, step{id: "r", fn: reader})
	if d := cmp.Diff([]string{"w null called changed: ", "p null called: ", "r true called: sees present"},
		brief(rep, true)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if promiser.m != 0 {
		t.Error("the preview applied what is not only files")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the preview wrote to the machine")
	}
}

// A writer works on files alone, so that what it does can be had on an overlay.
type writer struct{ path string }

func (w *writer) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if _, err := h.Stat(w.path); err == nil {
		return state.Settled(""), nil
	}
	return state.Effect{Changes: done()}, h.Mkdir(w.path, host.KeepAttr())
}
