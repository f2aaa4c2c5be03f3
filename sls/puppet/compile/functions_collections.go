package compile

import (
	"slices"
	"sort"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// collections are the functions on arrays and hashes.
func collections(name string) *builtin {
	switch name {
	case "keys":
		return &builtin{fn: func(k *call) any { return k.hash(0).Keys() }}
	case "values":
		return &builtin{fn: func(k *call) any { return k.hash(0).Vals() }}
	case "length", "size":
		return &builtin{fn: (*call).length}
	case "empty":
		return &builtin{fn: (*call).empty}
	case "flatten":
		return &builtin{fn: func(k *call) any {
			out := []any{}
			for _, a := range k.args {
				out = append(out, flatten(a)...)
			}
			return out
		}}
	case "unique":
		return &builtin{fn: (*call).unique}
	case "sort":
		return &builtin{fn: (*call).sort}
	case "dig":
		return &builtin{fn: func(k *call) any { return k.dig(k.arg(0), k.args[1:]) }}
	case "get":
		return &builtin{fn: (*call).get}
	case "getvar":
		return &builtin{fn: (*call).getvar}
	case "index":
		return &builtin{fn: (*call).index}
	}
	return nil
}

func (k *call) hash(i int) *types.Hash { h, _ := k.args[i].(*types.Hash); return h }

func (k *call) length() any {
	switch x := k.arg(0).(type) {
	case string:
		return int64(len([]rune(x)))
	case []any:
		return int64(len(x))
	case *types.Hash:
		return int64(x.Len())
	case *types.Object:
		return int64(len(x.Text))
	}
	k.refuse("'%s' parameter 'arg' expects a value of type Collection, String, or Binary, got %s", k.name,
		types.Infer(k.arg(0)).Kind)
	return nil
}

func (k *call) empty() any {
	switch x := k.arg(0).(type) {
	case string:
		return x == ""
	case []any:
		return len(x) == 0
	case *types.Hash:
		return x.Len() == 0
	case nil:
		return true
	case *types.Sensitive:
		s, _ := x.Of.(string)
		return s == ""
	}
	return false
}

func (k *call) unique() any {
	key := func(v any) any {
		if k.block != nil {
			v = k.yield(v)
		}
		return v
	}
	var items []any
	switch x := k.args[0].(type) {
	case string:
		for _, r := range x {
			items = append(items, string(r))
		}
	case *types.Hash:
		return uniqueHash(x, key)
	default:
		items = k.items(x)
	}
	seen := map[string]bool{}
	out := []any{}
	for _, it := range items {
		id := types.Inspect(key(it))
		if !seen[id] {
			seen[id] = true
			out = append(out, it)
		}
	}
	if _, text := k.args[0].(string); text {
		return types.Text(joinTexts(out))
	}
	return out
}

func joinTexts(l []any) string {
	var b strings.Builder
	for _, x := range l {
		b.WriteString(types.Text(x))
	}
	return b.String()
}

// uniqueHash gives the keys of equal values in one list each.
func uniqueHash(h *types.Hash, key func(any) any) any {
	groups := types.NewHash()
	vals := map[string][]any{}
	for kk, v := range h.All() {
		id := types.Inspect(key(v))
		list, _ := groups.Value(id).([]any)
		groups.Set(id, append(list, kk))
		vals[id] = append(vals[id], v)
	}
	out := types.NewHash()
	for id, keys := range groups.All() {
		out.Set(keys, vals[id.(string)])
	}
	return out
}

func (k *call) sort() any {
	var items []any
	text, isText := k.args[0].(string)
	if isText {
		for _, r := range text {
			items = append(items, string(r))
		}
	} else {
		items = slices.Clone(k.args[0].([]any))
	}
	sort.SliceStable(items, func(i, j int) bool {
		if k.block != nil {
			n, _ := k.yield(items[i], items[j]).(int64)
			return n < 0
		}
		return k.before(items[i], items[j])
	})
	if isText {
		return joinTexts(items)
	}
	return items
}

// before is Ruby's order of two values.
func (k *call) before(a, b any) bool {
	x, okX := a.(string)
	y, okY := b.(string)
	if okX && okY {
		return x < y
	}
	if l, ok := a.([]any); ok {
		if m, ok := b.([]any); ok {
			for i := range min(len(l), len(m)) {
				if !types.Equal(l[i], m[i]) {
					return k.before(l[i], m[i])
				}
			}
			return len(l) < len(m)
		}
	}
	o, ok := order(a, b)
	if !ok || okX != okY {
		k.refuse("comparison of %s with %s failed", types.Infer(b).Kind, comparedWith(a))
	}
	return o < 0
}

// comparedWith is how Ruby names the other side: numbers by themselves, the rest by its class.
func comparedWith(v any) string {
	switch v.(type) {
	case int64, float64:
		return types.Text(v)
	case nil:
		return "nil"
	}
	return types.Infer(v).Kind
}

func (k *call) dig(v any, path []any) any {
	for i, p := range path {
		switch x := v.(type) {
		case nil:
			return nil
		case *types.Hash:
			v = x.Value(p)
		case []any:
			n, ok := p.(int64)
			if !ok {
				k.refuse("'dig' requires an Integer index into an Array, got %s", types.Infer(p).Kind)
			}
			if n < 0 {
				n += int64(len(x))
			}
			if n < 0 || n >= int64(len(x)) {
				return nil
			}
			v = x[n]
		default:
			k.refuse("The given data does not contain a Collection at %s, got '%s'", types.Inspect(path[:i]),
				types.Infer(v).Kind)
		}
	}
	return v
}

// get is get(value, 'a.b.0', default).
func (k *call) get() any {
	path, _ := k.arg(1).(string)
	return k.digDotted(k.arg(0), path, k.arg(2))
}

func (k *call) digDotted(v any, path string, dflt any) any {
	if path == "" {
		if v == nil {
			return dflt
		}
		return v
	}
	for _, p := range splitKey(path) {
		switch x := v.(type) {
		case nil:
			return dflt
		case *types.Hash:
			next, ok := x.Get(p)
			if n, isNum := toNumber(p); !ok && isNum {
				next = x.Value(n)
			}
			v = next
		case []any:
			n, ok := toNumber(p)
			i, isInt := n.(int64)
			if !ok || !isInt {
				k.refuse("The given data requires an Integer index at [%q], got 'String'", p)
			}
			v = nil
			if i >= 0 && i < int64(len(x)) {
				v = x[i]
			}
		default:
			return dflt
		}
	}
	if v == nil {
		return dflt
	}
	return v
}

// splitKey cuts a dotted key; parts in quotes are whole.
func splitKey(key string) []string {
	var out []string
	var b strings.Builder
	quote := rune(0)
	for _, r := range key {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(r)
		case r == '"' || r == '\'':
			quote = r
		case r == '.':
			out = append(out, b.String())
			b.Reset()
		default:
			b.WriteRune(r)
		}
	}
	return append(out, b.String())
}

