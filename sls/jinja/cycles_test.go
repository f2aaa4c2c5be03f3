package jinja

import (
	"context"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/value"
)

// Values that hold themselves and sizes out of reach end in text or an error, not in a loop.
func TestEndless(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"{% set l = {} %}{% set _ = l.update({'a': l}) %}{{ l | pprint }}", "{'a': {...}}"},
		{"{% set l = [] %}{% set _ = l.append({'a': [l, 1]}) %}{{ l | pprint }}", "[{'a': [[...], 1]}]"},
		{"{% set x = ['y' * 50] %}{% set l = [x, x] %}{{ l | pprint }}",
			"[['" + strings.Repeat("y", 50) + "'],\n ['" + strings.Repeat("y", 50) + "']]"},
		{"{{ [1, 2] | slice(99999999999) | list }}", "more than 1000000 slices"},
	} {
		tmpl, err := New(Config{}).Parse("t", "t", []byte(tt.src))
		if err != nil {
			t.Fatal(err)
		}
		out, err := tmpl.Render(context.Background(), value.NewDict(0))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = out.Text
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s\ngives %q, want %q", tt.src, got, tt.want)
		}
	}
}
