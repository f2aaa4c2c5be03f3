package pkgrepo

import (
	"context"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/pkg"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// packages are the execution functions of pkg.
type packages struct {
	modules.Exec
	reg *modules.Registry
	env *modules.Env
	h   host.Host
}

func (p packages) Call(ctx context.Context, name string, args []value.Value,
	kwargs *value.Dict) (value.Value, error) {
	return p.reg.Call(ctx, p.env, p.h, name, args, kwargs)
}

// onSuse is a machine with zypper, and what a state knows of its run there.
func onSuse(t *testing.T) (*hosttest.Memory, *modules.Env) {
	t.Helper()
	h := hosttest.NewMemory()
	h.MustWrite("/usr/bin/zypper", "", 0o755)
	h.MustWrite("/usr/bin/rpm", "", 0o755)
	h.MustMkdir("/etc/zypp/repos.d")
	reg, err := modules.New(pkg.Family())
	if err != nil {
		t.Fatal(err)
	}
	env := &modules.Env{Low: &state.Low{}, Cache: modules.NewCache(), Progress: func(string) {},
		Grains: grains("os_family", value.Str("Suse"), "os", value.Str("SUSE"))}
	env.Exec = packages{reg: reg, env: env, h: h}
	return h, env
}

// TestZypperAgain: a source with options that zypper names otherwise is configured once.
func TestZypperAgain(t *testing.T) {
	h, env := onSuse(t)
	for _, alters := range []bool{true, false} {
		fn := bind(t, managedSpec(), "tools", "baseurl", value.Str("http://a.example.org"), "refresh", value.Bool(true),
			"gpgkey", value.Str("http://a.example.org/key"))
		if e, err := fn.Act(t.Context(), env, h); err != nil || e.Alters() != alters {
			t.Errorf("%s %q %v", value.Repr(e.Changes), e.Comment, err)
		}
	}
	fn := bind(t, managedSpec(), "tools", "copr", value.Str("joe/tools"))
	if _, err := fn.Act(t.Context(), env, h); err == nil {
		t.Error("copr is taken")
	}
}
