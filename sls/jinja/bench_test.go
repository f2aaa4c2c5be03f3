package jinja_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/value"
)

const loopTemplate = `{% set total = namespace(n=0) %}
{% for i in range(2000) %}
{% set name = 'item-' ~ i %}
{% if i % 2 == 0 and i is not none %}
{{ name|upper }}: {{ i * 3 + 1 }} {{ settings.port }} {{ settings['user'] }}
{% else %}
{{ name }}: {{ loop.index }} {{ 'x' if i is divisibleby 3 else 'y' }}
{% endif %}
{% endfor %}
`

// BenchmarkLoop renders as an SLS is rendered, with the places of its lines.
func BenchmarkLoop(b *testing.B) {
	benchLoop(b, func(t *jinja.Template, vars *value.Dict) error {
		_, err := t.Render(context.Background(), vars)
		return err
	})
}

// BenchmarkLoopText renders as a file is rendered.
func BenchmarkLoopText(b *testing.B) {
	benchLoop(b, func(t *jinja.Template, vars *value.Dict) error {
		_, err := t.Text(context.Background(), vars)
		return err
	})
}

func benchLoop(b *testing.B, render func(t *jinja.Template, vars *value.Dict) error) {
	tmpl, err := jinja.New(jinja.Config{}).Parse("loop", "loop", []byte(loopTemplate))
	if err != nil {
		b.Fatal(err)
	}
	vars := value.DictOf("settings", value.DictOf("port", value.Int(80), "user", value.Str("www")))
	b.ReportAllocs()
	for b.Loop() {
		if err := render(tmpl, vars); err != nil {
			b.Fatal(err)
		}
	}
}

func mapJinja() []byte {
	var b strings.Builder
	b.WriteString("{%- set tplroot = tpldir.split('/')[0] %}\n{% set base = {\n")
	for i := range 90 {
		fmt.Fprintf(&b, "  'key%d': {\n    'pkg': 'package-%d', 'svc': ['a', 'b', %d],\n  },\n", i, i, i)
	}
	b.WriteString("} %}\n")
	for i := range 10 {
		fmt.Fprintf(&b, "{%% if grains.os_family == 'Debian' and base.key%d is defined %%}\n{%% do base.update({'x%d': "+
			"base.key%d.pkg|upper}) %%}\n{%% endif %%}\n", i, i, i)
	}
	return []byte(b.String())
}

func BenchmarkParseMap(b *testing.B) {
	src := mapJinja()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jinja.New(jinja.Config{}).Parse("map.jinja", "map.jinja", src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRenderMap(b *testing.B) {
	tmpl, err := jinja.New(jinja.Config{}).Parse("map.jinja", "map.jinja", mapJinja())
	if err != nil {
		b.Fatal(err)
	}
	vars := value.DictOf("tpldir", value.Str("nginx/files"), "grains", value.DictOf("os_family", value.Str("Debian")))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tmpl.Module(context.Background(), vars); err != nil {
			b.Fatal(err)
		}
	}
}
