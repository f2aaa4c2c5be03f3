package run_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/cmd"
	testmod "github.com/gostate/gostate/modules/test"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/sls"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// A recorded tree is one line of random.jsonl: what Salt made of a tree of SLS files.
type recorded struct {
	Case, Class, Cmd string
	Files            map[string]string
	Run              [][]any
	Features         []string
}

func recordedTrees(t testing.TB) []*recorded {
	t.Helper()
	f, err := os.Open("../../testdata/conformance/states/random.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []*recorded
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := &recorded{}
		if err := json.Unmarshal(lines.Bytes(), c); err != nil {
			t.Fatal(err)
		}
		if c.Class == "valid" || c.Class == "failing" {
			out = append(out, c)
		}
	}
	return out
}

// plan compiles the tree and binds its states.
func (c *recorded) plan(t testing.TB) (*requisite.Plan, []modules.StateFunc) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range c.Files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := roots.New([]roots.EnvDirs{{Env: "base", Dirs: []string{dir}}})
	render := sls.RenderFunc(func(_ context.Context, f *roots.File, _ string) (*sls.Document, error) {
		text, err := r.Read(f)
		if err != nil {
			return nil, err
		}
		v, err := yaml.Decode(f.Abs, text)
		if err != nil {
			return nil, err
		}
		return &sls.Document{Data: v, At: func(m value.Mark) diag.Pos {
			return diag.Pos{File: f.Abs, Line: int(m.Line),
				Col: int(m.Col)}
		}}, nil
	})
	var reqs []sls.Request
	for _, n := range c.asked(t) {
		reqs = append(reqs, sls.Request{Env: "base", SLS: n})
	}
	high, diags := sls.Load(context.Background(), sls.Config{Finder: r, Renderer: render}, reqs)
	low, more := state.Compile(high, state.CompileOptions{})
	diags.Add(more.All...)
	if diags.HasErrors() {
		t.Fatalf("does not compile: %v", diags)
	}
	plan, bad := requisite.Resolve(low, requisite.Options{HasModWatch: func(m string) bool {
		return m == "test" ||
			m == "cmd"
	}})
	if bad.HasErrors() {
		t.Fatalf("does not resolve: %v", bad)
	}
	return plan, bind(t, low)
}

// asked are the SLS that the command names, or those of the top file.
func (c *recorded) asked(t testing.TB) []string {
	if c.Cmd != "highstate" {
		return strings.Fields(c.Cmd)[1:]
	}
	var out []string
	top, err := yaml.Decode("top.sls", []byte(c.Files["top.sls"]))
	if err != nil {
		t.Fatal(err)
	}
	base, _ := top.(*value.Dict).GetStr("base")
	for target, list := range base.(*value.Dict).All() {
		if !fnmatch.Match(value.String(target), "oracle") {
			continue
		}
		for _, it := range list.(*value.List).Items {
			if s, ok := it.(value.Str); ok {
				out = append(out, string(s))
			}
		}
	}
	return out
}

func bind(t testing.TB, low []*state.Low) []modules.StateFunc {
	t.Helper()
	reg, err := modules.New(testmod.Family(), cmd.Family())
	if err != nil {
		t.Fatal(err)
	}
	bound := make([]modules.StateFunc, len(low))
	for i, l := range low {
		spec, bad := reg.Lookup(l.Module, l.Func)
		if bad != nil {
			t.Fatal(bad)
		}
		fn, diags := modules.Bind(spec, l)
		if fn == nil {
			t.Fatal(diags)
		}
		bound[i] = fn
	}
	return bound
}

func machine(t testing.TB) host.Host {
	t.Helper()
	h, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func noEnv(low *state.Low) *modules.Env { return &modules.Env{Low: low} }

// shown are the results: tag, result, whether it changed something, whether it ran.
func shown(results []*state.Result) []string {
	var out []string
	for _, r := range results {
		result := map[state.Outcome]string{state.Succeeded: "true", state.Failed: "false", state.Pending: "null"}[r.Outcome]
		changes, ran := "unchanged", "ran"
		if r.Changed() {
			changes = "changed"
		}
		if !r.Ran {
			ran = "skipped"
		}
		out = append(out, fmt.Sprintf("%s %s %s %s", r.Tag(), result, changes, ran))
	}
	return out
}

// want is the recorded run in the same words; a preview has null where the run changed something.
func (c *recorded) want(preview bool) []string {
	var out []string
	for _, e := range c.Run {
		result, _ := json.Marshal(e[4])
		changes, ran := "unchanged", "ran"
		if e[5].(bool) {
			changes = "changed"
		}
		if !e[6].(bool) {
			ran = "skipped"
		}
		if preview && e[5].(bool) {
			result = []byte("null")
		}
		if h := e[7]; h == "reqfail" || h == "prereq" || h == "missing" || h == "recursive" {
			ran = "*"
		}
		out = append(out, fmt.Sprintf("%v_|-%v_|-%v_|-%v %s %s %s", e[0], e[1], e[2], e[3], result, changes, ran))
	}
	return out
}

// foretold says whether a preview of the tree can know what the run does.
func (c *recorded) foretold() bool {
	if c.Class != "valid" {
		return false
	}
	for _, f := range c.Features {
		if strings.HasPrefix(f, "quirk") {
			return false
		}
	}
	for _, text := range c.Files {
		if strings.Contains(text, "stateful") {
			return false
		}
	}
	return true
}

// withoutChanges drops the word of the changes, which a preview of a command cannot have.
func withoutChanges(lines []string) []string {
	out := slices.Clone(lines)
	for i, l := range out {
		out[i] = strings.NewReplacer(" unchanged ", " ", " changed ", " ").Replace(l)
	}
	return out
}

func diffLines(want, got []string) string {
	var b bytes.Buffer
	for i := range max(len(want), len(got)) {
		var w, g string
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if strings.HasSuffix(w, " *") && i < len(got) { // whether it ran is not compared
			g = g[:strings.LastIndexByte(g, ' ')] + " *"
		}
		if w != g {
			fmt.Fprintf(&b, "%3d -%s\n    +%s\n", i, w, g)
		}
	}
	return b.String()
}

func TestRandomTrees(t *testing.T) {
	h := machine(t)
	for _, c := range recordedTrees(t) {
		t.Run(c.Case, func(t *testing.T) {
			plan, bound := c.plan(t)
			rep := run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: h, Env: noEnv})
			if d := diffLines(c.want(false), shown(rep.Results)); d != "" {
				t.Errorf("run (-want +got):\n%s", d)
			}
			if !c.foretold() {
				return
			}
			o := host.NewOverlay(h)
			rep = run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: o, Env: noEnv, Preview: true})
			if d := diffLines(withoutChanges(c.want(true)), withoutChanges(shown(rep.Results))); d != "" {
				t.Errorf("preview (-want +got):\n%s", d)
			}
			if j := o.Journal(); len(j) > 0 {
				t.Errorf("the preview wrote %v", j)
			}
		})
	}
}
