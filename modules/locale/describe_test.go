package locale

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestDescribe(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/debian_version", "12\n", 0o644)
	h.MustWrite("/etc/locale.gen", "# a\nde_DE.UTF-8 UTF-8\n# en_US.UTF-8 UTF-8\nfr_FR.UTF-8 UTF-8\n", 0o644)
	h.MustWrite("/etc/default/locale", "LANGUAGE=de\nLANG=\"de_DE.UTF-8\"\n", 0o644)
	h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{Stdout: []byte("C\nde_DE.utf8\n")}, nil }
	want := []string{"locale.present de_DE.UTF-8", "# /etc/locale.gen names fr_FR.UTF-8, and it is not generated",
		"locale.system locale of the system (de_DE.UTF-8)"}
	if d := cmp.Diff(want, modtest.Describe(t, Family(), h, "locale", nil)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
