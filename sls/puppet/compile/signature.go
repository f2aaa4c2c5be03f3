package compile

import (
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// A builtin is a function of ours. sigs are the ways to call it, one a line, as Puppet documents them:
//
//	Hash hash, Callable[2, 2] block
//	Any values*
//
// A ? behind a name makes a parameter optional, * any number of it, + one or more. None checks nothing.
type builtin struct {
	sigs string
	fn   func(k *call) any
}

// signatures are the parsed ways to call a function.
func (c *Compiler) signatures(name, text string) []*types.Signature {
	var out []*types.Signature
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, c.signature(name, strings.TrimSpace(line)))
	}
	return out
}

func (c *Compiler) signature(_, line string) *types.Signature {
	if t := c.parsedTypes["("+line]; t != nil {
		return t
	}
	t := types.New("Callable")
	t.Named, t.Min, t.Max = true, 0, 0
	for _, p := range splitTop(line) {
		i := strings.LastIndexByte(p, ' ')
		typ, name := p[:i], p[i+1:]
		mark := name[len(name)-1:]
		name = strings.TrimRight(name, "?*+")
		e := c.parsedType(typ)
		if name == "block" && (e.Kind == "Callable") {
			if t.Block = e; mark == "?" {
				t.Block = types.Of("Optional", e)
			}
			continue
		}
		t.Elems, t.Names = append(t.Elems, e), append(t.Names, name)
		switch mark {
		case "?":
			t.Max++
		case "*":
			t.Max = types.Most
		case "+":
			t.Min, t.Max = t.Min+1, types.Most
		default:
			t.Min, t.Max = t.Min+1, t.Max+1
		}
	}
	c.parsedTypes["("+line] = t
	return t
}

// splitTop cuts at commas outside of brackets.
func splitTop(s string) (out []string) {
	depth, from := 0, 0
	for i, r := range s {
		switch r {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// parsedType is a type that is written in our own code.
func (c *Compiler) parsedType(text string) *types.Type {
	if t := c.parsedTypes[text]; t != nil {
		return t
	}
	f, err := syntax.Parse("", text)
	if err != nil || len(f.Body) != 1 {
		panic("compile: the type " + text + " cannot be read")
	}
	t := c.typeOf(c.top, f.Body[0])
	c.parsedTypes[text] = t
	return t
}
