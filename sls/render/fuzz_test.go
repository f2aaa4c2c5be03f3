package render

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// FuzzSLS takes any text through the whole pipeline: no text makes it panic or go on without end, every fault is a
// diagnostic that names a file, and every place in the data leads to a line.
func FuzzSLS(f *testing.F) {
	for _, s := range []string{
		"a:\n  test.nop: []\n", "{% for i in range(3) %}\nx{{ i }}: {cmd.run: [name: 'echo {{ i }}']}\n{% endfor %}\n",
		"#!json\n{\"a\": [1, {\"b\": null}]}\n",
		"#!jinja|json\n{{ {'a': 1} | json }}\n", "#!py\n", "#!yaml\na: {{ b }}\n",
		"{% load_yaml as a, b %}[1, {x: 2}]{% endload %}{{ a }}: {{ b.x }}\n",
		"{% import_yaml 'other.yaml' as o %}{{ o.k }}: {{ o | yaml }}\n",
		"{% from 'lib.jinja' import m with context %}{{ m('q') }}\n", "{{ nope }}\n", "a: [\n", "\ufeffa: 1\n",
		"{{ ['10.0.0.1/24', '::1'] | ipaddr }}: {{ '3GiB' | human_to_bytes }}\n",
		"{{ 'a1' | regex_replace('(a)', '\\\\g<1>x') }}: {{ {'a': [1]} | traverse('a:0') }}\n",
		"{{ grains.os }}: {{ salt['pillar.get']('x', 1) }} {{ [1,2] | combinations(2) | list }}\n",
		"{% include './lib.jinja' %}\n{% extends 'lib.jinja' %}\n",
	} {
		f.Add(s)
	}
	dir := f.TempDir()
	for name, text := range map[string]string{"other.yaml": "k: {{ 1 + 1 }}\n",
		"lib.jinja": "{% macro m(x) %}{{ x }}: {{ sls }}{% endmacro %}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	path := filepath.Join(dir, "fuzz.sls")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		r := New(Config{Roots: roots.New([]roots.EnvDirs{{Env: "base", Dirs: []string{dir}}}),
			Grains: func() *value.Dict { return value.DictOf("os", value.Str("Debian")) }})
		doc, err := r.SLS(ctx, &roots.File{Env: "base", Path: "fuzz.sls", Abs: path, Root: dir}, "fuzz")
		if ctx.Err() != nil {
			t.Fatal("takes longer than a minute")
		}
		if err != nil {
			var list *diag.List
			var one *diag.Diagnostic
			switch {
			case errors.As(err, &list):
				for _, d := range list.All {
					placed(t, d)
				}
			case errors.As(err, &one):
				placed(t, one)
			default:
				t.Fatalf("no diagnostic: %v", err)
			}
			return
		}
		if d, ok := doc.Data.(*value.Dict); ok {
			for i := range d.Len() {
				if p := doc.Pos(d.At(i).KeyAt); p.File == "" || p.Line == 0 {
					t.Errorf("key %d has no place: %v", i, p)
				}
			}
		}
	})
}

func placed(t *testing.T, d *diag.Diagnostic) {
	t.Helper()
	if d.Pos.File == "" || d.Msg == "" {
		t.Errorf("no place or no message: %+v", d)
	}
}
