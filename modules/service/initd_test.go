package service

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// TestInitd keeps a service on a machine without systemd: its script is asked, started, and linked into the runlevels.
func TestInitd(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/init.d/web", "#!/bin/sh\n", 0o755)
	h.MustMkdir("/etc/rc2.d")
	up := false
	var did []string
	h.Script = func(c host.Cmd) (*host.Output, error) {
		line := strings.Join(c.Args, " ")
		switch line {
		case "/etc/init.d/web status":
			if !up {
				return &host.Output{Code: 3}, nil
			}
			return &host.Output{}, nil
		case "/etc/init.d/web start":
			up = true
		case "update-rc.d web defaults":
			if err := h.Symlink("../init.d/web", "/etc/rc2.d/S01web"); err != nil {
				return nil, err
			}
		}
		did = append(did, line)
		return &host.Output{}, nil
	}
	env := &modules.Env{Cache: modules.NewCache(), Progress: func(string) {}, Low: &state.Low{}}
	fn := bind(t, runningSpec(), "web", "enable", value.Bool(true))
	f, err := modtest.Of(fn).Check(context.Background(), env, h)
	if err != nil || !f.Pending {
		t.Fatalf("%+v %v", f, err)
	}
	if _, err := modtest.Of(fn).Apply(context.Background(), env, h, f); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"/etc/init.d/web start", "update-rc.d web defaults", "update-rc.d web enable"},
		did); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if f, err := modtest.Of(fn).Check(context.Background(), env, h); err != nil || f.Pending {
		t.Errorf("does not converge: %+v %v", f, err)
	}
	did = nil
	if _, err := bind(t, disabledSpec(), "web").Act(context.Background(), env, h); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"update-rc.d web disable"}, did); d != "" {
		t.Errorf("disabled (-want +got):\n%s", d)
	}
	if _, err := modtest.Of(bind(t, runningSpec(), "nope")).Check(context.Background(), env, h); err == nil {
		t.Error("a script that is not there can be started")
	}
}
