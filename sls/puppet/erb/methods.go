package erb

import (
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/puppet/types"
)

// An invocation is one call of a method.
type invocation struct {
	*run
	name  string
	self  any
	args  []any
	block *lambda
}

type method func(*invocation) any

// A table is filled when it is first asked for.
type table struct {
	once sync.Once
	of   map[string]map[string]method
}

var known table

// methods are those of each class, by name.
func methods() map[string]map[string]method {
	known.once.Do(func() {
		known.of = map[string]map[string]method{"Object": objectMethods(), "String": textMethods(), "Array": listMethods(),
			"Hash": hashMethods(), "Numeric": numberMethods(), "Scope": scopeMethods(), "IPAddr": networkMethods()}
	})
	return known.of
}

// knownMethod says whether some class has a method.
func knownMethod(name string) bool {
	if plain := strings.TrimSuffix(name, "!"); methods()["String"][plain] != nil {
		return true
	}
	for _, m := range methods() {
		if m[name] != nil {
			return true
		}
	}
	return false
}

// call calls a method of a value.
func (r *run) call(self any, name string, args []any, block *lambda) any {
	defer r.deeper(0)()
	of := className(self)
	switch of {
	case "Integer", "Float":
		of = "Numeric"
	case "Symbol":
		of, self = r.symbolText(self, name)
	case "Range":
		if methods()["Array"][name] != nil && name != "include?" {
			of, self = "Array", &list{r.elements(self)}
		}
	}
	m := methods()[of][name]
	if m == nil {
		m = methods()["Object"][name]
	}
	if m == nil && of == "Hash" && methods()["Array"][name] != nil && !strings.HasSuffix(name, "!") {
		m, self = methods()["Array"][name], &list{r.elements(self)}
	}
	if m == nil {
		r.fail("undefined method '%s' for %s", name, r.describe(self))
	}
	return m(&invocation{r, name, self, args, block})
}

// has says whether a value has a method.
func (r *run) has(self any, name string) bool {
	of := className(self)
	switch of {
	case "Integer", "Float":
		of = "Numeric"
	case "Symbol":
		of = "String"
	}
	return methods()[of][name] != nil || methods()["Object"][name] != nil ||
		of == "Hash" && methods()["Array"][name] != nil
}

// symbolText is a symbol as a text, for the methods that both have.
func (r *run) symbolText(self any, name string) (string, any) {
	if methods()["Object"][name] != nil || methods()["String"][name] == nil {
		return "Symbol", self
	}
	return "String", r.text(self)
}

func (c *invocation) arg(i int) any {
	if i < len(c.args) {
		return c.args[i]
	}
	return nil
}

// argText is an argument that must be a text.
func (c *invocation) argText(i int) string {
	switch v := c.arg(i).(type) {
	case string:
		return v
	case symbol:
		return string(v)
	}
	c.fail("%s: no implicit conversion of %s into String", c.name, className(c.arg(i)))
	return ""
}

// argNumber is an argument that must be a whole number.
func (c *invocation) argNumber(i int) int {
	n, ok := c.arg(i).(int64)
	if !ok || n > 16*most || n < -16*most {
		c.fail("%s: %s is no number that can be taken", c.name, c.inspect(c.arg(i)))
	}
	return int(n)
}

func (c *invocation) yield(args ...any) any {
	if c.block == nil {
		c.fail("'%s' without a block is not known", c.name)
	}
	return c.block.yield(args...)
}

