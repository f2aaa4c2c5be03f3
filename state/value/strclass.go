package value

import "unicode"

// classMethod is the question that a method of str asks.
func classMethod(name string) func(string) bool {
	switch name {
	case "isalpha":
		return allOf(unicode.IsLetter)
	case "isalnum":
		return allOf(func(r rune) bool { return unicode.IsLetter(r) || isNumeric(r) })
	case "isdecimal":
		return allOf(func(r rune) bool { return unicode.Is(unicode.Nd, r) })
	case "isdigit":
		return allOf(isDigit)
	case "isnumeric":
		return allOf(isNumeric)
	case "isspace":
		return allOf(isSpace)
	case "isupper":
		return onlyCase(isUpper, func(r rune) bool { return isLower(r) || unicode.IsTitle(r) })
	case "islower":
		return onlyCase(isLower, func(r rune) bool { return isUpper(r) || unicode.IsTitle(r) })
	case "istitle":
		return isTitle
	case "isidentifier":
		return isIdentifier
	case "isprintable":
		return func(s string) bool { return s == "" || allOf(unicode.IsPrint)(s) }
	case "isascii":
		return isASCII
	}
	return nil
}

func allOf(is func(rune) bool) func(string) bool {
	return func(s string) bool {
		for _, r := range s {
			if !is(r) {
				return false
			}
		}
		return s != ""
	}
}

// onlyCase says whether there is a character of one case and none of the other.
func onlyCase(want, other func(rune) bool) func(string) bool {
	return func(s string) bool {
		found := false
		for _, r := range s {
			if other(r) {
				return false
			}
			found = found || want(r)
		}
		return found
	}
}

func isTitle(s string) bool {
	inWord, found := false, false
	for _, r := range s {
		switch {
		case isUpper(r) || unicode.IsTitle(r):
			if inWord {
				return false
			}
			inWord, found = true, true
		case isLower(r):
			if !inWord {
				return false
			}
		default:
			inWord = false
		}
	}
	return found
}

func isIdentifier(s string) bool {
	for i, r := range s {
		start := r == '_' || unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_ID_Start)
		if start || i > 0 && unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) {
			continue
		}
		return false
	}
	return s != ""
}

func isUpper(r rune) bool { return unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r) }

func isLower(r rune) bool { return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r) }

func isCased(r rune) bool { return isUpper(r) || isLower(r) || unicode.IsTitle(r) }

// isSpace is what str.strip and str.split take for white space.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func isLineEnd(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// isDigit is Unicode's Numeric_Type Decimal or Digit.
func isDigit(r rune) bool {
	if r < 0x80 {
		return '0' <= r && r <= '9'
	}
	if unicode.Is(unicode.Nd, r) {
		return true
	}
	for _, x := range [...][2]rune{
		{0xb2, 0xb3}, {0xb9, 0xb9}, {0x1369, 0x1371}, {0x19da, 0x19da}, {0x2070, 0x2070}, {0x2074, 0x2079}, {0x2080, 0x2089},
		{0x2460, 0x2468}, {0x2474, 0x247c}, {0x2488, 0x2490}, {0x24ea, 0x24ea}, {0x24f5, 0x24fd}, {0x24ff, 0x24ff},
		{0x2776, 0x277e}, {0x2780, 0x2788}, {0x278a, 0x2792}, {0x10a40, 0x10a43}, {0x10e60, 0x10e68}, {0x11052, 0x1105a},
		{0x1f100, 0x1f10a},
	} {
		if r >= x[0] && r <= x[1] {
			return true
		}
	}
	return false
}

// isNumeric is a character with a value; of the Chinese numerals it knows the common ones.
func isNumeric(r rune) bool {
	if unicode.IsNumber(r) {
		return true
	}
	for _, c := range "一七万三九二五亿什仟伍佰億兆兩八六十千卄卅卌参參叁四壱壹廿弌弍弎拾捌柒百萬貳貮贰零陆陸" {
		if c == r {
			return true
		}
	}
	return false
}
