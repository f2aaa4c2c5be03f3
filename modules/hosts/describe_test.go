package hosts

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

const grown = "# mine\n127.0.0.1 localhost\n127.0.1.1 me\n::1 localhost ip6\nff02::1 ip6-allnodes\n10.1.2.3\tdb  " +
	"db.example.org # the db\n" +
	"10.1.2.3 more\nnonsense x\n\n2001:db8::1 six\n10.0.0.9\n"

func TestDescribe(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/hosts", grown, 0o644)
	h.MustWrite("/etc/hostname", "me\n", 0o644)
	named := func(names ...string) func(*modules.Look) { return func(l *modules.Look) { l.Names = names } }
	for _, tt := range []struct {
		name string
		set  func(*modules.Look)
		want []string
	}{
		{"all", nil, []string{"# the db", "host.only 10.1.2.3 hostnames=['db', 'db.example.org', 'more']",
			"host.only 2001:db8::1 hostnames=['six']", "host.only 10.0.0.9 hostnames=[]"}},
		{"by a name and an address", named("six", "127.0.1.1", "nothing"), []string{"host.only 127.0.1.1 hostnames=['me']",
			"host.only 2001:db8::1 hostnames=['six']", "missing: nothing"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, modtest.Describe(t, Family(), h, "host", tt.set)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// FuzzDescribe: whatever stands in the file, the states that tell of it change nothing, and no address is lost but what
// is none.
func FuzzDescribe(f *testing.F) {
	f.Add(grown)
	f.Fuzz(func(t *testing.T, text string) {
		h := hosttest.NewMemory()
		h.MustWrite("/etc/hosts", text, 0o644)
		var got []string
		for _, l := range modtest.Describe(t, Family(), h, "host", func(l *modules.Look) { l.System = true }) {
			if strings.HasPrefix(l, "host.only") {
				got = append(got, strings.Fields(l)[1])
			}
		}
		all, _ := read(h, "/etc/hosts")
		for _, e := range all.entries() {
			if badAddress("", e.ip) == nil && !slices.Contains(got, e.ip) {
				t.Errorf("%q is not told of", e.ip)
			}
		}
	})
}
