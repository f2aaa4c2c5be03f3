package bus_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/bus/bustest"
	"github.com/gostate/gostate/cmd/internal/agent"
)

func TestReports(t *testing.T) {
	h := bustest.Start(t)
	ctx := t.Context()
	web1 := h.Node("web1.example.com")
	for _, run := range []string{"1", "2", "2", "3"} {
		r := agent.Delivery{Node: "web1.example.com", Run: run, Data: []byte("report " + run)}
		if err := web1.Deliver(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	var got, last []string
	told := func(to *[]string) func(bus.Report) error {
		return func(r bus.Report) error {
			*to = append(*to, r.Node+" "+r.Run+": "+string(r.Data))
			return nil
		}
	}
	op := h.Operator()
	if err := op.ReportsOf(ctx, "web1.example.com", told(&got)); err != nil {
		t.Fatal(err)
	}
	if err := op.LastReports(ctx, told(&last)); err != nil {
		t.Fatal(err)
	}
	want := []string{"web1.example.com 1: report 1", "web1.example.com 2: report 2", "web1.example.com 3: report 3"}
	if diff := cmp.Diff([][]string{want, want[2:]}, [][]string{got, last}); diff != "" {
		t.Error("each is kept once, a repeated one too (-want +got):\n" + diff)
	}
	h.Stop()
	h.Begin()
	got = nil
	if err := h.Operator().ReportsOf(ctx, "", told(&got)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("after the hub began anew (-want +got):\n" + diff)
	}
}