func objectMethods() map[string]method {
	isa := func(c *invocation) any {
		k, ok := c.arg(0).(class)
		if !ok {
			c.fail("%s: class or module required", c.name)
		}
		return isA(c.self, k)
	}
	return map[string]method{
		"nil?": func(c *invocation) any { return c.self == nil }, "is_a?": isa, "kind_of?": isa,
		"instance_of?": isa,
		"to_s":         func(c *invocation) any { return c.text(c.self) },
		"inspect":      func(c *invocation) any { return c.run.inspect(c.self) },
		"class":        func(c *invocation) any { return class(className(c.self)) },
		"to_a": func(c *invocation) any {
			if c.self != nil && className(c.self) != "Range" {
				c.fail("undefined method 'to_a' for %s", c.describe(c.self))
			}
			return &list{c.elements(c.self)}
		},
		"to_i":   func(c *invocation) any { return c.number(c.self) },
		"to_sym": func(c *invocation) any { return symbol(c.text(c.self)) },
		"to_yaml": func(c *invocation) any {
			text, err := c.env.YAML(c.exported(c.self, func(s symbol) any { return s.String() }))
			if err != nil {
				c.fail("to_yaml: %v", err)
			}
			return c.sized(text)
		},
		"to_json": func(c *invocation) any { return c.sized(c.json(c.self)) },
		"dup":     func(c *invocation) any { return c.copied() }, "clone": func(c *invocation) any { return c.copied() },
		"freeze": func(c *invocation) any { return c.self },
		"message": func(c *invocation) any {
			if _, ok := c.self.(failure); !ok {
				c.fail("undefined method 'message' for %s", c.describe(c.self))
			}
			return c.text(c.self)
		},
		"equal?": func(c *invocation) any { return c.equal(c.self, c.arg(0)) },
		"respond_to?": func(c *invocation) any {
			_, secret := c.self.(*types.Sensitive)
			return c.has(c.self, c.argText(0)) && (c.argText(0) != "unwrap" || secret)
		},
		"unwrap": func(c *invocation) any {
			if s, ok := c.self.(*types.Sensitive); ok {
				return c.in(s.Of)
			}
			return c.self
		},
		"include?": func(c *invocation) any { return c.fits(c.self, c.arg(0)) },
		"match":    func(c *invocation) any { return c.matchOf(c.arg(0), c.self) },
		"match?":   func(c *invocation) any { return c.matchOf(c.arg(0), c.self) != nil },
	}
}

func (c *invocation) copied() any {
	switch v := c.self.(type) {
	case *list:
		return &list{append([]any{}, v.of...)}
	case *types.Hash:
		return v.Clone()
	}
	return c.self
}

// matchOf is the groups of a match as an array, which is how they are looked at.
func (c *invocation) matchOf(text, pattern any) any {
	s, ok := text.(string)
	re, isRe := pattern.(*types.Regexp)
	if !ok || !isRe {
		c.fail("%s: no implicit conversion", c.name)
	}
	if m := c.matches(re, s); m != nil {
		return &list{m}
	}
	return nil
}

// number is to_i: digits at the beginning, or 0.
func (r *run) number(v any) any {
	switch v := v.(type) {
	case int64:
		return v
	case float64:
		if v > 9e18 || v < -9e18 || v != v {
			r.fail("the number %v is too large", v)
		}
		return int64(v)
	case nil:
		return int64(0)
	case string:
		var n int64
		s := strings.TrimLeft(v, " \t\n\r\f\v")
		neg := strings.HasPrefix(s, "-")
		for i, c := range strings.TrimLeft(s, "+-") {
			if c == '_' && i > 0 {
				continue
			}
			if c < '0' || c > '9' {
				break
			}
			if n > 9e17 {
				r.fail("the number %s is too large", v)
			}
			n = n*10 + int64(c-'0')
		}
		if neg {
			n = -n
		}
		return n
	}
	r.fail("undefined method 'to_i' for %s", r.describe(v))
	return nil
}

func numberMethods() map[string]method {
	pred := func(f func(n int64) bool) method {
		return func(c *invocation) any { n, ok := c.self.(int64); return ok && f(n) }
	}
	return map[string]method{
		"to_f":  func(c *invocation) any { return c.operate("*", c.self, 1.0) },
		"floor": (*invocation).rounded, "ceil": (*invocation).rounded, "round": (*invocation).rounded,
		"zero?": func(c *invocation) any { return c.equal(c.self, int64(0)) },
		"even?": pred(func(n int64) bool { return n%2 == 0 }), "odd?": pred(func(n int64) bool { return n%2 != 0 }),
		"abs": func(c *invocation) any {
			if c.compare(0, c.self, int64(0)) < 0 {
				return c.operate("*", c.self, int64(-1))
			}
			return c.self
		},
		"times": func(c *invocation) any {
			for i := range c.number(c.self).(int64) {
				c.yield(i)
			}
			return c.self
		},
	}
}

