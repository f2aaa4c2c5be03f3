package pkg

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host/hosttest"
)

// TestRepoFileKeepsTheRest: other sources of the file, comments and what is not asked for stay as they are.
func TestRepoFileKeepsTheRest(t *testing.T) {
	const before = "# ours\n[one]\nname=One\n# why\nenabled: 1\nbaseurl=http://a\n http://b\n\n[two]\nname=Two\n; odd\n"
	m := hosttest.NewMemory()
	m.MustWrite("/etc/yum.repos.d/x.repo", before, 0o640)
	files, err := repoFiles(m, "/etc/yum.repos.d")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	files[0].set("one", "enabled", "0")
	files[0].set("one", "gpgcheck", "1")
	if err := files[0].write(m); err != nil {
		t.Fatal(err)
	}
	got, _ := m.ReadFile("/etc/yum.repos.d/x.repo")
	want := "# ours\n[one]\nname=One\n# why\nenabled=0\nbaseurl=http://a\n http://b\ngpgcheck=1\n\n[two]\nname=Two\n; " +
		"odd\n"
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
