package hub_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/bus/bustest"
	"github.com/gostate/gostate/cmd/fleet/hub"
	"github.com/gostate/gostate/cmd/fleet/join"
	"github.com/gostate/gostate/cmd/internal/agent"
)

// TestEnrolment: a machine asks, is accepted by its fingerprint, is pinned, and is revoked.
func TestEnrolment(t *testing.T) {
	h := bustest.Start(t)
	ctx, op := t.Context(), h.Operator()
	token, err := hub.NewToken(h.Dir, time.Hour, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if token, err = join.ParseToken(token.Encode()); err != nil {
		t.Fatal(err)
	}
	dir, nodes := t.TempDir(), filepath.Join(t.TempDir(), "nodes.yaml")
	request := join.Request{ID: "web1.example.com", At: time.Unix(1, 0)}
	if m, err := join.Enrol(ctx, dir, token, request, 0); m != nil || err != nil {
		t.Fatalf("nobody has answered yet: %v, %v", m, err)
	}
	thief := t.TempDir() // another machine says that it is this one
	if _, err := join.Enrol(ctx, thief, token, request, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := hub.Accept(ctx, op, h.Dir, nodes, request.ID, ""); err == nil {
		t.Error("one of two keys was accepted without a fingerprint")
	}
	key, _ := join.Key(dir)
	public, _ := key.PublicKey()
	if _, err := hub.Accept(ctx, op, h.Dir, nodes, request.ID, join.Fingerprint(public)); err != nil {
		t.Fatal(err)
	}
	m, err := join.Enrol(ctx, dir, token, request, 0)
	if err != nil || m == nil {
		t.Fatal(m, err)
	}
	b, err := bus.Connect(m.Options())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Deliver(ctx, agent.Delivery{Node: request.ID, Run: "1", Data: []byte("{}")}); err != nil {
		t.Fatal(err)
	}

	all, odd, err := join.Pending(ctx, op)
	list, fault := hub.ReadNodes(nodes)
	claims := hub.Claims(all, list)
	if err != nil || fault != nil || odd != 0 || len(claims) != 1 ||
		!strings.Contains(claims[0].Conflict, "another key is in") {
		t.Errorf("%v, %v, %d, %+v", err, fault, odd, claims)
	}
	if _, err := hub.Accept(ctx, op, h.Dir, nodes, request.ID, ""); err == nil {
		t.Error("a second key of the same id was accepted")
	}
	if _, err := hub.Reject(ctx, op, request.ID, "", "it is a copy"); err != nil {
		t.Error(err)
	}
	if _, err := join.Enrol(ctx, thief, token, request, 0); err == nil || !strings.Contains(err.Error(), "it is a copy") {
		t.Errorf("the copy is told: %v", err)
	}

	if err := hub.Revoke(h.Dir, list[0].NKey); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"now", "after the hub began anew", "after its store was lost"} {
		o := m.Options()
		o.URLs, o.Patient = []string{h.URL}, false
		if c, err := bus.Connect(o); err == nil {
			c.Close()
			t.Errorf("a key that was revoked connects, %s", when)
		}
		h.Stop()
		if strings.Contains(when, "anew") {
			if err := os.RemoveAll(filepath.Join(h.Dir, "server", "data")); err != nil {
				t.Fatal(err)
			}
		}
		h.Begin()
	}
	h.Node("web2") // others connect as before
}

// TestToken: one that has ended, one for another hub, and what a token lets do.
func TestToken(t *testing.T) {
	h, other := bustest.Start(t), bustest.Start(t)
	ctx := t.Context()
	ended, err := hub.NewToken(h.Dir, -time.Minute, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	request := join.Request{ID: "web1"}
	if _, err := join.Enrol(ctx, t.TempDir(), ended, request, 0); err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("a token that has ended: %v", err)
	}
	lured, _ := hub.NewToken(h.Dir, time.Hour, time.Now())
	lured.Hub = []string{other.URL}
	if _, err := join.Enrol(ctx, t.TempDir(), lured, request, 0); err == nil ||
		!strings.Contains(err.Error(), "another hub") {
		t.Errorf("another hub in the place of the right one: %v", err)
	}
	if _, err := join.ParseToken("eyJ"); err == nil {
		t.Error("any text is a token")
	}
}

// TestPin: what is written into the list of machines, whose other lines stay.
func TestPin(t *testing.T) {
	key, err := join.Key(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	public, _ := key.PublicKey()
	const age = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
	request := join.Request{ID: "web2", NKey: public, Age: []string{age}}
	for name, c := range map[string]struct{ was, want string }{
		"no file":  {"", "nodes:\n  web2:\n    nkey: KEY\n    age: [AGE]\n"},
		"an empty": {"nodes: {}\n", "nodes:\n  web2:\n    nkey: KEY\n    age: [AGE]\n"},
		"others": {"# ours\nnodes:\n    web1:  # first\n        env: prod\n\n# end\n",
			"# ours\nnodes:\n    web1:  # first\n        env: prod\n    web2:\n      nkey: KEY\n      age: [AGE]\n\n# end\n"},
		"it is there": {"nodes:\n  web2:\n    labels: {a: b}\n  web3:\n",
			"nodes:\n  web2:\n    nkey: KEY\n    age: [AGE]\n    labels: {a: b}\n  web3:\n"},
		"with its age": {"nodes:\n  web2:\n    age: AGE\n", "nodes:\n  web2:\n    nkey: KEY\n    age: AGE\n"},
		"already":      {"nodes:\n  web2:\n    nkey: KEY\n", "nodes:\n  web2:\n    nkey: KEY\n"},
		"on one line":  {"nodes:\n  web2: {age: AGE}\n", ""},
		"another key":  {"nodes:\n  web2:\n    nkey: UOTHER\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "nodes.yaml")
			put := strings.NewReplacer("KEY", public, "AGE", age)
			if c.was != "" {
				if err := os.WriteFile(file, []byte(put.Replace(c.was)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			err := hub.Pin(file, request)
			if (err != nil) != (c.want == "") {
				t.Error(err)
			}
			if c.want == "" {
				c.want = c.was
			}
			got, err := os.ReadFile(file)
			if diff := cmp.Diff(put.Replace(c.want), string(got)); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}
