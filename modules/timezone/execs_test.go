package timezone

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestExecs(t *testing.T) {
	m := hosttest.NewMemory()
	if err := m.Symlink("/usr/share/zoneinfo/Europe/Berlin", localtime); err != nil {
		t.Fatal(err)
	}
	m.MustWrite("/usr/share/zoneinfo/Europe/Berlin", "TZif", 0o644)
	m.MustWrite("/usr/share/zoneinfo/UTC", "other", 0o644)
	modtest.Execs{Family: Family(), Host: m}.Table(t, [][4]string{
		{"timezone.get_zone", `[]`, "", "'Europe/Berlin'"},
		{"timezone.zone_compare", `["Europe/Berlin"]`, "", "True"},
		{"timezone.zone_compare", `["UTC"]`, "", "False"},
		{"timezone.zone_compare", `["Nope"]`, "", "error: Can't find a local timezone file for Nope"},
		{"timezone.get_hwclock", `[]`, "", "'UTC'"},
	})
}
