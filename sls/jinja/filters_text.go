package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gostate/gostate/state/value"
)

func filterDefault(_ *Call, p []value.Value) (value.Value, error) {
	def := p[1]
	if def == nil {
		def = value.Str("")
	}
	if u, ok := p[0].(*value.Undefined); ok {
		return def, u.Cause
	}
	falsy, err := flag(p[2], false)
	if err != nil || !falsy {
		return p[0], err
	}
	yes, err := truth(p[0])
	if err != nil || yes {
		return p[0], err
	}
	return def, nil
}

func filterString(_ *Call, p []value.Value) (value.Value, error) {
	if _, ok := isText(p[0]); ok {
		return p[0], nil
	}
	s, err := str(p[0])
	return value.Str(s), err
}

// filterTitle makes the first letter of each word big; words are parted by white space, hyphens and opening brackets.
func filterTitle(_ *Call, p []value.Value) (value.Value, error) {
	s, err := str(p[0])
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	begin := true
	for _, r := range s {
		switch {
		case strings.ContainsRune("-({[<", r) || isSpace(r):
			begin = true
			b.WriteRune(r)
		case begin:
			begin = false
			b.WriteString(upperRune(r))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return value.Str(b.String()), nil // plain text, whatever it was made of
}

func upperRune(r rune) string {
	if r == 'ß' {
		return "SS"
	}
	return string(unicode.ToUpper(r))
}

func filterTrim(c *Call, p []value.Value) (value.Value, error) {
	s, err := str(p[0])
	if err != nil {
		return nil, err
	}
	var args []value.Value
	if p[1] != nil {
		args = []value.Value{Plain(p[1])}
	}
	out, _, err := value.CallMethod(c.Ctx, value.Str(s), "strip", args, nil)
	if err != nil {
		return nil, err
	}
	return like(p[0], value.String(out)), nil
}

func filterCenter(c *Call, p []value.Value) (value.Value, error) {
	s, err := str(p[0])
	if err != nil {
		return nil, err
	}
	width := p[1]
	if width == nil {
		width = value.Int(80)
	}
	out, _, err := value.CallMethod(c.Ctx, value.Str(s), "center", []value.Value{width}, nil)
	if err != nil {
		return nil, err
	}
	return like(p[0], value.String(out)), nil
}

func filterReplace(c *Call, p []value.Value) (value.Value, error) {
	var texts [3]string
	for i := range texts {
		var err error
		if texts[i], err = str(p[i]); err != nil {
			return nil, err
		}
	}
	s, old, repl := texts[0], texts[1], texts[2]
	n := -1
	if p[3] != nil && p[3] != value.Value(value.None) {
		var err error
		if n, err = whole(p[3], -1); err != nil {
			return nil, err
		}
	}
	if !c.autoescape() {
		out, _, err := value.CallMethod(c.Ctx, value.Str(s), "replace",
			[]value.Value{value.Str(old), value.Str(repl), value.Int(n)}, nil)
		return out, err
	}
	_, sSafe := p[0].(Markup)
	_, oldSafe := p[1].(Markup)
	_, newSafe := p[2].(Markup)
	if !sSafe && (oldSafe || newSafe) {
		s, sSafe = escapeHTML(s), true
	}
	if sSafe && !newSafe {
		repl = escapeHTML(repl)
	}
	out := strings.Replace(s, old, repl, n)
	if sSafe {
		return Markup(out), nil
	}
	return value.Str(out), nil
}

// autoescape says whether it is on where the filter runs.
func (c *Call) autoescape() bool { return c.Scope != nil && c.Scope.f.ctx.autoescape }

func filterFormat(c *Call) (value.Value, error) {
	hasKwargs := c.Kwargs != nil && c.Kwargs.Len() > 0
	if len(c.Args) > 0 && hasKwargs {
		return nil, raise("FilterArgumentError", "can't handle positional and keyword arguments at the same time")
	}
	s, err := str(c.Value)
	if err != nil {
		return nil, err
	}
	var arg value.Value = value.NewTuple(c.Args...)
	if hasKwargs {
		arg = c.Kwargs
	}
	if _, safe := c.Value.(Markup); safe {
		arg = escapeArguments(arg)
	}
	out, err := value.FormatPercent(s, arg)
	if err != nil {
		return nil, err
	}
	return like(c.Value, value.String(out)), nil
}

// splitLines is str.splitlines.
func splitLines(s string) []string {
	var out []string
	for s != "" {
		i := strings.IndexFunc(s, isLineBreak)
		if i < 0 {
			return append(out, s)
		}
		out = append(out, s[:i])
		_, n := utf8.DecodeRuneInString(s[i:])
		if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			n = 2
		}
		s = s[i+n:]
	}
	return out
}

func isLineBreak(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

func filterIndent(_ *Call, p []value.Value) (value.Value, error) {
	s, ok := isText(p[0])
	if !ok {
		if err := used(p[0]); err != nil {
			return nil, err
		}
		if _, isList := p[0].(*value.List); isList {
			return nil, raise("AttributeError", "'list' object has no attribute 'splitlines'")
		}
		return nil, raise("TypeError", "unsupported operand type(s) for +=: '%s' and 'str'", typeName(p[0]))
	}
	pad, ok := isText(p[1])
	if !ok {
		n, err := whole(p[1], 4)
		if err != nil {
			if used(p[1]) == nil {
				err = raise("TypeError", "can't multiply sequence by non-int of type '%s'", typeName(p[1]))
			}
			return nil, err
		}
		if n > value.MaxText {
			return nil, raise("MemoryError", "the indentation is too wide")
		}
		pad = strings.Repeat(" ", max(n, 0))
	}
	first, err := flag(p[2], false)
	if err != nil {
		return nil, err
	}
	blank, err := flag(p[3], false)
	if err != nil {
		return nil, err
	}
	lines := splitLines(s + "\n")
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == 0 && first || i > 0 && (blank || line != "") {
			b.WriteString(pad)
		}
		b.WriteString(line)
		if b.Len() > value.MaxText {
			return nil, raise("MemoryError", "the indented text is too long")
		}
	}
	return like(p[0], b.String()), nil
}

func filterTruncate(_ *Call, p []value.Value) (value.Value, error) {
	length, err := whole(p[1], 255)
	if err != nil {
		return nil, err
	}
	kill, err := flag(p[2], false)
	if err != nil {
		return nil, err
	}
	end := "..."
	if p[3] != nil {
		if end, err = str(p[3]); err != nil {
			return nil, err
		}
	}
	leeway := 5
	if p[4] != nil && p[4] != value.Value(value.None) {
		if leeway, err = whole(p[4], 5); err != nil {
			return nil, err
		}
	}
	endLen := utf8.RuneCountInString(end)
	if length < endLen {
		return nil, raise("AssertionError", "expected length >= %d, got %d", endLen, length)
	}
	if leeway < 0 {
		return nil, raise("AssertionError", "expected leeway >= 0, got %d", leeway)
	}
	n, err := filterLen(p[0])
	if err != nil {
		return nil, err
	}
	if n <= length+leeway {
		return p[0], nil
	}
	s, ok := isText(p[0])
	if !ok {
		return nil, raise("TypeError", "can only truncate text, not '%s'", typeName(p[0]))
	}
	cut := string([]rune(s)[:length-endLen])
	if !kill {
		if i := strings.LastIndexByte(cut, ' '); i >= 0 {
			cut = cut[:i]
		}
	}
	return like(p[0], cut+end), nil
}

func filterWordcount(_ *Call, p []value.Value) (value.Value, error) {
	s, err := str(p[0])
	if err != nil {
		return nil, err
	}
	n, in := 0, false
	for _, r := range s {
		word := r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r)
		if word && !in {
			n++
		}
		in = word
	}
	return value.Int(n), nil
}

