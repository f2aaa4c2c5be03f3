package types

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

var versionParts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-|\.|\d+|[^-.\d]+`) })

// VersionCmp compares versions part by part: a dash is before a dot, digits count as numbers.
func VersionCmp(a, b string) int {
	x, y := versionParts().FindAllString(a, -1), versionParts().FindAllString(b, -1)
	for i := range min(len(x), len(y)) {
		p, q := x[i], y[i]
		switch {
		case p == q:
			continue
		case p == "-":
			return -1
		case q == "-":
			return 1
		case p == ".":
			return -1
		case q == ".":
			return 1
		case allDigits(p) && allDigits(q):
			if strings.HasPrefix(p, "0") || strings.HasPrefix(q, "0") {
				if c := strings.Compare(strings.ToUpper(p), strings.ToUpper(q)); c != 0 {
					return c
				}
				continue
			}
			m, _ := new(big.Int).SetString(p, 10)
			n, _ := new(big.Int).SetString(q, 10)
			if c := m.Cmp(n); c != 0 {
				return c
			}
		default:
			if c := strings.Compare(strings.ToUpper(p), strings.ToUpper(q)); c != 0 {
				return c
			}
		}
	}
	return versionTail(a, b)
}

// versionTail compares versions of which one goes on where the other ends.
func versionTail(a, b string) int {
	switch c := strings.Compare(a, b); {
	case c < 0:
		return -1
	case c > 0:
		return 1
	}
	return 0
}

func allDigits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
}

// CompareVersions is the order of SemVer.
func CompareVersions(a, b string) int {
	num := func(s string) (out [3]int64, pre string) {
		s, _, _ = strings.Cut(s, "+")
		s, pre, _ = strings.Cut(s, "-")
		for i, p := range strings.SplitN(s, ".", 3) {
			out[i], _ = strconv.ParseInt(p, 10, 64)
		}
		return out, pre
	}
	x, px := num(a)
	y, py := num(b)
	for i := range x {
		if x[i] != y[i] {
			if x[i] < y[i] {
				return -1
			}
			return 1
		}
	}
	switch {
	case px == py:
		return 0
	case px == "":
		return 1
	case py == "":
		return -1
	}
	return VersionCmp(px, py)
}

// InRange says whether a version is in a range such as `>=1.0.0 <2.0.0`, `1.x`, `~1.2`, `^1.2`.
func InRange(version, span string) bool {
	for alt := range strings.SplitSeq(span, "||") {
		if inOne(version, alt) {
			return true
		}
	}
	return false
}

var comparator = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(>=|<=|>|<|=|~|\^)?\s*v?(\d+|x|X|\*)(?:\.(\d+|x|X|\*))?(?:\.(\d+|x|X|\*))?(-[0-9A-Za-z.-]+)?`)
})

func inOne(version, span string) bool {
	for _, m := range comparator().FindAllStringSubmatch(span, -1) {
		fixed := 0
		parts := [3]string{"0", "0", "0"}
		for i := range 3 {
			if s := m[2+i]; s != "" && !strings.ContainsAny(s, "xX*") && fixed == i {
				parts[i], fixed = s, i+1
			}
		}
		low := strings.Join(parts[:], ".") + m[5]
		upper := func(at int) string {
			n, _ := strconv.ParseInt(parts[at], 10, 64)
			up := [3]string{"0", "0", "0"}
			copy(up[:at], parts[:at])
			up[at] = strconv.FormatInt(n+1, 10)
			return strings.Join(up[:], ".")
		}
		c := CompareVersions(version, low)
		ok := true
		switch m[1] {
		case ">=":
			ok = c >= 0
		case ">":
			ok = c > 0
			if fixed < 3 && fixed > 0 {
				ok = CompareVersions(version, upper(fixed-1)) >= 0
			}
		case "<":
			ok = c < 0
		case "<=":
			ok = c <= 0
			if fixed < 3 && fixed > 0 {
				ok = CompareVersions(version, upper(fixed-1)) < 0
			}
		case "~":
			ok = c >= 0 && CompareVersions(version, upper(max(min(fixed, 2)-1, 0))) < 0
		case "^":
			at := 0
			for at < 2 && parts[at] == "0" {
				at++
			}
			ok = c >= 0 && CompareVersions(version, upper(at)) < 0
		default:
			switch fixed {
			case 0:
			case 3:
				ok = c == 0
			default:
				ok = c >= 0 && CompareVersions(version, upper(fixed-1)) < 0
			}
		}
		if !ok {
			return false
		}
	}
	return true
}
