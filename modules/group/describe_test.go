package group

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestDescribe(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/passwd", "root:x:0:0::/root:/bin/sh\nwww:x:33:33::/:/bin/sh\nalice:x:1000:1000::/:/bin/sh\n", 0o644)
	h.MustWrite("/etc/group", "root:x:0:\nadm:x:4:alice\nyes:x:1000:\n0644:x:2000:www,alice,stranger\ntwin:x:2000:\n",
		0o644)
	h.Invalidate("accounts")
	for _, tt := range []struct {
		name string
		set  func(*modules.Look)
		want []string
	}{
		{"people's", nil, []string{"group.present yes gid=1000",
			"group.present 0644 gid=2000 non_unique=True members=['www', 'alice', 'stranger']",
			"group.present twin gid=2000 non_unique=True"}},
		{"beside users, who have their groups themselves", func(l *modules.Look) { l.Whole = true }, []string{
			"group.present yes gid=1000", "group.present 0644 gid=2000 non_unique=True addusers=['www']",
			"group.present twin gid=2000 non_unique=True"}},
		{"by name", func(l *modules.Look) { l.Names = []string{"adm", "nogroup"} }, []string{
			"group.present adm gid=4 members=['alice']", "group.absent nogroup", "missing: nogroup"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, modtest.Describe(t, Family(), h, "group", tt.set)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}
