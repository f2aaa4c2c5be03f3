package modtest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// A toy is a state function that does what a test says. calls is what it keeps.
type toy struct {
	Name  string `arg:"name"`
	calls int
	act   func(t *toy, h host.Host) (state.Effect, error)
}

func (t *toy) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t.calls++
	return t.act(t, h)
}

func write(h host.Host, name, text string) error {
	return h.WriteFile(name, strings.NewReader(text), host.KeepAttr())
}

func has(h host.Reader, name string) bool {
	_, err := h.Lstat(name)
	return err == nil
}

// does makes /x by a deed unless it is there.
func does(deed func(h host.Host) host.Deed) func(*toy, host.Host) (state.Effect, error) {
	return func(_ *toy, h host.Host) (state.Effect, error) {
		if has(h, "/x") {
			return state.Settled(""), nil
		}
		return state.Effect{Pending: true}, h.Do(context.Background(), deed(h))
	}
}

// liars are functions that break the contract, by what the suite says of them.
func liars() map[string]func(*toy, host.Host) (state.Effect, error) {
	made := func(h host.Host) func(context.Context) error {
		return func(context.Context) error { return write(h, "/x", "") }
	}
	return map[string]func(*toy, host.Host) (state.Effect, error){
		"the preview wrote": func(_ *toy, h host.Host) (state.Effect, error) {
			_, err := h.Query(context.Background(), host.Cmd{Args: []string{"log"}})
			return state.Settled(""), err
		},
		"does not converge": func(_ *toy, h host.Host) (state.Effect, error) {
			raw, _ := h.ReadFile("/x")
			return state.Effect{Pending: true}, write(h, "/x", string(raw)+"x")
		},
		"nothing foretells it": does(func(h host.Host) host.Deed { return host.Deed{What: "make", Do: made(h)} }),
		"the preview says: changes": does(func(h host.Host) host.Deed {
			return host.Deed{Do: func(context.Context) error { return errors.New("no") },
				Foretell: func(o host.Host) error { return write(o, "/x", "") }}
		}),
		"files (-foretold +done)": does(func(h host.Host) host.Deed {
			return host.Deed{Do: made(h), Foretell: func(host.Host) error { return nil }}
		}),
		"facts (-foretold +done)": does(func(h host.Host) host.Deed {
			return host.Deed{Do: made(h), Foretell: func(o host.Host) error {
				o.Promise(host.Fact{Kind: host.FactUser, Name: "joe", Value: "present"})
				return write(o, "/x", "")
			}}
		}),
		"after the preview: nothing to do": func(_ *toy, h host.Host) (state.Effect, error) {
			if _, ok := h.Fact(host.FactModule, "x"); ok {
				return state.Settled(""), nil
			}
			if h.Preview() {
				h.Promise(host.Fact{Kind: host.FactModule, Name: "x"})
			}
			return state.Effect{Pending: true, Once: true}, nil
		},
		"changes (-foretold +done)": func(_ *toy, h host.Host) (state.Effect, error) {
			if has(h, "/x") {
				return state.Settled(""), nil
			}
			return state.Effect{Changes: value.DictOf("preview", value.Bool(h.Preview()))}, write(h, "/x", "")
		},
		"it keeps something between calls": func(t *toy, h host.Host) (state.Effect, error) {
			if has(h, "/x") || t.calls > 2 {
				return state.Settled(""), nil
			}
			return state.Effect{Pending: true}, write(h, "/x", "")
		},
		": left /.gostate-1": func(_ *toy, h host.Host) (state.Effect, error) {
			if has(h, "/.gostate-1") {
				return state.Settled(""), nil
			}
			return state.Effect{Pending: true}, write(h, "/.gostate-1", "")
		},
	}
}

// suite plays one function on a machine whose one command writes a log.
func suite(act func(*toy, host.Host) (state.Effect, error), deeds ...Deed) Suite {
	logs := func(m *hosttest.Memory, _ host.Cmd) (*host.Output, error) {
		m.MustWrite("/var/log", "", 0o644)
		return &host.Output{}, nil
	}
	return Suite{
		Family: modules.Family{Name: "toy", States: []modules.StateSpec{{Name: "toy.acts",
			New: func() modules.StateFunc { return &toy{act: act} }}}},
		Situations: Situations{
			"empty": Memory(logs, nil),
			"there": Memory(logs, func(m *hosttest.Memory) { m.MustWrite("/x", "", 0o644) }),
		},
		Deeds: deeds,
	}
}

// TestHonest: what keeps the contract passes.
func TestHonest(t *testing.T) {
	suite(does(func(h host.Host) host.Deed {
		return host.Deed{Do: func(context.Context) error { return write(h, "/x", "") },
			Foretell: func(o host.Host) error { return write(o, "/x", "") }}
	}), State("toy.acts", "a")).Run(t)
}

// TestLiar is run by TestFinds, with the liar named in the environment.
func TestLiar(t *testing.T) {
	name, ok := os.LookupEnv("MODTEST_LIAR")
	switch {
	case !ok:
		return
	case name == "toy.acts is in no deed":
		suite(nil).Run(t)
	default:
		suite(liars()[name], State("toy.acts", "a")).Run(t)
	}
}

// TestFinds: each way to break the contract is found. A test that fails on purpose needs a process of its own.
func TestFinds(t *testing.T) {
	names := []string{"toy.acts is in no deed"}
	for name := range liars() {
		names = append(names, name)
	}
	for _, name := range names {
		cmd := exec.Command(os.Args[0], "-test.run=^TestLiar$")
		cmd.Env = append(os.Environ(), "MODTEST_LIAR="+name)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), name) {
			t.Errorf("%q is not found: %v\n%s", name, err, out)
		}
	}
}
