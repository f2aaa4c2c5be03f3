package host_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host"
)

// standInChild is what the stand-in does here.
func standInChild() int {
	fmt.Println("stand-in", strings.Join(os.Args[1:], " "))
	return 0
}

// TestStandIn: commands that call salt-call find this program by that name where the machine has none, and only they
// have another PATH.
func TestStandIn(t *testing.T) {
	t.Setenv("GOSTATE_STATE_DIR", t.TempDir())
	o, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	if there, err := o.LookPath("salt-call"); err == nil {
		t.Skip("this machine has", there)
	}
	run := func(c host.Cmd) string {
		out, err := o.Run(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out.Stdout))
	}
	if got := run(host.Cmd{Args: []string{"salt-call", "--local", "x"}}); got != "stand-in --local x" {
		t.Error(got)
	}
	if got := run(host.Cmd{Args: []string{"true && salt-call y; echo $PATH"}, Shell: "/bin/sh"}); !strings.HasPrefix(got,
		"stand-in y\n") || !strings.HasSuffix(got, "/bin") {
		t.Error(got)
	}
	if got := run(host.Cmd{Args: []string{"echo $PATH"}, Shell: "/bin/sh"}); got != os.Getenv("PATH") {
		t.Error(got)
	}
}
