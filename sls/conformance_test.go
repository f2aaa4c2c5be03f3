package sls

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
)

// yamlOnly renders SLS files that are plain YAML.
func yamlOnly(r *roots.Roots) Renderer {
	return RenderFunc(func(_ context.Context, f *roots.File, _ string) (*Document, error) {
		text, err := r.Read(f)
		if err != nil {
			return nil, err
		}
		v, err := yaml.Decode(f.Abs, text)
		if err != nil {
			return nil, err
		}
		return &Document{Data: v, At: func(m value.Mark) diag.Pos {
			return diag.Pos{File: f.Abs, Line: int(m.Line),
				Col: int(m.Col)}
		}}, nil
	})
}

// tree lays files out in a temporary root.
func tree(t testing.TB, files map[string]string) Config {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := roots.New([]roots.EnvDirs{{Env: "base", Dirs: []string{dir}}})
	return Config{Finder: r, Renderer: yamlOnly(r)}
}

type recorded struct {
	Case, Class, Cmd string
	Files            map[string]string
	Lowstate, Run    [][]any
	Errors           []string
	Cycle            struct {
		States [][]string
		Edges  [][2]int
	}
	Missing []string
}

// compile runs the whole way from files to plan, as far as it goes.
func compile(t testing.TB, cfg Config, names ...string) (low []*state.Low, plan *requisite.Plan, compileErr, planErr *diag.List) {
	t.Helper()
	var reqs []Request
	for _, n := range names {
		reqs = append(reqs, Request{Env: "base", SLS: n})
	}
	high, diags := Load(context.Background(), cfg, reqs)
	low, more := state.Compile(high, state.CompileOptions{})
	diags.Add(more.All...)
	plan, planErr = requisite.Resolve(low, requisite.Options{HasModWatch: func(m string) bool {
		return m == "test" ||
			m == "cmd"
	}})
	return low, plan, diags, planErr
}

