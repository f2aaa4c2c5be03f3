package resource

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/value"
)

// SLS is the answer as the text of an SLS. Its first line has it read as YAML alone, so that {{ in what was found means
// nothing.
func (a *Answer) SLS() (string, error) {
	var b strings.Builder
	b.WriteString("#!yaml\n")
	for _, g := range a.Groups {
		if a.whole && (len(g.Things) > 0 || g.Err != nil) { // no blank line: it would belong to a text that ends in some
			fmt.Fprintf(&b, "#\n# %s\n", comment(g.Kind+": "+g.Doc))
		}
		if g.Err != nil {
			fmt.Fprintf(&b, "# not told: %s\n", comment(g.Err.Error()))
		}
		for _, t := range g.Things {
			if err := a.write(&b, t); err != nil {
				return "", fmt.Errorf("write %s: %w", t.ID, err)
			}
		}
	}
	return b.String(), nil
}

func options() yaml.EncodeOptions {
	return yaml.EncodeOptions{Blocks: true, AllowUnicode: true, Width: -1, IndentSequences: true, NoAliases: true}
}

func (a *Answer) write(b *strings.Builder, t *modules.Thing) error {
	for _, n := range t.Notes {
		b.WriteString("# " + comment(n) + "\n")
	}
	if t.Func == "" {
		return nil
	}
	text, err := yaml.Encode(value.DictOf(a.ids[t], a.body(t)), options())
	// so ends a document after a text with blank lines at its end
	if whole, ends := strings.CutSuffix(text, "\n...\n"); ends {
		text = whole + "\n"
	}
	b.WriteString(text)
	return err
}

// comment is a text as a comment holds it: one line of characters that YAML takes.
func comment(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case !unicode.IsPrint(r) || r == unicode.ReplacementChar || r > 0xffff:
			return '?'
		}
		return r
	}, text)
}
