package secret

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// longest is the size up to which a secret is looked for in its other writings: beyond, its lines are.
const longest = 64 << 10

// formsOf are the writings in which a secret is looked for: as it is, without the white space around it, line by line,
// and as JSON, YAML, Python, Go, the shell, URLs and base64 write it.
func formsOf(text string) []string {
	out := []string{text}
	if trimmed := strings.TrimSpace(text); trimmed != text {
		out = append(out, trimmed)
	}
	if len(text) <= longest {
		for _, t := range out[:len(out):len(out)] {
			out = append(out, writings(t)...)
		}
	}
	if !strings.Contains(text, "\n") {
		return out
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(line) >= shortestLine && !strings.HasPrefix(line, "-----") {
			out = append(append(out, line), quoted(line)...)
		}
	}
	return out
}

// writings are the ways to write a text that are not the text itself.
func writings(text string) []string { return append(quoted(text), encoded(text)...) }

// quoted are those that stand between quotes.
func quoted(text string) []string {
	out := []string{
		inner(strconv.Quote(text)), inner(strconv.QuoteToASCII(text)), inner(value.Repr(value.Str(text))),
		strings.ReplaceAll(text, "'", "''"), strings.ReplaceAll(text, "'", `'\''`),
		strings.ReplaceAll(text, "'", `'"'"'`), inHTML(text),
		strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text),
	}
	for _, unicode := range []bool{true, false} {
		if json, err := value.DumpsJSON(value.Str(text), value.JSONOptions{Unicode: unicode}); err == nil {
			out = append(out, inner(json))
		}
	}
	return out
}

// inHTML is what Jinja's escape makes of a text.
func inHTML(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;").Replace(text)
}

// inner is a quoted text without its quotes.
func inner(text string) string { return text[1 : len(text)-1] }

// encoded are those of URLs and of base64, where a secret may also stand amid other text.
func encoded(text string) []string {
	query := url.QueryEscape(text)
	all := strings.ReplaceAll(query, "+", "%20")
	out := []string{query, lowerEscapes(query), all, lowerEscapes(all), strings.ReplaceAll(all, "%2F", "/"),
		url.PathEscape(text), url.UserPassword("", text).String()[1:]}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		out = append(out, enc.EncodeToString([]byte(text)))
		for before := range 3 {
			if amid := base64Amid(enc, text, before); len(amid) >= shortestLine {
				out = append(out, amid)
			}
		}
	}
	return out
}

// base64Amid is what is the same in the base64 of each text that holds this one behind so many bytes (modulo 3).
func base64Amid(enc *base64.Encoding, text string, before int) string {
	all := enc.EncodeToString([]byte(strings.Repeat("\x00", before) + text))
	from := (before*8 + 5) / 6
	to := (before + len(text)) * 8 / 6
	if from >= to {
		return ""
	}
	return all[from:to]
}

// lowerEscapes writes %2F as %2f.
func lowerEscapes(text string) string {
	b := []byte(text)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}
