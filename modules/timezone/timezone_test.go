package timezone

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func TestSystem(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/usr/share/zoneinfo/Europe/Berlin", "", 0o644)
	h.MustWrite("/usr/share/zoneinfo/Etc/UTC", "", 0o644)
	h.MustWrite("/etc/timezone", "Etc/UTC\n", 0o644)
	if err := h.Symlink("/usr/share/zoneinfo/Etc/UTC", localtime); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	s := &System{Name: "Etc/UTC", UTC: true}
	if f, err := modtest.Of(s).Check(ctx, nil, h); err != nil || f.Pending ||
		f.Comment != "Timezone Etc/UTC already set, UTC already set to True" {
		t.Errorf("%+v %v", f, err)
	}
	s = &System{Name: "Europe/Berlin"}
	f, err := modtest.Of(s).Check(ctx, nil, h)
	if err != nil || value.Repr(f.Changes) != "{'timezone': 'Europe/Berlin', 'utc': False}" {
		t.Fatalf("%+v %v", f, err)
	}
	if _, err := modtest.Of(s).Apply(ctx, nil, h, f); err != nil {
		t.Fatal(err)
	}
	if f, err := modtest.Of(s).Check(ctx, nil, h); err != nil || f.Pending {
		t.Errorf("does not converge: %+v %v", f, err)
	}
	to, _ := h.Readlink(localtime)
	name, _ := h.ReadFile(named)
	clock, _ := h.ReadFile(adjtime)
	want := []string{"/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin\n", "0.0 0 0.0\n0\nLOCAL\n"}
	if d := cmp.Diff(want, []string{to, string(name), string(clock)}); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, bad := range []string{"Europe/Berln", "../../../etc/passwd", "Europe"} {
		if _, err := modtest.Of((&System{Name: bad})).Check(ctx, nil, h); err == nil {
			t.Errorf("%s was taken for a zone", bad)
		}
	}
}
