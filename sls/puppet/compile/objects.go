package compile

import (
	"math/big"
	"strings"
	"time"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// objectType is Object[{attributes => ...}].
func (c *Compiler) objectType(n *syntax.Access, keys []any) any {
	h, ok := keys[0].(*types.Hash)
	if !ok {
		c.fail(n.Keys[0].At(), "Error creating type specialization of an Object-Type, Cannot use %s where Hash is expected",
			types.Infer(keys[0]).Kind)
	}
	t := types.New("Object")
	t.Init = h
	if p, ok := h.Value("parent").(*types.Type); ok {
		t.Parent = p
		t.Fields = append(t.Fields, p.Fields...)
	}
	attrs, _ := h.Value("attributes").(*types.Hash)
	for k, v := range attrs.All() {
		f := types.Field{Name: types.Text(k)}
		switch v := v.(type) {
		case *types.Type:
			f.Type = v
		case *types.Hash:
			f.Type, _ = v.Value("type").(*types.Type)
			f.Default, f.HasDefault = v.Get("value")
		}
		if f.Type == nil {
			f.Type = types.Any()
		}
		t.Fields = append(t.Fields, f)
	}
	return t
}

// newObject makes an object of its required attributes, then those with defaults; or of a hash.
func (k *call) newObject(t *types.Type, args []any) any {
	fields := types.NewHash()
	if h, ok := args[0].(*types.Hash); ok && len(args) == 1 {
		for key, v := range h.All() {
			fields.Set(key, v)
		}
	} else {
		var order []types.Field
		for _, late := range []bool{false, true} {
			for _, f := range t.Fields {
				if f.HasDefault == late {
					order = append(order, f)
				}
			}
		}
		for i, v := range args {
			if i < len(order) {
				fields.Set(order[i].Name, v)
			}
		}
	}
	out := types.NewHash()
	for _, f := range t.Fields {
		v, ok := fields.Get(f.Name)
		if !ok && f.HasDefault {
			v, ok = f.Default, true
		}
		if !ok {
			k.refuse("expects a value for attribute '%s'", f.Name)
		}
		if msg := types.MismatchValue("attribute '"+f.Name+"'", f.Type, v); msg != "" {
			k.refuse("%s", msg)
		}
		out.Set(f.Name, v)
	}
	return &types.Object{Type: t, Fields: out}
}

// newScalar makes versions, moments, spans, addresses.
func (k *call) newScalar(t *types.Type, args []any) any {
	kind := types.New(t.Kind)
	text := ""
	if len(args) > 0 {
		text = types.Text(args[0])
	}
	switch t.Kind {
	case "Timespan":
		n, ok := timespan(args)
		if !ok {
			k.cannot(args[0], "Timespan")
		}
		return &types.Object{Type: kind, Num: n, Text: spanText(n)}
	case "Timestamp":
		return k.timestamp(kind, args)
	case "SemVer":
		if !semver().MatchString(text) {
			k.refuse("The string '%s' cannot be converted to a SemVer", text)
		}
	}
	return &types.Object{Type: kind, Text: text}
}

func (k *call) timestamp(kind *types.Type, args []any) any {
	var at time.Time
	switch v := firstArg(args).(type) {
	case int64:
		at = time.Unix(v, 0)
	case float64:
		at = time.Unix(0, int64(v*1e9))
	case string:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
			if t, err := time.Parse(layout, v); err == nil {
				at = t
				break
			}
		}
		if at.IsZero() {
			k.refuse("Unable to parse '%s' using any of the default formats", v)
		}
	default:
		at = time.Now()
	}
	return &types.Object{Type: kind, Num: big.NewInt(at.UnixNano()),
		Text: at.UTC().Format("2006-01-02T15:04:05.000000000 UTC")}
}

func firstArg(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// timespan reads a span: seconds, {hours => 2}, '1-02:03:04'.
func timespan(args []any) (*big.Int, bool) {
	ns := func(f float64) *big.Int {
		n, _ := new(big.Float).Mul(big.NewFloat(f), big.NewFloat(1e9)).Int(nil)
		return n
	}
	switch v := firstArg(args).(type) {
	case int64:
		if len(args) == 1 {
			return new(big.Int).Mul(big.NewInt(v), big.NewInt(1e9)), true
		}
		total := 0.0
		for i, unit := range []float64{86400, 3600, 60, 1, 1e-3, 1e-6, 1e-9} {
			if i < len(args) {
				total += asFloat(args[i]) * unit
			}
		}
		return ns(total), true
	case float64:
		return ns(v), true
	case *types.Hash:
		total := 0.0
		for name, unit := range map[string]float64{"days": 86400, "hours": 3600, "minutes": 60, "seconds": 1,
			"milliseconds": 1e-3, "microseconds": 1e-6, "nanoseconds": 1e-9} {
			if x := v.Value(name); x != nil {
				total += asFloat(x) * unit
			}
		}
		return ns(total), true
	case string:
		return spanOf(v)
	}
	return nil, false
}

// spanOf reads D-HH:MM:SS.
func spanOf(s string) (*big.Int, bool) {
	days, rest, has := strings.Cut(s, "-")
	if !has {
		days, rest = "0", s
	}
	total := 0.0
	d, ok := toNumber(strings.TrimLeft(days, "0"))
	if ok {
		total = asFloat(d) * 86400
	}
	parts := strings.Split(rest, ":")
	unit := 1.0
	for i := len(parts) - 1; i >= 0; i-- {
		p := strings.TrimLeft(parts[i], "0")
		if p == "" || p[0] == '.' {
			p = "0" + p
		}
		n, good := toNumber(p)
		if !good {
			return nil, false
		}
		total += asFloat(n) * unit
		unit *= 60
	}
	n, _ := new(big.Float).Mul(big.NewFloat(total), big.NewFloat(1e9)).Int(nil)
	return n, true
}

func spanText(n *big.Int) string {
	d := time.Duration(n.Int64())
	days := d / (24 * time.Hour)
	d -= days * 24 * time.Hour
	t := time.Unix(0, 0).UTC().Add(d)
	return itoa(int64(days)) + "-" + t.Format("15:04:05.0")
}

func itoa(n int64) string { return big.NewInt(n).String() }

// timeOp adds and subtracts spans and moments.
func timeOp(op string, l *types.Object, r any) (any, bool) {
	var n *big.Int
	kind := l.Type.Kind
	switch x := r.(type) {
	case *types.Object:
		if x.Num == nil || l.Num == nil {
			return nil, false
		}
		n = x.Num
		if kind == "Timestamp" && x.Type.Kind == "Timestamp" {
			kind = "Timespan"
		}
	case int64, float64:
		n = nanoseconds(x)
	default:
		return nil, false
	}
	if l.Num == nil {
		return nil, false
	}
	out := new(big.Int)
	switch op {
	case "+":
		out.Add(l.Num, n)
	case "-":
		out.Sub(l.Num, n)
	case "*":
		x, ok := r.(int64)
		if !ok {
			return nil, false
		}
		out.Mul(l.Num, big.NewInt(x))
	default:
		return nil, false
	}
	return &types.Object{Type: types.New(kind), Num: out, Text: spanText(out)}, true
}
