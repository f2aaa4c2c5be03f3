package jinja_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/value"
)

// addTags adds {% load_json as NAME %}...{% endload %}, {% import_json EXPR as NAME %} and {% twice %}...{% endtwice
// %}.
func addTags(env *jinja.Environment) {
	env.AddTag("load_json", func(p *jinja.Parser) (jinja.Node, error) {
		line := p.Next().Line
		p.ExpectName("as")
		name := p.ParseName()
		body, _ := p.ParseStatementsUntil("endload")
		return &jinja.Tag{At: line, Names: []string{name}, Inside: [][]jinja.Node{body},
			Execute: func(_ context.Context, s *jinja.Scope) error {
				text, err := s.Render(0)
				if err != nil {
					return err
				}
				v, err := value.ParseJSON(text)
				if err != nil {
					return err
				}
				return s.Set(0, v)
			}}, nil
	})
	env.AddTag("import_json", func(p *jinja.Parser) (jinja.Node, error) {
		line := p.Next().Line
		file := p.ParseExpression()
		p.ExpectName("as")
		name := p.ParseName()
		return &jinja.Tag{At: line, Values: []jinja.Expr{file}, Names: []string{name},
			Execute: func(_ context.Context, s *jinja.Scope) error {
				from, err := s.Eval(0)
				if err != nil {
					return err
				}
				m, err := s.Import(from, true)
				if err != nil {
					return err
				}
				v, err := value.ParseJSON(value.String(m))
				if err != nil {
					return err
				}
				return s.Set(0, v)
			}}, nil
	})
	env.AddTag("twice", func(p *jinja.Parser) (jinja.Node, error) {
		line := p.Next().Line
		body, _ := p.ParseStatementsUntil("endtwice")
		again := &jinja.Tag{At: line, Execute: func(_ context.Context, s *jinja.Scope) error { return s.Print("!") }}
		return jinja.Group(line, append(body, again)...), nil
	})
}

func newEnv(cfg jinja.Config, files map[string]string) *jinja.Environment {
	env := jinja.New(cfg)
	env.Loader = mapLoader(files)
	return env
}

func renderText(t testing.TB, env *jinja.Environment, src string, vars *value.Dict) (*jinja.Output, error) {
	t.Helper()
	tmpl, err := env.Parse("main", "main.sls", []byte(src))
	if err != nil {
		return nil, err
	}
	return tmpl.Render(t.Context(), vars)
}

func TestExtensions(t *testing.T) {
	files := map[string]string{
		"data.json": `{"n": {{ n }}}`,
		"lib":       `{% load_json as shared %}{"a": 1}{% endload %}`,
	}
	tests := []struct{ src, want string }{
		{`{% load_json as x %}{"n": {{ n + 1 }}}{% endload %}{{ x.n }}`, "6"},
		{`{% for i in [1, 2] %}{% load_json as x %}[{{ i }}]{% endload %}{{ x }}{% endfor %}{{ x is defined }}`,
			"[1][2]False"},
		{`{% macro m() %}{% load_json as x %}[{{ n }}]{% endload %}{{ x }}{% endmacro %}{{ m() }}`, "[5]"},
		{`{% if true %}{% load_json as x %}[7]{% endload %}{% endif %}{{ x }}`, "[7]"},
		{`{% set n = 8 %}{% import_json 'data.' ~ 'json' as x %}{{ x }}`, "{'n': 8}"},
		{`{% from 'lib' import shared %}{{ shared }}`, "{'a': 1}"},
		{`{% twice %}{% set q = 3 %}a{% endtwice %}{{ q }}`, "a!3"},
		{`{{ 'x'|shout }}{{ ['a', 'b']|map('shout')|join }}`, "x!5a!5b!5"},
		{`{{ 3 is answer }}{{ [42, 1]|select('answer')|list }}`, "False[42]"},
		{`{{ scope_var() }}{% set late = 1 %}{{ scope_var('late') }}`, "51"},
	}
	for _, tc := range tests {
		env := newEnv(jinja.Config{}, files)
		addTags(env)
		env.AddFilter("shout", func(c *jinja.Call) (value.Value, error) {
			n, _ := c.Scope.Lookup("n")
			return value.Str(value.String(c.Value) + "!" + value.String(n)), nil
		})
		env.AddTest("answer", func(c *jinja.Call) (bool, error) { return value.Equal(c.Value, value.Int(42)), nil })
		env.AddGlobal("scope_var", &value.Func{Name: "scope_var",
			Fn: func(ctx context.Context, args []value.Value, _ *value.Dict) (value.Value, error) {
				name := "n"
				if len(args) > 0 {
					name = value.String(args[0])
				}
				v, _ := jinja.ScopeOf(ctx).All().GetStr(name)
				return v, nil
			}})
		out, err := renderText(t, env, tc.src, value.DictOf("n", value.Int(5)))
		if err != nil {
			t.Errorf("%s: %v", tc.src, err)
			continue
		}
		if diff := cmp.Diff(tc.want, out.Text); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tc.src, diff)
		}
	}
}

