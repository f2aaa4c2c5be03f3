package pkg

import (
	"cmp"
	"strconv"
	"strings"
)

// compareRPM orders [epoch:]version[-release] as rpm does. A release counts where both have one, so that 3.2 is 3.2-1.
func compareRPM(a, b string) int {
	ae, av, ar := splitEVR(a, strings.Index)
	be, bv, br := splitEVR(b, strings.Index)
	return orderEVR(segments, [3]string{ae, av, ar}, [3]string{be, bv, br})
}

// compareALPM orders [epoch:]version[-pkgrel] as pacman's vercmp does. Salt differs: it has no order of its own for
// pacman, and 1.0 is not 1.0-1.
func compareALPM(a, b string) int {
	ae, av, ar := splitEVR(a, strings.LastIndex)
	be, bv, br := splitEVR(b, strings.LastIndex)
	return orderEVR(segmentsALPM, [3]string{ae, av, ar}, [3]string{be, bv, br})
}

func orderEVR(of func(a, b string) int, a, b [3]string) int {
	if c := cmp.Or(of(a[0], b[0]), of(a[1], b[1])); c != 0 || a[2] == "" || b[2] == "" {
		return c
	}
	return of(a[2], b[2])
}

// splitEVR: what is before a colon and no number is no epoch. dash finds the one before the release.
func splitEVR(v string, dash func(s, sub string) int) (epoch, version, release string) {
	epoch = "0"
	if e, rest, ok := strings.Cut(v, ":"); ok && strings.Trim(e, "0123456789") == "" {
		if n, err := strconv.Atoi(e); err == nil {
			epoch = strconv.Itoa(n)
		}
		v = rest
	}
	if i := dash(v, "-"); i >= 0 {
		return epoch, v[:i], v[i+1:]
	}
	return epoch, v, ""
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// run splits off the letters or digits at the beginning.
func run(s string, is func(byte) bool) (head, rest string) {
	i := 0
	for i < len(s) && is(s[i]) {
		i++
	}
	return s[:i], s[i:]
}

// separators skips what is neither letter nor digit, nor one of the bytes.
func separators(s, except string) string {
	return s[len(s)-len(strings.TrimLeftFunc(s, func(r rune) bool {
		return r >= 0x80 || !isDigit(byte(r)) && !isLetter(byte(r)) && !strings.ContainsRune(except, r)
	})):]
}

// segments is rpmvercmp: alternately letters and digits. "~" sorts before everything, even the end; "^" after the end
// and before everything else.
func segments(a, b string) int {
	for a != "" || b != "" {
		a, b = separators(a, "~^"), separators(b, "~^")
		if c, both := sign(a, b, '~', -1); c != 0 {
			return c
		} else if both {
			a, b = a[1:], b[1:]
			continue
		}
		if c, both := caret(a, b); c != 0 {
			return c
		} else if both {
			a, b = a[1:], b[1:]
			continue
		}
		if a == "" || b == "" {
			break
		}
		var c int
		if c, a, b = segment(a, b); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// sign compares by a byte that only one has: the one with it is c.
func sign(a, b string, is byte, c int) (order int, both bool) {
	x, y := a != "" && a[0] == is, b != "" && b[0] == is
	switch {
	case x && !y:
		return c, false
	case y && !x:
		return -c, false
	}
	return 0, x && y
}

// caret: 1.0^ is after 1.0, and before 1.0.1.
func caret(a, b string) (order int, both bool) {
	if a == "" || b == "" {
		return sign(a, b, '^', 1)
	}
	return sign(a, b, '^', -1)
}

// segment compares the letters or the digits at the beginning; digits are after letters.
func segment(a, b string) (order int, restA, restB string) {
	is := isLetter
	if isDigit(a[0]) {
		is = isDigit
	}
	x, restA := run(a, is)
	y, restB := run(b, is)
	switch {
	case y == "" && isDigit(a[0]):
		return 1, restA, restB
	case y == "":
		return -1, restA, restB
	case isDigit(a[0]):
		return compareDigits(x, y), restA, restB
	}
	return strings.Compare(x, y), restA, restB
}

// segmentsALPM is rpmvercmp as pacman has it: without "~" and "^", separators count by their length, and what ends in
// letters is before what ends there.
func segmentsALPM(a, b string) int {
	if a == b {
		return 0
	}
	for a != "" && b != "" {
		x, y := separators(a, ""), separators(b, "")
		skippedA, skippedB := len(a)-len(x), len(b)-len(y)
		if a, b = x, y; a == "" || b == "" {
			break
		}
		if c := cmp.Compare(skippedA, skippedB); c != 0 {
			return c
		}
		var c int
		if c, a, b = segment(a, b); c != 0 {
			return c
		}
	}
	switch {
	case a == "" && b == "":
		return 0
	case a == "" && !isLetter(b[0]), a != "" && isLetter(a[0]):
		return -1
	}
	return 1
}
