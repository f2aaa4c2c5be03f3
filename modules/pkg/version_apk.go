package pkg

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// The kinds of tokens of apk's versions, in apk's order: 1.2b_rc3-r4.
const (
	apkInvalid = iota - 1
	apkZero    // a number behind a dot, in which zeros at the beginning count
	apkDigit
	apkLetter
	apkSuffix
	apkSuffixNumber
	apkRevision
	apkEnd
)

// An apkVersion is read token by token: kind is that of the next one.
type apkVersion struct {
	text string
	kind int
}

// compareAPK orders two versions as apk does.
func compareAPK(a, b string) int {
	x, y := apkVersion{a, apkDigit}, apkVersion{b, apkDigit}
	v, w := 0, 0
	for x.kind == y.kind && x.kind != apkEnd && x.kind != apkInvalid && v == w {
		v, w = x.next(), y.next()
	}
	switch {
	case v != w:
		return cmp.Compare(v, w)
	case x.kind == y.kind:
		return 0
	case x.early():
		return -1
	case y.early():
		return 1
	}
	return cmp.Compare(y.kind, x.kind) // the one that goes on is greater
}

// early says whether what comes next makes it earlier: 1.0_rc1 is before 1.0.
func (a apkVersion) early() bool { return a.kind == apkSuffix && a.next() < 0 }

// next is the value of the next token.
func (a *apkVersion) next() int {
	if a.text == "" {
		a.kind = apkEnd
		return 0
	}
	value, length := 0, 0
	switch a.kind {
	case apkZero:
		if a.text[0] == '0' {
			zeros := len(a.text) - len(strings.TrimLeft(a.text, "0"))
			a.advance(zeros-1, apkDigit)
			return 1 - zeros
		}
		value, length = a.number()
	case apkDigit, apkSuffixNumber, apkRevision:
		value, length = a.number()
	case apkLetter:
		value, length = int(a.text[0]), 1
	case apkSuffix:
		value, length = a.suffix()
	default:
		length = -1
	}
	if length < 0 {
		a.kind = apkInvalid
		return -1
	}
	a.advance(length, apkInvalid)
	return value
}

// advance steps over a token; kind is that of the next one where it is known.
func (a *apkVersion) advance(length, kind int) {
	a.text = a.text[length:]
	switch {
	case a.text == "":
		a.kind = apkEnd
	case kind != apkInvalid:
		a.kind = kind
	default:
		a.separate()
	}
}

// number is the number at the beginning; apk takes no longer ones than of 17 digits.
func (a *apkVersion) number() (value, length int) {
	digits, _ := run(a.text, isDigit)
	if len(digits) >= 18 {
		return 0, -1
	}
	value, _ = strconv.Atoi(digits)
	return value, len(digits)
}

// suffix is below 0 for what comes before the version without it.
func (a *apkVersion) suffix() (value, length int) {
	all := []string{"alpha", "beta", "pre", "rc", "cvs", "svn", "git", "hg", "p"}
	i := slices.IndexFunc(all, func(s string) bool { return strings.HasPrefix(a.text, s) })
	if i < 0 {
		return 0, -1
	}
	return i - 4, len(all[i])
}

// separate reads what is between two tokens, which says the kind of the next one.
func (a *apkVersion) separate() {
	first, kind, skip := a.text[0], apkInvalid, 1
	switch {
	case (a.kind == apkDigit || a.kind == apkZero) && first >= 'a' && first <= 'z':
		kind, skip = apkLetter, 0
	case a.kind == apkLetter && isDigit(first):
		kind, skip = apkDigit, 0
	case a.kind == apkSuffix && isDigit(first):
		kind, skip = apkSuffixNumber, 0
	case first == '.':
		kind = apkZero
	case first == '_':
		kind = apkSuffix
	case strings.HasPrefix(a.text, "-r"):
		kind, skip = apkRevision, 2
	}
	back := kind == apkZero && a.kind == apkDigit || kind == apkSuffix && a.kind == apkSuffixNumber ||
		kind == apkDigit && a.kind == apkLetter
	if kind < a.kind && !back {
		kind = apkInvalid
	}
	a.text, a.kind = a.text[skip:], kind
}
