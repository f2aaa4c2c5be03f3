package alias

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestDescribe(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/aliases", "# mail\npostmaster: root\n\"odd\": |\"/bin/x a: b\" # here\nmany: a,\n  b\npostmaster: "+
		"bob\nempty:\n", 0o644)
	want := []string{"alias.present postmaster target='bob'", `alias.present odd target='|"/bin/x a: b"'`,
		"# it goes on in lines below, which the state keeps where they are", "alias.present many target='a,'"}
	if d := cmp.Diff(want, modtest.Describe(t, Family(), h, "alias", nil)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff([]string{"alias.absent x", "missing: x"}, modtest.Describe(t, Family(), h, "alias",
		func(l *modules.Look) { l.Names = []string{"x"} })); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
