package jinja_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/value"
)

// TestPrinted has what is printed without making a value of it first: it must be the same as with one.
func TestPrinted(t *testing.T) {
	vars := func() *value.Dict {
		return value.DictOf("d", value.DictOf("n", value.Int(3), "big", value.Int(1<<62), "t", value.Str("Straße <b>")),
			"neg", value.Int(-7),
			"f", value.Float(2.5), "yes", value.Bool(true), "l", value.NewList(value.Int(1)), "s", value.Str("a<b"))
	}
	tests := []struct{ src, plain, escaped string }{
		{"{{ 'a' ~ 1 ~ d.n ~ none }}", "a13None", "a13None"},
		{"{{ s ~ '<' ~ ('<'|safe) }}", "a<b<<", "a&lt;b&lt;<"},
		{"{{ 'x<y' }}", "x<y", "x&lt;y"},
		{"{{ d.n + 1 }} {{ d.n * -2 }} {{ d.n - 5 }} {{ neg % 3 }} {{ neg // 2 }} {{ d.n / 2 }}", "4 -6 -2 2 -4 1.5",
			"4 -6 -2 2 -4 1.5"},
		{"{{ d.big * 4 }} {{ d.big + d.big }} {{ 2147483648 * 2147483648 }}",
			"18446744073709551616 9223372036854775808 4611686018427387904",
			"18446744073709551616 9223372036854775808 4611686018427387904"},
		{"{{ yes + 1 }} {{ f * 2 }} {{ 'ab' * 2 }} {{ [1] + [2] }} {{ 0 * d.n }}", "2 5.0 abab [1, 2] 0",
			"2 5.0 abab [1, 2] 0"},
		{"{{ s|upper }} {{ d.t|upper }} {{ 'ABC'|lower }} {{ 12|upper }} {{ ('<i>'|safe)|upper }}",
			"A<B STRASSE <B> abc 12 <I>",
			"A&lt;B STRASSE &lt;B&gt; abc 12 <I>"},
		{"{{ 'y' if d.n is odd else 'n' }}{{ 'y' if d.n is even else 'n' }}{{ neg is odd }}{{ f is even }}{{ yes is odd " +
			"}}{{ 6 is divisibleby 3 }}{{ 6 is divisibleby(num=4) }}",
			"ynTrueFalseTrueTrueFalse", "ynTrueFalseTrueTrueFalse"},
		{"{{ 1 == 1.0 }}{{ 1 == true }}{{ '1' == 1 }}{{ d.n < 4 }}{{ neg <= -7 }}{{ 1 < 2 < 3 }}{{ 3 in [1, 2] }}{{ not " +
			"d.n }}",
			"TrueTrueFalseTrueTrueTrueFalseFalse", "TrueTrueFalseTrueTrueTrueFalseFalse"},
		{"{% for x in 'ab' %}{{ loop.index }}{{ loop.index0 + 1 }}{{ loop.depth }}{{ loop.length }}{% endfor %}", "11122212",
			"11122212"},
		{"{{ l ~ l.append(2) ~ l }}", "[1, 2]None[1, 2]", "[1, 2]None[1, 2]"},
		{"{% macro m() %}<{% endmacro %}{{ 'a' ~ m() ~ 'b' }}", "a<b", "a<b"},
	}
	for _, tc := range tests {
		for _, auto := range []bool{false, true} {
			want := tc.plain
			if auto {
				want = tc.escaped
			}
			env := newEnv(jinja.Config{Autoescape: auto}, nil)
			out, err := renderText(t, env, tc.src, vars())
			if err != nil {
				t.Errorf("%s: %v", tc.src, err)
				continue
			}
			if diff := cmp.Diff(want, out.Text); diff != "" {
				t.Errorf("%s, autoescape %v (-want +got)\n%s", tc.src, auto, diff)
			}
			// The same once more through values.
			out, err = renderText(t, env, "{% set x %}"+tc.src+"{% endset %}{{ x }}", vars())
			if err != nil || out.Text != want {
				t.Errorf("%s in a block, autoescape %v: %q, %v; want %q", tc.src, auto, out.Text, err, want)
			}
			tmpl, err := env.Parse("main", "main.sls", []byte(tc.src))
			if err != nil {
				t.Fatal(err)
			}
			if text, err := tmpl.Text(t.Context(), vars()); err != nil || text != want {
				t.Errorf("%s without lines, autoescape %v: %q, %v; want %q", tc.src, auto, text, err, want)
			}
		}
	}
}

// TestReplaced has filters and tests of the program's own under names that compiled code knows how to do itself.
func TestReplaced(t *testing.T) {
	env := newEnv(jinja.Config{}, nil)
	env.AddFilter("upper", func(c *jinja.Call) (value.Value, error) { return value.Str("mine"), nil })
	for _, name := range []string{"none", "odd", "divisibleby"} {
		env.AddTest(name, func(c *jinja.Call) (bool, error) { return value.String(c.Value) == "mine", nil })
	}
	out, err := renderText(t, env, "{{ 'a'|upper }} {{ 'mine' is none }} {{ 'mine' is odd }} {{ 'mine' is divisibleby 2 "+
		"}} {{ 3 is odd }}", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "mine True True True False"; out.Text != want {
		t.Errorf("got %q, want %q", out.Text, want)
	}
}

// TestOutputLimit has text that is bounded wherever it is captured, however small the pieces are.
func TestOutputLimit(t *testing.T) {
	for _, src := range []string{
		"{% for i in range(200) %}0123456789{% endfor %}",
		"{% for i in range(200) %}{{ '0123456789' }}{% endfor %}",
		"{% for i in range(200) %}{% set x %}0123456789{% endset %}{% endfor %}",
		"{% macro m() %}0123456789{% endmacro %}{% for i in range(200) %}{% set x = m() %}{% endfor %}",
		"{% set x %}{% for i in range(200) %}0123456789{% endfor %}{% endset %}",
		"{% for i in range(99) %}0123456789{% endfor %}{% set x %}{% for i in range(99) %}0123456789{% endfor %}{% endset %}",
		"{% set x = '0123456789' * 101 %}{{ x ~ x }}",
	} {
		env := newEnv(jinja.Config{Limits: jinja.Limits{Output: 1000}}, nil)
		_, err := renderText(t, env, src, nil)
		var got *jinja.Error
		if !errors.As(err, &got) || got.Class != "SecurityError" {
			t.Errorf("%s: %v, want a SecurityError", src, err)
		}
	}
	env := newEnv(jinja.Config{Limits: jinja.Limits{Output: 1000}}, nil)
	if _, err := renderText(t, env, "{% for i in range(50) %}0123456789{% endfor %}{% set x %}{% for i in range(49) "+
		"%}0123456789{% endfor %}{% endset %}", nil); err != nil {
		t.Errorf("990 bytes of 1000: %v", err)
	}
}
