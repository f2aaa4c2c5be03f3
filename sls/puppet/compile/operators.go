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
	}
	c.fail(n.R.At(), "Can not convert right match operand to a regular expression. Caused by 'no implicit conversion of "+
		"%s into String'.", rubyClass(r))
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
	case types.Default:
		_, ok := r.(types.Default)
		return 0, ok
	case int64:
		if y, ok := r.(int64); ok {
			return cmp.Compare(x, y), true
		}
	}
	if a, b := number(l), number(r); a != nil && b != nil {
		return cmp.Compare(asFloat(a), asFloat(b)), true
	}
	return orderObjects(l, r)
}

// number is a value that is a number, nil for any other.
func number(v any) any {
	switch v.(type) {
	case int64, float64:
		return v
	}
	return nil
}

// orderObjects compares versions, and times, which numbers are seconds of.
func orderObjects(l, r any) (int, bool) {
	x, isObject := l.(*types.Object)
	y, other := r.(*types.Object)
	switch {
	case isObject && other && x.Type.Kind == "SemVer" && y.Type.Kind == "SemVer":
		return types.CompareVersions(x.Text, y.Text), true
	case isObject && other && x.Num != nil && y.Num != nil && x.Type.Kind == y.Type.Kind:
		return x.Num.Cmp(y.Num), true
	case isObject && x.Num != nil && number(r) != nil:
		return x.Num.Cmp(nanoseconds(r)), true
	case other && y.Num != nil && number(l) != nil:
		return nanoseconds(l).Cmp(y.Num), true
	}
	return 0, false
}

// nanoseconds are those of a number of seconds.
func nanoseconds(v any) *big.Int {
	if n, ok := v.(int64); ok {
		return new(big.Int).Mul(big.NewInt(n), big.NewInt(1e9))
	}
	out, _ := big.NewFloat(asFloat(v) * 1e9).Int(nil)
	return out
}

func (c *Compiler) compare(n *syntax.Binary, l, r any) any {
	if a, ok := l.(*types.Type); ok {
		b, isType := r.(*types.Type)
		return isType && compareTypes(n.Op, a, b)
	}
	o, ok := order(l, r)
	if !ok {
		c.fail(n.OpAt, "Comparison of: %s %s %s, is not possible. Caused by '%s'.", label(l), n.Op, label(r), incomparable(l))
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

// incomparable says what a value can be compared with.
func incomparable(v any) string {
	switch v := v.(type) {
	case string:
		return "A String is not comparable to a non String"
	case int64, float64:
		return "A Numeric is not comparable to non Numeric"
	case types.Default:
		return "Symbol not comparable to non Symbol"
	case *types.Object:
		switch v.Type.Kind {
		case "Timespan", "Timestamp":
			return v.Type.Kind + "s are only comparable to " + v.Type.Kind + "s, Integers, and Floats"
		case "SemVer":
			return "Versions not comparable to non Versions"
		}
	}
	return "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"
}

// label is what messages of operators call a value.
func label(v any) string {
	switch v := v.(type) {
	case nil:
		return "Undef Value"
	case []any:
		return "Array"
	case *types.Hash:
		return "Hash"
	case types.Default:
		return "Object"
	case *types.Sensitive:
		return "Sensitive"
	case *types.Type:
		if v.Kind == "Resource" && v.Title != "" {
			return v.String() + " Resource-Reference"
		}
		return v.String() + "-Type"
	case *types.Object:
		return strings.Replace(v.Type.Kind, "SemVer", "Semver", 1)
	}
	return types.Infer(v).Kind
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
	if n.Op == "+" || n.Op == "-" || n.Op == "<<" {
		switch x := l.(type) {
		case []any:
			return c.listOp(n, x, r)
		case *types.Hash:
			return c.hashOp(n, x, r)
		}
	}
	a, b := c.numeric(l, n.L.At()), c.numeric(r, n.R.At())
	_, timed := a.(*types.Object)
	if _, other := b.(*types.Object); timed || other {
		return c.times(n, a, b)
	}
	if n.Op == "<<" || n.Op == ">>" {
		return c.shift(n, a, b)
	}
	x, xi := a.(int64)
	y, yi := b.(int64)
	switch {
	case xi && yi:
		return c.integers(n, x, y)
	case n.Op == "%" && !xi:
		c.fail(n.L.At(), "Operator '%%' is not applicable to a Float.")
	case n.Op == "%":
		c.fail(n.L.At(), "Operator '%%' is not applicable to an Integer when right side is a Float.")
	}
	return c.floats(n, asFloat(a), asFloat(b))
}

// times calculates with times, of which one is a number perhaps.
func (c *Compiler) times(n *syntax.Binary, l, r any) any {
	x, isTime := l.(*types.Object)
	if y, ok := r.(*types.Object); !isTime && ok {
		switch {
		case n.Op == "+", n.Op == "*" && y.Type.Kind == "Timespan":
			x, r = y, l
		case n.Op == "-" && y.Type.Kind == "Timespan":
			x = &types.Object{Type: y.Type, Num: nanoseconds(l)}
		default:
			c.fail(n.L.At(), "Operator '%s' is not applicable to %s when right side is %s.", n.Op, types.An(label(l)),
				types.An(label(r)))
		}
	}
	v, ok := timeOp(n.Op, x, r)
	if !ok {
		c.fail(n.L.At(), "Operator '%s' is not applicable to %s.", n.Op, types.An(label(x)))
	}
	return v
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
	}
	if math.IsInf(out, 0) {
		c.fail(n.L.At(), "The result of the %s expression is Infinity", n.Op)
	}
	return out
}

func (c *Compiler) shift(n *syntax.Binary, l, r any) any {
	x, ok := l.(int64)
	if !ok {
		c.fail(n.L.At(), "Operator '%s' is not applicable to a Float.", n.Op)
	}
	y, ok := r.(int64)
	if !ok {
		y = int64(asFloat(r))
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
	case *types.Object:
		if x.Num != nil {
			return x
		}
	case string:
		if n, ok := toNumber(x); ok {
			return n
		}
		c.fail(at, "The value '%s' cannot be converted to Numeric.", x)
	}
	c.fail(at, "The value '%s' cannot be converted to Numeric.", rubyText(v))
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
		c.fail(n.OpAt, "Error while evaluating a '+' expression, Can only append Array or Hash to a Hash")
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
	}
	c.fail(n.L.At(), "Operator '<<' is not applicable to a Hash.")
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
