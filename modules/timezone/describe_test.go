package timezone

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestDescribe(t *testing.T) {
	for _, tt := range []struct {
		name, link, named, adj string
		want                   []string
	}{
		{"debian", "/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin\n", "", []string{
			"timezone.system timezone (Europe/Berlin) utc=True"}},
		{"relative, local clock", "../usr/share/zoneinfo/Etc/UTC", "Etc/UTC\n", "0 0 0\n0\nLOCAL\n", []string{
			"timezone.system timezone (Etc/UTC) utc=False"}},
		{"two names", "/usr/share/zoneinfo/Etc/UTC", "Europe/Berlin\n", "", []string{
			"# /etc/localtime says Etc/UTC, and /etc/timezone something else: Timezone Etc/UTC needs to be set"}},
		{"no link", "", "", "", []string{
			"# /etc/localtime is no link to a zone of /usr/share/zoneinfo/, so that its name is not known"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite("/etc/debian_version", "12\n", 0o644)
			h.MustWrite("/usr/share/zoneinfo/Europe/Berlin", "", 0o644)
			h.MustWrite("/usr/share/zoneinfo/Etc/UTC", "", 0o644)
			if tt.named != "" {
				h.MustWrite("/etc/timezone", tt.named, 0o644)
			}
			if tt.adj != "" {
				h.MustWrite("/etc/adjtime", tt.adj, 0o644)
			}
			if tt.link != "" {
				if err := h.Symlink(tt.link, "/etc/localtime"); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(tt.want, modtest.Describe(t, Family(), h, "timezone", nil)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}