func TestLines(t *testing.T) {
	env := newEnv(jinja.Config{}, map[string]string{"inc": "i1\ni2\n"})
	src := "a\n{# two\nlines #}\n{%- for i in [1, 2] %}\nx: {{ i }}\n{%- endfor %}\n{% include 'inc' %}\n{{ 'p\\nq' " +
		"}}\nend"
	out, err := renderText(t, env, src, value.NewDict(0))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out.Lines(), strings.Count(out.Text, "\n")+1; got != want {
		t.Errorf("%d places for %d lines of %q", got, want, out.Text)
	}
	want := []jinja.SourceLine{
		{File: "main.sls", Line: 1}, {File: "main.sls", Line: 4}, {File: "main.sls", Line: 5}, {File: "main.sls", Line: 5},
		{File: "inc", Line: 1}, {File: "inc", Line: 2},
		{File: "main.sls", Line: 8}, {File: "main.sls", Line: 8}, {File: "main.sls", Line: 9},
	}
	var got []jinja.SourceLine
	for n := range out.Lines() {
		got = append(got, out.Line(n+1))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q (-want +got)\n%s", out.Text, diff)
	}
}

func TestErrorPlaces(t *testing.T) {
	files := map[string]string{
		"lib":  "{% macro a(x) %}\n{{ x.nope.more }}\n{% endmacro %}",
		"bad":  "ok\n{{ }}\n",
		"deep": "\n{% include 'bad' %}",
	}
	tests := []struct {
		src  string
		want jinja.Error
	}{
		{"{% from 'lib' import a %}\n{{ a({}) }}", jinja.Error{Class: "UndefinedError",
			Msg:  "'dict object' has no attribute 'nope'",
			Name: "lib", File: "lib", Line: 2, Stack: []jinja.Frame{{What: "macro 'a'", File: "main.sls", Line: 2}}}},
		{"\n\n{% include 'deep' %}", jinja.Error{Class: "TemplateSyntaxError",
			Msg:  "Expected an expression, got 'end of print statement'",
			Name: "bad", File: "bad", Line: 2, Col: 4, Stack: []jinja.Frame{{What: "include 'deep'", File: "main.sls",
				Line: 3}}}},
		{"x\n  {{ a b }}", jinja.Error{Class: "TemplateSyntaxError", Msg: "expected token 'end of print statement', got 'b'",
			Name: "main", File: "main.sls", Line: 2, Col: 8}},
	}
	for _, tc := range tests {
		_, err := renderText(t, newEnv(jinja.Config{}, files), tc.src, value.NewDict(0))
		var got *jinja.Error
		if !errors.As(err, &got) {
			t.Errorf("%q: %v", tc.src, err)
			continue
		}
		got.Cause = nil
		if diff := cmp.Diff(tc.want, *got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", tc.src, diff)
		}
	}
}