func (k *call) getvar() any {
	path, _ := k.arg(0).(string)
	name, rest, _ := strings.Cut(path, ".")
	v, ok := k.variable(k.scope, strings.TrimPrefix(name, "$"))
	if !ok {
		return k.arg(1)
	}
	return k.digDotted(v, rest, k.arg(1))
}

func (k *call) index() any {
	match := func(i any, v any) bool {
		if k.block == nil {
			return types.Equal(v, k.arg(1))
		}
		if k.arity() > 1 {
			return types.Truth(k.yield(i, v))
		}
		return types.Truth(k.yield(v))
	}
	switch x := k.arg(0).(type) {
	case *types.Hash:
		for kk, v := range x.All() {
			if match(kk, v) {
				return kk
			}
		}
		return nil
	case string:
		if s, ok := k.arg(1).(string); ok {
			if i := strings.Index(x, s); i >= 0 {
				return int64(i)
			}
		}
		return nil
	}
	for i, v := range k.items(k.arg(0)) {
		if match(int64(i), v) {
			return int64(i)
		}
	}
	return nil
}

// items are the elements of what can be iterated.
func (k *call) items(v any) []any {
	switch x := v.(type) {
	case []any:
		return x
	case *types.Hash:
		return pairs(x)
	case string:
		out := make([]any, 0, len(x))
		for _, r := range x {
			out = append(out, string(r))
		}
		return out
	case int64:
		out := make([]any, 0, max(x, 0))
		for i := range max(x, 0) {
			out = append(out, i)
		}
		return out
	case *types.Type:
		r := x.Resolved()
		if r.Kind == "Integer" && r.Min != types.Least && r.Max != types.Most && r.Max-r.Min < 10_000_000 {
			out := []any{}
			for i := r.Min; i <= r.Max; i++ {
				out = append(out, i)
			}
			return out
		}
		if r.Kind == "Enum" {
			out := make([]any, len(r.Words))
			for i, w := range r.Words {
				out[i] = w
			}
			return out
		}
	}
	k.refuse("%s", k.notIterable(v))
	return nil
}

func (k *call) notIterable(v any) string {
	sigs := "Hash hash, Callable[2, 2] block\nHash hash, Callable[1, 1] block\nIterable enumerable, Callable[2, 2] block\n" +
		"Iterable enumerable, Callable[1, 1] block"
	var bt *types.Type
	if k.block != nil {
		bt = k.block.PuppetType()
	}
	return types.Refusal(k.name, k.signatures(k.name, sigs), []any{v}, bt)
}
