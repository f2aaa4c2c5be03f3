package operate

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/cmd/internal/agent"
)

const list = `nodes:
  ok1: {env: prod, labels: {role: web}}
  new1: {env: prod}
  bad1: {env: prod}
  compile1: {env: prod}
  refused1: {env: prod}
  paused1: {env: prod}
  silent1: {env: prod}
  never1: {env: prod}
  damaged1: {env: prod}
  ahead1: {env: prod}
`

// all is a fleet with a machine of every sort.
func all(t *testing.T) *world {
	w := newWorld(t, list)
	status := func(s agent.Status) func(*agent.Report) { return func(r *agent.Report) { r.Status = s } }
	w.reports("ok1", time.Hour, status(agent.Failed)) // which is over
	w.reports("ok1", 10*time.Minute, nil)
	w.reports("new1", time.Minute, func(r *agent.Report) {
		r.Applied.Counts.Changed = 2
		r.Newest, r.Applied.Sequence = 6,
			6
	})
	w.reports("bad1", time.Minute, func(r *agent.Report) {
		r.Status, r.Applied.Exit, r.Applied.Counts.Failed = agent.Failed, 2, 1
	})
	w.reports("compile1", time.Minute, func(r *agent.Report) {
		r.Status, r.Newest, r.Applied.LastGood = agent.CompileError, 6, true
	})
	w.reports("refused1", time.Minute, func(r *agent.Report) {
		r.Status = agent.Refused
		r.Problems = []agent.Problem{{Kind: "bad_signature", Message: "the release is refused: \x1b[2Jnobody"}}
	})
	w.reports("paused1", time.Minute, func(r *agent.Report) { r.Status, r.Applied = agent.Paused, nil })
	w.reports("silent1", 3*time.Hour+time.Minute, status(agent.Failed))
	w.put("damaged1", "20261122T110000.000Z-x", []byte("{"), noon)
	w.put("damaged1", "20261122T110001.000Z-x", []byte(`{"format": 1, "node": "ok1", "run": "20261122T110001.000Z-x"}`),
		noon)
	// A machine whose clock is a year ahead has not reported for a day.
	r := w.reports("ahead1", 24*time.Hour, func(r *agent.Report) { r.Started = noon.AddDate(1, 0, 0) })
	data, _ := json.Marshal(r)
	w.put("ahead1", r.Run, data, noon.Add(-24*time.Hour))
	w.reports("stranger", time.Minute, nil)
	return w
}