// function is one of those without a receiver.
func (r *run) function(name string, args []any) any {
	c := &invocation{run: r, name: name, args: args}
	switch name {
	case "fail", "raise":
		panic(&Error{Line: r.line, Msg: r.text(c.arg(len(args) - 1)), raised: true})
	case "sprintf", "format":
		return r.format(c.argText(0), args[1:])
	case "has_variable?":
		v, _ := r.env.Variable(c.argText(0))
		return v != nil
	case "instance_variables":
		out := &list{}
		for _, k := range r.scopeHash().Keys() {
			out.of = append(out.of, symbol("@"+r.text(k)))
		}
		return out
	case "Array":
		return r.array(c.arg(0))
	case "String":
		return r.text(c.arg(0))
	case "Integer":
		if s, ok := c.arg(0).(string); ok && r.text(r.number(s)) != s {
			r.fail("invalid value for Integer(): %s", quote(s))
		}
		return r.number(c.arg(0))
	case "Float":
		return r.operate("*", r.number(c.arg(0)), 1.0)
	case "Regexp.escape", "Regexp.quote":
		return escapeRegexp(c.argText(0))
	case "Regexp.new":
		if re, ok := c.arg(0).(*types.Regexp); ok {
			return re
		}
		return r.regexp(c.argText(0))
	case "Array.new":
		return r.filled(args, nil)
	case "Hash.new":
		if len(args) > 0 {
			r.fail("a hash with a default value is not known")
		}
		return types.NewHash()
	case "String.new":
		if len(args) == 0 {
			return ""
		}
		return r.text(args[0])
	case "Shellwords.escape", "Shellwords.shellescape":
		return escapeShell(r.text(c.arg(0)))
	}
	return c.classFunction()
}

// array is Array(x): nothing for nil, what is no array as the only element.
func (r *run) array(v any) *list {
	switch v := v.(type) {
	case nil:
		return &list{}
	case *list:
		return v
	case *types.Hash, span:
		return &list{r.elements(v)}
	}
	return &list{[]any{v}}
}

func escapeRegexp(s string) string {
	var b strings.Builder
	for _, c := range s {
		if i := strings.IndexRune("\n\t\r\f\v", c); i >= 0 {
			b.WriteString(`\` + string("ntrfv"[i]))
			continue
		}
		if strings.ContainsRune(`[]{}()|-*.\?+^$# `, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func escapeShell(s string) string {
	if s == "" {
		return "''"
	}
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '\n':
			b.WriteString("'\n'")
			continue
		case !(c < 0x80 && isWord(byte(c)) || strings.ContainsRune("-.,:+/@", c)):
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// lookup is scope['x'] and scope.lookupvar('x').
func (r *run) lookup(args []any) any {
	c := &invocation{run: r, name: "lookupvar", args: args}
	if v, ok := r.env.Kept(c.argText(0)); ok {
		return v
	}
	v, _ := r.env.Variable(c.argText(0))
	return r.in(v)
}

func (r *run) scopeHash() *types.Hash {
	if r.all == nil {
		r.all, _ = r.in(r.env.Variables()).(*types.Hash)
	}
	return r.all
}

func (r *run) scopeCall(name string, args []any) any {
	c := &invocation{run: r, name: name, args: args}
	switch name {
	case "call_function": // takes an array
		return r.puppet(c.argText(0), args[1:])
	case "own call_function": // takes words
		given := make([]any, 0, len(args))
		for _, v := range args[1:] {
			given = append(given, r.export(v))
		}
		return r.in(r.env.Call(c.argText(0), given...))
	case "to_hash":
		return r.scopeHash().Clone()
	case "include?", "has_variable?":
		return r.lookup(args) != nil
	case "setvar":
		r.env.Keep(c.argText(0), c.arg(1))
		return c.arg(1)
	}
	return r.lookup(args)
}

// puppet calls a function of the Puppet language; its arguments are one array.
func (r *run) puppet(name string, args []any) any {
	var given []any
	for _, v := range args {
		for _, x := range r.array(v).of {
			given = append(given, r.export(x))
		}
	}
	return r.in(r.env.Call(name, given...))
}

// format is sprintf, which the language has, too; texts are written here.
func (r *run) format(format string, args []any) any {
	given := []any{format}
	for _, v := range args {
		switch v.(type) {
		case int64, float64, *types.Hash:
			given = append(given, r.export(v))
		case nil:
			given = append(given, "")
		default:
			given = append(given, r.text(v))
		}
	}
	s, _ := r.env.Call("sprintf", given...).(string)
	return r.sized(s)
}
