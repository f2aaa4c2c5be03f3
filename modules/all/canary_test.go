package all

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

const canary = `Canary-'7"-Ztq`

// A coalMine counts what was looked at.
type coalMine struct{ functions, arguments, acts, texts, commands, held int }

// TestCanary gives every argument of every state function a secret: those that are declared secret as they are, all
// others one of the pillar's. It acts on an overlay and on a machine whose commands repeat what they are told, and
// succeed or fail, and looks for the secret in every form of the report, in diagnostics, and, where the argument is
// declared secret, in the arguments of commands.
func TestCanary(t *testing.T) {
	r := modules.Lazy(Sources()...)
	var c coalMine
	for _, name := range r.StateNames() {
		c.functions++
		spec, _ := r.State(name)
		for _, a := range spec.Arguments() {
			if a.Type == "boolean" || a.Type == "integer" || a.Type == "number" || a.Type == "seconds" {
				continue
			}
			c.arguments++
			names := []string{"/d/f"}
			if a.Secret {
				names = []string{"/d/f", "web", "fresh"}
			}
			for _, name := range names {
				c.tries(t, spec, a, name, 0)
				c.tries(t, spec, a, name, 1)
			}
		}
	}
	t.Logf("%+v", c)
	if c.functions < 150 || c.texts < 20000 || c.held < c.texts/10 {
		t.Errorf("that is too few: %+v", c)
	}
}

// tries plays one argument of a function in a preview and in a run.
func (c *coalMine) tries(t *testing.T, spec *modules.StateSpec, a *modules.Argument, name string, code int) {
	t.Helper()
	store := secret.New()
	args := value.NewDict(4)
	for _, other := range spec.Arguments() {
		if other.Required && other.Name != a.Name && other.Name != "name" {
			args.SetStr(other.Name, plausible(other))
		}
	}
	v := holding(a)
	low := &state.Low{ID: "x", Name: name, SLS: "a", Env: "base", Args: args}
	low.Module, low.Func, _ = strings.Cut(spec.Name, ".")
	if args.SetStr(a.Name, v); a.Name == "name" {
		low.ID, low.Name = canary, canary
	}
	if a.Secret && !strings.HasSuffix(a.Name, "private_key") {
		spec.MarkArg(store, a.Name, v)
		if store.Empty() {
			t.Errorf("%s: %s is declared secret and not taken for one", spec.Name, a.Name)
		}
	} else {
		store.MarkText(canary)
	}
	fn, diags := modules.Bind(spec, low)
	c.looks(t, spec.Name+" "+a.Name, store, diagnostics(t, store, diags))
	if fn == nil {
		return
	}
	for _, preview := range []bool{true, false} {
		c.acts++
		m := machine().(*hosttest.Memory)
		m.Script = repeats(code)
		res := act(t, fn, low, m, store, preview)
		if a.Secret {
			c.told(t, spec.Name+" "+a.Name, m.Ran)
		}
		for _, text := range reports(t, store, res) {
			c.looks(t, spec.Name+" "+a.Name, store, text)
		}
		for _, text := range reports(t, nil, res) {
			if strings.Contains(text, "Canary") {
				c.held++ // without a store it would be seen
			}
		}
	}
}

// holding is a value for the argument with the secret in it.
func holding(a *modules.Argument) value.Value {
	switch a.Type {
	case "map":
		return value.DictOf("k", value.Str(canary))
	case "list", "list of text":
		return value.NewList(value.Str(canary))
	}
	return value.Str(canary)
}

// plausible is something that an argument may take.
func plausible(a *modules.Argument) value.Value {
	switch {
	case len(a.Choices) > 0:
		return value.Str(a.Choices[0])
	case a.Type == "map":
		return value.DictOf("web", value.Str("web"))
	case a.Type == "list", a.Type == "list of text":
		return value.NewList(value.Str("web"))
	case a.Type == "integer", a.Type == "number":
		return value.Int(7)
	}
	return value.Str("/d/new")
}

// repeats is a machine's commands, which print all that they are told.
func repeats(code int) func(host.Cmd) (*host.Output, error) {
	return func(c host.Cmd) (*host.Output, error) {
		said := strings.Join(c.Args, " ") + "\n" + string(c.Stdin) + "\n" + strings.Join(c.Env, "\n")
		return &host.Output{Code: code, Stdout: []byte(said), Stderr: []byte("error: " + said +
			base64.StdEncoding.EncodeToString(c.Stdin))}, nil
	}
}

// act is what a run makes of a state.
func act(t *testing.T, fn modules.StateFunc, low *state.Low, m *hosttest.Memory, store *secret.Store,
	preview bool) (res *state.Result) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	res = &state.Result{Low: low, ID: low.ID, Func: low.Func, Ran: true}
	var h host.Host = m
	if preview {
		h = host.NewOverlay(m)
	}
	env := environment(h)
	env.Secrets, env.Low = store, low
	defer func() {
		if p := recover(); p != nil {
			res.Outcome, res.Comment = state.Failed, errors.New("panicked: "+value.String(value.Str(canary))).Error()
		}
	}()
	e, err := fn.Act(ctx, env, h)
	res.Changes, res.Comment, res.Warnings = e.Changes, e.Comment+e.Preview, e.Warnings
	if err != nil {
		res.Outcome, res.Comment = state.Failed, res.Comment+err.Error()
	}
	return res
}

// reports are all forms of a report of one result.
func reports(t *testing.T, store *secret.Store, res *state.Result) (out []string) {
	t.Helper()
	o := report.Options{Verbose: true, Secrets: store, YAML: func(v value.Value, _ report.Options) ([]byte, error) {
		text, err := yaml.Encode(v, yaml.EncodeOptions{})
		return []byte(text), err
	}}
	rep := &run.Report{Results: []*state.Result{res}}
	for _, form := range [][2]string{{"highstate", "full"}, {"highstate", "terse"}, {"json", ""}, {"yaml", ""}} {
		var b bytes.Buffer
		o.Format, o.StateOutput = form[0], form[1]
		if err := report.Write(&b, rep, o); err != nil {
			t.Error(err)
		}
		out = append(out, b.String())
	}
	return out
}

func diagnostics(t *testing.T, store *secret.Store, diags []*diag.Diagnostic) string {
	t.Helper()
	var b bytes.Buffer
	for _, json := range []bool{true, false} {
		if err := report.WriteDiagnostics(&b, &diag.List{All: diags}, report.DiagnosticOptions{JSON: json,
			Secrets: store}); err != nil {
			t.Error(err)
		}
	}
	return b.String()
}

// looks finds the secret in a text.
func (c *coalMine) looks(t *testing.T, what string, store *secret.Store, text string) {
	t.Helper()
	c.texts++
	enc := base64.StdEncoding.EncodeToString([]byte(canary))[:16]
	for _, trace := range []string{"Canary", "-Ztq", enc} {
		if i := strings.Index(text, trace); i >= 0 {
			t.Errorf("%s: it is shown: ...%q...", what, text[max(0, i-60):min(len(text), i+60)])
			return
		}
	}
}

// told finds the secret in the arguments of commands.
func (c *coalMine) told(t *testing.T, what string, ran []host.Cmd) {
	t.Helper()
	for _, cmd := range ran {
		c.commands++
		if strings.Contains(strings.Join(cmd.Args, " "), "Canary") {
			t.Errorf("%s: it is an argument of %q", what, cmd.Args)
		}
	}
}