// TestClasses: every machine is in exactly one class, and the counts are those of the classes.
func TestClasses(t *testing.T) {
	f := all(t).look()
	got := map[string]Class{}
	for _, m := range f.Machines {
		got[m.ID] = m.Class
	}
	want := map[string]Class{"ok1": Unchanged, "new1": Changed, "bad1": Failed, "compile1": CompileError,
		"refused1": NoRelease, "paused1": Paused, "silent1": Unreported, "never1": Unreported, "damaged1": Unreported,
		"ahead1": Unreported, "stranger": Unchanged}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	s := f.Status()
	sum := 0
	for _, n := range s.Counts {
		sum += n
	}
	if sum != len(want) || s.Machines != len(want) || !s.Bad() {
		t.Errorf("%d machines are counted, of %d", sum, s.Machines)
	}
	text := `11 machines
     1 failed        bad1
     1 compile error compile1
     1 no release    refused1
     4 unreported    silent1 (last seen 3 h ago), never1 (never seen), damaged1 (none of its reports can be read), ahead1 (last seen 24 h ago)
     1 paused        paused1
     1 changed
     2 unchanged
prod: release 6: 1 of 11 run it, 7 run 5, of 3 it is not known
1 machine, not in nodes.yaml: stranger
`
	if d := cmp.Diff(text, s.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	table := f.Table(f.Machines)
	if strings.Contains(table, "\x1b") {
		t.Errorf("a report steers the terminal: %q", table)
	}
	for _, line := range []string{
		"bad1      failed         release 5, 1 failed, 60 s ago",
		"compile1  compile error  release 5 in the place of 6, 60 s ago",
		"silent1   unreported     no answer, last seen 3 h ago, before that failed, release 5",
		"never1    unreported     no answer, never seen",
		"damaged1  unreported     no answer, none of its reports can be read",
	} {
		if !strings.Contains(table, line+"\n") {
			t.Errorf("no line %q in\n%s", line, table)
		}
	}
}

// TestWithoutList: without nodes.yaml the machines are those that reported, and that is said.
func TestWithoutList(t *testing.T) {
	w := newWorld(t, "nodes: {}")
	w.reports("ok1", time.Minute, nil)
	t.Chdir(t.TempDir())
	f, err := Ask{Reports: w.dir, Since: time.Hour, Now: noon}.Look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if text := f.Status().String(); !strings.Contains(text, "There is no nodes.yaml") ||
		strings.Contains(text, "not in nodes.yaml") {
		t.Error(text)
	}
	if _, err := (Ask{Reports: w.dir, Nodes: "nope.yaml", Now: noon}).Look(t.Context()); err == nil {
		t.Error("a list that there is not was read")
	}
}

func TestSelect(t *testing.T) {
	f := all(t).look()
	for target, want := range map[string]string{
		"":                            "ok1 new1 bad1 compile1 refused1 paused1 silent1 never1 damaged1 ahead1 stranger",
		"ok1":                         "ok1",
		"*1 and not P@os:Debian":      "never1 damaged1",
		"G@role:web or L@bad1,never1": "ok1 bad1 never1",
		"prod":                        "ok1 new1 bad1 compile1 refused1 paused1 silent1 never1 damaged1 ahead1",
	} {
		got, err := f.Select(target)
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		var ids []string
		for _, m := range got {
			ids = append(ids, m.ID)
		}
		if d := cmp.Diff(want, strings.Join(ids, " ")); d != "" {
			t.Errorf("%s (-want +got)\n%s", target, d)
		}
	}
	for _, bad := range []string{"web9", "G@os:Plan9", "(", "ok1 and"} {
		if got, err := f.Select(bad); err == nil {
			t.Errorf("%s gives %d machines", bad, len(got))
		}
	}
}

// TestRead: a run may be named by how it begins; what there is not is told with what there is.
func TestRead(t *testing.T) {
	w := all(t)
	ctx := t.Context()
	e, err := Read(ctx, w.dir, "ok1", "")
	if err != nil || e.Report.Status != agent.OK {
		t.Fatal(e, err)
	}
	if e, err = Read(ctx, w.dir, "ok1", "20261122T1100"); err != nil || e.Report.Status != agent.Failed {
		t.Fatal(e, err)
	}
	for _, c := range []struct{ node, run, want string }{
		{"web9", "", `no report of "web9"`},
		{"../ok1", "", `no report of "../ok1"`},
		{"ok1", "nope", `ok1 has no run "nope"`},
		{"ok1", "../../x", `ok1 has no run`},
		{"damaged1", "20261122T110000.000Z-x", "cannot be read: it is no report"},
		{"damaged1", "", `it says that it is of "ok1"`},
	} {
		if _, err := Read(ctx, w.dir, c.node, c.run); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.node, c.run, err, c.want)
		}
	}
}

func TestDiff(t *testing.T) {
	w := newWorld(t, "nodes: {}")
	a := w.reports("web1", time.Hour, func(r *agent.Report) {
		r.Applied.States = []json.RawMessage{state("file_|-x_|-x_|-managed", "File updated", `{"mode": "0644"}`, true),
			state("cmd_|-gone_|-gone_|-run", "", `{"a": 1}`, true), state("cmd_|-same_|-same_|-run", "no", `{}`, false)}
	})
	b := w.reports("web1", time.Minute, func(r *agent.Report) {
		r.Status, r.Applied.Exit = agent.Failed, 2
		r.Applied.Counts = agent.Counts{Total: 3, Failed: 2, Unchanged: 1}
		r.Applied.States = []json.RawMessage{state("file_|-x_|-x_|-managed", "Unable to \x1b[31mwrite", `{}`, false),
			state("cmd_|-same_|-same_|-run", "no", `{}`, false), json.RawMessage(`7`)}
		r.Grains["os"] = json.RawMessage(`"Ubuntu"`)
	})
	if _, err := DiffOf(t.Context(), w.dir, "web9"); err == nil {
		t.Error("nothing was compared")
	}
	d, err := DiffOf(t.Context(), w.dir, "web1")
	if err != nil {
		t.Fatal(err)
	}
	want := "web1: from " + a.Run + `: unchanged, release 5, 3 states, 0 changed, 0 failed
  to ` + b.Run + `: failed, release 5, 3 states, 0 changed, 2 failed

file.managed x: changed -> failed
    Unable to \x1b[31mwrite

cmd.run x: changed -> nothing to tell

grains:
    os: "Debian" -> "Ubuntu"
`
	if x := cmp.Diff(want, d.String()); x != "" {
		t.Errorf("(-want +got)\n%s", x)
	}
	back, err := DiffOf(t.Context(), w.dir, "web1", b.Run, a.Run)
	if err != nil || len(back.States) != 2 || back.To.Class != Unchanged {
		t.Errorf("%+v, %v", back, err)
	}
	same, err := DiffOf(t.Context(), w.dir, "web1", b.Run, b.Run)
	if err != nil || !strings.Contains(same.String(), "nothing came out otherwise") {
		t.Error(same, err)
	}
}
