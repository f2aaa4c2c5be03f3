package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// kept takes reports until it has had enough.
type kept struct {
	runs []string
	most int
}

func (k *kept) Deliver(_ context.Context, d Delivery) error {
	if len(k.runs) == k.most {
		return errors.New("full")
	}
	k.runs = append(k.runs, d.Run)
	return nil
}

// TestSpool: a full spool keeps the first and the last reports, and counts the others; what is taken is removed, and
// what is damaged is put aside.
func TestSpool(t *testing.T) {
	s, err := OpenSpool(scratch(t), Limits{Reports: 6})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if err := s.Put(fmt.Appendf(nil, `{"run": "r%d"}`, i)); err != nil {
			t.Fatal(err)
		}
	}
	all, _ := s.all()
	if s.Thinned() != 4 || len(all) != 6 {
		t.Errorf("%d are thinned, %d are there", s.Thinned(), len(all))
	}
	os.WriteFile(filepath.Join(s.dir, all[1].name), []byte("{"), 0o600)
	to := &kept{most: 3}
	if err := s.Deliver(context.Background(), "web1", to); err == nil {
		t.Error("a sink that is full took all")
	}
	to.most = 9
	if err := s.Deliver(context.Background(), "web1", to); err != nil {
		t.Error(err)
	}
	if len(to.runs) != 5 || to.runs[0] != "r0" || to.runs[4] != "r9" {
		t.Errorf("delivered: %v", to.runs)
	}
	if all, _ = s.all(); len(all) != 0 {
		t.Errorf("%v are left", all)
	}
}

// TestSpoolBytes: reports that are large are thinned by their size.
func TestSpoolBytes(t *testing.T) {
	s, err := OpenSpool(scratch(t), Limits{Bytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if err := s.Put(make([]byte, 40)); err != nil {
			t.Fatal(err)
		}
	}
	if all, _ := s.all(); len(all) != 2 || s.Thinned() != 3 {
		t.Errorf("%v, %d thinned", all, s.Thinned())
	}
}

// TestNext: a machine has its place in each interval, and a fleet is spread over it.
func TestNext(t *testing.T) {
	c := Config{ID: "web7", Interval: 30 * time.Minute, Splay: 30 * time.Minute}
	first := c.Next(noon)
	if !first.After(noon) || first.Sub(noon) > 30*time.Minute {
		t.Errorf("first: %v", first)
	}
	if second := c.Next(first); second.Sub(first) != 30*time.Minute {
		t.Errorf("second: %v after the first", second.Sub(first))
	}
	if again := c.Next(noon.Add(time.Second)); again != first {
		t.Errorf("from a second later: %v, not %v", again, first)
	}
	var quarters [4]int
	for i := range 1000 {
		c.ID = fmt.Sprint("node", i)
		quarters[int(c.Next(noon).Sub(noon)/(7*time.Minute+30*time.Second))%4]++
	}
	for _, n := range quarters {
		if n < 200 {
			t.Errorf("of 1000 machines each quarter has %v", quarters)
		}
	}
	c.Splay = 0
	if at := c.Next(noon.Add(time.Minute)); !at.Equal(noon.Add(30 * time.Minute)) {
		t.Errorf("without splay: %v", at)
	}
}

// TestRun: the loop looks at once, at its time, and when it is woken.
func TestRun(t *testing.T) {
	w := newWorld(t)
	w.push(1)
	a := w.agent(scratch(t))
	done, err := a.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	ctx, stop := context.WithCancel(context.Background())
	var why []string
	a.Told = func(r *Report) {
		if why = append(why, r.Why); len(why) == 3 {
			stop()
		}
	}
	a.Run(ctx, nil, func(err error) { t.Error(err) })
	if diff := cmp.Diff([]string{"start", "schedule", "schedule"}, why); diff != "" {
		t.Error(diff)
	}
	if len(w.delivered) != 3 {
		t.Errorf("%d reports", len(w.delivered))
	}
}
