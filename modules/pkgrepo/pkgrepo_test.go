package pkgrepo

import (
	"context"
	"errors"
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

const armor = "-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: x\n\na2V5\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n"

// files serves one key.
type files struct{ modules.Files }

func (files) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	switch source {
	case "https://launchpad.net/api/1.0/~me/+archive/x":
		return []byte(`{"signing_key_fingerprint": "ABCD"}`), nil
	case "https://keyserver.ubuntu.com/pks/lookup?op=get&options=mr&search=0xABCD", "https://example.org/key.asc",
		"https://keys.example.org/pks/lookup?op=get&options=mr&search=0xABCD":
		return []byte(armor), nil
	}
	return nil, errors.New("not there: " + source)
}

// fetcher is pkg.refresh_db: it counts its calls, and fails where a source is of the host broken.example.org.
type fetcher struct {
	modules.Exec
	h     host.Reader
	calls int
}

func (f *fetcher) Call(context.Context, string, []value.Value, *value.Dict) (value.Value, error) {
	f.calls++
	all, _ := lists(f.h)
	for _, l := range all {
		if strings.Contains(strings.Join(l.lines, ""), "broken.example.org") {
			return nil, errors.New("E: Failed to fetch")
		}
	}
	return value.Bool(true), nil
}

func grains(kv ...any) func(string) (value.Value, bool) {
	return func(name string) (value.Value, bool) { return value.DictOf(kv...).GetStr(name) }
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
		{"there", bind(t, managedSpec(), "deb http://deb.example.org/debian bookworm contrib main"), "", mainList, main},
		{"a slash", bind(t, managedSpec(), "deb http://deb.example.org/debian/ bookworm main contrib"),
			"{'repo': 'deb http://deb.example.org/debian/ bookworm main contrib'}", mainList,
			strings.Replace(main, "debian ", "debian/ ", 1)},
		{"options", bind(t, managedSpec(), "deb   [trusted=yes  arch=amd64 ] http://new.example.org/ x main"),
			"{'repo': 'deb   [trusted=yes  arch=amd64 ] http://new.example.org/ x main'}",
			mainList, main + "deb [arch=amd64 trusted=yes] http://new.example.org/ x main\n"},
		{"a disk", bind(t, managedSpec(), "deb cdrom:[Debian 12 - amd64]/ stable main"),
			"{'repo': 'deb cdrom:[Debian 12 - amd64]/ stable main'}", mainList,
			main + "deb cdrom:[Debian 12 - amd64]/ stable main\n"},
		{"new", bind(t, managedSpec(), "deb http://new.example.org/ x main", "file", str("/etc/apt/sources.list.d/new.list")),
			"{'repo': 'deb http://new.example.org/ x main'}", "/etc/apt/sources.list.d/new.list",
			"deb http://new.example.org/ x main\n"},
		{"component", bind(t, managedSpec(), "deb http://deb.example.org/debian bookworm main", "comps",
			str("contrib,non-free")),
			"{'comps': {'new': ['contrib', 'non-free'], 'old': ['main', 'contrib']}, 'line': {'new': 'deb " +
				"http://deb.example.org/debian bookworm contrib non-free', 'old': 'deb http://deb.example.org/debian bookworm " +
				"main contrib'}}", mainList,
			"# main\ndeb http://deb.example.org/debian bookworm contrib non-free\n# deb http://src.example.org x y\n"},
		{"another component", bind(t, managedSpec(), "deb http://deb.example.org/debian bookworm non-free"),
			"{'repo': 'deb http://deb.example.org/debian bookworm non-free'}", mainList,
			main + "deb http://deb.example.org/debian bookworm non-free\n"},
		{"disabled", bind(t, managedSpec(), "deb http://deb.example.org/debian bookworm main contrib", "disabled",
			value.Bool(true)),
			"{'disabled': {'new': True, 'old': False}, 'line': {'new': '# deb http://deb.example.org/debian bookworm main " +
				"contrib', 'old': 'deb http://deb.example.org/debian bookworm main contrib'}}", mainList,
			"# main\n# deb http://deb.example.org/debian bookworm main contrib\n# deb http://src.example.org x y\n"},
		{"enabled again", bind(t, managedSpec(), "deb http://src.example.org x y"),
			"{'disabled': {'new': False, 'old': True}, 'line': {'new': 'deb http://src.example.org x y', 'old': '# deb " +
				"http://src.example.org x y'}}", mainList,
			"# main\ndeb http://deb.example.org/debian bookworm main contrib\ndeb http://src.example.org x y\n"},
		{"comment", bind(t, managedSpec(), "deb http://new.example.org x main", "comments", str("why not")),
			"{'repo': 'deb http://new.example.org x main'}", mainList,
			main + "deb http://new.example.org x main #why not\n"},
		{"key to trusted", bind(t, managedSpec(), "deb http://deb.example.org/debian bookworm main contrib", "key_url",
			str("https://example.org/key.asc")),
			"{'key': '/etc/apt/trusted.gpg.d/key-example-org.asc'}", "/etc/apt/trusted.gpg.d/key-example-org.asc", armor},
		{"key by id, signed by", bind(t, managedSpec(), "deb [signed-by=/etc/apt/keyrings/k.gpg] http://k.example.org x main",
			"keyid", str("ABCD"), "keyserver", str("keys.example.org")),
			"{'repo': 'deb [signed-by=/etc/apt/keyrings/k.gpg] http://k.example.org x main'}", "/etc/apt/keyrings/k.gpg", "key"},
		{"of launchpad", bind(t, managedSpec(), "it", "ppa", str("me/x")),
			"{'repo': 'deb http://ppa.launchpad.net/me/x/ubuntu jammy main'}", parts + "/me-x-jammy.list",
			"deb http://ppa.launchpad.net/me/x/ubuntu jammy main\n"},
		{"absent", bind(t, absentSpec(), "deb http://deb.example.org/debian bookworm main contrib"),
			"{'repo': 'deb http://deb.example.org/debian bookworm main contrib'}", mainList,
			"# main\n# deb http://src.example.org x y\n"},
		{"a component absent", bind(t, absentSpec(), "deb http://deb.example.org/debian bookworm main"),
			"{'repo': 'deb http://deb.example.org/debian bookworm main'}", mainList,
			"# main\ndeb http://deb.example.org/debian bookworm contrib\n# deb http://src.example.org x y\n"},
		{"absent, the last one", bind(t, absentSpec(), "deb http://deb.example.org/debian bookworm main contrib", "file",
			str(parts+"/only.list")), "{'repo': 'deb http://deb.example.org/debian bookworm main contrib'}", mainList,
			"## See sources.list(5) for more information, especialy\n# Remember that you can only use http, ftp or file " +
				"URIs\n# CDROMs are managed through the apt-cdrom tool.\n"},
		{"absent already", bind(t, absentSpec(), "deb http://other.example.org x y"), "", mainList, main},
		{"absent, no source", bind(t, absentSpec(), "what is this"), "", mainList, main},
		{"absent, of launchpad", bind(t, absentSpec(), "ppa:me/x"), "", mainList, main},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite(mainList, main, 0o644)
			if tt.name == "absent, the last one" {
				h.MustWrite(mainList, "", 0o644)
				h.MustWrite(parts+"/only.list", "deb http://deb.example.org/debian bookworm main contrib\n", 0o644)
			}
			calls := &fetcher{h: h}
			env := &modules.Env{Files: files{}, Low: &state.Low{}, Exec: calls,
				Grains: grains("os", value.Str("Ubuntu"), "oscodename", value.Str("jammy"))}
			ctx := context.Background()
			e, err := tt.fn.Act(ctx, env, h)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if e.Alters() {
				got = value.Repr(e.Changes)
			}
			if fetched := calls.calls > 0; fetched != (tt.changes != "") {
				t.Errorf("the lists were fetched: %t", fetched)
			}
			data, _ := h.ReadFile(tt.file)
			if d := cmp.Diff([]string{tt.changes, tt.want}, []string{got, string(data)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestOnDebian: where Salt has no python3-apt, and sees less of a line.
func TestOnDebian(t *testing.T) {
	for _, tt := range []struct {
		fn          modules.StateFunc
		text, after string
	}{
		{bind(t, absentSpec(), "deb http://flat.example.org ./"), "deb http://flat.example.org ./\ndeb http://x y z\n",
			"deb http://x y z\n"},
		{bind(t, managedSpec(), "deb http://x y z", "disabled", value.Bool(true)), "deb http://x y z\n",
			"# deb http://x y z\n"},
		{bind(t, managedSpec(), "deb http://x y z"), "# deb http://x y z\n", "deb http://x y z\n"},
		{bind(t, managedSpec(), "deb [trusted=yes] http://x y z"), "deb http://x y z\n", "deb [trusted=yes] http://x y z\n"},
	} {
		h := hosttest.NewMemory()
		h.MustWrite(mainList, tt.text, 0o644)
		env := &modules.Env{Files: files{}, Low: &state.Low{}, Exec: &fetcher{h: h},
			Grains: grains("os", value.Str("Debian"), "oscodename", value.Str("bookworm"))}
		e, err := tt.fn.Act(t.Context(), env, h)
		if got, _ := h.ReadFile(mainList); err != nil || !e.Alters() || string(got) != tt.after {
			t.Errorf("of %q: %q, %+v %v", tt.text, got, e, err)
		}
	}
}

func TestFaults(t *testing.T) {
	str := func(s string) value.Value { return value.Str(s) }
	for _, args := range []*value.Dict{value.DictOf("enabled", value.Bool(true), "disabled", value.Bool(false)),
		value.DictOf("repo", str("deb http://x y z"))} {
		spec := managedSpec()
		if fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: "deb http://x y z", Args: args}); fn != nil {
			t.Errorf("%v: %v", value.Repr(args), diags)
		}
	}
	for want, fn := range map[string]modules.StateFunc{
		"\"ppa:\" style":     bind(t, managedSpec(), "ppa:me/x"),
		"no source of apt":   bind(t, managedSpec(), "nonsense here"),
		"not there":          bind(t, managedSpec(), "deb http://x y z", "key_url", str("https://example.org/none")),
		"doesn't exist in":   bind(t, absentSpec(), "deb http://src.example.org x y"),
		"E: Failed to fetch": bind(t, managedSpec(), "deb http://broken.example.org y z"),
	} {
		h := hosttest.NewMemory()
		h.MustWrite(mainList, "deb [arch=i386] http://src.example.org x y\n", 0o644)
		env := &modules.Env{Files: files{}, Low: &state.Low{}, Exec: &fetcher{h: h}}
		if e, err := fn.Act(context.Background(), env, h); err == nil || !strings.Contains(err.Error(), want) || e.Alters() {
			t.Errorf("%+v %v, want %s", e, err, want)
		}
		env.Grains = grains("os_family", str("Arch"))
		if _, err := fn.Act(context.Background(), env, h); err == nil || !strings.Contains(err.Error(), "not implemented") {
			t.Errorf("where pacman is: %v", err)
		}
	}
}

func TestConformance(t *testing.T) {
	const name = "deb http://deb.example.org/debian bookworm main"
	with := func(file, text string) func(*testing.T) host.Host {
		return modtest.Memory(nil, func(m *hosttest.Memory) { m.MustWrite(file, text, 0o644) })
	}
	modtest.Suite{Family: Family(), Env: func(*testing.T) *modules.Env {
		return &modules.Env{Files: files{}, Progress: func(string) {}, Exec: &fetcher{h: hosttest.NewMemory()}}
	},
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
			modtest.State("pkgrepo.managed", name, "signedby", "/etc/apt/keyrings/k.gpg", "keyid", "ABCD", "keyserver",
				"keys.example.org"),
			modtest.State("pkgrepo.managed", name, "key_url", "https://example.org/none"),
			modtest.State("pkgrepo.absent", name),
			modtest.State("pkgrepo.absent", name, "file", parts+"/x.list"),
		}}.Run(t)
}
