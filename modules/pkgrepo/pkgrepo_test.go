package pkgrepo

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

const armor = "-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: x\n\na2V5\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n"

// files serves one key.
type files struct{ modules.Files }

func (files) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	switch source {
	case "https://example.org/key.asc", "https://keys.example.org/pks/lookup?op=get&options=mr&search=0xABCD":
		return []byte(armor), nil
	}
	return nil, errors.New("not there: " + source)
}

func bind(t *testing.T, spec modules.StateSpec, name string, args ...any) modules.StateFunc {
	t.Helper()
	fn, diags := modules.Bind(&spec, &state.Low{ID: name, Name: name, Args: value.DictOf(args...)})
	if fn == nil {
		t.Fatal(diags[0])
	}
	return fn
}

func TestStates(t *testing.T) {
	const main = "# main\ndeb http://deb.example.org/debian bookworm main contrib\n# deb http://src.example.org x y\n"
	str := func(s string) value.Value { return value.Str(s) }
	tests := []struct {
		name    string
		fn      modules.StateFunc
		changes string // "" when nothing changes
		file    string
		want    string
	}{
		{"there", bind(t, managedSpec(), "deb http://deb.example.org/debian/ bookworm contrib main"), "", mainList, main},
		{"new", bind(t, managedSpec(), "deb http://new.example.org/ x main", "file", str("/etc/apt/sources.list.d/new.list")),
			"{'repo': 'deb http://new.example.org/ x main'}", "/etc/apt/sources.list.d/new.list", "deb http://new.example.org/ x main\n"},
		{"component", bind(t, managedSpec(), "deb http://deb.example.org/debian bookworm main", "comps", str("contrib,non-free")),
			"{'comps': {'old': 'contrib main', 'new': 'contrib main non-free'}}", mainList,
			"# main\ndeb http://deb.example.org/debian bookworm main contrib non-free\n# deb http://src.example.org x y\n"},
		{"disabled", bind(t, managedSpec(), "deb http://deb.example.org/debian bookworm main contrib", "disabled", value.Bool(true)),
			"{'disabled': {'old': 'false', 'new': 'true'}}", mainList, "# main\n# deb http://deb.example.org/debian bookworm main contrib\n# deb http://src.example.org x y\n"},
		{"enabled again", bind(t, managedSpec(), "deb http://src.example.org x y"), "{'disabled': {'old': 'true', 'new': 'false'}}", mainList,
			"# main\ndeb http://deb.example.org/debian bookworm main contrib\ndeb http://src.example.org x y\n"},
		{"key to trusted", bind(t, managedSpec(), "deb http://deb.example.org/debian bookworm main contrib", "key_url", str("https://example.org/key.asc")),
			"{'key': '/etc/apt/trusted.gpg.d/key-asc-example-org.asc'}", "/etc/apt/trusted.gpg.d/key-asc-example-org.asc", armor},
		{"key by id, signed by", bind(t, managedSpec(), "deb [signed-by=/etc/apt/keyrings/k.gpg] http://k.example.org x main", "keyid", str("ABCD"), "keyserver", str("keys.example.org")),
			"{'repo': 'deb [signed-by=/etc/apt/keyrings/k.gpg] http://k.example.org x main', 'key': '/etc/apt/keyrings/k.gpg'}", "/etc/apt/keyrings/k.gpg", "key"},
		{"absent", bind(t, absentSpec(), "deb http://deb.example.org/debian bookworm main"), "{'repo': 'deb http://deb.example.org/debian bookworm main'}", mainList,
			"# main\n# deb http://src.example.org x y\n"},
		{"absent already", bind(t, absentSpec(), "deb http://other.example.org x y"), "", mainList, main},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite(mainList, main, 0o644)
			env := &modules.Env{Files: files{}, Low: &state.Low{}}
			ctx := context.Background()
			e, err := tt.fn.Act(ctx, env, h)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if e.Alters() {
				got = value.Repr(e.Changes)
			}
			data, _ := h.ReadFile(tt.file)
			if d := cmp.Diff([]string{tt.changes, tt.want}, []string{got, string(data)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for _, name := range []string{"ppa:me/x", "deb", "deb http://x", "rpm http://x y z"} {
		spec := managedSpec()
		if fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: name, Args: value.NewDict(0)}); fn != nil || diags[0].Hint == "" {
			t.Errorf("%q was taken for a source", name)
		}
	}
	fn := bind(t, managedSpec(), "deb http://x y z", "key_url", value.Str("https://example.org/none"))
	if _, err := fn.Act(context.Background(), &modules.Env{Files: files{}, Low: &state.Low{}}, host.NewOverlay(hosttest.NewMemory())); err == nil {
		t.Error("a key that cannot be fetched is no failure")
	}
}

func TestConformance(t *testing.T) {
	const name = "deb http://deb.example.org/debian bookworm main"
	with := func(file, text string) func(*testing.T) host.Host {
		return modtest.Memory(nil, func(m *hosttest.Memory) { m.MustWrite(file, text, 0o644) })
	}
	modtest.Suite{Family: Family(), Env: func(*testing.T) *modules.Env { return &modules.Env{Files: files{}, Progress: func(string) {}} },
		Situations: modtest.Situations{
			"nothing":  modtest.Memory(nil, nil),
			"main":     with(mainList, "# main\n"+name+" contrib\n"),
			"a part":   with(parts+"/x.list", name+"\n"),
			"disabled": with(mainList, "# "+name+"\n"),
		},
		Deeds: []modtest.Deed{
			modtest.State("pkgrepo.managed", name),
			modtest.State("pkgrepo.managed", name, "file", parts+"/new.list", "comps", "contrib,non-free"),
			modtest.State("pkgrepo.managed", name, "disabled", true),
			modtest.State("pkgrepo.managed", name, "file", mainList, "clean_file", true),
			modtest.State("pkgrepo.managed", name, "key_url", "https://example.org/key.asc"),
			modtest.State("pkgrepo.managed", name, "signedby", "/etc/apt/keyrings/k.gpg", "keyid", "ABCD", "keyserver", "keys.example.org"),
			modtest.State("pkgrepo.managed", name, "key_url", "https://example.org/none"),
			modtest.State("pkgrepo.absent", name),
			modtest.State("pkgrepo.absent", name, "file", parts+"/x.list"),
		}}.Run(t)
}
