package compile

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

func (c *Compiler) binary(s *scope, n *syntax.Binary) any {
	switch n.Op {
	case "and":
		return types.Truth(c.eval(s, n.L)) && types.Truth(c.eval(s, n.R))
	case "or":
		return types.Truth(c.eval(s, n.L)) || types.Truth(c.eval(s, n.R))
	case "=~", "!~":
		return c.match(s, n) == (n.Op == "=~")
	}
	l, r := c.eval(s, n.L), c.eval(s, n.R)
	switch n.Op {
	case "==":
		return types.Equal(l, r)
	case "!=":
		return !types.Equal(l, r)
	case "in":
		return c.in(s, l, r)
	case "<", ">", "<=", ">=":
		return c.compare(n, l, r)
	}
	return c.arithmetic(n, l, r)
}

func (c *Compiler) match(s *scope, n *syntax.Binary) bool {
	l, r := c.eval(s, n.L), c.eval(s, n.R)
	switch r := r.(type) {
	case *types.Type:
		return types.Instance(r, l)
	case *types.Regexp:
		return c.matchText(s, n, l, r)
	case string:
		return c.matchText(s, n, l, c.regexp(r, n.R.At()))
	case *types.Object:
		if r.Type.Kind == "SemVerRange" {
			return types.InRange(types.Text(l), r.Text)
		}
		return types.Equal(l, r)
	}
	c.fail(n.R.At(), "Can not convert right match operand to a regular expression. Caused by 'can't convert %s to Regexp'",
		types.Infer(r).Kind)
	return false
}

func (c *Compiler) matchText(s *scope, n *syntax.Binary, l any, r *types.Regexp) bool {
	text, ok := l.(string)
	if !ok {
		c.fail(n.L.At(), "Left match operand must result in a String value. Got %s.", an(types.Infer(l).Generalize()))
	}
	g := r.Match(text)
	s.match = g
	return g != nil
}

func an(t *types.Type) string { return types.An(t.Kind) }

// in says whether the left is in the right: a part of a text, an element, a key. Texts without regard to case.
func (c *Compiler) in(s *scope, l, r any) bool {
	switch r := r.(type) {
	case string:
		switch l := l.(type) {
		case string:
			return strings.Contains(strings.ToLower(r), strings.ToLower(l))
		case *types.Regexp:
			g := l.Match(r)
			if g != nil {
				s.match = g
			}
			return g != nil
		}
		return false
	case []any:
		return slices.ContainsFunc(r, func(x any) bool { return c.isIn(s, l, x) })
	case *types.Hash:
		return slices.ContainsFunc(r.Keys(), func(x any) bool { return c.isIn(s, l, x) })
	}
	return false
}

func (c *Compiler) isIn(s *scope, l, x any) bool {
	switch l := l.(type) {
	case *types.Regexp:
		text, ok := x.(string)
		if !ok {
			return false
		}
		g := l.Match(text)
		if g != nil {
			s.match = g
		}
		return g != nil
	case *types.Type:
		return types.Instance(l, x) || types.Equal(l, x)
	}
	return types.Equal(l, x)
}

// order compares two values, as far as they can be.
func order(l, r any) (int, bool) {
	switch x := l.(type) {
	case string:
		if y, ok := r.(string); ok {
			return cmp.Compare(strings.ToLower(x), strings.ToLower(y)), true
		}
	case int64:
		switch y := r.(type) {
		case int64:
			return cmp.Compare(x, y), true
		case float64:
			return cmp.Compare(float64(x), y), true
		}
	case float64:
		switch y := r.(type) {
		case int64:
			return cmp.Compare(x, float64(y)), true
		case float64:
			return cmp.Compare(x, y), true
		}
	case *types.Object:
		y, ok := r.(*types.Object)
		if !ok || x.Type.Kind != y.Type.Kind {
			return 0, false
		}
		if x.Type.Kind == "SemVer" {
			return types.CompareVersions(x.Text, y.Text), true
		}
		if x.Num != nil && y.Num != nil {
			return x.Num.Cmp(y.Num), true
		}
	}
	return 0, false
}

