package host_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// tree lists a machine's files with what they are.
func tree(t *testing.T, h host.Reader, dir string, out map[string]string) map[string]string {
	t.Helper()
	infos, err := h.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range infos {
		p := strings.TrimSuffix(dir, "/") + "/" + i.Path
		line := i.Mode.String()
		switch {
		case i.IsDir():
			tree(t, h, p, out)
		case i.IsSymlink():
			target, _ := h.Readlink(p)
			line += " -> " + target
		case i.IsRegular():
			raw, err := h.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			line += " " + string(raw)
		}
		out[p] = line
	}
	return out
}

// fill makes a machine to begin with.
func fill() *hosttest.Memory {
	m := hosttest.NewMemory()
	for p, text := range map[string]string{"/etc/a": "a", "/etc/b": "b", "/etc/d/x": "x", "/etc/d/y": "y",
		"/etc/gone/z": "z", "/srv/w": "w"} {
		m.MustWrite(p, text, 0o644)
	}
	return m
}

// TestChanges: another tree that is fed with an overlay's changes, a few at a time, becomes what the overlay shows.
func TestChanges(t *testing.T) {
	over, other := host.NewOverlay(fill()), fill()
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	attr := host.KeepAttr()
	steps := []func(){
		func() { do(over.WriteFile("/etc/a", strings.NewReader("new"), attr)); do(over.Mkdir("/etc/new", attr)) },
		func() {
			do(over.WriteFile("/etc/new/f", strings.NewReader("f"), attr))
			do(over.Chmod("/etc/b", 0o600))
		},
		func() { do(over.RemoveAll("/etc/gone")); do(over.Symlink("d/x", "/etc/link")) },
		func() { do(over.Chmod("/etc/new", 0o700)) }, // keeps what is in it
		func() { do(over.Rename("/etc/d", "/srv/d")); do(over.Chmod("/srv/d/y", 0o4755)) },
		func() { do(over.RemoveAll("/etc/new")); do(over.Mkdir("/etc/new", attr)) },
		func() { do(over.Link("/srv/w", "/srv/w2")); do(over.Chmod("/srv/w2", 0o640)) },
		func() { do(over.RemoveAll("/etc/link")); do(over.Mkdir("/etc/link", attr)) },
		func() { do(over.Mkdir("/etc/gone", attr)) },
	}
	for n, step := range steps {
		step()
		changes, err := over.Changes(false)
		do(err)
		do(host.Apply(other, changes))
		want, got := tree(t, over, "/", map[string]string{}), tree(t, other, "/", map[string]string{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("after step %d (-overlay +fed):\n%s", n, diff)
		}
		if more, _ := over.Changes(false); len(more) > 0 {
			t.Errorf("after step %d: changes are told twice: %v", n, more)
		}
	}
}

type noted struct{ ran []host.Cmd }

func (n *noted) RunIn(_ context.Context, _ *host.Overlay, c host.Cmd) (*host.Output, error) {
	n.ran = append(n.ran, c)
	return &host.Output{}, nil
}

// TestRunner: users' commands go to the runner, also from an overlay above; gostate's own queries go to the machine.
func TestRunner(t *testing.T) {
	m, r := hosttest.NewMemory(), &noted{}
	m.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{}, nil }
	over := host.NewOverlay(m)
	over.SetRunner(r)
	for _, h := range []host.Host{over, host.Forecast(over)} {
		for _, c := range []host.Cmd{{Args: []string{"mine"}}, {Args: []string{"theirs"}, Users: true}} {
			if _, err := h.Query(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(r.ran) != 2 || len(m.Ran) != 2 || m.Ran[0].Users || !r.ran[0].Users {
		t.Errorf("the runner got %v, the machine %v", r.ran, m.Ran)
	}
}
