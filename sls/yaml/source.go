package yaml

import (
	"bytes"
	"strings"
	"unicode/utf8"

	yamlv3 "gopkg.in/yaml.v3"

	"github.com/gostate/gostate/state/value"
)

// The parser says nothing of a "!" without a name, and takes the escape \' of double quotes, which is none. Where a
// text may hold either, the scalars are looked up in it.

// mayHoldBangs says whether a "!" without a name may be in the text.
func mayHoldBangs(text []byte) bool {
	for i := 0; ; i++ {
		next := bytes.IndexByte(text[i:], '!')
		if next < 0 {
			return false
		}
		i += next
		if (i == 0 || strings.IndexByte(" \t\r\n[{,", text[i-1]) >= 0) && (i+1 == len(text) || isBlank(text[i+1])) {
			return true
		}
	}
}

// mayHoldQuotes says whether \' may be in double quotes.
func mayHoldQuotes(text []byte) bool {
	return bytes.Contains(text, []byte(`\'`)) && bytes.IndexByte(text, '"') >= 0
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// source is the text from where the node begins: its anchor or its tag, if it has any.
func (c *constructor) source(n *yamlv3.Node) []byte {
	if c.starts == nil {
		c.starts = append([]int{0}, lineEnds(c.p.text)...)
	}
	if n.Line < 1 || n.Line > len(c.starts) {
		return nil
	}
	rest := c.p.text[c.starts[n.Line-1]:]
	for i := 1; i < n.Column && len(rest) > 0; i++ {
		_, size := utf8.DecodeRune(rest)
		rest = rest[size:]
	}
	return rest
}

// hasBang says whether a "!" without a name is before the scalar, which then is read as plain text is, quotes or not.
func (c *constructor) hasBang(n *yamlv3.Node) bool {
	if !c.p.bangs || n.Style&yamlv3.TaggedStyle != 0 {
		return false
	}
	rest := c.source(n)
	if bytes.HasPrefix(rest, []byte{'&'}) {
		rest = bytes.TrimLeft(rest[min(1+len(n.Anchor), len(rest)):], " \t\r\n")
	}
	return len(rest) > 0 && rest[0] == '!' && (len(rest) == 1 || isBlank(rest[1]))
}

// checkQuotes refuses \' in double quotes.
func (c *constructor) checkQuotes(n *yamlv3.Node) error {
	if !c.p.quotes || n.Style&yamlv3.DoubleQuotedStyle == 0 || !strings.Contains(n.Value, "'") {
		return nil
	}
	rest := c.source(n)
	start := bytes.IndexByte(rest, '"')
	for i := start + 1; start >= 0 && i+1 < len(rest) && rest[i] != '"'; i++ {
		if rest[i] != '\\' {
			continue
		}
		if i++; rest[i] == '\'' {
			line, col := place(c.p.text, len(c.p.text)-len(rest)+i-1)
			at := yamlv3.Node{Line: line, Column: col}
			return c.errorf(&at, "found unknown escape character").WithHint("a single quote stands for itself in double quotes")
		}
	}
	return nil
}

// text is the value of a scalar that is text.
func (c *constructor) text(n *yamlv3.Node) (value.Value, error) {
	if err := c.checkQuotes(n); err != nil {
		return nil, err
	}
	return c.intern(c.p.restore(n.Value, n.Style&yamlv3.DoubleQuotedStyle != 0)), nil
}