func (c *Compiler) compare(n *syntax.Binary, l, r any) any {
	if a, ok := l.(*types.Type); ok {
		if b, ok := r.(*types.Type); ok {
			return compareTypes(n.Op, a, b)
		}
	}
	o, ok := order(l, r)
	if !ok {
		c.fail(n.OpAt, "Comparison of: %s %s %s, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, "+
			"and Versions are comparable'.", types.Infer(l).Generalize(), n.Op, types.Infer(r).Generalize())
	}
	switch n.Op {
	case "<":
		return o < 0
	case ">":
		return o > 0
	case "<=":
		return o <= 0
	}
	return o >= 0
}

// compareTypes: a type is larger than those that can stand for it.
func compareTypes(op string, a, b *types.Type) bool {
	same := types.Equal(a, b)
	switch op {
	case "<":
		return !same && types.Assignable(b, a)
	case ">":
		return !same && types.Assignable(a, b)
	case "<=":
		return types.Assignable(b, a)
	}
	return types.Assignable(a, b)
}

func (c *Compiler) arithmetic(n *syntax.Binary, l, r any) any {
	switch x := l.(type) {
	case []any:
		return c.listOp(n, x, r)
	case *types.Hash:
		return c.hashOp(n, x, r)
	case *types.Object:
		if v, ok := timeOp(n.Op, x, r); ok {
			return v
		}
	}
	if n.Op == "<<" || n.Op == ">>" {
		return c.shift(n, l, r)
	}
	a, b := c.numeric(l, n.L.At()), c.numeric(r, n.R.At())
	x, xi := a.(int64)
	y, yi := b.(int64)
	if xi && yi {
		return c.integers(n, x, y)
	}
	return c.floats(n, asFloat(a), asFloat(b))
}

func asFloat(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}

func (c *Compiler) integers(n *syntax.Binary, x, y int64) any {
	a, b, out := big.NewInt(x), big.NewInt(y), new(big.Int)
	switch n.Op {
	case "+":
		out.Add(a, b)
	case "-":
		out.Sub(a, b)
	case "*":
		out.Mul(a, b)
	case "/", "%":
		if y == 0 {
			c.fail(n.R.At(), "Division by 0")
		}
		q, m := new(big.Int).DivMod(a, b, new(big.Int))
		// Ruby rounds down; DivMod gives a remainder that is not negative.
		if m.Sign() != 0 && y < 0 {
			q.Add(q, big.NewInt(-1))
			m.Add(m, b)
		}
		if out = q; n.Op == "%" {
			out = m
		}
	}
	if !out.IsInt64() {
		c.fail(n.OpAt, "A '%s' expression resulted in a value outside of Puppet Integer max range, got '%s'", n.Op,
			types.Hexed(out))
	}
	return out.Int64()
}

func (c *Compiler) floats(n *syntax.Binary, x, y float64) any {
	var out float64
	switch n.Op {
	case "+":
		out = x + y
	case "-":
		out = x - y
	case "*":
		out = x * y
	case "/":
		out = x / y
	case "%":
		if out = math.Mod(x, y); out != 0 && (out < 0) != (y < 0) {
			out += y
		}
	}
	if math.IsInf(out, 0) {
		c.fail(n.Pos, "The result of the %s expression is Infinity", n.Op)
	}
	return out
}

func (c *Compiler) shift(n *syntax.Binary, l, r any) any {
	a, b := c.numeric(l, n.L.At()), c.numeric(r, n.R.At())
	x, ok := a.(int64)
	if !ok {
		c.fail(n.Pos, "Operator '%s' is not applicable to %s.", n.Op, an(types.Infer(a)))
	}
	y, ok := b.(int64)
	if !ok {
		c.fail(n.Pos, "Operator '%s' is not applicable to %s.", n.Op, an(types.Infer(b)))
	}
	if n.Op == ">>" {
		y = -y
	}
	if y < 0 {
		return x >> min(-y, 63)
	}
	out := new(big.Int).Lsh(big.NewInt(x), uint(min(y, 4096)))
	if !out.IsInt64() {
		c.fail(n.OpAt, "A '%s' expression resulted in a value outside of Puppet Integer max range, got '%s'", n.Op,
			types.Hexed(out))
	}
	return out.Int64()
}