func TestRandomTrees(t *testing.T) {
	f, err := os.Open("../testdata/conformance/states/random.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	classes := map[string]int{}
	for lines.Scan() {
		var c recorded
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		classes[c.Class]++
		t.Run(c.Case, func(t *testing.T) { checkRecorded(t, &c) })
	}
	t.Log(classes)
}

// asked are the SLS that the command names, or those of the top file.
func (c *recorded) asked(t *testing.T) []string {
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

func checkRecorded(t *testing.T, c *recorded) {
	low, plan, compileErr, planErr := compile(t, tree(t, c.Files), c.asked(t)...)
	switch c.Class {
	case "compile":
		if !compileErr.HasErrors() {
			t.Errorf("compiles, Salt says %q", c.Errors)
		}
		return
	case "missing":
		if !compileErr.HasErrors() && !planErr.HasErrors() {
			t.Fatalf("no error, missing is %q", c.Missing)
		}
		text := compileErr.Error() + planErr.Error()
		for _, m := range c.Missing {
			if strings.Contains(text, m) {
				return
			}
		}
		t.Errorf("missing %q is not named in: %s", c.Missing, text)
		return
	case "cycle":
		if !planErr.HasErrors() {
			t.Fatalf("no error, cycle is %v", c.Cycle.States)
		}
		var named []int
		for i, s := range c.Cycle.States {
			if names(s[0], planErr.Error()) || names(s[1], planErr.Error()) {
				named = append(named, i)
			}
		}
		if !cyclic(named, c.Cycle.Edges) {
			t.Errorf("names no cycle of %v %v: %s", c.Cycle.States, c.Cycle.Edges, planErr.Error())
		}
		return
	}
	if compileErr.HasErrors() || planErr.HasErrors() {
		t.Fatalf("errors: %v %v", compileErr.Err(), planErr.Err())
	}
	for i, l := range low {
		want := ""
		if i < len(c.Lowstate) {
			want = fmt.Sprint(c.Lowstate[i][0], " ", c.Lowstate[i][1], " ", c.Lowstate[i][2], " ", c.Lowstate[i][3])
		}
		if got := fmt.Sprint(l.Module, " ", l.ID, " ", l.Name, " ", l.Func); got != want {
			t.Fatalf("low state %d is %s, want %s", i, got, want)
		}
		if o := c.Lowstate[i][4].(float64); o-l.Order > 1e-6 || l.Order-o > 1e-6 {
			t.Errorf("order of %s is %v, want %v", want, l.Order, o)
		}
	}
	if len(low) != len(c.Lowstate) {
		t.Fatalf("%d low states, want %d", len(low), len(c.Lowstate))
	}
	checkOrder(t, c, plan)
	checkListeners(t, c, plan)
}

// checkListeners compares the listeners that were called with their order in the plan.
func checkListeners(t *testing.T, c *recorded, plan *requisite.Plan) {
	changed := map[string]bool{}
	var want []string
	for _, r := range c.Run {
		if tag := fmt.Sprint(r[0], " ", r[1], " ", r[2]); r[7] == "listen" {
			want = append(want, tag)
		} else {
			changed[tag] = r[5] == true
		}
	}
	var got []string
	for _, l := range plan.Listens {
		tag := l.Low.Module + " listener_" + l.Low.ID + " " + l.Low.Name
		for to := range plan.States(l.Targets) {
			if changed[to.Module+" "+to.ID+" "+to.Name] && !slices.Contains(got, tag) {
				got = append(got, tag)
			}
		}
	}
	if len(want) > 0 && len(want) < len(got) {
		got = got[:len(want)] // failhard ends the listeners, too
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("listeners (-want +got):\n%s", diff)
	}
}

// checkOrder compares the run: listeners come at its end, and failhard ends it early. A preview ends a state that its
// recorded result says was held back.
func checkOrder(t *testing.T, c *recorded, plan *requisite.Plan) {
	how, failed := map[string]string{}, map[string]bool{}
	for _, r := range c.Run {
		tag := fmt.Sprint(r[0], " ", r[1], " ", r[2])
		how[tag], failed[tag] = r[7].(string), r[4] == false
	}
	// heldBack says whether the state's own requisites failed it, rather than a state that has it as prereq.
	heldBack := func(i int32) bool {
		for _, g := range plan.Groups[i] {
			all, some := true, false
			for l := range plan.States(g.Targets) {
				f := failed[l.Module+" "+l.ID+" "+l.Name]
				all, some = all && f, some || f
			}
			if g.Kind != state.Onfail && (g.Mode == state.All && some || g.Mode == state.Any && all) {
				return true
			}
		}
		return false
	}
	var got []string
	steps := plan.Steps()
	for {
		s, ok := steps.Next()
		if !ok {
			break
		}
		l := plan.Low[s.State]
		tag := l.Module + " " + l.ID + " " + l.Name
		if s.Early {
			if h := how[tag]; h != "prereq" && !(h == "reqfail" && heldBack(s.State)) {
				continue
			}
			steps.Finish(s.State)
		}
		if s.Preview {
			h := how[tag]
			if !s.Fresh || h != "prereq" && h != "onchanges" && h != "onfail" && !(h == "reqfail" && heldBack(s.State)) {
				continue
			}
			steps.Finish(s.State)
		}
		got = append(got, tag)
	}
	if len(got) != len(plan.Low) {
		t.Fatalf("%d of %d states run", len(got), len(plan.Low))
	}
	for i, r := range c.Run {
		if r[7] == "listen" || i >= len(got) {
			return
		}
		if want := fmt.Sprint(r[0], " ", r[1], " ", r[2]); got[i] != want {
			t.Fatalf("run %d is %s, want %s", i, got[i], want)
		}
	}
}

func names(word, text string) bool {
	ok, _ := regexp.MatchString(`(^|[^\w-])`+regexp.QuoteMeta(word)+`($|[^\w-])`, text)
	return ok
}

func cyclic(nodes []int, edges [][2]int) bool {
	in := map[int]bool{}
	for _, n := range nodes {
		in[n] = true
	}
	for {
		removed := false
		for n := range in {
			waits := false
			for _, e := range edges {
				waits = waits || e[0] == n && in[e[1]]
			}
			if !waits {
				delete(in, n)
				removed = true
			}
		}
		if !removed {
			return len(in) > 0
		}
	}
}
