package sls

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// told are the diagnostics, a line each, with paths below the root and their hints.
func told(l *diag.List) string {
	var b strings.Builder
	for _, d := range l.All {
		p := d.Pos
		if p.File != "" {
			p.File = filepath.Base(p.File)
		}
		if d.Severity == diag.Warning {
			b.WriteString("warning: ")
		}
		if !p.IsZero() {
			b.WriteString(p.String() + ": ")
		}
		b.WriteString(d.Msg + " (" + d.Hint + ")\n")
	}
	return b.String()
}

func TestLoadFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"include is text", map[string]string{"a.sls": "include: b\n"},
			"a.sls:1:1: 'include' in SLS 'a' is not a list (write each SLS as '- NAME' below it)\n"},
		{"include entry", map[string]string{"a.sls": "include: [5, {}]\n"},
			"a.sls:1:11: entry 5 of 'include' in SLS 'a' names no SLS (write '- NAME' or '- ENVIRONMENT: NAME')\n" +
				"a.sls:1:14: entry {} of 'include' in SLS 'a' names no SLS (write '- NAME' or '- ENVIRONMENT: NAME')\n"},
		{"environment", map[string]string{"a.sls": "include:\n- bsae: x\n"},
			"a.sls:2:3: environment 'bsae' of the include of 'x' does not exist (did you mean 'base'?)\n"},
		{"beyond the top", map[string]string{"a.sls": "include: [..x]\n"},
			"a.sls:1:11: relative include '..x' in SLS 'a' goes beyond the top level (a dot is the folder of the SLS, each " +
				"further dot one folder up)\n"},
		{"list", map[string]string{"a.sls": "- x\n"}, "a.sls:1:1: SLS 'a' is not a map of IDs but a list (write 'ID:' with " +
			"its states below it)\n"},
		{"text", map[string]string{"a.sls": "hello\n"}, "a.sls:1:1: SLS 'a' is not a map of IDs but text (write 'ID:' with " +
			"its states below it)\n"},
		{"empty", map[string]string{"a.sls": "# nothing\n"}, ""},
		{"ID is a number", map[string]string{"a.sls": "42: test.nop\n"},
			"a.sls:1:1: ID 42 in SLS 'a' is not text but int (quote it: '42')\n"},
		{"ID with a list", map[string]string{"a.sls": "x: [test.nop]\n"},
			"a.sls:1:1: ID 'x' in SLS 'a' is not a map of states but a list (write 'MODULE.FUNCTION:' below it, without '- ')\n"},
		{"ID with text", map[string]string{"a.sls": "x: nop\n"},
			"a.sls:1:1: ID 'x' in SLS 'a' is text, not a map of states (write 'x: MODULE.FUNCTION')\n"},
		{"function as text", map[string]string{"a.sls": "x: {pkg: installed}\n"},
			"a.sls:1:5: 'pkg' in ID 'x' in SLS 'a' is not a list but text (write 'pkg.installed: []', or 'pkg: [installed]')\n"},
		{"trailing colon", map[string]string{"a.sls": "x:\n  test.nop:\n"},
			"a.sls:2:3: 'test.nop' in ID 'x' in SLS 'a' ends in a colon, with no arguments (write 'test.nop: []', or 'x: " +
				"test.nop')\n"},
		{"arguments as a map", map[string]string{"a.sls": "x:\n  file.managed:\n    name: /x\n"},
			"a.sls:2:3: 'file.managed' in ID 'x' in SLS 'a' is not a list but dict (begin each argument with '- ')\n"},
		{"module twice", map[string]string{"a.sls": "x:\n  file.managed: []\n  file.append: []\n"},
			"a.sls:3:3: ID 'x' in SLS 'a' has two states of module 'file' (give one of them an ID of its own)\n"},
		{"extend is a list", map[string]string{"a.sls": "extend: [x]\n"},
			"a.sls:1:1: 'extend' in SLS 'a' is not a map of IDs but a list (write 'ID:' below it, without '- ')\n"},
		{"extend of text", map[string]string{"a.sls": "extend: {x: foo}\n"},
			"a.sls:1:10: 'x' of 'extend' in SLS 'a' is not a map of states but text (write 'MODULE:' below it, with the " +
				"arguments to change)\n"},
		{"exclude is text", map[string]string{"a.sls": "exclude: x\n"},
			"a.sls:1:1: 'exclude' in SLS 'a' is not a list but text (write '- sls: NAME' or '- id: ID' below it)\n"},
		{"extend with nothing", map[string]string{"a.sls": "x: test.nop\nextend: {x: {}}\n"},
			"a.sls:2:10: 'x' of 'extend' in SLS 'a' extends nothing (write 'MODULE:' below it, with the arguments to change)\n"},
		{"exclude entry", map[string]string{"a.sls": "exclude: [{foo: x}]\n"},
			"warning: a.sls:1:11: entry {'foo': 'x'} of 'exclude' in SLS 'a' names neither an SLS nor an ID and is ignored, " +
				"as Salt does (write '- sls: NAME' or '- id: ID')\n"},
		{"conflicting IDs", map[string]string{"a.sls": "include: [b]\nx: test.nop\n", "b.sls": "x: test.nop\n"},
			"b.sls:1:1: ID 'x' of SLS 'base:b' conflicts with SLS 'base:a': IDs are unique (rename one of them, or use extend)\n"},
		{"inner name", map[string]string{"a.sls": "__x: test.nop\n"},
			"warning: a.sls:1:1: ID '__x' in SLS 'a' begins with '__' and is ignored, as Salt does (rename it)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, diags := Load(context.Background(), tree(t, c.files), []Request{{Env: "base", SLS: "a"}})
			if diff := cmp.Diff(c.want, told(diags)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestAllAtOnce has faults of every phase; what may be in a file that could not be read is not reported twice.
func TestAllAtOnce(t *testing.T) {
	cfg := tree(t, map[string]string{
		"web.sls": "include:\n- netwrk\n- broken\nx: {test: [nop, require: [test: prepare, test: " +
			"service-of-broken]]}\nprepair: test.nop\n",
		"sub.sls":    "include: [gone]\nz: {test: [comment: a]}\nw: {test: [nop, watch: [test: z]]}\n",
		"loop.sls":   "l: {test: [nop, require: [test: m]]}\nm: {test: [nop, require: [test: l]]}\n",
		"broken.sls": "a: [\n", "network.sls": "n: test.nop\n",
	})
	high, diags := Load(context.Background(), cfg, []Request{{Env: "base", SLS: "web"}, {Env: "base", SLS: "sub"},
		{Env: "base", SLS: "loop"}, {Env: "base", SLS: "missing"}})
	low, more := state.Compile(high, state.CompileOptions{})
	diags.Add(more.All...)
	_, more = requisite.Resolve(low, requisite.Options{Incomplete: true})
	diags.Add(more.All...)
	text := told(diags)
	for _, want := range []string{
		"web.sls:2:3: SLS 'netwrk' not found in environment 'base'", "did you mean 'network'?", "broken.sls:",
		"sub.sls:1:11: SLS 'gone' not found", "SLS 'missing' not found", "sub.sls:2:5: no function for 'test' in ID 'z'",
		"web.sls:4:27: 'require' of ID 'x' in SLS 'web' names 'test: prepare', which does not exist (did you mean 'test: " +
			"prepair'?)",
		"requisite cycle: test: l -> test: m -> test: l",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "service-of-broken") {
		t.Errorf("a state of a broken file is reported:\n%s", text)
	}
}

func TestIncludes(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		ask   []string
		want  string // IDs with their orders
	}{
		{"post-order, each once", map[string]string{"a.sls": "a: test.nop\ninclude: [b, c]\n",
			"b.sls": "include: [c, a]\nb: test.nop\n", "c.sls": "c: test.nop\n"}, []string{"a", "c"},
			"c 10000, b 10001, a 10002"},
		{"relative", map[string]string{"app/init.sls": "include: [.web, ..top]\ni: test.nop\n",
			"app/web.sls": "include: [.db]\nw: test.nop\n", "app/db.sls": "d: test.nop\n", "top.sls": "t: test.nop\n"},
			[]string{"app"}, "d 10000, w 10001, t 10002, i 10003"},
		{"wildcard", map[string]string{"a.sls": "include: ['x.*']\na: test.nop\n", "x/b.sls": "b: test.nop\n",
			"x/a.sls": "xa: test.nop\n"}, []string{"a"}, "xa 10000, b 10001, a 10002"},
		{"environment", map[string]string{"a.sls": "include: [base: b]\na: test.nop\n", "b.sls": "b: test.nop\n"},
			[]string{"a"}, "b 10000, a 10001"},
		{"dotted modules last", map[string]string{"a.sls": "x:\n  test.nop: []\n  cmd: [run]\n"}, []string{"a"},
			"x 10000, x 10001"},
		{"alias of a whole ID", map[string]string{"a.sls": "x: &x\n  test.nop:\n  - comment: c\ny: *x\n"}, []string{"a"},
			"x 10000, y 10000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			low, _, compileErr, planErr := compile(t, tree(t, c.files), c.ask...)
			if compileErr.HasErrors() || planErr.HasErrors() {
				t.Fatal(compileErr.Err(), planErr.Err())
			}
			var got []string
			for _, l := range low {
				got = append(got, l.ID+" "+strconv.FormatFloat(l.Order, 'f', -1, 64))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
