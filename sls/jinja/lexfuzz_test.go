package jinja

import "testing"

// FuzzLex: any text gives tokens whose lines lie in the text and never go back, or an error with a line of the text.
func FuzzLex(f *testing.F) {
	for _, s := range []string{
		"a {{ b }} c", "{% raw %}{{ x }}{% endraw %}", "{#- c -#}\n x", "{{ 'a\\x41' 0x1f 1_000 1e5 }}",
		"% for x in y\n## c\n", "{%+ if a -%}\r\n", "{{ [(", "{{ 'open",
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, src string, other bool) {
		cfg := Config{}
		if other {
			cfg = Config{TrimBlocks: true, LstripBlocks: true, LineStatementPrefix: "%", LineCommentPrefix: "##"}
		}
		tokens, normal, err := lex(&New(cfg).cfg, src)
		lines := 1
		for _, c := range normal {
			if c == '\n' {
				lines++
			}
		}
		if err != nil {
			if err.Line < 1 || err.Line > lines {
				t.Errorf("error at line %d of %d: %v", err.Line, lines, err)
			}
			return
		}
		last := 1
		for _, k := range tokens {
			if k.Line < last || k.Line > lines {
				t.Fatalf("token %+v at line %d after line %d, of %d", k, k.Line, last, lines)
			}
			last = k.Line
		}
	})
}
