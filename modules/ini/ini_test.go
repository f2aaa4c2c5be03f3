package ini

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

const before = "; top\nglobal = 1\n\n[server]\n# the port\nport=80\nhost = a b\n\n[client]\nport = 1\n"

func TestStates(t *testing.T) {
	m := value.DictOf
	s := func(text string) value.Value { return value.Str(text) }
	tests := []struct {
		name, fun string
		args      []any
		changes   string // "" when nothing changes
		after     string
	}{
		{"there", "options_present", []any{"sections", m("global", value.Int(1), "server",
			m("port", value.Int(80), "host", s("a b")))}, "", before},
		{"change", "options_present", []any{"sections", m("server", m("port", value.Int(81)))},
			"{'server': {'port': {'before': '80', 'after': '81'}}}",
			"; top\nglobal = 1\n\n[server]\n# the port\nport = 81\nhost = a b\n\n[client]\nport = 1\n"},
		{"add to a section", "options_present", []any{"sections", m("server", m("new", s("x"))), "no_spaces",
			value.Bool(true)}, "{'server': {'new': {'before': None, 'after': 'x'}}}",
			"; top\nglobal=1\n\n[server]\n# the port\nport=80\nhost=a b\nnew=x\n\n[client]\nport=1\n"},
		{"new section", "options_present", []any{"sections", m("x", m("y", value.Bool(true)))},
			"{'x': {'before': None, 'after': {'y': 'True'}}}",
			"; top\nglobal = 1\n\n[server]\n# the port\nport = 80\nhost = a b\n\n[client]\nport = 1\n\n[x]\ny = True\n"},
		{"strict", "options_present", []any{"sections", m("server", m("port", s("80"))), "strict", value.Bool(true)},
			"{'global': {'before': '1', 'after': None}, 'server': {'host': {'before': 'a b', 'after': None}}}",
			"; top\n\n[server]\n# the port\nport = 80\n\n[client]\nport = 1\n"},
		{"outside of sections", "options_present", []any{"sections", m("global", s("2"))},
			"{'global': {'before': '1', 'after': '2'}}",
			"; top\nglobal = 2\n\n[server]\n# the port\nport = 80\nhost = a b\n\n[client]\nport = 1\n"},
		{"strict leaves no blank lines", "options_present",
			[]any{"sections", m("client", m("port", value.Int(1))), "strict", value.Bool(true)},
			"{'global': {'before': '1', 'after': None}}", "; top\n\n[server]\n# the port\nport = 80\nhost = a " +
				"b\n\n[client]\nport = 1\n"},
		{"absent", "options_absent", []any{"sections", m("server", value.NewList(s("host"), s("nope")))},
			"{'server': {'host': 'a b'}}",
			"; top\nglobal = 1\n\n[server]\n# the port\nport = 80\n\n[client]\nport = 1\n"},
		{"absent outside of sections", "options_absent", []any{"sections", m("global", value.None)}, "{'global': '1'}",
			"; top\n\n[server]\n# the port\nport = 80\nhost = a b\n\n[client]\nport = 1\n"},
		{"absent of no section", "options_absent", []any{"sections", m("nosuch", value.NewList(s("global")))}, "", before},
		{"section absent", "sections_absent", []any{"sections", value.NewList(s("server"), s("nope"))},
			"{'server': {'port': '80', 'host': 'a b'}}",
			"; top\nglobal = 1\n\n[client]\nport = 1\n"},
		{"section present", "sections_present", []any{"sections", value.NewList(s("client"), s("empty"))},
			"{'empty': {'before': None, 'after': {}}}",
			"; top\nglobal = 1\n\n[server]\n# the port\nport = 80\nhost = a b\n\n[client]\nport = 1\n\n[empty]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite("/etc/app.ini", before, 0o644)
			var spec modules.StateSpec
			for _, one := range Family().States {
				if one.Name == "ini."+tt.fun {
					spec = one
				}
			}
			fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: "/etc/app.ini", Args: value.DictOf(tt.args...)})
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
			data, _ := h.ReadFile("/etc/app.ini")
			if d := cmp.Diff([]string{tt.changes, tt.after}, []string{got, string(data)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if i, _ := h.Stat("/etc/app.ini"); i.Perm() != 0o644 {
				t.Errorf("mode is %o", i.Perm())
			}
		})
	}
}

