package alias

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestStates(t *testing.T) {
	const before = "# aliases\nroot: admin\npostmaster:    root\n"
	tests := []struct {
		name  string
		fn    modules.StateFunc
		after string
	}{
		{"there", &Present{Name: "postmaster", Target: []string{"root"}}, before},
		{"change", &Present{Name: "root", Target: []string{"a@e.org", "b@e.org"}}, "# aliases\nroot: a@e.org, b@e.org\npostmaster:    root\n"},
		{"new", &Present{Name: "new", Target: []string{"root"}}, before + "new: root\n"},
		{"absent", &Absent{Name: "root"}, "# aliases\npostmaster:    root\n"},
		{"absent already", &Absent{Name: "nope"}, before},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite(file, before, 0o644)
			ctx := context.Background()
			f, err := modtest.Of(tt.fn).Check(ctx, nil, h)
			if err != nil || f.Pending != (tt.after != before) {
				t.Fatalf("%+v %v", f, err)
			}
			if f.Pending {
				if _, err := modtest.Of(tt.fn).Apply(ctx, nil, h, f); err != nil {
					t.Fatal(err)
				}
				if again, err := modtest.Of(tt.fn).Check(ctx, nil, h); err != nil || again.Pending {
					t.Errorf("does not converge: %+v %v", again, err)
				}
			}
			data, _ := h.ReadFile(file)
			if d := cmp.Diff(tt.after, string(data)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
