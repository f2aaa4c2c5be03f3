package jinja

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

func filterForceEscape(_ *Call, p []value.Value) (value.Value, error) {
	s, err := str(p[0])
	return Markup(escapeHTML(s)), err
}

func filterSafe(_ *Call, p []value.Value) (value.Value, error) {
	s, err := str(p[0])
	return Markup(s), err
}

func filterStriptags(_ *Call, p []value.Value) (value.Value, error) {
	s, err := str(p[0])
	return value.Str(stripTags(s)), err
}

// stripTags takes comments and tags out, makes white space single spaces and resolves entities.
func stripTags(s string) string {
	s = cutBetween(s, "<!--", "-->")
	s = cutBetween(s, "<", ">")
	return unescapeHTML(strings.Join(strings.FieldsFunc(s, isSpace), " "))
}

func cutBetween(s, open, end string) string {
	for {
		i := strings.Index(s, open)
		if i < 0 {
			return s
		}
		j := strings.Index(s[i:], end)
		if j < 0 {
			return s
		}
		s = s[:i] + s[i+j+len(end):]
	}
}

func unescapeHTML(s string) string { return html.UnescapeString(s) }

func filterXMLAttr(c *Call, p []value.Value) (value.Value, error) {
	space, err := flag(p[1], true)
	if err != nil {
		return nil, err
	}
	d, ok := p[0].(*value.Dict)
	if !ok {
		if err := used(p[0]); err != nil {
			return nil, err
		}
		return nil, raise("AttributeError", "'%s' object has no attribute 'items'", typeName(p[0]))
	}
	var attrs []string
	for k, v := range d.All() {
		switch v.(type) {
		case value.NoneType, *value.Undefined:
			continue
		}
		key, ok := isText(k)
		if !ok {
			return nil, raise("TypeError", "expected string or bytes-like object, got '%s'", typeName(k))
		}
		if strings.ContainsAny(key, " \t\n\r\f\v/>=") {
			return nil, raise("ValueError", "Invalid character in attribute name: %s", quote(key))
		}
		text, err := escape(v)
		if err != nil {
			return nil, err
		}
		attrs = append(attrs, escapeHTML(key)+`="`+string(text)+`"`)
	}
	out := strings.Join(attrs, " ")
	if space && out != "" {
		out = " " + out
	}
	if c.autoescape() {
		return Markup(out), nil
	}
	return value.Str(out), nil
}

func filterURLEncode(_ *Call, p []value.Value) (value.Value, error) {
	if s, ok := isText(p[0]); ok {
		return value.Str(urlQuote(s, false)), nil
	}
	if _, ok := p[0].(*value.Undefined); !ok && !value.CanIterate(p[0]) {
		return value.Str(urlQuote(value.String(p[0]), false)), nil
	}
	src := p[0]
	if d, ok := src.(*value.Dict); ok {
		src = &value.ItemsView{Dict: d}
	}
	pairs, err := list(src)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, pair := range pairs {
		kv, err := unpack(pair, 2)
		if err != nil {
			return nil, err
		}
		var texts [2]string
		for i := range texts {
			if texts[i], err = str(kv[i]); err != nil {
				return nil, err
			}
		}
		out = append(out, urlQuote(texts[0], true)+"="+urlQuote(texts[1], true))
	}
	return value.Str(strings.Join(out, "&")), nil
}

// urlQuote is urllib's quote: / stays, except in query strings, where a space is a +.
func urlQuote(s string, query bool) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_.-~", c) >= 0 ||
			c == '/' && !query:
			b.WriteByte(c)
		case c == ' ' && query:
			b.WriteByte('+')
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// linkRules are the regular expressions of urlize.
type linkRules struct{ web, mail *regexp.Regexp }

func newLinkRules() linkRules {
	return linkRules{
		web: regexp.MustCompile(`(?i)^((https?://|www\.)(([\w%-]+\.)+)?([a-z]{2,63}|xn--[\w%]{2,59})|` +
			`([\w%-]{2,63}\.)+(com|net|int|edu|gov|org|info|mil)|` +
			`(https?://)((([\d]{1,3})(\.[\d]{1,3}){3})|(\[([\da-f]{0,4}:){2}([\da-f]{0,4}:?){1,6}\])))` +
			`(:[\d]{1,5})?([/?#]\S*)?$`),
		mail: regexp.MustCompile(`^\S+@\w[\w.-]*\.\w+$`),
	}
}

