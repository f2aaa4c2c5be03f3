package state

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yamlv3 "gopkg.in/yaml.v3"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// node turns YAML into values with marks, simply: enough for tests.
func node(n *yamlv3.Node) value.Value {
	mark := func(n *yamlv3.Node) value.Mark { return value.Mark{Line: int32(n.Line), Col: int32(n.Column)} }
	switch n.Kind {
	case yamlv3.DocumentNode:
		return node(n.Content[0])
	case yamlv3.MappingNode:
		d := value.NewDict(len(n.Content) / 2)
		for i := 0; i < len(n.Content); i += 2 {
			_ = d.SetAt(node(n.Content[i]), node(n.Content[i+1]), mark(n.Content[i]), mark(n.Content[i+1]))
		}
		return d
	case yamlv3.SequenceNode:
		l := value.NewList()
		for _, c := range n.Content {
			l.Items, l.Marks = append(l.Items, node(c)), append(l.Marks, mark(c))
		}
		return l
	}
	var v any
	_ = n.Decode(&v)
	switch v := v.(type) {
	case int:
		return value.Int(v)
	case float64:
		return value.Float(v)
	case bool:
		return value.Bool(v)
	case nil:
		return value.None
	}
	return value.Str(n.Value)
}

// parse reads declarations `ID: {module: [function, arguments]}`; the key extend and exclude are High's. Orders are
// given by place.
func parse(t *testing.T, text string) (*High, *diag.List) {
	t.Helper()
	var doc yamlv3.Node
	if err := yamlv3.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	h, diags, next := &High{}, &diag.List{}, 10000
	at := func(m value.Mark) diag.Pos { return diag.Pos{File: "a.sls", Line: int(m.Line), Col: int(m.Col)} }
	decl := func(e value.Entry, order bool) *Decl {
		d := &Decl{ID: value.String(e.Key), SLS: "a", Env: "base", Pos: at(e.KeyAt)}
		body := e.Val.(*value.Dict)
		for i := range body.Len() {
			m := body.At(i)
			b := &Body{}
			b.AppendArgs(Context{ID: d.ID, SLS: "a", At: at, Diags: diags}, m.Val.(*value.List), at(m.KeyAt))
			if order && !b.Has("order") {
				b.Args = append(b.Args, OrderArg(next))
				next++
			}
			d.States = append(d.States, StateDecl{Module: value.String(m.Key), Pos: at(m.KeyAt), Body: b})
		}
		return d
	}
	top := node(&doc).(*value.Dict)
	for i := range top.Len() {
		e := top.At(i)
		switch e.Key {
		case value.Str("extend"):
			ids := e.Val.(*value.Dict)
			for k := range ids.Len() {
				h.Extends = append(h.Extends, decl(ids.At(k), false))
			}
		case value.Str("exclude"):
			for _, it := range e.Val.(*value.List).Items {
				h.Excludes = append(h.Excludes, Exclude{ID: value.String(it)})
			}
		default:
			h.Decls = append(h.Decls, decl(e, true))
		}
	}
	return h, diags
}

