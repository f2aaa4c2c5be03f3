//go:build linux

package view_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/view"
)

// TestRunner: conditions of a preview see what its overlay holds and leave nothing; what asks outside is run on the
// machine.
func TestRunner(t *testing.T) {
	open(t) // or skip
	machine, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	r := &view.Runner{Machine: machine, Say: func(text, _ string) { said = append(said, text) }}
	defer r.Close()
	over := host.NewOverlay(machine)
	over.SetRunner(r)
	dir := t.TempDir()
	code := func(script string) int {
		t.Helper()
		out, err := over.Query(t.Context(), host.Cmd{Args: []string{script}, Shell: "/bin/sh", Users: true})
		if err != nil {
			t.Fatal(err)
		}
		return out.Code
	}
	got := []int{code("test -e " + dir + "/made")}
	if err := over.WriteFile(dir+"/made", strings.NewReader(""), host.KeepAttr()); err != nil {
		t.Fatal(err)
	}
	got = append(got, code("test -e "+dir+"/made"), code("touch "+dir+"/touched"))
	if diff := cmp.Diff([]int{1, 0, 0}, got); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
	if len(said) > 0 {
		t.Errorf("said without a reason: %q", said)
	}
	outside := "touch " + dir + "/ran; (echo > /dev/tcp/127.0.0.1/9) 2>/dev/null"
	for range 2 {
		if _, err := over.Query(t.Context(), host.Cmd{Args: []string{outside}, Shell: "/bin/bash", Users: true}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(dir + "/ran"); err != nil || len(said) != 1 {
		t.Errorf("what asks the network: %v, said %q", err, said)
	}
}