func TestLimits(t *testing.T) {
	files := map[string]string{"self": "{% include 'self' %}", "imp": "{% import 'imp' as i with context %}",
		"ext": "{% extends 'ext' %}"}
	tests := []struct{ src, class string }{
		{"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "RecursionError"},
		{"{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}", "RecursionError"},
		{"{% include 'self' %}", "RecursionError"},
		{"{% import 'imp' as i %}", "RecursionError"},
		{"{% extends 'ext' %}", "RecursionError"},
		{"{% block a %}{{ self.a() }}{% endblock %}", "RecursionError"},
		{"{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}", "RecursionError"},
		{"{% set l = [1] %}{% for x in l %}{% do l.append(1) %}{% endfor %}", "SecurityError"},
		{"{% for i in range(9999) %}{% for i in range(9999) %}{% for i in range(9999) %}x{% endfor %}{% endfor %}{% endfor %}", "SecurityError"},
		{"{% for i in range(99999) %}{{ 'x' * 100000 }}{% endfor %}", "SecurityError"},
		{"{{ 'x' * 10 ** 12 }}", "MemoryError"},
		{"{{ [0] * 10 ** 12 }}", "MemoryError"},
		{"{{ range(10 ** 9) }}", "OverflowError"},
		{"{{ " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + " }}", "RecursionError"},
		{strings.Repeat("{% if true %}", 5000), "RecursionError"},
		{"{{ " + strings.Repeat("not ", 50000) + "1 }}", "RecursionError"},
		{"{{ 1" + strings.Repeat(" + 1", 100000) + " }}", "RecursionError"},
		{"{{ a" + strings.Repeat(".b", 100000) + " }}", "RecursionError"},
		{"{{ " + strings.Repeat("-", 50000) + "1 }}", "RecursionError"},
	}
	for _, tc := range tests {
		cfg := jinja.Config{Limits: jinja.Limits{Fuel: 3_000_000, Output: 1 << 20, Iterations: 1_000_000}}
		_, err := renderText(t, newEnv(cfg, files), tc.src, value.NewDict(0))
		var got *jinja.Error
		if !errors.As(err, &got) || got.Class != tc.class {
			t.Errorf("%.60s: %v, want a %s", tc.src, err, tc.class)
		}
	}
}

func TestCancel(t *testing.T) {
	env := newEnv(jinja.Config{}, nil)
	tmpl, err := env.Parse("main", "main", []byte("{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% "+
		"endfor %}"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := tmpl.Render(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestModule(t *testing.T) {
	env := newEnv(jinja.Config{}, nil)
	tmpl, err := env.Parse("main", "main", []byte("{% set b = 1 %}{% set a = [n] %}{% set _p = 1 %}{% macro m(x) %}<{{ "+
		"x }}>{% endmacro %}text"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := tmpl.Module(t.Context(), value.DictOf("n", value.Int(3)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := value.Repr(m.Exported()), "{'b': 1, 'a': [3], 'm': <Macro 'm'>}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	macro, _ := m.Attr("m")
	out, err := macro.(value.Callable).Call(t.Context(), []value.Value{value.Int(1)}, value.NewDict(0))
	if err != nil || value.String(out) != "<1>" {
		t.Errorf("got %v, %v", out, err)
	}
	if value.String(m) != "text" {
		t.Errorf("got %q", value.String(m))
	}
}

// TestUnique has what Salt's unique answers: a list from a list, a set from a tuple, text or a generator.
func TestUnique(t *testing.T) {
	for src, want := range map[string]string{
		"{{ ['b', 'a', 'b']|unique }}":                                        "['b', 'a']",
		"{{ [1, 2, 1]|unique|length }}":                                       "2",
		"{% set u = [1, 2, 1]|unique %}{{ u|join }}{{ u|join }}{{ u + [3] }}": "1212[1, 2, 3]",
		"{{ {'x': 1, 'y': 2}|unique }}":                                       "['x', 'y']",
		"{{ (1, 2, 1)|unique }}":                                              "{1, 2}",
		"{{ [1, 2, 1]|map('string')|unique|length }}":                         "2",
		"{{ [{'a': 1}, {'a': 1}]|unique(attribute='a')|list }}":               "[{'a': 1}]",
		"{{ ['a', 'A']|unique(true)|list }}":                                  "['a', 'A']",
	} {
		out, err := renderText(t, newEnv(jinja.Config{}, nil), src, value.NewDict(0))
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if diff := cmp.Diff(want, out.Text); diff != "" {
			t.Errorf("%s (-want +got)\n%s", src, diff)
		}
	}
}

// TestMarkupInJSON has escaped text and JSON, which are text for whoever writes them to JSON.
func TestMarkupInJSON(t *testing.T) {
	env := newEnv(jinja.Config{}, nil)
	var got string
	vars := value.DictOf("probe", &value.Func{Name: "probe",
		Fn: func(_ context.Context, args []value.Value, _ *value.Dict) (value.Value, error) {
			text, err := value.DumpsJSON(args[0], value.JSONOptions{})
			got = text
			return value.None, err
		}})
	if _, err := renderText(t, env, "{{ probe([('<'|e), {'k': [1]|tojson, 'x'|e: 2}]) }}", vars); err != nil {
		t.Fatal(err)
	}
	if want := `["&lt;", {"k": "[1]", "x": 2}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