// show is the low states, one line each: order, function, ID, name, arguments, requisites.
func show(low []*Low) string {
	var b strings.Builder
	for _, l := range low {
		fmt.Fprintf(&b, "%.10g %s %s", l.Order, l.Fun(), l.ID)
		if l.Name != l.ID {
			fmt.Fprintf(&b, " (%s)", l.Name)
		}
		for k, v := range l.Args.All() {
			fmt.Fprintf(&b, " %s=%s", value.String(k), value.Repr(v))
		}
		for _, r := range l.Reqs {
			fmt.Fprintf(&b, " <%s %s:%s>", r.Kind.Key(r.Mode), r.To.Module, r.To.Target)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestCompile(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"order", `
a: {test: [nop]}
b: {test: [nop, order: first]}
c: {test: [nop, order: last]}
d: {test: [nop, order: -1]}
e: {test: [nop, order: 5]}
f: {test: [nop, order: soon]}
g: {test: [nop, order: 7.5]}
h: {test: [nop, order: true]}
`, `0 test.nop b
1 test.nop h
5 test.nop e
7.5 test.nop g
10000 test.nop a
10100 test.nop f
1010099 test.nop d
1010100 test.nop c
`},
		{"names", `
x:
  test:
    - nop
    - name: beaten
    - comment: all
    - names: [one, one, two: [comment: mine, order: 3], 5, null, [x], null, {null: [comment: none]}]
`, `3.0002 test.nop x (two) comment='mine'
10000.0001 test.nop x (one) comment='all'
10000.0003 test.nop x (5) comment='all'
10000.0004 test.nop x (None) comment='all'
10000.0005 test.nop x (['x']) comment='all'
10000.0006 test.nop x (None) comment='none'
`},
		{"an empty name", `x: {test: [nop, name: null]}`, "10000 test.nop x\n"},
		{"requisite_in", `
a: {test: [nop, require_in: [test: c, b], watch_in: {test: c}]}
b: {cmd: [run, prereq_in: [test: a], onfail_in: [test: c]]}
c: {test: [nop, name: see, require: [x]]}
x: {test: [nop, onchanges_in: [test: see]]}
`, `10000 test.nop a <prereq cmd:b>
10001 cmd.run b <require test:a>
10002 test.nop c (see) <require id:x> <require test:a> <watch test:a> <onfail cmd:b> <onchanges test:x>
10003 test.nop x
`},
		{"use", `
a: {file: [managed, user: root, mode: 5, contents: hi, require: [test: x], name: /a]}
b: {file: [managed, mode: 6, use: [file: a]]}
c: {file: [managed, use_in: [file: d], group: adm]}
d: {file: [directory]}
x: {test: [nop]}
`, `10000 file.managed a (/a) user='root' mode=5 contents='hi' <require test:x>
10001 file.managed b mode=6 user='root' contents='hi' <use file:a>
10002 file.managed c group='adm'
10003 file.directory d group='adm'
10004 test.nop x
`},
		{"extend", `
a: {test: [nop, comment: old, require: [x], names: [p, q]]}
x: {test: [nop]}
extend:
  a: {test: [succeed_with_changes, comment: new, require: [y], warnings: w, name: r], cmd: [run]}
`, `10000 test.succeed_with_changes a (r) comment='new' warnings='w' <require id:x> <require id:y>
10001 test.nop x
10100 cmd.run a
`},
		{"exclude", "a: {test: [nop]}\nb: {test: [nop]}\nexclude: [a]\n", "10001 test.nop b\n"},
		{"walking order of requisites", `
a: {test: [nop, onchanges_any: [x], watch: [x], onfail_all: [x], require_any: [x], prereq: [x], require: [x]]}
x: {test: [nop]}
`, `10000 test.nop a <require id:x> <require_any id:x> <watch id:x> <prereq id:x> <onfail_all id:x> <onchanges_any id:x>
10001 test.nop x
`},
		{"options are not arguments", `
a: {cmd: [run, onlyif: 'true', unless: ['false'], creates: /x, retry: {attempts: 3}, failhard: true, runas: www, cwd: /tmp, check_cmd: ['test -e /y']]}
`, "10000 cmd.run a creates='/x' runas='www' cwd='/tmp'\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, shape := parse(t, c.in)
			low, diags := Compile(h, CompileOptions{})
			if shape.HasErrors() || diags.HasErrors() {
				t.Fatalf("errors: %v %v", shape.Err(), diags.Err())
			}
			if diff := cmp.Diff(c.want, show(low)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, _ := Compile(h, CompileOptions{})
			if diff := cmp.Diff(show(low), show(again)); diff != "" {
				t.Errorf("compiled twice, it differs:\n%s", diff)
			}
		})
	}
}

func TestCompileFaults(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"no function", "a: {test: [comment: x]}", "a.sls:1:5: no function for 'test' in ID 'a' in SLS 'a'"},
		{"name that is no text", "x: {test: [nop, name: 7]}", "a.sls:1:23: 'name' of ID 'x' in SLS 'a' is no text but 7"},
		{"two functions", "a: {test: [nop, fail]}", "a.sls:1:17: too many functions for 'test' in ID 'a' in SLS 'a': 'nop' " +
			"and 'fail'"},
		{"whitespace", "a: {test: [nop, comment x]}", "a.sls:1:17: function 'comment x' in ID 'a' has whitespace"},
		{"extend of nothing", "abcd: {test: [nop]}\nextend: {abce: {test: [comment: x]}}",
			"a.sls:2:10: cannot extend ID 'abce' in SLS 'a': no such ID (did you mean 'abcd'?)"},
		{"require_in of nothing", "abcd: {test: [nop, require_in: [test: abce]]}",
			"a.sls:1:33: target 'test: abce' of require_in in SLS 'a' does not exist (did you mean 'abcd'?)"},
		{"requisite is no list", "a: {test: [nop, require: b]}",
			"a.sls:1:26: 'require' in ID 'a' in SLS 'a' is not a list but str"},
		{"requisite is a map", "a: {test: [nop, require: {test: b}]}",
			"a.sls:1:26: 'require' in ID 'a' in SLS 'a' is not a list but dict"},
		{"entry is a number", "a: {test: [nop, watch: [5]]}",
			"a.sls:1:25: entry 5 in 'watch' of ID 'a' is neither 'MODULE: NAME' nor an ID"},
		{"target is null", "a: {test: [nop, require: [test: null]]}",
			"a.sls:1:33: target of 'require: test' in ID 'a' is no text but None"},
		{"dot", "a: {test: [nop, require: [test.nop: b]]}",
			"a.sls:1:27: 'test.nop' in 'require' of ID 'a' in SLS 'a' has a dot: a requisite names the module only (did you " +
				"mean 'test'?)"},
		{"names", "a: {test: [nop, names: b]}", "a.sls:1:24: 'names' in ID 'a' in SLS 'a' is not a list but str"},
		{"names entry", "a: {test: [nop, names: [b: null]]}",
			"a.sls:1:25: 'b' in 'names' of ID 'a' is followed by no list of arguments"},
		{"argument name", "a: {test: [nop, 5: b]}", "a.sls:1:17: argument name 5 in ID 'a' is no text"},
		{"empty map", "a: {test: [nop, {}]}", "a.sls:1:17: empty map among the arguments of ID 'a'"},
		{"two in one item", "a: {test: [nop, {require: [x], watch: [y]}]}",
			"a.sls:1:32: 'require' and 'watch' are one list item in ID 'a' in SLS 'a'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, diags := parse(t, c.in)
			_, more := Compile(h, CompileOptions{})
			diags.Add(more.All...)
			for _, d := range diags.All {
				if d.Severity != diag.Error {
					continue
				}
				got := d.Error()
				if got == c.want || got+" ("+d.Hint+")" == c.want {
					if d.Hint == "" {
						t.Error("no hint")
					}
					return
				}
			}
			t.Errorf("want %q, got %v", c.want, diags.Error())
		})
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"scalar require_in", "a: {test: [nop, require_in: b]}\nb: {test: [nop]}",
			"'require_in' in ID 'a' is not a list, and Salt ignores it"},
		{"bare require_in of nothing", "a: {test: [nop, require_in: [b]]}",
			"'b' in 'require_in' of ID 'a' does not exist and is ignored, as Salt does"},
		{"use of nothing", "a: {test: [nop, use: [test: b]]}",
			"target 'test: b' of use in ID 'a' does not exist and is ignored, as Salt does"},
		{"retry", "a: {test: [nop, retry: [attempts: 3]]}", "'retry' of ID 'a' is no map: 2 attempts, 30 seconds apart"},
		{"onlyif", "a: {test: [nop, onlyif: [true]]}", "True in 'onlyif' of ID 'a' is neither a command nor a map with " +
			"'fun'; it is ignored, with what follows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, diags := parse(t, c.in)
			_, more := Compile(h, CompileOptions{})
			diags.Add(more.All...)
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			got := ""
			for _, d := range diags.All {
				got += d.Msg
				if d.Hint == "" {
					t.Error("no hint")
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	h, _ := parse(t, "a: {test: [nop, use: [test: b]]}")
	if _, diags := Compile(h, CompileOptions{Strict: true}); !diags.HasErrors() {
		t.Error("strict: use of nothing is no error")
	}
}

func TestOptions(t *testing.T) {
	h, _ := parse(t, `
a:
  cmd:
  - run
  - onlyif: ['true', {fun: file.file_exists, args: [/x], follow: true, get_return: a:b}]
  - unless: 'false'
  - creates: [/x, /y]
  - check_cmd: 'true'
  - retry: {attempts: 5, interval: 10, splay: 3, until: false}
  - failhard: true
  - parallel: true
  - reload_modules: true
  - aggregate: true
  - timeout: 7
  - runas: www
  - umask: 77
  - env: [A: 1, {B: two}]
  - fire_event: true
b: {test: [nop, onlyif: true, unless: [5]]}
c: {test: [nop, onlyif: [], unless: []]}
`)
	low, diags := Compile(h, CompileOptions{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	yes := true
	pos := func(line, col int) diag.Pos { return diag.Pos{File: "a.sls", Line: line, Col: col} }
	kwargs := value.NewDict(1)
	_ = kwargs.SetAt(value.Str("follow"), value.Bool(true), value.Mark{Line: 5, Col: 61}, value.Mark{Line: 5, Col: 69})
	want := Options{
		Onlyif: []Condition{{Command: "true", Pos: pos(5, 14)},
			{Fun: "file.file_exists", Args: value.NewList(value.Str("/x")), Kwargs: kwargs, GetReturn: "a:b", Pos: pos(5, 22)}},
		Unless: []Condition{{Command: "false", Pos: pos(6, 13)}}, CheckCmd: []Condition{{Command: "true", Pos: pos(8, 16)}},
		HasOnlyif: true, HasUnless: true, Creates: []string{"/x", "/y"},
		Retry:    &Retry{Attempts: 5, Interval: 10e9, Splay: 3e9},
		Failhard: &yes, Parallel: true, ReloadModules: true, Aggregate: true, Timeout: 7e9, RunAs: "www", Umask: "77",
		Env: []string{"A=1", "B=two"},
	}
	got := low[0].Opts()
	if diff := cmp.Diff(fmt.Sprintf("%+v", plain(want)), fmt.Sprintf("%+v", plain(*got))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if o := low[1].Opts(); o.HasOnlyif || o.HasUnless {
		t.Errorf("conditions of a wrong type count: %+v", o)
	}
	if o := low[2].Opts(); !o.HasOnlyif || !o.HasUnless {
		t.Errorf("empty conditions do not count: %+v", o)
	}
}

// plain shows options without addresses.
func plain(o Options) string {
	text := ""
	for _, c := range append(append(append([]Condition(nil), o.Onlyif...), o.Unless...), o.CheckCmd...) {
		text += fmt.Sprintf("%s %s %s %v", c.Command, c.Fun, c.GetReturn, c.Pos)
		if c.Args != nil {
			text += value.Repr(c.Args) + value.Repr(c.Kwargs)
		}
		text += "\n"
	}
	o.Onlyif, o.Unless, o.CheckCmd = nil, nil, nil
	text += fmt.Sprintf("%+v %v\n", *o.Retry, *o.Failhard)
	o.Retry, o.Failhard = nil, nil
	return text + fmt.Sprintf("%+v", o)
}

// TestSettle: a state that is bound keeps what a run asks of it, and not its arguments.
func TestSettle(t *testing.T) {
	h, _ := parse(t, `
a:
  file:
  - managed
  - source: salt://a
  - require_in: [{file: b}]
  - names: [/x, 5]
b: {file: [managed, name: /y, source: salt://b, parallel: true]}
`)
	low, _ := Compile(h, CompileOptions{})
	for _, l := range low {
		odd, opts := l.Odd(), *l.Opts()
		l.Settle()
		if l.Args != nil || l.Odd() != odd || l.Opts().Parallel != opts.Parallel {
			t.Errorf("%s: %v, %q, %+v", l.Name, l.Args, l.Odd(), l.Opts())
		}
		_, in := l.Chunk().GetStr("require_in")
		if _, source := l.Chunk().GetStr("source"); source || in != (l.ID == "a") {
			t.Errorf("%s keeps %s", l.Name, value.Repr(l.Chunk()))
		}
	}
	if low[0].Odd() == "" && low[1].Odd() == "" {
		t.Error("a name that is no text is not odd any more")
	}
}