func filterAttr(c *Call, p []value.Value) (value.Value, error) {
	name, ok := isText(p[1])
	if !ok {
		if err := used(p[1]); err != nil {
			return nil, err
		}
		return nil, raise("TypeError", "attribute name must be string, not '%s'", typeName(p[1]))
	}
	if u, ok := p[0].(*value.Undefined); ok {
		return c.Env.ofUndefined(u)
	}
	if v, ok := c.Env.attribute(p[0], name); ok {
		return v, nil
	}
	return c.Env.undefinedOf(p[0], value.Str(name)), nil
}

func filterToJSON(_ *Call, p []value.Value) (value.Value, error) {
	o := value.JSONOptions{SortKeys: true}
	if p[1] != nil && p[1] != value.Value(value.None) {
		o.Pretty = true
		pad, ok := isText(p[1])
		if !ok {
			n, err := whole(p[1], 0)
			if err != nil {
				return nil, err
			}
			pad = strings.Repeat(" ", max(0, min(n, 1000)))
		}
		o.Indent = pad
	}
	o.Default = jsonDefault
	s, err := value.DumpsJSON(p[0], o)
	if isClass(err, "UndefinedError") {
		return nil, raise("TypeError", "Object of type StrictUndefined is not JSON serializable")
	}
	if err != nil {
		return nil, err
	}
	return Markup(replaceEach(s, `<>&'`, `\u003c`, `\u003e`, `\u0026`, `\u0027`)), nil
}

// jsonDefault is Python's error for what JSON cannot hold.
func jsonDefault(v value.Value) (value.Value, error) {
	return nil, raise("TypeError", "Object of type %s is not JSON serializable", strictName(v))
}
