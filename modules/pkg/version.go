package pkg

import (
	"cmp"
	"strings"
)

// Compare orders two Debian versions as dpkg does: [epoch:]upstream[-revision].
func Compare(a, b string) int {
	ae, au, ar := splitVersion(a)
	be, bu, br := splitVersion(b)
	if c := compareDigits(ae, be); c != 0 {
		return c
	}
	if c := comparePart(au, bu); c != 0 {
		return c
	}
	return comparePart(ar, br)
}

func splitVersion(v string) (epoch, upstream, revision string) {
	v = strings.TrimSpace(v)
	if e, rest, ok := strings.Cut(v, ":"); ok {
		epoch, v = e, rest
	}
	if i := strings.LastIndexByte(v, '-'); i >= 0 {
		return epoch, v[:i], v[i+1:]
	}
	return epoch, v, ""
}

// withoutEpoch is the version without "1:".
func withoutEpoch(v string) string {
	if _, rest, ok := strings.Cut(v, ":"); ok {
		return rest
	}
	return v
}

// comparePart compares alternately what is no digit and what is one. "~" sorts before everything, even the end.
func comparePart(a, b string) int {
	for a != "" || b != "" {
		for (a != "" && !isDigit(a[0])) || (b != "" && !isDigit(b[0])) {
			if c := cmp.Compare(weight(a), weight(b)); c != 0 {
				return c
			}
			a, b = a[min(1, len(a)):], b[min(1, len(b)):]
		}
		var na, nb string
		na, a = digits(a)
		nb, b = digits(b)
		if c := compareDigits(na, nb); c != 0 {
			return c
		}
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// weight orders the first byte: "~", then the end or a digit, then letters, then the rest.
func weight(s string) int {
	switch {
	case s == "" || isDigit(s[0]):
		return 0
	case s[0] == '~':
		return -1
	case s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z':
		return int(s[0])
	}
	return int(s[0]) + 256
}

func digits(s string) (number, rest string) {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return s[:i], s[i:]
}

func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}
