package debconf

import (
	"context"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func TestSet(t *testing.T) {
	h := host.NewMemory()
	answered := "* tz/zone: Etc\n  tz/pass: (password omitted)\n"
	h.Script = func(c host.Cmd) (*host.Output, error) {
		if c.Args[0] == "debconf-set-selections" {
			answered = "* tz/zone: Europe\n* tz/on: true\n  tz/pass: (password omitted)\n"
		}
		return &host.Output{Stdout: []byte(answered)}, nil
	}
	data := value.DictOf("tz/zone", value.DictOf("type", value.Str("select"), "value", value.Str("Europe")),
		"tz/on", value.DictOf("type", value.Str("boolean"), "value", value.Bool(true)),
		"tz/pass", value.DictOf("type", value.Str("password"), "value", value.Str("x")))
	spec := setSpec()
	fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: "tzdata", Args: value.DictOf("data", data)})
	if fn == nil {
		t.Fatal(diags[0])
	}
	ctx := context.Background()
	f, err := modtest.Of(fn).Check(ctx, nil, h)
	if err != nil || value.Repr(f.Changes) != "{'tz/zone': 'New value: Europe', 'tz/on': 'New value: true'}" {
		t.Fatalf("%s %v", value.Repr(f.Changes), err)
	}
	if _, err := modtest.Of(fn).Apply(ctx, nil, h, f); err != nil {
		t.Fatal(err)
	}
	if got, want := string(h.Ran[len(h.Ran)-1].Stdin), "tzdata tz/zone select Europe\ntzdata tz/on boolean true\n"; got != want {
		t.Errorf("answers %q, want %q", got, want)
	}
	if again, err := modtest.Of(fn).Check(ctx, nil, h); err != nil || again.Pending {
		t.Errorf("does not converge: %+v %v", again, err)
	}
	if fn, _ := modules.Bind(&spec, &state.Low{ID: "x", Name: "tzdata", Args: value.DictOf("data", value.DictOf("q", value.Str("v")))}); fn != nil {
		t.Error("an answer without type was taken")
	}
}
