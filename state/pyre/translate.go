package pyre

import (
	"strconv"
	"strings"
)

// A translator rewrites Python's syntax to that of regexp2, which is .NET's. Named groups become numbered ones, because
// .NET numbers them behind the others.
type translator struct {
	in     []rune
	i      int
	out    strings.Builder
	groups int
	names  map[string]int
}

func (t *translator) run() (string, error) {
	for t.i < len(t.in) {
		var err error
		switch c := t.in[t.i]; c {
		case '\\':
			err = t.escape(false)
		case '[':
			err = t.class()
		case '(':
			err = t.group()
		case '{':
			t.brace()
		case '*', '+', '?', '}':
			t.quantifier(c)
		default:
			t.out.WriteRune(c)
			t.i++
		}
		if err != nil {
			return "", err
		}
	}
	return t.out.String(), nil
}

// quantifier passes one on. Possessive ones (a*+) are kept as greedy: regexp2 has no such thing, and they differ only
// in what fails.
func (t *translator) quantifier(c rune) {
	t.out.WriteRune(c)
	t.i++
	if c != '}' && t.peek(0) == '+' {
		t.i++
	}
}

func (t *translator) peek(n int) rune {
	if t.i+n < len(t.in) {
		return t.in[t.i+n]
	}
	return 0
}

func (t *translator) has(s string) bool {
	return strings.HasPrefix(string(t.in[t.i:min(len(t.in), t.i+len(s))]), s)
}

// brace passes on {m,n}; {,n} is {0,n}; any other brace stands for itself.
func (t *translator) brace() {
	end := t.i + 1
	for end < len(t.in) && (t.in[end] >= '0' && t.in[end] <= '9' || t.in[end] == ',') {
		end++
	}
	body := string(t.in[t.i+1 : min(end, len(t.in))])
	if end == len(t.in) || t.in[end] != '}' || body == "" || strings.Count(body, ",") > 1 {
		t.out.WriteString(`\{`)
		t.i++
		return
	}
	if strings.HasPrefix(body, ",") {
		body = "0" + body
	}
	t.out.WriteString("{" + body + "}")
	t.i = end + 1
	if t.peek(0) == '+' {
		t.i++
	}
}