func filterURLize(c *Call, p []value.Value) (value.Value, error) {
	s, err := str(p[0])
	if err != nil {
		return nil, err
	}
	limit, err := optionalWhole(p[1])
	if err != nil {
		return nil, err
	}
	rel := []string{"noopener"}
	if p[4] != nil && p[4] != value.Value(value.None) {
		rel = append(rel, strings.Fields(value.String(p[4]))...)
	}
	if nofollow, err := flag(p[2], false); err != nil {
		return nil, err
	} else if nofollow {
		rel = append(rel, "nofollow")
	}
	slices.Sort(rel)
	attrs := ` rel="` + escapeHTML(strings.Join(slices.Compact(rel), " ")) + `"`
	if p[3] != nil && p[3] != value.Value(value.None) {
		attrs += ` target="` + escapeHTML(value.String(p[3])) + `"`
	}
	var schemes []string
	if p[5] != nil && p[5] != value.Value(value.None) {
		items, err := list(p[5])
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			schemes = append(schemes, value.String(it))
		}
	}
	if _, safe := p[0].(Markup); !safe {
		s = escapeHTML(s)
	}
	out := urlize(s, limit, attrs, schemes)
	if c.autoescape() {
		return Markup(out), nil
	}
	return value.Str(out), nil
}

func optionalWhole(v value.Value) (int, error) {
	if v == value.Value(value.None) {
		return -1, nil
	}
	return whole(v, -1)
}

// urlize makes links of the addresses in s, which is escaped.
func urlize(s string, limit int, attrs string, schemes []string) string {
	rules := newLinkRules()
	words := splitKeepSpace(s)
	for i, word := range words {
		head, middle, tail := trimPunctuation(word)
		words[i] = head + link(rules, middle, limit, attrs, schemes) + tail
	}
	return strings.Join(words, "")
}

func splitKeepSpace(s string) []string {
	var out []string
	for s != "" {
		space := isSpace(rune(s[0]))
		i := strings.IndexFunc(s, func(r rune) bool { return isSpace(r) != space })
		if i < 0 {
			i = len(s)
		}
		out, s = append(out, s[:i]), s[i:]
	}
	return out
}

// trimPunctuation takes brackets and punctuation off an address; closing brackets stay where opening ones are within.
func trimPunctuation(word string) (head, middle, tail string) {
	middle = word
	for cut := true; cut; {
		cut = false
		for _, open := range []string{"(", "<", "&lt;"} {
			if strings.HasPrefix(middle, open) {
				head, middle, cut = head+open, middle[len(open):], true
			}
		}
	}
	for cut := true; cut; {
		cut = false
		for _, end := range []string{")", ">", ".", ",", "\n", "&gt;"} {
			if strings.HasSuffix(middle, end) {
				tail, middle, cut = end+tail, strings.TrimSuffix(middle, end), true
			}
		}
	}
	for _, pair := range [][2]string{{"(", ")"}, {"<", ">"}, {"&lt;", "&gt;"}} {
		for n := strings.Count(middle, pair[0]) - strings.Count(middle, pair[1]); n > 0; n-- {
			i := strings.Index(tail, pair[1])
			if i < 0 {
				break
			}
			i += len(pair[1])
			middle, tail = middle+tail[:i], tail[i:]
		}
	}
	return head, middle, tail
}

func link(rules linkRules, s string, limit int, attrs string, schemes []string) string {
	short := func(s string) string {
		if rs := []rune(s); limit >= 0 && len(rs) > limit {
			return string(rs[:limit]) + "..."
		}
		return s
	}
	if rules.web.MatchString(s) {
		href := s
		if !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
			href = "https://" + s
		}
		return `<a href="` + href + `"` + attrs + `>` + short(s) + `</a>`
	}
	target := strings.TrimPrefix(attrs[strings.LastIndex(attrs, `"`)+1:], " ")
	switch {
	case strings.HasPrefix(s, "mailto:") && rules.mail.MatchString(s[7:]):
		return `<a href="` + s + `"` + target + `>` + s[7:] + `</a>`
	case strings.Contains(s, "@") && !strings.HasPrefix(s, "www.") && !strings.Contains(s, ":") &&
		!strings.HasPrefix(s, "@") &&
		rules.mail.MatchString(s):
		return `<a href="mailto:` + s + `"` + target + `>` + s + `</a>`
	}
	for _, scheme := range schemes {
		if s != scheme && strings.HasPrefix(s, scheme) {
			return `<a href="` + s + `"` + attrs + `>` + s + `</a>`
		}
	}
	return s
}
