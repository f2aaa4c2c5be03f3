package erb

import (
	"fmt"
	"math"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// operate is an operator between two values.
func (r *run) operate(op string, a, b any) any {
	switch op {
	case "==":
		return r.equal(a, b)
	case "===":
		return r.fits(a, b)
	case "<", "<=", ">", ">=":
		if a == nil || b == nil {
			r.fail("comparison of %s with %s failed", className(a), className(b))
		}
		c := r.compare(0, a, b)
		return c < 0 && op[0] == '<' || c > 0 && op[0] == '>' || c == 0 && len(op) == 2
	case "<=>":
		return int64(r.compare(0, a, b))
	case "=~":
		return r.matchOp(a, b)
	}
	switch x := a.(type) {
	case int64:
		if y, ok := b.(int64); ok {
			return r.whole(op, x, y)
		}
		if y, ok := b.(float64); ok {
			return r.float(op, float64(x), y)
		}
	case float64:
		if y, ok := b.(int64); ok {
			return r.float(op, x, float64(y))
		}
		if y, ok := b.(float64); ok {
			return r.float(op, x, y)
		}
	case string:
		return r.textOp(op, x, b)
	case *list:
		return r.listOp(op, x, b)
	}
	r.fail("'%s' is not known between %s and %s", op, className(a), className(b))
	return nil
}

func (r *run) matchOp(a, b any) any {
	if _, ok := a.(*types.Regexp); ok {
		a, b = b, a
	}
	re, ok := b.(*types.Regexp)
	s, isText := a.(string)
	if sym, ok := a.(symbol); ok {
		s, isText = string(sym), true
	}
	if !ok || !isText {
		return nil
	}
	if r.matches(re, s) == nil {
		return nil
	}
	m, _ := re.Engine().FindStringMatch(s)
	return int64(m.RuneIndex)
}

func (r *run) whole(op string, x, y int64) any {
	if (op == "/" || op == "%") && y == 0 {
		r.fail("divided by 0")
	}
	f := float64(x)
	switch op {
	case "+":
		f += float64(y)
		x += y
	case "-":
		f -= float64(y)
		x -= y
	case "*":
		f *= float64(y)
		x *= y
	case "/":
		q := x / y
		if x%y != 0 && (x < 0) != (y < 0) {
			q--
		}
		return q
	case "%":
		return (x%y + y) % y
	case "**":
		f = math.Pow(f, float64(y))
		if y < 0 {
			r.fail("a whole number to a power below 0 is not known")
		}
		x = int64(f)
		if f > 1<<53 || f < -1<<53 {
			r.fail("the number %v is too large", f)
		}
	case "<<", ">>":
		if y < 0 || y > 62 || x < 0 || op == "<<" && x > (1<<62)>>y {
			r.fail("'%d %s %d' is not known", x, op, y)
		}
		if op == ">>" {
			return x >> y
		}
		return x << y
	case "&":
		return x & y
	case "|":
		return x | y
	default:
		r.fail("'%s' is not known between numbers", op)
	}
	if math.Abs(f) > 9.2e18 {
		r.fail("the number %v is too large", f)
	}
	return x
}

func (r *run) float(op string, x, y float64) any {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	case "**":
		return math.Pow(x, y)
	}
	r.fail("'%s' is not known between numbers", op)
	return nil
}

func (r *run) textOp(op string, x string, b any) any {
	switch y := b.(type) {
	case string:
		if op == "+" {
			return r.sized(x + y)
		}
	case int64:
		if op == "*" && y >= 0 && (x == "" || y <= int64(16*most/len(x))) {
			return strings.Repeat(x, int(min(y, 16*most)))
		}
	}
	if op == "%" {
		args := []any{b}
		if l, ok := b.(*list); ok {
			args = l.of
		}
		return r.format(x, args)
	}
	r.fail("no implicit conversion of %s into String (behind '%s')", className(b), op)
	return nil
}

func (r *run) listOp(op string, x *list, b any) any {
	if op == "<<" {
		if len(x.of) >= most {
			r.fail("an array is too long")
		}
		x.of = append(x.of, b)
		return x
	}
	if n, ok := b.(int64); ok && op == "*" && n >= 0 && (len(x.of) == 0 || n <= int64(most/len(x.of))) {
		out := &list{}
		for range min(n, most) {
			out.of = append(out.of, x.of...)
		}
		return out
	}
	if s, ok := b.(string); ok && op == "*" {
		return r.call(x, "join", []any{s}, nil)
	}
	y, ok := b.(*list)
	if !ok {
		r.fail("no implicit conversion of %s into Array (behind '%s')", className(b), op)
	}
	if len(x.of)+len(y.of) > most {
		r.fail("an array is too long")
	}
	out := append([]any{}, x.of...)
	switch op {
	case "+":
		return &list{append(out, y.of...)}
	case "|":
		return &list{r.unique(append(out, y.of...))}
	case "-", "&":
		return &list{r.filter(out, func(v any) bool { return r.holds(y.of, v) == (op == "&") })}
	}
	r.fail("'%s' is not known between arrays", op)
	return nil
}

func (r *run) describe(v any) string { return fmt.Sprintf("%.60s:%s", r.inspect(v), className(v)) }
