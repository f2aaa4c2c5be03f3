package plan_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gostate/gostate/cmd/internal/plan"
)

func example() *plan.Plan {
	return &plan.Plan{Gostate: "1.2.3", Machine: plan.Machine{ID: "web1", Root: "/", Host: "h", User: 0}, Key: []byte("k"),
		Files: map[string]string{"r:/etc/a": "1", "s:/etc": "2"}, Tree: map[string]string{"/srv/salt/a.sls": "1"},
		States: []plan.State{
			{Tag: "a", ID: "/etc/a", State: "file.managed", Declared: "d", Result: plan.Change,
				Looks: []plan.Look{{Todo: true, Effect: "e", Reads: []string{"r:/etc/a", "s:/etc"}}}},
			{Tag: "b", ID: "b", State: "test.nop", Declared: "d", Result: plan.Unchanged, Looks: []plan.Look{{Effect: "e"}}},
		}}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := example().Write(path); err != nil {
		t.Fatal(err)
	}
	if i, err := os.Stat(path); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("the plan has mode %v, %v", i.Mode(), err)
	}
	p, err := plan.Read(path)
	if err != nil || len(p.States) != 2 || p.States[0].Looks[0].Effect != "e" {
		t.Fatalf("read %+v, %v", p, err)
	}
	text, _ := os.ReadFile(path)
	for i := 0; i < len(text); i += 7 { // no byte of it may change
		bad := append([]byte{}, text...)
		bad[i] ^= 1
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := plan.Read(path); err == nil {
			t.Errorf("byte %d of %q was changed, and the plan is taken", i, text)
		}
	}
}

// A plan waits between its making and its use: one that others could have written meanwhile is none.
func TestOthersPlans(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p")
	if err := example().Write(path); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	refused := func(path, why string) {
		t.Helper()
		if _, err := plan.Read(path); err == nil || !strings.Contains(err.Error(), why) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%v does not say %q", err, why)
		}
	}
	refused(fifo, "is a fifo")
	refused(dir, "is a directory")
	for _, mode := range []os.FileMode{0o620, 0o602} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		refused(path, "others can write the plan")
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Read(path); err != nil {
		t.Error(err)
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	if err := os.Chown(path, 4711, -1); err != nil {
		t.Fatal(err)
	}
	refused(path, "belongs to user 4711")
}

func TestSuits(t *testing.T) {
	for want, change := range map[string]func(p *plan.Plan){
		"":                                    func(*plan.Plan) {},
		"by gostate 2.0.0, and this is 1.2.3": func(p *plan.Plan) { p.Gostate = "2.0.0" },
		`for the minion "db1"`:                func(p *plan.Plan) { p.Machine.ID = "db1" },
		"for the tree at /mnt":                func(p *plan.Plan) { p.Machine.Root = "/mnt" },
		"made on another machine":             func(p *plan.Plan) { p.Machine.Host = "other" },
		"made by user 1000":                   func(p *plan.Plan) { p.Machine.User = 1000 },
	} {
		p := example()
		change(p)
		err := p.Suits("1.2.3", example().Machine)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name, tree, stale string
		change            func(now *plan.Plan)
	}{
		{"nothing", "", "", func(*plan.Plan) {}},
		{"a file of the machine", "", "/etc/a has changed", func(now *plan.Plan) {
			now.Files["r:/etc/a"], now.States[0].Looks[0].Effect = "other", "other"
		}},
		{"what a command says", "", "no longer what was planned",
			func(now *plan.Plan) { now.States[0].Looks[0].Effect = "other" }},
		{"a template", "changed: /srv/salt/a.sls", "", func(now *plan.Plan) {
			now.States[0].Looks[0].Effect, now.Tree["/srv/salt/a.sls"] = "other", "2"
		}},
		{"a comment in a file", "", "", func(now *plan.Plan) { now.Tree["/srv/salt/a.sls"] = "2" }},
		{"an argument", "declared otherwise: test.nop b", "", func(now *plan.Plan) { now.States[1].Declared = "x" }},
		{"a state that is gone", "gone: test.nop b", "", func(now *plan.Plan) { now.States = now.States[:1] }},
		{"the order", "the order of the states", "", func(now *plan.Plan) {
			now.States[0], now.States[1] = now.States[1], now.States[0]
		}},
		{"what is done already", "", "", func(now *plan.Plan) {
			now.States[0].Looks[0] = plan.Look{Effect: "other", Reads: now.States[0].Looks[0].Reads}
		}},
	} {
		now := example()
		c.change(now)
		if got := example().TreeChanged(now); got != c.tree {
			t.Errorf("%s: the tree changed: %q, want %q", c.name, got, c.tree)
		}
		if got := example().Stale(now)["a"]; c.tree == "" && (got == "") != (c.stale == "") ||
			!strings.Contains(got, c.stale) {
			t.Errorf("%s: stale: %q, want %q", c.name, got, c.stale)
		}
	}
}
