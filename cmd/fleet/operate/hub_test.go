package operate

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/cmd/fleet/bus/bustest"
	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/release"
)

// TestHub: the reports of a hub are read as those of a directory, and a roll-out goes over it.
func TestHub(t *testing.T) {
	b := bustest.Start(t).Operator()
	does := map[string]func(*agent.Report){"a": ok, "b": ok, "web.c": ok}
	f := newField(t, does, "a b web.c")
	f.Stage = b
	f.w.to = b
	ctx := t.Context()
	if _, err := release.Transfer(ctx, packed(t, 1), b, "prod"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "web.c"} {
		f.w.reports(id, 10*time.Minute, func(r *agent.Report) { r.Newest, r.Applied.Sequence = 1, 1 })
	}
	if err := b.Deliver(ctx, agent.Delivery{Node: "a", Run: "zzz", Data: []byte("no report")}); err != nil {
		t.Fatal(err)
	}
	// What a job did says nothing of how the machine is.
	f.w.reports("b", 5*time.Minute, func(r *agent.Report) { r.Status, r.Job, r.Newest = agent.Failed, "1", 9 })
	hub := Hub{b}
	if e, err := hub.LastOf(ctx, "b"); err != nil || e.Report.Job != "" {
		t.Error(e, err)
	}
	if runs, err := hub.Runs(ctx, "a"); err != nil || len(runs) != 2 || runs[0] != "zzz" {
		t.Error(runs, err)
	}
	for _, none := range []string{"nobody", "*", "", "a b"} {
		if runs, err := hub.Runs(ctx, none); err != nil || len(runs) != 0 {
			t.Errorf("%q: %v, %v", none, runs, err)
		}
	}
	if e, err := Read(ctx, hub, "web.c", ""); err != nil || e.Report.Node != "web.c" {
		t.Error(e, err)
	}
	fleet, err := Ask{Reports: hub, Nodes: f.w.nodes, Now: noon}.Look(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("3 machines\n     3 unchanged\nprod: release 1: 3 of 3 run it\n", fleet.Status().String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if m, err := fleet.Find("a"); err != nil || m.Damaged != 1 {
		t.Error(m, err)
	}

	first, second := f.driver(), f.driver()
	first.Reports, second.Reports = hub, hub
	from := packed(t, 2)
	if err := first.Begin(ctx, from, f.plan(t, from, Gate{}), sign); err != nil {
		t.Fatal(err)
	}
	f.pin = func([]string) error {
		f.pin = nil
		return second.Resume(ctx, "prod", publicKeys(), nil)
	}
	if _, _, err := first.Drive(ctx); err == nil || !strings.Contains(err.Error(), "another operator drives") {
		t.Fatal("the first goes on:", err)
	}
	if _, cursor, err := second.Drive(ctx); err != nil || cursor.State != done {
		t.Fatal(cursor, err)
	}
	for _, id := range []string{"a", "b", "web.c", "another"} {
		if got := f.newest(t, id); got != 2 {
			t.Errorf("%s takes release %d", id, got)
		}
	}
	third := packed(t, 3)
	does["b"] = fails
	if err := first.Begin(ctx, third, f.plan(t, third, Gate{}), sign); err != nil {
		t.Fatal(err)
	}
	if _, cursor, err := first.Drive(ctx); err != nil || cursor.State != stopped || f.newest(t, "a") != 3 ||
		f.newest(t, "web.c") != 2 {
		t.Error(cursor, err)
	}
}