func (t *translator) group() error {
	switch {
	case t.has("(?P<"):
		t.i += 4
		name, err := t.name('>')
		if err != nil {
			return err
		}
		if _, ok := t.names[name]; ok {
			return badf("redefinition of group name '%s'", name)
		}
		t.groups++
		t.names[name] = t.groups
		t.out.WriteByte('(')
	case t.has("(?P="):
		t.i += 4
		name, err := t.name(')')
		if err != nil {
			return err
		}
		n, ok := t.names[name]
		if !ok {
			return badf("unknown group name '%s'", name)
		}
		t.out.WriteString(`(?:\` + strconv.Itoa(n) + ")")
	case t.has("(?("):
		t.i += 3
		name, err := t.name(')')
		if err != nil {
			return err
		}
		if n, ok := t.names[name]; ok {
			name = strconv.Itoa(n)
		}
		t.out.WriteString("(?(" + name + ")")
	case t.has("(?#"):
		for t.i < len(t.in) && t.in[t.i] != ')' {
			t.i++
		}
		t.i++
	case t.has("(?"):
		return t.flags()
	default:
		t.groups++
		t.out.WriteByte('(')
		t.i++
	}
	return nil
}

// flags passes on (?i), (?i:...), (?:...), (?=...) and their like, without the flags that say what is so anyway.
func (t *translator) flags() error {
	t.i += 2
	flags := ""
	for t.i < len(t.in) && strings.ContainsRune("aiLmsux-", t.in[t.i]) {
		if !strings.ContainsRune("aLu", t.in[t.i]) {
			flags += string(t.in[t.i])
		}
		t.i++
	}
	next := t.peek(0)
	if flags == "" && next == ')' {
		t.i++
		return nil
	}
	if !t.knownExtension(flags, next) {
		return badf("unknown extension ?%s%c", flags, max(next, ' '))
	}
	t.out.WriteString("(?" + flags)
	if next != 0 && next != '(' && next != '\\' && next != '[' {
		t.out.WriteRune(next)
		t.i++
	}
	return nil
}

// knownExtension says whether Python knows what stands behind (?: .NET has more, groups named (?<n>...) among them.
func (t *translator) knownExtension(flags string, next rune) bool {
	switch next {
	case ':':
		return true
	case ')':
		return flags != ""
	case '=', '!', '>':
		return flags == ""
	case '<':
		return flags == "" && (t.peek(1) == '=' || t.peek(1) == '!')
	}
	return false
}

func (t *translator) name(end rune) (string, error) {
	start := t.i
	for t.i < len(t.in) && t.in[t.i] != end {
		t.i++
	}
	if t.i == len(t.in) {
		return "", badf("missing %c, unterminated name", end)
	}
	t.i++
	return string(t.in[start : t.i-1]), nil
}

// class passes on [...]; .NET would take a bracket inside for a subtraction.
func (t *translator) class() error {
	t.out.WriteByte('[')
	t.i++
	if t.peek(0) == '^' {
		t.out.WriteByte('^')
		t.i++
	}
	for first := true; t.i < len(t.in); first = false {
		switch c := t.in[t.i]; {
		case c == ']' && !first:
			t.out.WriteByte(']')
			t.i++
			return nil
		case c == '\\':
			if err := t.escape(true); err != nil {
				return err
			}
		case c == '[' || c == ']':
			t.out.WriteString(`\` + string(c))
			t.i++
		default:
			t.out.WriteRune(c)
			t.i++
		}
	}
	return badf("unterminated character set")
}

func (t *translator) escape(inClass bool) error {
	c := t.peek(1)
	switch {
	case c == 0 && t.i+1 >= len(t.in):
		return badf("bad escape (end of pattern)")
	case c == 'Z' && !inClass:
		t.out.WriteString(`\z`)
	case c == 'U' && t.i+10 <= len(t.in):
		n, err := strconv.ParseUint(string(t.in[t.i+2:t.i+10]), 16, 32)
		if err != nil {
			return badf("incomplete escape \\U")
		}
		t.out.WriteString(Escape(string(rune(n))))
		t.i += 10
		return nil
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		valid := "AbBdDsSwWafnrtvxu"
		if inClass {
			valid = "bdDsSwWafnrtvxu"
		}
		if !strings.ContainsRune(valid, c) {
			return badf("bad escape \\%c at position %d", c, t.i)
		}
		t.out.WriteString(`\` + string(c))
	case c < 128 && !(c >= '0' && c <= '9') && c != '_':
		t.out.WriteString(`\` + string(c))
	case c >= '0' && c <= '9':
		t.out.WriteString(`\` + string(c))
	default:
		t.out.WriteRune(c)
	}
	t.i += 2
	return nil
}

// Expand is what a replacement stands for in a match; of a nil match only the template is checked.
func (r *Regexp) Expand(template string, m *Match) (string, error) {
	if !strings.Contains(template, `\`) {
		return template, nil
	}
	var b strings.Builder
	group := func(n int) error {
		if n > r.groups {
			return badRepl("invalid group reference %d", n)
		}
		if m != nil && m.Groups[n] != nil {
			b.WriteString(*m.Groups[n])
		}
		return nil
	}
	for i := 0; i < len(template); i++ {
		if template[i] != '\\' {
			b.WriteByte(template[i])
			continue
		}
		i++
		if i == len(template) {
			return "", badRepl("bad escape (end of pattern)")
		}
		var err error
		switch c := template[i]; {
		case c == 'g':
			end := strings.IndexByte(template[i:], '>')
			if i+1 >= len(template) || template[i+1] != '<' || end < 0 {
				return "", badRepl("missing <")
			}
			name := template[i+2 : i+end]
			n, convErr := strconv.Atoi(name)
			if convErr != nil || n < 0 || name[0] == '+' {
				known := false
				if n, known = r.names[name]; !known {
					return "", badRepl("unknown group name '%s'", name)
				}
			}
			err = group(n)
			i += end
		case c == '0':
			n := 0
			for k := 0; k < 3 && i < len(template) && template[i] >= '0' && template[i] <= '7'; k++ {
				n, i = n*8+int(template[i]-'0'), i+1
			}
			i--
			b.WriteRune(rune(n))
		case c >= '1' && c <= '9':
			n := int(c - '0')
			if i+1 < len(template) && template[i+1] >= '0' && template[i+1] <= '9' {
				i++
				n = n*10 + int(template[i]-'0')
			}
			err = group(n)
		default:
			err = expandEscape(&b, c)
		}
		if err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

func expandEscape(b *strings.Builder, c byte) error {
	if i := strings.IndexByte("abfnrtv\\", c); i >= 0 {
		b.WriteByte("\a\b\f\n\r\t\v\\"[i])
		return nil
	}
	if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
		return badRepl("bad escape \\%c", c)
	}
	b.WriteByte('\\')
	b.WriteByte(c)
	return nil
}
