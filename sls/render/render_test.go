package render

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// plant writes files below a directory and gives it.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// functions are execution functions for tests.
type functions map[string]func(args []value.Value, kwargs *value.Dict) (value.Value, error)

func (f functions) Has(name string) bool { return f[name] != nil }

func (f functions) HasModule(name string) bool {
	for k := range f {
		if strings.HasPrefix(k, name+".") {
			return true
		}
	}
	return false
}

func (f functions) Names() []string {
	var out []string
	for k := range f {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (f functions) Call(_ context.Context, name string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	return f[name](args, kwargs)
}

func echo(name string) func(args []value.Value, kwargs *value.Dict) (value.Value, error) {
	return func(args []value.Value, kwargs *value.Dict) (value.Value, error) {
		return value.Str(name + value.Repr(value.NewTuple(args...)) + value.Repr(kwargs)), nil
	}
}

// setup makes a renderer of files.
func setup(t *testing.T, files map[string]string, change func(*Config)) (*Renderer, *roots.Roots, string) {
	dir := plant(t, files)
	r := roots.New([]roots.EnvDirs{{Env: "base", Dirs: []string{dir}}})
	cfg := Config{
		Roots: r, ID: "web01", Opts: value.DictOf("id", value.Str("web01")),
		Grains: func() *value.Dict { return value.DictOf("os", value.Str("Debian"), "id", value.Str("web01")) },
		Pillar: func() *value.Dict {
			return value.DictOf("user", value.Str("alice"), "nested", value.DictOf("k", value.DictOf("j", value.Str("v"))))
		},
		Exec: functions{"match.compound": func(args []value.Value, _ *value.Dict) (value.Value, error) {
			return value.Bool(args[0] == value.Value(value.Str("web*"))), nil
		}, "test.echo": echo("echo"), "cmd.run": echo("run"), "cmd.shell": echo("shell"),
			"test.fail": func([]value.Value, *value.Dict) (value.Value, error) {
				return nil, errors.New("it went wrong")
			}},
	}
	if change != nil {
		change(&cfg)
	}
	return New(cfg), r, dir
}

// sls renders an SLS of the roots and gives its data as Python prints it, or the error with the directory cut off.
func sls(t *testing.T, r *Renderer, ro *roots.Roots, dir, name string) string {
	t.Helper()
	f, err := ro.FindSLS("base", name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := r.SLS(context.Background(), f, name)
	if err != nil {
		return cut(err, dir)
	}
	return value.Repr(doc.Data)
}

func cut(err error, dir string) string {
	text := err.Error()
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		if d.Hint != "" {
			text += "\nhint: " + d.Hint
		}
		for _, rel := range d.Related {
			text += "\n" + rel.Pos.String() + ": " + rel.Msg
		}
	}
	return strings.ReplaceAll(text, dir+"/", "")
}

func TestPipelines(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"plain", "a: 1\n", "{'a': 1}"},
		{"jinja", "a: {{ 1 + 1 }}\n", "{'a': 2}"},
		{"yaml only", "#!yaml\na: \"{{ x }}\"\n", "{'a': '{{ x }}'}"},
		{"json", "#!jinja|json\n{\"x\": \"{{ 1 + 1 }}\"}\n", "{'x': '2'}"},
		{"old name", "#!yaml_jinja\na: {{ 2 }}\n", "{'a': 2}"},
		{"a path is no pipeline", "#!/bin/sh\na: {{ 2 }}\n", "{'a': 2}"},
		{"empty", "", "None"},
		{"blank", "\n  \n", "None"},
		{"only a comment", "{# nothing #}\n", "None"},
		{"byte order mark", "\ufeffa: 1\n", "{'a': 1}"},
		{"carriage returns", "a: 1\r\nb: {{ 2 }}\r\n", "{'a': 1, 'b': 2}"},
		{"text", "#!text\nhello", "{'data': '#!text\\nhello'}"},
		{"unknown", "#!nosuch\na: 1\n", "a.sls:1:3: unknown renderer 'nosuch'\nhint: known are jinja, yaml, json, text, " +
			"stateconf"},
		{"typo", "#!jinja|ymal\na: 1\n", "a.sls:1:3: unknown renderer 'ymal'\nhint: did you mean 'yaml'?"},
		{"python", "#!mako\na: 1\n", "a.sls:1:3: renderer 'mako' needs Python or a tool of Salt's own\nhint: " +
			"write the file for jinja|yaml"},
		{"data twice", "#!yaml|json\na: 1\n", "a.sls: renderer 'json' follows 'yaml', which already gives data"},
		{"null byte", "a: 1\nb\x00", "a.sls:2:2: holds a null byte: it is a binary file, not a template"},
		{"latin 1", "a: gr\xfc\xdfe\n", "a.sls:1:6: byte 0xfc is not UTF-8\nhint: save the file as UTF-8"},
		{"UTF-16", "\xff\xfea\x00", "a.sls:1:1: is UTF-16, not UTF-8\nhint: iconv -f UTF-16 -t UTF-8"},
		{"bad JSON", "#!json\n{\"a\": }\n", "a.sls:2:7: JSON: Expecting value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, ro, dir := setup(t, map[string]string{"a.sls": tt.text}, nil)
			if d := cmp.Diff(tt.want, sls(t, r, ro, dir, "a")); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestContext(t *testing.T) {
	own := "['{{ tplfile }}', '{{ tpldir }}', '{{ tpldot }}', '{{ slspath }}', '{{ sls }}']"
	macro := "{% macro where() %}{{ tplfile }} {{ tpldir }} {{ slspath }}{% endmacro %}"
	files := map[string]string{
		"a.sls":              "x: " + own,
		"web/init.sls":       "x: " + own + "\ny: '{{ slsdotpath }} {{ slscolonpath }} {{ sls_path }}'",
		"web/nginx/conf.sls": "x: " + own + "\ny: '{{ slsdotpath }} {{ slscolonpath }} {{ sls_path }}'",
		"plain.sls":          "{% from 'lib/m.jinja' import where %}x: {{ where() }}\ny: {{ tpldir }}",
		"ctx/init.sls":       "{% from 'lib/m.jinja' import where with context %}x: {{ where() }}",
		"rel/init.sls":       "{% from './m.jinja' import where %}x: {{ where() }}",
		"rel/deep/a.sls":     "{% from '../m.jinja' import where %}x: {{ where() }}",
		"root/init.sls": "{% set tplroot = tpldir.split('/')[0] %}{% from tplroot ~ '/m.jinja' import where with " +
			"context %}x: {{ where() }}",
		"nested/init.sls":     "{% from 'lib/outer.jinja' import here %}x: {{ here }}",
		"lib/outer.jinja":     "{% from 'lib/sub/inner.jinja' import q %}{% set here = tpldir ~ ' ' ~ q %}",
		"lib/sub/inner.jinja": "{% set q = tpldir %}",
		"globals.sls": "x: \"{{ grains.os }} {{ pillar['user'] }} {{ opts.id }} {{ saltenv }} {{ " +
			"salt['test.echo'](1, a=2) }}\"",
		"styles.sls": "x: {{ salt.test.echo(1) }} {{ salt['test']['echo'](2) }} {{ 'test.echo' in salt }} {{ " +
			"'no.pe' in salt }} {{ salt['no.pe'] is defined }} {{ salt.nope is defined }} {{ salt.get('no.pe', 'd') }}",
		"shell.sls":   "x: \"{{ salt['cmd.run']('x') }}\"",
		"tplpath.sls": "x: {{ tplpath.split('/')[-1] }}",
	}
	for _, f := range []string{"lib/m.jinja", "rel/m.jinja", "root/m.jinja"} {
		files[f] = macro
	}
	r, ro, dir := setup(t, files, nil)
	for _, tt := range []struct{ name, want string }{
		{"a", "{'x': ['a.sls', '.', '', '', 'a']}"},
		{"web", "{'x': ['web/init.sls', 'web', 'web', 'web', 'web'], 'y': 'web web web'}"},
		{"web.nginx.conf", "{'x': ['web/nginx/conf.sls', 'web/nginx', 'web.nginx', 'web/nginx', 'web.nginx.conf'], 'y': " +
			"'web.nginx web:nginx web_nginx'}"},
		{"plain", "{'x': 'lib/m.jinja lib', 'y': '.'}"},
		{"ctx", "{'x': 'ctx/init.sls ctx ctx'}"},
		{"rel", "{'x': './m.jinja rel rel'}"},
		{"rel.deep.a", "{'x': '../m.jinja rel/deep rel/deep'}"},
		{"root", "{'x': 'root/init.sls root root'}"},
		{"nested", "{'x': 'lib lib/sub'}"},
		{"globals", "{'x': \"Debian alice web01 base echo(1,){'a': 2}\"}"},
		{"styles", "{'x': 'echo(1,){} echo(2,){} True False False False d'}"},
		{"shell", "{'x': \"run('x',){}\"}"},
		{"tplpath", "{'x': 'tplpath.sls'}"},
	} {
		if d := cmp.Diff(tt.want, sls(t, r, ro, dir, tt.name)); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
	}
}

func TestTags(t *testing.T) {
	files := map[string]string{
		"d.yaml":     "greeting: hello\nlist: [1, 2]\n",
		"t.yaml":     "os: {{ grains.os }}\nname: {{ name | default('none') }}\n",
		"d.json":     "{\"a\": [1, null]}",
		"t.txt":      "two\nlines\n",
		"catalog.j2": "{% load_yaml as one %}a: 1{% endload %}{% import_yaml 'd.yaml' as two %}",
		"last.yaml":  "a: |\n  text\n",
		"mutate.j2":  "{% import_yaml 'd.yaml' as d %}{% do d.update({'greeting': 'changed'}) %}",
	}
	for _, tt := range []struct{ src, want string }{
		{"{% load_yaml as x %}\na: {{ 1 }}\nb: [c]\n{% endload %}{{ x }}", "{'a': 1, 'b': ['c']}"},
		{"{% load_json as x %}{\"a\": {{ 1 }}}{% endload %}{{ x.a }}", "1"},
		{"{% load_text as x %} a {{ 1 }} {% endload %}[{{ x }}]", "[ a 1 ]"},
		{"{% import_yaml 'd.yaml' as d %}{{ d.greeting }} {{ d.list[1] }}", "hello 2"},
		{"{% set name = 'me' %}{% import_yaml 't.yaml' as t with context %}{{ t }}", "{'os': 'Debian', 'name': 'me'}"},
		{"{% set name = 'me' %}{% import_yaml 't.yaml' as t %}{{ t }}", "{'os': 'Debian', 'name': 'none'}"},
		{"{% import_json 'd.json' as d %}{{ d }}", "{'a': [1, None]}"},
		{"{% import_text 't.txt' as t %}[{{ t }}]", "[two\nlines]"},
		{"{% from 'catalog.j2' import one, two %}{{ one.a }} {{ two.greeting }}", "1 hello"},
		{"{% import_yaml 'last.yaml' as d %}{{ d }}", `{'a': 'text\n'}`},
		{"{% import 'mutate.j2' as m %}{% import_yaml 'd.yaml' as d %}{{ d.greeting }}", "hello"},
		{"{% profile as 'timing' %}in{{ 1 }}{% endprofile %}", "in1"},
		{"{% macro m() %}{% load_yaml as x %}a: 1{% endload %}{{ x.a }}{% endmacro %}{{ m() }}{{ x is defined }}", "1False"},
		{"{% for i in [1, 2] %}{% load_yaml as x %}{{ i }}{% endload %}{{ x }}{% endfor %}", "12"},
		{"{{ '{a: [1]}' | load_yaml }} {{ '{\"b\": 2}' | load_json }}", "{'a': [1]} {'b': 2}"},
		{"{% set a %}x{% endset %}{{ show_full_context().a }} {{ show_full_context().saltenv }}", "x base"},
		{"{{ odict([('b', 1), ('a', 2)]) }}", "{'b': 1, 'a': 2}"},
	} {
		checkShown(t, files, "case.jinja", tt.src, tt.want)
	}
}

// checkShown renders a file of that name beside the others, as gostate render does, to the text or the error wanted.
func checkShown(t *testing.T, files map[string]string, name, src, want string) {
	t.Helper()
	r, _, dir := setup(t, files, nil)
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := r.File(context.Background(), file, nil, "")
	got := string(out)
	if err != nil {
		got = cut(err, dir)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got)\n%s", src, d)
	}
}

func TestErrors(t *testing.T) {
	files := map[string]string{
		"bad.yaml":    "a: 1\nb: [\n",
		"badlib.j2":   "{% macro m(x) %}\n{{ x.y.z }}\n{% endmacro %}",
		"binary.j2":   "a\x00",
		"good.jinja":  "",
		"loop.jinja":  "{% include 'loop.jinja' %}",
		"outside.j2":  "{% from '../../etc/x' import y %}",
		"missing2.j2": "{% import_yaml 'nope.yaml' as x %}",
	}
	for _, tt := range []struct{ src, want string }{
		{"x:\n  test.nop:\n    - name: {{ pakcage }}\n{% set package = 1 %}",
			"a.sls:3:16: 'pakcage' is undefined\nhint: did you mean 'package'?"},
		{"{{ grians.os }}", "a.sls:1:4: 'grians' is undefined\nhint: did you mean 'grains'?"},
		{"color: {{ color }} # color", "a.sls:1:11: 'color' is undefined"},
		{"{{ color.a }} {{ color.b }}", "a.sls:1: 'color' is undefined"},
		{"{{ [1,\n  colors] | join(colour) }}", "a.sls:2:18: 'colour'"},
		{"ä: {{ colour }}", "a.sls:1:7: 'colour' is undefined"},
		{"\n{{ pillar['nokey'] }}", "a.sls:2:12: 'dict object' has no attribute 'nokey'"},
		{"{{ salt['test.ehco']() }}", "a.sls:1:10: 'salt object' has no attribute 'test.ehco'\nhint: did you mean " +
			"'test.echo'?"},
		{"{{ salt.test.ehco() }}", "a.sls:1:14: 'salt.test object' has no attribute 'ehco'\nhint: did you mean 'test.echo'?"},
		{"one: 1\n{% if true %}\ntwo: 2\n", "a.sls:2: Unexpected end of template. Jinja was looking for the following " +
			"tags: 'elif' or 'else' or 'endif'. The innermost block that needs to be closed is 'if'."},
		{"{% form 'x' import y %}", "a.sls:1:4: Encountered unknown tag 'form'.\nhint: did you mean 'for'?"},
		{"{{ 1 | uper }}", "a.sls:1:8: No filter named 'uper'.\nhint: did you mean 'upper'?"},
		{"a\n{% from 'god.jinja' import y %}", "a.sls:2: template 'god.jinja' not found in environment 'base' (searched " +
			"DIR)\nhint: did you mean 'good.jinja'?"},
		{"{% from 'badlib.j2' import m %}\n{{ m({}) }}", "badlib.j2:2:6: 'dict object' has no attribute 'y'\na.sls:2: in " +
			"macro 'm'"},
		{"{% import_yaml 'bad.yaml' as x %}", "bad.yaml:2:4: "},
		{"a: 1\n{% load_yaml as x %}\nb: 1\nb: 2\n{% endload %}", "a.sls:4:1: "},
		{"{{ raise('no good') }}", "a.sls:1: no good"},
		{"\n\n{{ salt['test.fail']() }}", "a.sls:3: it went wrong"},
		{"{% include 'loop.jinja' %}", "loop.jinja:1: maximum recursion depth exceeded"},
		{"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "a.sls:1: maximum recursion depth exceeded"},
		{"{% from 'binary.j2' import x %}", "binary.j2:1:2: holds a null byte: it is a binary file, not a " +
			"template\na.sls:1: used here"},
		{"{% include 'outside.j2' %}", "outside.j2:1: template not found: template path '../../etc/x' leads out of the roots"},
		{"{{ 'x' * 1000000000 }}", "a.sls:1: "},
		{"{% for i in range(100000) %}{{ 'x' * 100000 }}{% endfor %}", "a.sls:1: the template prints too much"},
		{"a: {{ 1 }}\nb: [\n", "a.sls:2:4: "},
		{"{# one\ntwo #}a: 1\n{% for i in [1] %}\n  b: 2\n{% endfor %}\n", "a.sls:4:4: "},
		{"a: 1\n\tb: 2\n", "a.sls:2:1: "},
	} {
		files["a.sls"] = tt.src
		r, ro, dir := setup(t, files, func(c *Config) { c.MaxOutput = 1 << 20 })
		got := sls(t, r, ro, dir, "a")
		want := strings.ReplaceAll(tt.want, "DIR", dir)
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q:\ngot  %s\nwant %s", tt.src, got, want)
		}
	}
}

func TestPositionsLeadBack(t *testing.T) {
	src := "{% set x = 1 %}\n{% if x %}\nfirst:\n  test.nop: []\n{% endif %}\n{% for i in [1, 2] %}\nn{{ i }}:\n  " +
		"test.nop:\n    - name: a\n{% endfor %}\n"
	r, ro, dir := setup(t, map[string]string{"a.sls": src}, nil)
	f, _ := ro.FindSLS("base", "a")
	doc, err := r.SLS(context.Background(), f, "a")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	d := doc.Data.(*value.Dict)
	for i := range d.Len() {
		e := d.At(i)
		got = append(got, value.String(e.Key)+" "+strings.TrimPrefix(doc.Pos(e.KeyAt).String(), dir+"/"))
		inner := e.Val.(*value.Dict).At(0)
		got = append(got, value.String(inner.Key)+" "+strings.TrimPrefix(doc.Pos(inner.KeyAt).String(), dir+"/"))
	}
	want := []string{"first a.sls:3:1", "test.nop a.sls:4:3", "n1 a.sls:7:1", "test.nop a.sls:8:3", "n2 a.sls:7:1",
		"test.nop a.sls:8:3"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// As in Salt, Jinja takes the last newline of a file that is imported; see rendering.wholeFiles.
func TestImportedFileLosesItsLastNewline(t *testing.T) {
	r, ro, dir := setup(t, map[string]string{"d.yaml": "a: |\n  x\n",
		"a.sls": "{% import_yaml 'd.yaml' as d %}v: {{ d | json }}"}, nil)
	if d := cmp.Diff("{'v': {'a': 'x'}}", sls(t, r, ro, dir, "a")); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// What `gostate render` shows ends in one newline, though Salt adds one to what Jinja gives.
func TestShownTextEndsOnce(t *testing.T) {
	for src, want := range map[string]string{"a\n": "a\n", "a\n\n": "a\n", "{% if true %}\na\n{% endif %}\n": "\na\n",
		"{{ 'a' }}": "a", "a{{ '\n' }}": "a\n"} {
		r, _, dir := setup(t, nil, nil)
		file := filepath.Join(dir, "f.conf")
		if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := r.File(context.Background(), file, nil, "")
		if d := cmp.Diff(want, string(out)); d != "" || err != nil {
			t.Errorf("%q: %v (-want +got)\n%s", src, err, d)
		}
	}
}

func TestOptions(t *testing.T) {
	src := "{% if true %}\na: 1\n  {% endif %}\n{{ nope }}"
	r, ro, dir := setup(t, map[string]string{"a.sls": src}, func(c *Config) {
		c.AllowUndefined = true
		c.JinjaSLSEnv = value.DictOf("trim_blocks", value.Bool(true), "lstrip_blocks", value.Bool(true))
	})
	if d := cmp.Diff("{'a': 1}", sls(t, r, ro, dir, "a")); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	out, err := r.Text(context.Background(), "jinja", "salt://f/x.conf", []byte("{{ tpldir }} {{ who }}{{ nope }}\n"), "a",
		"base", value.DictOf("who", value.Str("me")))
	if d := cmp.Diff("f me\n", string(out)); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
}

// TestAbsoluteImport: a path of the machine means a template where it lies in a root, and what that imports is beside
// it.
func TestAbsoluteImport(t *testing.T) {
	r, _, dir := setup(t, map[string]string{"d/m.j2": "{% from './n.j2' import p %}{% set q = p %}",
		"d/n.j2": "{% set p = 5 %}"}, nil)
	render := func(name string) string {
		out, err := r.Text(t.Context(), "jinja", "salt://a", []byte("{% from '"+name+"' import q %}{{ q }}"), "", "base", nil)
		if err != nil {
			return cut(err, dir)
		}
		return string(out)
	}
	if got := render(dir + "/d/m.j2"); got != "5" {
		t.Errorf("below a root: %s", got)
	}
	if got := render("/etc/passwd"); !strings.Contains(got, "leads out of the roots") {
		t.Errorf("elsewhere: %s", got)
	}
	if got := render(dir + "/../x"); !strings.Contains(got, "leads out of the roots") {
		t.Errorf("above: %s", got)
	}
}