// numeric turns a value into a number: texts that are written as numbers are.
func (c *Compiler) numeric(v any, at syntax.Pos) any {
	switch x := v.(type) {
	case int64, float64:
		return x
	case string:
		if n, ok := toNumber(x); ok {
			return n
		}
		c.fail(at, "The value '%s' cannot be converted to Numeric.", x)
	}
	c.fail(at, "The value '%s' cannot be converted to Numeric.", types.Text(v))
	return nil
}

// toNumber reads a text as a number: decimal, hexadecimal, octal, with a sign.
func toNumber(s string) (any, bool) {
	t := strings.TrimSpace(s)
	sign := ""
	if strings.HasPrefix(t, "-") || strings.HasPrefix(t, "+") {
		sign, t = t[:1], strings.TrimSpace(t[1:])
	}
	if t == "" || t[0] < '0' || t[0] > '9' || strings.ContainsAny(t, "_pP") {
		return nil, false
	}
	base := 10
	digits := t
	switch low := strings.ToLower(t); {
	case strings.HasPrefix(low, "0x"):
		base, digits = 16, t[2:]
	case strings.HasPrefix(low, "0b"):
		base, digits = 2, t[2:]
	case len(t) > 1 && t[0] == '0' && !strings.ContainsAny(t, ".eE"):
		base, digits = 8, t[1:]
	}
	if n, err := strconv.ParseInt(sign+digits, base, 64); err == nil {
		return n, true
	}
	if base != 10 {
		return nil, false
	}
	f, err := strconv.ParseFloat(sign+t, 64)
	return f, err == nil
}

func (c *Compiler) listOp(n *syntax.Binary, l []any, r any) any {
	switch n.Op {
	case "+":
		switch r := r.(type) {
		case []any:
			return append(slices.Clone(l), r...)
		case *types.Hash:
			return append(slices.Clone(l), pairs(r)...)
		}
		return append(slices.Clone(l), r)
	case "<<":
		return append(slices.Clone(l), r)
	case "-":
		var drop []any
		switch r := r.(type) {
		case []any:
			drop = r
		case *types.Hash:
			drop = pairs(r)
		default:
			drop = []any{r}
		}
		out := []any{}
		for _, x := range l {
			if !slices.ContainsFunc(drop, func(d any) bool { return strictEqual(x, d) }) {
				out = append(out, x)
			}
		}
		return out
	}
	c.fail(n.Pos, "Operator '%s' is not applicable to an Array.", n.Op)
	return nil
}

// strictEqual is Ruby's eql?: with regard to case, 1 and 1.0 apart.
func strictEqual(a, b any) bool { return types.Inspect(a) == types.Inspect(b) }

func (c *Compiler) hashOp(n *syntax.Binary, l *types.Hash, r any) any {
	switch n.Op {
	case "+":
		switch r := r.(type) {
		case *types.Hash:
			return l.Merge(r)
		case []any:
			if h, ok := hashOf(r); ok {
				return l.Merge(h)
			}
		}
		c.fail(n.Pos, "Error while evaluating a '+' expression, Can only append Array or Hash to a Hash")
	case "-":
		out := l.Clone()
		switch r := r.(type) {
		case *types.Hash:
			for k := range r.All() {
				out.Delete(k)
			}
		case []any:
			for _, k := range r {
				out.Delete(k)
			}
		default:
			out.Delete(r)
		}
		return out
	case "<<":
		c.fail(n.Pos, "Operator '<<' is not applicable to a Hash.")
	}
	c.fail(n.Pos, "Operator '%s' is not applicable to a Hash.", n.Op)
	return nil
}

// hashOf makes a hash of pairs, or of keys and values in turn.
func hashOf(l []any) (*types.Hash, bool) {
	h := types.NewHash()
	allPairs := true
	for _, x := range l {
		p, ok := x.([]any)
		allPairs = allPairs && ok && len(p) == 2
	}
	if allPairs {
		for _, x := range l {
			p := x.([]any)
			h.Set(p[0], p[1])
		}
		return h, true
	}
	if len(l)%2 != 0 {
		return nil, false
	}
	for i := 0; i < len(l); i += 2 {
		h.Set(l[i], l[i+1])
	}
	return h, true
}
