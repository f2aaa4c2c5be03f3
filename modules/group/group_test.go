package group

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

func bind(t *testing.T, spec modules.StateSpec, name string, args ...any) modules.StateFunc {
	t.Helper()
	fn, diags := modules.Bind(&spec, &state.Low{ID: name, Name: name, Args: value.DictOf(args...)})
	if fn == nil {
		t.Fatal(diags[0])
	}
	return fn
}

// machine has the users alice (1000) and bob (1001), and the group staff of alice.
func machine() *hosttest.Memory {
	h := hosttest.NewMemory()
	h.AddUser("alice", 1000)
	h.AddUser("bob", 1001)
	h.MustWrite("/etc/group", "root:x:0:\nalice:x:1000:\nbob:x:1001:\nstaff:x:50:alice\n", 0o644)
	h.Invalidate("accounts")
	for _, tool := range []string{"groupadd", "groupmod", "groupdel", "gpasswd"} {
		h.MustWrite("/usr/sbin/"+tool, "", 0o755)
	}
	h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{}, nil }
	return h
}

func TestPresent(t *testing.T) {
	users := func(names ...string) value.Value {
		l := value.NewList()
		for _, n := range names {
			l.Items = append(l.Items, value.Str(n))
		}
		return l
	}
	const final = "{'Final': 'All changes applied successfully'}"
	tests := []struct {
		name, group string
		args        []any
		changes     string // "" when nothing changes
		ran         string
		failed      string // what could not be changed; the rest is
	}{
		{"there", "staff", nil, "", "", ""},
		{"there with all", "staff", []any{"gid", value.Int(50), "members", users("alice")}, "", "", ""},
		{"new", "web", []any{"gid", value.Int(300), "system", value.Bool(true)},
			"{'name': 'web', 'passwd': 'x', 'gid': 300, 'members': []}", "groupadd -g 300 -r web", ""},
		{"new with members", "web", []any{"members", users("bob", "alice")},
			"{'name': 'web', 'passwd': 'x', 'gid': 1002, 'members': ['bob', 'alice']}",
			"groupadd web; gpasswd -M bob,alice web", ""},
		{"gid", "staff", []any{"gid", value.Int(51)}, final, "groupmod -g 51 staff", ""},
		{"gid is taken", "staff", []any{"gid", value.Int(1000)}, "", "", "{'gid': 1000}"},
		{"gid shared", "staff", []any{"gid", value.Int(1000), "non_unique", value.Bool(true)}, final,
			"groupmod -g 1000 -o staff", ""},
		{"add", "staff", []any{"addusers", users("bob")}, final, "gpasswd -M alice,bob staff", ""},
		{"delete", "staff", []any{"delusers", users("alice", "bob")}, final, "gpasswd -M  staff", ""},
		{"stranger", "staff", []any{"addusers", users("eve")}, "", "", "{'addusers': ['eve']}"},
		{"one stranger", "staff", []any{"addusers", users("bob", "eve")}, "", "gpasswd -M alice,bob staff",
			"{'addusers': ['eve']}"},
		{"strange members", "staff", []any{"members", users("bob", "eve")}, "", "", "{'members': ['bob', 'eve']}"},
		{"new with a stranger", "web", []any{"addusers", users("bob", "eve")}, "", "groupadd web; gpasswd -M bob web",
			"{'addusers': ['eve']}"},
		{"new with a gid that is taken", "web", []any{"gid", value.Int(50)}, "", "", "None"},
		{"no members", "staff", []any{"members", users()}, final, "gpasswd -M  staff", ""},
		{"members in another order", "staff", []any{"members", users("alice", "alice")}, "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := machine()
			fn := bind(t, presentSpec(), tt.group, tt.args...)
			f, err := modtest.Of(fn).Check(context.Background(), nil, h)
			if err != nil || tt.failed != "" {
				_, _ = modtest.Of(fn).Apply(context.Background(), nil, h, f)
				failed := value.Value(value.None)
				if f.Changes != nil {
					failed, _ = f.Changes.GetStr("Failed")
				}
				if err == nil || value.Repr(failed) != tt.failed || tt.failed != "None" && !f.Action {
					t.Errorf("error %v with %s, want %s", err, value.Repr(failed), tt.failed)
				}
				if d := cmp.Diff(tt.ran, ran(h)); d != "" {
					t.Errorf("commands (-want +got):\n%s", d)
				}
				return
			}
			got := ""
			if f.Pending {
				got = value.Repr(f.Changes)
				if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(tt.changes, got); d != "" {
				t.Errorf("changes (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.ran, ran(h)); d != "" {
				t.Errorf("commands (-want +got):\n%s", d)
			}
		})
	}
}

func ran(h *hosttest.Memory) string {
	var out []string
	for _, c := range h.Ran {
		out = append(out, strings.Join(c.Args, " "))
	}
	return strings.Join(out, "; ")
}

func TestPresentPromises(t *testing.T) {
	h := machine()
	f, err := modtest.Of(bind(t, presentSpec(), "web", "gid", value.Int(300))).Check(context.Background(), nil, h)
	if err != nil {
		t.Fatal(err)
	}
	want := []host.Fact{{Kind: host.FactGroup, Name: "web", Value: "present",
		Attrs: map[string]string{"gid": "300", "members": ""}}}
	if d := cmp.Diff(want, f.Effects); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestContradictions(t *testing.T) {
	spec := presentSpec()
	for _, args := range []*value.Dict{
		value.DictOf("members", value.Str("a"), "addusers", value.Str("b")),
		value.DictOf("addusers", value.Str("a"), "delusers", value.Str("a")),
	} {
		if fn, diags := modules.Bind(&spec, &state.Low{ID: "g", Name: "g", Args: args}); fn != nil || len(diags) != 1 {
			t.Errorf("%v was taken", value.Repr(args))
		}
	}
}

func TestAbsent(t *testing.T) {
	h := machine()
	fn := bind(t, absentSpec(), "staff")
	f, err := modtest.Of(fn).Check(context.Background(), nil, h)
	if err != nil || !f.Pending || value.Repr(f.Changes) != "{'staff': ''}" {
		t.Fatalf("%+v %v", f, err)
	}
	if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil || ran(h) != "groupdel staff" {
		t.Errorf("%s %v", ran(h), err)
	}
	if f, err := modtest.Of(bind(t, absentSpec(), "nobodys")).Check(context.Background(), nil, h); err != nil ||
		f.Pending {
		t.Errorf("%+v %v", f, err)
	}
	if _, err := modtest.Of(bind(t, absentSpec(), "alice")).Check(context.Background(), nil, h); err == nil {
		t.Error("the primary group of a user would be removed")
	}
}

func TestExecs(t *testing.T) {
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	h := host.NewOverlay(machine())
	for _, tt := range []struct{ call, want string }{
		{"group.add web 300", "True"}, {"group.add web", "False"}, {"group.add other 300", "False"},
		{"group.adduser web bob", "True"}, {"group.adduser web eve", "False"},
		{"group.adduser nope bob", "False"}, {"group.members web alice,bob", "True"}, {"group.deluser web alice", "True"},
		{"group.deluser nope alice", "True"},
		{"group.chgid web 301", "True"}, {"group.chgid web 50", "False"},
		{"group.info web", "{'name': 'web', 'passwd': 'x', 'gid': 301, 'members': ['bob']}"},
		{"group.info nope", "{}"}, {"group.delete alice", "False"}, {"group.delete web", "True"},
		{"group.delete web", "False"},
	} {
		words := strings.Fields(tt.call)
		var args []value.Value
		for _, a := range words[1:] {
			args = append(args, value.Str(a))
		}
		v, err := reg.Call(t.Context(), &modules.Env{}, h, words[0], args, nil)
		if err != nil || value.String(v) != tt.want {
			t.Errorf("%s: %v %v, want %s", tt.call, v, err, tt.want)
		}
	}
	if _, err := reg.Call(t.Context(), &modules.Env{}, h, "group.add", []value.Value{value.Str("x")},
		value.DictOf("nope", value.Int(1))); err == nil {
		t.Error("an unknown argument was taken")
	}
}
