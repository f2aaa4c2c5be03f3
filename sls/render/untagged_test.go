package render

import (
	"testing"

	"github.com/gostate/gostate/sls/jinja"
)

// TestUntagged: what Jinja is not asked about is what it would print as it is.
func TestUntagged(t *testing.T) {
	for text, want := range map[string]bool{
		"a: b\n": true, "a: {b: c}\n": true, "": true, "a: }}\n": true, "{{ x }}": false, "{% raw %}": false,
		"a {# b #}": false, "a\r\nb": false,
		"01234567890123456789": false,
	} {
		env := jinja.New(jinja.Config{Limits: jinja.Limits{Output: 16}})
		if got := untagged(text, env.Config()); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		tmpl, err := env.Parse("t", "t", []byte(text))
		if !want || err != nil {
			continue
		}
		out, err := tmpl.Text(t.Context(), nil)
		if env.Config().KeepTrailingNewline || err != nil || out != text && out+"\n" != text {
			t.Errorf("%q: Jinja prints %q, %v", text, out, err)
		}
	}
	prefixed := jinja.New(jinja.Config{LineStatementPrefix: "%"})
	if untagged("% if x", prefixed.Config()) {
		t.Error("a line statement is a tag")
	}
}
