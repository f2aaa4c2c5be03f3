package compile

import (
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// values are the functions about types, and conversions.
func values(name string) *builtin {
	switch name {
	case "assert_type":
		return &builtin{fn: (*call).assertType}
	case "type":
		return &builtin{fn: func(k *call) any {
			t := types.Infer(k.arg(0))
			switch m := types.Text(k.arg(1)); m {
			case "generalized":
				return t.Generalize()
			case "reduced":
				return reduced(k.arg(0), t)
			}
			return t
		}}
	case "new":
		return &builtin{fn: (*call).new}
	case "convert_to":
		return &builtin{fn: func(k *call) any {
			t, ok := k.arg(1).(*types.Type)
			if !ok {
				k.refuse("'convert_to' parameter 'type' expects a Type value, got %s", types.Infer(k.arg(1)).Kind)
			}
			args := append([]any{t, k.arg(0)}, k.args[2:]...)
			v := (&call{Compiler: k.Compiler, scope: k.scope, name: "new", args: args, at: k.at}).new()
			if k.block != nil {
				return k.yield(v)
			}
			return v
		}}
	case "unwrap":
		return &builtin{fn: func(k *call) any {
			v := k.arg(0)
			if s, ok := v.(*types.Sensitive); ok {
				v = s.Of
			}
			if k.block != nil {
				return k.yield(v)
			}
			return v
		}}
	case "md5", "sha1", "sha256", "digest":
		return &builtin{fn: func(k *call) any {
			s := types.Text(k.arg(0))
			switch name {
			case "sha1":
				return fmt.Sprintf("%x", sha1.Sum([]byte(s)))
			case "sha256", "digest":
				return fmt.Sprintf("%x", sha256.Sum256([]byte(s)))
			}
			return md5Hex(s)
		}}
	case "fqdn_rand":
		return &builtin{fn: func(k *call) any {
			limit, ok := toNumber(types.Text(k.arg(0)))
			n, isInt := limit.(int64)
			if !ok || !isInt || n <= 0 {
				k.refuse("fqdn_rand(): first argument must be a positive integer")
			}
			seed := []string{k.fqdn(), types.Text(limit)}
			for _, a := range k.args[1:] {
				seed = append(seed, types.Text(a))
			}
			return strconv.FormatInt(k.seeded(n, strings.Join(seed, ":")), 10)
		}}
	case "generate":
		return &builtin{fn: func(k *call) any {
			k.refuse("generate() runs a command while compiling, which gostate does not do")
			return nil
		}}
	}
	return nil
}

// fqdn is the name that seeds random numbers.
func (k *call) fqdn() string {
	if n, ok := k.opts.Facts.Value("networking").(*types.Hash); ok {
		if f, ok := n.Value("fqdn").(string); ok {
			return f
		}
	}
	return types.Text(k.opts.Facts.Value("fqdn"))
}

// seeded is a number below n that depends on a text only: Ruby's generator, seeded with its MD5.
func (k *call) seeded(n int64, text string) int64 {
	seed, _ := new(big.Int).SetString(md5Hex(text), 16)
	return newMersenne(seed).below(n)
}

func reduced(v any, t *types.Type) any {
	switch v.(type) {
	case []any, *types.Hash:
		return t.Generalize()
	}
	return t
}

func (k *call) assertType() any {
	t, ok := k.args[0].(*types.Type)
	if s, isText := k.args[0].(string); isText {
		t, ok = k.typeText(s), true
	}
	if !ok || types.Instance(t, k.arg(1)) {
		return k.arg(1)
	}
	if k.block != nil {
		return k.yield(t, types.Infer(k.arg(1)))
	}
	msg := types.MismatchValue("assert_type():", t, k.arg(1))
	k.refuse("%s", msg)
	return nil
}

// new makes a value of a type: Integer('0x1F', 16), String(5, '%x'), Sensitive('x').
func (k *call) new() any {
	t, ok := k.arg(0).(*types.Type)
	if !ok {
		k.refuse("'new' parameter 'type' expects a Type value, got %s", types.Infer(k.arg(0)).Kind)
	}
	args := k.args[1:]
	v := k.make(t.Resolved(), args)
	if !types.Instance(t, v) && t.Kind != "Init" {
		msg := types.MismatchValue("Converted value from "+t.String()+".new()", t, v)
		k.refuse("%s", strings.Replace(msg, ".new() ", ".new() has wrong type, ", 1))
	}
	return v
}

func (k *call) make(t *types.Type, args []any) any {
	if len(args) == 0 && t.Kind != "Timestamp" {
		k.refuse("'new_%s' expects at least 1 argument, got none", strings.ToLower(t.Kind))
	}
	v := any(nil)
	if len(args) > 0 {
		v = args[0]
	}
	switch t.Kind {
	case "Integer":
		return k.newInteger(args)
	case "Float":
		return asFloat(k.newNumber(v, "Float"))
	case "Numeric":
		return k.newNumber(v, "Numeric")
	case "String", "Enum", "Pattern":
		return k.newString(v, args[1:])
	case "Boolean":
		return k.newBoolean(v)
	case "Array", "Tuple":
		return k.newArray(v, args[1:])
	case "Hash", "Struct":
		return k.newHash(v)
	case "Sensitive":
		if s, ok := v.(*types.Sensitive); ok {
			return s
		}
		return &types.Sensitive{Of: v}
	case "Regexp":
		return k.regexp(types.Text(v), k.at)
	case "SemVer", "SemVerRange", "URI", "Binary", "Timestamp", "Timespan":
		return k.newScalar(t, args)
	case "Error":
		return &types.Object{Type: types.New("Error"), Fields: types.NewHash("msg", v)}
	case "Deferred":
		h := types.NewHash("name", v, "arguments", []any{})
		if len(args) > 1 {
			h.Set("arguments", args[1])
		}
		return &types.Object{Type: types.New("Deferred"), Fields: h}
	case "Optional", "NotUndef":
		if t.Kind == "Optional" && v == nil {
			return nil
		}
		return k.make(t.Elem(0).Resolved(), args)
	case "Init":
		return k.make(t.Elem(0).Resolved(), args)
	case "Variant":
		for _, e := range t.Elems {
			if types.Instance(e, v) {
				return v
			}
		}
		return k.make(t.Elem(0).Resolved(), args)
	case "Object":
		return k.newObject(t, args)
	case "Type":
		return k.typeText(types.Text(v))
	}
	k.refuse("Creation of new instance of type '%s' is not supported", t.String())
	return nil
}

func (k *call) cannot(v any, kind string) {
	maker := "new"
	if kind != "Integer" {
		maker += "_" + strings.ToLower(kind)
	}
	if s, ok := v.(string); ok && kind != "Boolean" {
		k.refuse("'%s' The string '%s' cannot be converted to %s", maker, s, kind)
	}
	t := types.Infer(v)
	if kind == "Array" {
		t = t.Generalize()
	}
	k.refuse("'%s' Value of type %s cannot be converted to %s", maker, t, kind)
}

// typeText is a type that a text writes.
func (k *call) typeText(s string) *types.Type {
	f, err := syntax.Parse("", s)
	if err != nil {
		panic(fault{&Error{Err: err}})
	}
	if len(f.Body) == 1 {
		if t, ok := k.eval(k.top, f.Body[0]).(*types.Type); ok {
			return t
		}
	}
	k.refuse("The expression <%s> is not a valid type specification.", s)
	return nil
}

func (k *call) newInteger(args []any) any {
	v := args[0]
	if h, ok := v.(*types.Hash); ok {
		v = h.Value("from")
		if r := h.Value("radix"); r != nil {
			args = []any{v, r}
		}
	}
	base := int64(0)
	if len(args) > 1 {
		if r, ok := args[1].(int64); ok {
			base = r
		}
	}
	var out int64
	switch x := v.(type) {
	case int64:
		out = x
	case float64:
		out = int64(x)
	case bool:
		if x {
			out = 1
		}
	case string:
		n, ok := integerText(x, base)
		if !ok {
			k.cannot(x, "Integer")
		}
		out = n
	case *types.Object:
		if x.Num == nil {
			k.cannot(v, "Integer")
		}
		out = new(big.Int).Div(x.Num, big.NewInt(1e9)).Int64()
	default:
		k.cannot(v, "Integer")
	}
	if len(args) > 2 && args[2] == true && out < 0 {
		out = -out
	}
	return out
}

func integerText(s string, base int64) (int64, bool) {
	t := strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	if base == 0 {
		n, ok := toNumber(t)
		if i, isInt := n.(int64); ok && isInt {
			return i, true
		}
		return 0, false
	}
	sign := ""
	if strings.HasPrefix(t, "-") || strings.HasPrefix(t, "+") {
		sign, t = t[:1], t[1:]
	}
	low := strings.ToLower(t)
	switch {
	case base == 16 && strings.HasPrefix(low, "0x"), base == 2 && strings.HasPrefix(low, "0b"):
		t = t[2:]
	}
	n, err := strconv.ParseInt(sign+t, int(base), 64)
	return n, err == nil
}

func (k *call) newNumber(v any, kind string) any {
	switch x := v.(type) {
	case int64, float64:
		return x
	case bool:
		if x {
			return int64(1)
		}
		return int64(0)
	case string:
		if n, ok := toNumber(x); ok {
			return n
		}
	case *types.Object:
		if x.Num != nil {
			f, _ := new(big.Float).Quo(new(big.Float).SetInt(x.Num), big.NewFloat(1e9)).Float64()
			return f
		}
	}
	k.cannot(v, kind)
	return nil
}

func (k *call) newBoolean(v any) any {
	switch x := v.(type) {
	case bool:
		return x
	case int64:
		return x != 0
	case float64:
		return x != 0
	case string:
		switch strings.ToLower(x) {
		case "true", "yes", "y":
			return true
		case "false", "no", "n":
			return false
		}
	}
	k.cannot(v, "Boolean")
	return nil
}

func (k *call) newArray(v any, more []any) any {
	if len(more) > 0 && more[0] == true {
		if l, ok := v.([]any); ok {
			return l
		}
		if v == nil {
			return []any{}
		}
		return []any{v}
	}
	if v == nil {
		k.cannot(v, "Array")
	}
	switch v.(type) {
	case int64, float64, bool:
		k.cannot(v, "Array")
	}
	return k.items(v)
}

func (k *call) newHash(v any) any {
	switch x := v.(type) {
	case *types.Hash:
		return x
	case []any:
		if h, ok := hashOf(x); ok {
			return h
		}
		k.refuse("odd number of arguments for Hash")
	case nil:
		return types.NewHash()
	}
	k.refuse("Value of type '%s' cannot be converted to Hash", types.Infer(v).Kind)
	return nil
}
