package hosts

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func TestStates(t *testing.T) {
	const before = "# hosts\n127.0.0.1\tlocalhost\n10.0.0.1 db db.example.org # the database\n10.0.0.2 db web\n"
	list := func(words ...string) value.Value {
		l := value.NewList()
		for _, w := range words {
			l.Items = append(l.Items, value.Str(w))
		}
		return l
	}
	tests := []struct {
		name, host string
		spec       modules.StateSpec
		args       []any
		changes    string // "" when nothing changes
		after      string
	}{
		{"there", "db", presentSpec(), []any{"ip", list("10.0.0.1", "10.0.0.2")}, "", before},
		{"to an address that is there", "new", presentSpec(), []any{"ip", value.Str("10.0.0.1")},
			"{'added': {'10.0.0.1': ['new']}}",
			"# hosts\n127.0.0.1\t\tlocalhost\n10.0.0.1\t\tdb db.example.org new\t\t# the database\n10.0.0.2\t\tdb web\n"},
		{"new address", "new", presentSpec(), []any{"ip", value.Str("::1"), "comment", value.Str("six")},
			"{'added': {'::1': ['new']}, 'comment_added': {'::1': ['six']}}",
			"# hosts\n127.0.0.1\t\tlocalhost\n10.0.0.1\t\tdb db.example.org\t\t# the database\n10.0.0.2\t\tdb " +
				"web\n::1\t\tnew\t\t# six\n"},
		{"new addresses in their order", "new", presentSpec(), []any{"ip", list("10.0.0.9", "10.0.0.8", "10.0.0.7")},
			"{'added': {'10.0.0.9': ['new'], '10.0.0.8': ['new'], '10.0.0.7': ['new']}}",
			"# hosts\n127.0.0.1\t\tlocalhost\n10.0.0.1\t\tdb db.example.org\t\t# the database\n10.0.0.2\t\tdb web\n" +
				"10.0.0.9\t\tnew\n10.0.0.8\t\tnew\n10.0.0.7\t\tnew\n"},
		{"another comment", "web", presentSpec(), []any{"ip", value.Str("10.0.0.2"), "comment", value.Str("the web")},
			"{'comment_added': {'10.0.0.2': ['the web']}}",
			"# hosts\n127.0.0.1\t\tlocalhost\n10.0.0.1\t\tdb db.example.org\t\t# the database\n10.0.0.2\t\tdb web\t\t# the web\n"},
		{"the same comment", "db", presentSpec(), []any{"ip", value.Str("10.0.0.1"), "comment", value.Str("the database")},
			"", before},
		{"moved", "web", presentSpec(), []any{"ip", value.Str("10.0.0.3"), "clean", value.Bool(true)},
			"{'added': {'10.0.0.3': ['web']}, 'removed': {'10.0.0.2': ['web']}}",
			"# hosts\n127.0.0.1\t\tlocalhost\n10.0.0.1\t\tdb db.example.org\t\t# the database\n10.0.0.2\t\tdb " +
				"\n10.0.0.3\t\tweb\n"},
		{"absent", "db", absentSpec(), []any{"ip", list("10.0.0.1", "10.0.0.2", "10.0.0.3")}, "{'host': 'db'}",
			"# hosts\n127.0.0.1\tlocalhost\n10.0.0.1\t\tdb.example.org # the database\n10.0.0.2\t\tweb \n"},
		{"absent of one", "db", absentSpec(), []any{"ip", value.Str("10.0.0.2")}, "{'host': 'db'}",
			"# hosts\n127.0.0.1\tlocalhost\n10.0.0.1 db db.example.org # the database\n10.0.0.2\t\tweb \n"},
		{"absent already", "nope", absentSpec(), []any{"ip", value.Str("10.0.0.1")}, "", before},
		{"only", "10.0.0.2", onlySpec(), []any{"hostnames", list("a", "b")}, "{'10.0.0.2': {'old': 'db web', 'new': 'a b'}}",
			"# hosts\n127.0.0.1\tlocalhost\n10.0.0.1 db db.example.org # the database\n10.0.0.2\t\ta b\n"},
		{"only keeps the comment", "10.0.0.1", onlySpec(), []any{"hostnames", value.Str("a")},
			"{'10.0.0.1': {'old': 'db db.example.org', 'new': 'a'}}",
			"# hosts\n127.0.0.1\tlocalhost\n10.0.0.1\t\ta\t\t# the database\n10.0.0.2 db web\n"},
		{"only none", "10.0.0.1", onlySpec(), []any{"hostnames", list()},
			"{'10.0.0.1': {'old': 'db db.example.org', 'new': ''}}",
			"# hosts\n127.0.0.1\tlocalhost\n10.0.0.2 db web\n"},
		{"only already", "10.0.0.2", onlySpec(), []any{"hostnames", list("db", "web")}, "", before},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite("/etc/hosts", before, 0o644)
			fn, diags := modules.Bind(&tt.spec, &state.Low{ID: "x", Name: tt.host, Args: value.DictOf(tt.args...)})
			if fn == nil {
				t.Fatal(diags[0])
			}
			ctx := context.Background()
			f, err := modtest.Of(fn).Check(ctx, nil, h)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if f.Pending {
				got = value.Repr(f.Changes)
				if _, err := modtest.Of(fn).Apply(ctx, nil, h, f); err != nil {
					t.Fatal(err)
				}
				if again, err := modtest.Of(fn).Check(ctx, nil, h); err != nil || again.Pending {
					t.Errorf("does not converge: %v %v", value.Repr(again.Changes), err)
				}
			}
			data, _ := h.ReadFile("/etc/hosts")
			if d := cmp.Diff([]string{tt.changes, tt.after}, []string{got, string(data)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	for _, l := range []*state.Low{{Name: "x", Args: value.DictOf("ip", value.Str("10.0.0"))},
		{Name: "x y", Args: value.DictOf("ip", value.Str("::1"))}, {Name: "x"}} {
		spec := presentSpec()
		if fn, _ := modules.Bind(&spec, l); fn != nil {
			t.Errorf("%s %s was taken", l.Name, value.Repr(l.Args))
		}
	}
}

// TestOddFiles: lines that nobody understands, other ends of lines and a missing end of the last one.
func TestOddFiles(t *testing.T) {
	const odd = "127.0.0.1 localhost\r\n\n10.0.0.1\n# a # b\n10.0.0.2 a # x # y\n10.0.0.2 b\n10.0.0.3 c"
	f := &file{lines: strings.Split(odd, "\n")}
	f.drop("10.0.0.2", "a")
	if d := cmp.Diff("127.0.0.1 localhost\r\n\n10.0.0.1\n# a # b\n10.0.0.2\t\tb \n10.0.0.3 c",
		strings.Join(f.lines, "\n")); d != "" {
		t.Errorf("drop (-want +got):\n%s", d)
	}
	f = &file{lines: strings.Split(odd, "\n")}
	f.add("10.0.0.3", "d")
	want := "127.0.0.1\t\tlocalhost\n10.0.0.1\n# a # b\n10.0.0.2\t\ta b\t\t# x # y\n10.0.0.3\t\tc d"
	if d := cmp.Diff(want, strings.Join(f.lines, "\n")); d != "" {
		t.Errorf("add (-want +got):\n%s", d)
	}
}

func TestExecs(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/opt/hosts", "# x\n10.0.0.1 a b # c\n", 0o644)
	opts := modules.Whole(func() *value.Dict { return value.DictOf("hosts.file", value.Str("/opt/hosts")) })
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ fn, args, want string }{
		{"list_hosts", "", "{'comment-0': ['# x'], '10.0.0.1': {'aliases': ['a', 'b'], 'comment': 'c'}}"},
		{"get_ip", "b", "'10.0.0.1'"}, {"get_ip", "z", "''"}, {"get_alias", "10.0.0.1", "['a', 'b']"},
		{"get_alias", "10.0.0.2", "[]"},
		{"has_pair", "10.0.0.1 a", "True"}, {"has_pair", "10.0.0.1 z", "False"}, {"add_host", "10.0.0.2 z", "True"},
		{"rm_host", "10.0.0.1 a", "True"},
		{"set_comment", "10.0.0.2 two", "True"}, {"set_comment", "10.0.0.9 two", "False"},
		{"set_host", "10.0.0.3 q three", "True"},
	} {
		var args []value.Value
		for _, a := range strings.Fields(tt.args) {
			args = append(args, value.Str(a))
		}
		v, err := reg.Call(t.Context(), &modules.Env{Opts: opts}, h, "hosts."+tt.fn, args, nil)
		if err != nil || value.Repr(v) != tt.want {
			t.Errorf("%s %s: %v %v, want %s", tt.fn, tt.args, value.Repr(v), err, tt.want)
		}
	}
	got, _ := h.ReadFile("/opt/hosts")
	if d := cmp.Diff("# x\n10.0.0.1\t\tb\t\t# c\n10.0.0.2\t\tz\t\t# two\n10.0.0.3\t\tq\t\t# three\n",
		string(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if _, err := reg.Call(t.Context(), &modules.Env{Opts: opts}, h, "hosts.list_hosts", nil,
		value.DictOf("x", value.Int(1))); err == nil {
		t.Error("an unknown argument was taken")
	}
}
