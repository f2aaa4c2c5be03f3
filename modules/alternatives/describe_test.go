package alternatives

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func chosen(t *testing.T) *hosttest.Memory {
	h := hosttest.NewMemory()
	h.MustWrite("/var/lib/dpkg/alternatives/editor", "manual\n/usr/bin/editor\n\n/bin/ed\n1\n/bin/nano\n40\n\n", 0o644)
	h.MustWrite("/var/lib/dpkg/alternatives/pager", "auto\n/usr/bin/pager\npager.1.gz\n/usr/share/man/man1/pager.1.gz\n\n"+
		"/bin/less\n77\n/usr/share/man/man1/less.1.gz\n/bin/more\n50\n/usr/share/man/man1/more.1.gz\n\n", 0o644)
	for _, f := range []string{"/bin/ed", "/bin/nano", "/bin/less", "/bin/more"} {
		h.MustWrite(f, "", 0o755)
	}
	h.MustMkdir("/etc/alternatives")
	h.MustMkdir("/usr/bin")
	for name, to := range map[string]string{"editor": "/bin/ed", "pager": "/bin/less"} {
		if err := h.Symlink(to, "/etc/alternatives/"+name); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func TestDescribe(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  []string
	}{
		{nil, []string{"alternatives.set editor path='/bin/ed'"}},
		{[]string{"pager", "none"}, []string{"# /bin/less is taken", "alternatives.auto pager", "missing: none"}},
	} {
		got := modtest.Describe(t, Family(), chosen(t), "alternatives", func(l *modules.Look) { l.Names = tt.names })
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%v -want +got:\n%s", tt.names, d)
		}
	}
}

// TestSlaveNotThere: as update-alternatives does, a link to what is not there (manual pages that were not unpacked) is
// not made, and is no failure of a preview.
func TestSlaveNotThere(t *testing.T) {
	h := chosen(t)
	spec := setSpec()
	fn, _ := modules.Bind(&spec, &state.Low{ID: "pager", Name: "pager",
		Args: value.DictOf("path", value.Str("/bin/more"))})
	over := host.NewOverlay(h)
	e, err := fn.Act(t.Context(), nil, over)
	if err != nil || !e.Alters() {
		t.Fatalf("%v, %v", e, err)
	}
	if to, _ := over.Readlink("/etc/alternatives/pager"); to != "/bin/more" {
		t.Errorf("pager leads to %q", to)
	}
	if _, err := over.Lstat("/usr/share/man/man1/pager.1.gz"); err == nil {
		t.Error("a link to no manual page is there")
	}
}