// TestEmptyOnesAreShown: a section without options, an option without a value.
func TestEmptyOnesAreShown(t *testing.T) {
	for _, tt := range []struct{ fun, sections, want string }{
		{"sections_absent", `["none"]`, "{'none': {}}"}, {"options_absent", `{"s": ["empty"]}`, "{'s': {'empty': ''}}"},
	} {
		h := hosttest.NewMemory()
		h.MustWrite("/etc/app.ini", "[none]\n\n[s]\nempty =\n", 0o644)
		for _, spec := range Family().States {
			if spec.Name != "ini."+tt.fun {
				continue
			}
			fn, _ := modules.Bind(&spec, &state.Low{ID: "x", Name: "/etc/app.ini",
				Args: value.DictOf("sections", modtest.JSON(t, tt.sections))})
			if e, err := fn.Act(t.Context(), nil, h); err != nil || value.Repr(e.Changes) != tt.want {
				t.Errorf("%s: %s %v, want %s", tt.fun, value.Repr(e.Changes), err, tt.want)
			}
		}
	}
}

// TestOddFiles: what is not an option, or not once, stays when something else is set.
func TestOddFiles(t *testing.T) {
	for _, tt := range []struct{ name, before, after string }{
		{"ends of lines", "[a]\r\nb=1\r\n", "[a]\r\nb = 1\r\nnew = x\r\n"},
		{"no newline at the end", "[a]\nb = 1", "[a]\nb = 1\nnew = x\n"},
		{"lines that are none", "[a]\nb\n= c\nd = 1\n", "[a]\nb\n= c\nd = 1\nnew = x\n"},
		{"a list below an option", "[a]\nb = 1\n  2\n\t3\nc = 4\n", "[a]\nb = 1\n  2\n\t3\nc = 4\nnew = x\n"},
		{"indented options", "[a]\n\tb = 1\n\tc = 2\n", "[a]\n\tb = 1\n\tc = 2\nnew = x\n"},
		{"an option that stands twice", "[a]\nb = 1\nb = 2\n[a]\nb = 3\n", "[a]\nb = 1\nb = 2\nnew = x\n\n[a]\nb = 3\n"},
		{"one that is commented out", "[a]\n# new = 1\nb = 2\n", "[a]\nnew = x\nb = 2\n"},
		{"another comment", "[a]\n;new = 1\n# a new = word\nb = 2\n", "[a]\n;new = 1\n# a new = word\nb = 2\nnew = x\n"},
		{"a heading with a comment is none", "[a]\nb = 2\n[c] ; d\ne = 1\n", "[a]\nb = 2\n[c] ; d\ne = 1\nnew = x\n"},
		{"blank lines", "\n\n[a]\n\nb = 2\n\nc = 3\n\n\n", "[a]\nb = 2\n\nc = 3\nnew = x\n"},
		{"an option below itself", "[a]\n#b = 1\nb = 2\n", "[a]\n#b = 1\nb = 2\nnew = x\n"},
		{"an empty value", "[a]\nb =\n", "[a]\nb = \nnew = x\n"},
		{"other hands", "[a]\nf\xe9 = \xe9\n", "[a]\nf\xe9 = \xe9\nnew = x\n"},
	} {
		d := parse(tt.before, "=")
		d.set("a", "new", "x")
		if diff := cmp.Diff(tt.after, d.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	d := parse("[a]\nb = 1\n[a]\nb = 3\n", "=")
	if was, _ := d.set("a", "b", "4"); was != "3" || d.String() != "[a]\nb = 1\n\n[a]\nb = 4\n" {
		t.Errorf("the last one does not count: %q", d)
	}
	if d := parse("a b c\n", " "); d.find("", "a").val != "b c" || d.String() != "a b c\n" {
		t.Errorf("a space as separator: %q", d)
	}
}

func TestExecs(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/a.ini", "top = 1\n[s]\n# c\nk = v\nl = w\n", 0o644)
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	s := func(text string) value.Value { return value.Str(text) }
	for _, tt := range []struct {
		fn   string
		args []value.Value
		want string
	}{
		{"get_option", []value.Value{s("s"), s("k")}, "'v'"}, {"get_option", []value.Value{s("s"), s("x")}, "None"},
		{"get_option", []value.Value{s(""), s("top")}, "'1'"},
		{"get_section", []value.Value{s("s")}, "{'k': 'v', 'l': 'w'}"}, {"get_section", []value.Value{s("x")}, "{}"},
		{"get_ini", nil, "{'top': '1', 's': {'k': 'v', 'l': 'w'}}"},
		{"set_option", []value.Value{value.DictOf("s", value.DictOf("k", s("V")), "n", value.Int(2), "q",
			value.DictOf("r", s("x")))},
			"{'s': {'k': {'before': 'v', 'after': 'V'}}, 'n': {'before': None, 'after': '2'}, 'q': {'before': None, 'after': " +
				"{'r': 'x'}}}"},
		{"remove_option", []value.Value{s("s"), s("l")}, "'w'"}, {"remove_option", []value.Value{s("s"), s("l")}, "None"},
		{"remove_section", []value.Value{s("q")}, "{'r': 'x'}"}, {"remove_section", []value.Value{s("q")}, "None"},
	} {
		v, err := reg.Call(t.Context(), &modules.Env{}, h, "ini."+tt.fn, append([]value.Value{s("/a.ini")}, tt.args...), nil)
		if err != nil || value.Repr(v) != tt.want {
			t.Errorf("%s: %s %v, want %s", tt.fn, value.Repr(v), err, tt.want)
		}
	}
	if got, _ := h.ReadFile("/a.ini"); string(got) != "top = 1\nn = 2\n\n[s]\n# c\nk = V\n" {
		t.Errorf("left %q", got)
	}
}

// TestNothingElseIsRead: what is accepted is read again as what it is, and what would not be is refused.
func TestNothingElseIsRead(t *testing.T) {
	for _, tt := range []struct {
		section, key, val string
		ok                bool
	}{
		{"s", "a", "b=c", true}, {"s", "a", "b\n    c\n\td", true}, {"s", "a", "[x]", true}, {"", "a b", "", true},
		{"s", "a", "b\nroot = 1", false}, {"s", "a", "b\n[x]", false}, {"s", "a", "b\n\n c", false}, {"s", "a", "b\r", false},
		{"s", "a", "b\n # c", false}, {"s", "a", "b\n", false}, {"s", "a=b", "c", false}, {"s", "#a", "c", false},
		{"s", "[a", "c", false}, {"s", "a\nb", "c", false}, {"s]\n[t", "a", "c", false},
	} {
		sections := value.DictOf(tt.section, value.DictOf(tt.key, value.Str(tt.val)))
		if tt.section == "" {
			sections = value.DictOf(tt.key, value.Str(tt.val))
		}
		if err := faultOf(sections, ""); (err == nil) != tt.ok {
			t.Errorf("%q %q %q: %v", tt.section, tt.key, tt.val, err)
		}
		if !tt.ok {
			continue
		}
		d := parse("[s]\nb = 1\n", "=")
		d.set(tt.section, tt.key, tt.val)
		if e := parse(d.String(), "=").find(tt.section, tt.key); e == nil || e.val != tt.val {
			t.Errorf("%q is read as %+v in\n%s", tt.key, e, d)
		}
	}
}

// TestPrivate: what a private file holds is not in the changes; which options changed is.
func TestPrivate(t *testing.T) {
	changes := value.DictOf("s", value.DictOf("password", value.DictOf("before", value.Str("old"), "after",
		value.None)))
	var env *modules.Env
	if got := value.Repr(env.PrivateChanges(true, changes)); got !=
		"{'s': {'password': {'before': '***', 'after': None}}}" {
		t.Error(got)
	}
	if env.PrivateChanges(false, changes) != changes {
		t.Error("the changes of a file that others may read are hidden")
	}
}
