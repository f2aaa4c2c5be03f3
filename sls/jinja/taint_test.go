package jinja_test

import (
	"context"
	"testing"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// TestTaint: whatever an expression makes of a secret is hidden in what the template prints, and nothing else is.
func TestTaint(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{{ pw }}`, `***`},
		{`{{ pw | upper }}`, `***`},
		{`{{ (pw | upper) ~ '.' }}`, `***.`},
		{`{{ pw.upper() }}`, `***`},
		{`{{ pw[1:] }}`, `***`},
		{`{{ pw[::-1] }}`, `***`},
		{`{{ '%.5s' % pw }}`, `***`},
		{`{{ '%s:%s' % (user, pw) }}`, `somebody:***`},
		{`{{ '{0:>20}'.format(pw) }}`, `        ***`},
		{`{{ 'a' + pw + 'b' }}`, `a***b`},
		{`{{ pw | replace('u', 'v') }}`, `***`},
		{`{{ pw.encode().hex() }}`, `***`},
		{`{{ [pw, user] | map('upper') | join(',') }}`, `***,SOMEBODY`},
		{`{{ {'k': pw} | tojson }}`, `{"k": "***"}`},
		{`{{ ({'k': pw} | tojson)[7:-3] }}`, `***`},
		{`{{ ({'k': pw, 'u': user} | tojson) | upper | length }}`, `38`},
		{`{{ pw | truncate(6, true) }}`, `***`},
		{`{{ url.split('@')[1] }} {{ url.split('@')[0][-4:] }}`, `host.example ***`},
		{`{{ 'fallback' | default(pw) }} fallback`, `fallback fallback`},
		{`{{ users.bob.get('shell') }} {{ users.bob.keys() | list | first }}`, `/bin/bash shell`},
		{`{{ users | length }} {{ pw | length }}`, `1 12`},
		{`{% macro m(p) %}{% if p %}hashed: yes{% endif %}{% endmacro %}{{ m(pw) }} hashed: yes`, `hashed: yes hashed: yes`},
		{`{% filter upper %}is {{ pw }}{% endfilter %}`, `***`},
		{`{% set x = pw | lower %}{% for c in [x] %}{{ c }}{% endfor %}`, `***`},
	} {
		s := secret.New()
		s.MarkText("hunter2-Word")
		env := jinja.New(jinja.Config{Secrets: s})
		tmpl, err := env.Parse("t", "t", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		vars := value.DictOf("pw", value.Str("hunter2-Word"), "user", value.Str("somebody"),
			"url", value.Str("https://somebody:hunter2-Word@host.example"), "users", value.DictOf("bob",
				value.DictOf("shell", value.Str("/bin/bash"), "password", value.Str("hunter2-Word"))))
		out, err := tmpl.Render(context.Background(), vars)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := s.Text(out.Text); got != c.want {
			t.Errorf("%s: got %q, want %q (rendered %q)", c.text, got, c.want, out.Text)
		}
	}
}
