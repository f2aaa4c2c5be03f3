package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// fakeFiles is a file server in memory: salt:// paths and their text.
type fakeFiles map[string]string

func (f fakeFiles) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	if t, ok := f[source]; ok {
		return []byte(t), nil
	}
	return nil, fmt.Errorf("source '%s': %w", source, fs.ErrNotExist)
}

func (f fakeFiles) Exists(source, _ string) (file, dir bool) {
	_, file = f[source]
	for k := range f {
		dir = dir || strings.HasPrefix(k, strings.TrimRight(source, "/")+"/")
	}
	return file, dir && !file
}

func (f fakeFiles) List(source, _ string) ([]modules.SourceFile, error) {
	var out []modules.SourceFile
	for _, k := range sortedKeys(f) {
		if rel, ok := strings.CutPrefix(k, strings.TrimRight(source, "/")+"/"); ok {
			out = append(out, modules.SourceFile{Path: rel, Mode: 0o644})
		}
	}
	return out, nil
}

func (f fakeFiles) Hash(ctx context.Context, source, env string) (string, error) {
	b, err := f.Fetch(ctx, source, env)
	if err != nil {
		return "", err
	}
	return hashBytes(b, "sha256")
}

func (f fakeFiles) Mode(string, string) (uint32, error) { return 0o750, nil }

func sortedKeys(f fakeFiles) []string {
	var out []string
	for k := range f {
		out = append(out, k)
	}
	for i := range out {
		for j := i + 1; j < len(out); j++ {
			if out[j] < out[i] {
				out[i], out[j] = out[j], out[i]
			}
		}
	}
	return out
}

// fakeTemplates replaces {{ NAME }} by the variable; it counts, so that {{ count }} differs every time.
type fakeTemplates struct{ n int }

func (t *fakeTemplates) Render(_ context.Context, engine, _ string, text []byte, _, _ string,
	vars *value.Dict) ([]byte, error) {
	if engine != "jinja" {
		return nil, errors.New("Specified template format " + engine + " is not supported")
	}
	t.n++
	out := strings.ReplaceAll(string(text), "{{ count }}", fmt.Sprint(t.n))
	for k, v := range vars.All() {
		out = strings.ReplaceAll(out, "{{ "+value.String(k)+" }}", value.String(v))
	}
	return []byte(out), nil
}

// world is a machine and what a state function may know of its run.
type world struct {
	t   *testing.T
	h   *hosttest.Memory
	env *modules.Env
}

func newWorld(t *testing.T) *world {
	t.Helper()
	h := hosttest.NewMemory()
	h.AddUser("joe", 1000)
	h.MustMkdir("/d")
	h.ClearJournal()
	return &world{t, h, newEnv()}
}

func newEnv() *modules.Env {
	pillar := value.DictOf("motd", value.Str("from pillar"), "list", value.NewList(value.Str("a"), value.Str("b")))
	return &modules.Env{
		Files: fakeFiles{"salt://f": "source\n", "salt://t": "hello {{ who }} {{ name }}\n",
			"salt://count": "{{ count }}\n"},
		Templates: &fakeTemplates{}, Cache: modules.NewCache(), Progress: func(string) {},
		Pillar: func(p string) (value.Value, bool) { return value.Lookup(pillar, p, ":") },
		Grains: func(string) (value.Value, bool) { return nil, false },
		Opts:   func(string) (value.Value, bool) { return nil, false },
	}
}

// bind makes the state function from arguments: name, value, name, value...
func (w *world) bind(fun, name string, args ...any) modules.StateFunc {
	w.t.Helper()
	module, function, _ := strings.Cut(fun, ".")
	low := &state.Low{ID: name, Name: name, Module: module, Func: function, SLS: "a", Env: "base", Args: dict(args...)}
	reg, err := modules.New(Family())
	if err != nil {
		w.t.Fatal(err)
	}
	spec, d := reg.Lookup(module, function)
	if d != nil {
		w.t.Fatal(d)
	}
	fn, diags := modules.Bind(spec, low)
	for _, d := range diags {
		if d.Severity == 0 {
			w.t.Fatal(d)
		}
	}
	w.env.Low = low
	return fn
}

// dict makes a dict of Go values.
func dict(pairs ...any) *value.Dict {
	d := value.NewDict(len(pairs) / 2)
	for i := 0; i+1 < len(pairs); i += 2 {
		d.SetStr(pairs[i].(string), val(pairs[i+1]))
	}
	return d
}

func val(v any) value.Value {
	switch v := v.(type) {
	case string:
		return value.Str(v)
	case int:
		return value.Int(v)
	case bool:
		return value.Bool(v)
	case []string:
		return modules.TextList(v)
	case value.Value:
		return v
	}
	panic(fmt.Sprintf("no value of %T", v))
}

// outcome is what a state did, for comparison.
type outcome struct {
	Foretold, Changes, Comment, Err string
}

// run previews, applies, and checks that nothing is left to do. The preview must not write.
func (w *world) run(fun, name string, args ...any) outcome {
	w.t.Helper()
	fn := w.bind(fun, name, args...)
	w.env.Kept = modules.NewCache()
	w.h.ClearJournal()
	f, err := modtest.Of(fn).Check(w.t.Context(), w.env, w.h)
	if j := w.h.Journal(); len(j) > 0 {
		w.t.Errorf("the check of %s wrote: %v", fun, j)
	}
	o := outcome{Foretold: repr(f.Changes), Comment: f.Comment}
	if err != nil || !f.Pending {
		o.Err = errText(err)
		return o
	}
	a, err := modtest.Of(fn).Apply(w.t.Context(), w.env, w.h, f)
	o.Changes, o.Comment, o.Err = repr(a.Changes), a.Comment, errText(err)
	if err == nil && !f.Action {
		if again, err := modtest.Of(fn).Check(w.t.Context(), w.env, w.h); err != nil || again.Pending {
			w.t.Errorf("%s did not converge: %v, %v", fun, repr(again.Changes), err)
		}
	}
	return o
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func repr(d *value.Dict) string {
	if d == nil {
		return "{}"
	}
	return value.Repr(d)
}

func (w *world) want(got, want outcome) {
	w.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("(-want +got):\n%s", diff)
	}
}

func (w *world) holds(name, text string, mode uint32) {
	w.t.Helper()
	raw, err := w.h.ReadFile(name)
	if err != nil {
		w.t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(text, string(raw)); diff != "" {
		w.t.Errorf("%s (-want +got):\n%s", name, diff)
	}
	if i, _ := w.h.Stat(name); mode != 0 && i.Perm() != mode {
		w.t.Errorf("%s has mode %o, want %o", name, i.Perm(), mode)
	}
}
