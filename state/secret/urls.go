package secret

import (
	"net/url"
	"strings"
)

// MarkURLs registers what is secret in the URLs of a text: the password of user:password@host, and a user of a web
// address that is long enough for a token. They are hidden in what is shown even where they are short.
func (s *Store) MarkURLs(text string) {
	if s == nil || !strings.Contains(text, "://") {
		return
	}
	for _, p := range userinfos(text) {
		word := text[p.from:p.to]
		s.MarkText(word)
		if plain, err := url.PathUnescape(word); err == nil {
			s.MarkText(plain)
		}
		s.filled.Store(true)
	}
}

// tokenLength is the length from which a user without a password is taken for a token.
const tokenLength = 20

// userinfos are the places of the secrets in the URLs of a text.
func userinfos(text string) (out []span) {
	for at := 0; ; {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return out
		}
		at += i + len("://")
		host := text[at:]
		if end := strings.IndexAny(host, "/?# \t\r\n\"'<>"); end >= 0 {
			host = host[:end]
		}
		user, ok := cutLast(host, '@')
		if !ok {
			continue
		}
		colon := strings.IndexByte(user, ':')
		if colon < 0 && len(user) < tokenLength || colon == len(user)-1 || strings.Contains(user, Shown) {
			continue
		}
		out = append(out, span{at + colon + 1, at + len(user)})
	}
}

// cutLast is what stands before the last such byte.
func cutLast(text string, sep byte) (string, bool) {
	i := strings.LastIndexByte(text, sep)
	return text[:max(i, 0)], i >= 0
}

// URLs is a text with what is secret in its URLs hidden.
func URLs(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	return replaced(text, userinfos(text))
}

// replaced is a text with Shown in the place of its parts.
func replaced(text string, parts []span) string {
	if len(parts) == 0 {
		return text
	}
	var b strings.Builder
	end := 0
	for _, p := range parts {
		b.WriteString(text[end:p.from])
		b.WriteString(Shown)
		end = p.to
	}
	b.WriteString(text[end:])
	return b.String()
}
