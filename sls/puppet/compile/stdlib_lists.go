package compile

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

func (k *call) list(i int) []any {
	l, ok := k.arg(i).([]any)
	if !ok {
		k.refuse("%s(): Requires array to work with", k.name)
	}
	return l
}

func (k *call) merge() any {
	if len(k.args) < 2 && k.block == nil {
		k.refuse("merge(): wrong number of arguments (%d; must be at least 2)", len(k.args))
	}
	out := types.NewHash()
	for _, a := range k.args {
		switch a := a.(type) {
		case *types.Hash:
			out = out.Merge(a)
		case nil, string:
		default:
			k.refuse("merge(): unexpected argument type %s, only expects hash arguments", types.Infer(a).Kind)
		}
	}
	return out
}

func (k *call) deepMergeCall() any {
	var out any = types.NewHash()
	for _, a := range k.args {
		if h, ok := a.(*types.Hash); ok {
			out = overlay(out.(*types.Hash), h)
		}
	}
	return out
}

// overlay merges hashes key by key; anything else of the second replaces.
func overlay(low, high *types.Hash) *types.Hash {
	out := low.Clone()
	for key, v := range high.All() {
		if a, ok := out.Value(key).(*types.Hash); ok {
			if b, ok := v.(*types.Hash); ok {
				v = overlay(a, b)
			}
		}
		out.Set(key, v)
	}
	return out
}

func (k *call) concat() any {
	out := slices.Clone(k.list(0)) // which refuses a call without arguments
	for _, a := range k.args[1:] {
		out = append(out, flattenOnce(a)...)
	}
	return out
}

func (k *call) sets() any {
	has := func(l []any, x any) bool {
		return slices.ContainsFunc(l, func(y any) bool { return strictEqual(x, y) })
	}
	out := []any{}
	switch k.name {
	case "difference":
		for _, x := range k.list(0) {
			if !has(k.list(1), x) {
				out = append(out, x)
			}
		}
	case "intersection":
		for _, x := range k.list(0) {
			if has(k.list(1), x) && !has(out, x) {
				out = append(out, x)
			}
		}
	default:
		for i := range k.args {
			for _, x := range k.list(i) {
				if !has(out, x) {
					out = append(out, x)
				}
			}
		}
	}
	return out
}

func (k *call) member() any {
	for _, want := range flattenOnce(k.arg(1)) {
		if !slices.ContainsFunc(k.list(0), func(x any) bool { return strictEqual(x, want) }) {
			return false
		}
	}
	return true
}

func (k *call) rangeCall() any {
	from, okA := toNumber(types.Text(k.arg(0)))
	to, okB := toNumber(types.Text(k.arg(1)))
	step := int64(1)
	if n, ok := toNumber(types.Text(k.arg(2))); ok {
		step, _ = n.(int64)
	}
	out := []any{}
	if okA && okB {
		a, _ := from.(int64)
		b, _ := to.(int64)
		for i := a; i <= b && step > 0; i += step {
			out = append(out, i)
		}
		return out
	}
	for s, n := types.Text(k.arg(0)), 0; n < 100000; n++ {
		out = append(out, s)
		if s == types.Text(k.arg(1)) || len(s) > len(types.Text(k.arg(1))) {
			break
		}
		s = successor(s)
	}
	return out
}

// successor is Ruby's: az is followed by ba, a9 by b0.
func successor(s string) string {
	b := []byte(s)
	for i := len(b) - 1; i >= 0; i-- {
		switch {
		case b[i] == 'z':
			b[i] = 'a'
		case b[i] == 'Z':
			b[i] = 'A'
		case b[i] == '9':
			b[i] = '0'
		default:
			b[i]++
			return string(b)
		}
	}
	first := map[byte]string{'a': "a", 'A': "A", '0': "1"}[b[0]]
	return first + string(b)
}

func (k *call) zip() any {
	a, b := k.list(0), k.list(1)
	out := []any{}
	for i := range a {
		var other any
		if i < len(b) {
			other = b[i]
		}
		if k.arg(2) == true {
			out = append(out, a[i], other)
		} else {
			out = append(out, []any{a[i], other})
		}
	}
	return out
}

func (k *call) count() any {
	n := int64(0)
	for _, x := range k.items(k.arg(0)) {
		if len(k.args) > 1 && types.Equal(x, k.arg(1)) || len(k.args) == 1 && x != nil && x != "" {
			n++
		}
	}
	return n
}

func (k *call) deleteCall() any {
	drop := flattenOnce(k.arg(1))
	gone := func(x any) bool { return slices.ContainsFunc(drop, func(d any) bool { return strictEqual(x, d) }) }
	switch x := k.arg(0).(type) {
	case []any:
		return slices.DeleteFunc(slices.Clone(x), gone)
	case *types.Hash:
		out := types.NewHash()
		for key, v := range x.All() {
			if !gone(key) {
				out.Set(key, v)
			}
		}
		return out
	case string:
		for _, d := range drop {
			x = strings.ReplaceAll(x, types.Text(d), "")
		}
		return x
	}
	k.refuse("delete(): First argument must be an Array, String, or Hash. Given an argument of class %s.",
		types.Infer(k.arg(0)).Kind)
	return nil
}

func (k *call) deleteAt() any {
	l := k.list(0)
	i, _ := k.arg(1).(int64)
	if i < 0 {
		i += int64(len(l))
	}
	if i < 0 || i >= int64(len(l)) {
		k.refuse("delete_at(): Given index exceeds size of array given")
	}
	return slices.Delete(slices.Clone(l), int(i), int(i)+1)
}

func (k *call) deleteUndef() any {
	switch x := k.arg(0).(type) {
	case []any:
		return slices.DeleteFunc(slices.Clone(x), func(v any) bool { return v == nil })
	case *types.Hash:
		out := types.NewHash()
		for key, v := range x.All() {
			if v != nil {
				out.Set(key, v)
			}
		}
		return out
	}
	k.refuse("delete_undef_values(): expected an array or hash, got %s", types.Inspect(k.arg(0)))
	return nil
}

func (k *call) deleteValues() any {
	h, _ := k.arg(0).(*types.Hash)
	out := types.NewHash()
	for key, v := range h.All() {
		if !types.Equal(v, k.arg(1)) {
			out.Set(key, v)
		}
	}
	return out
}

func (k *call) any2array() any {
	if len(k.args) == 1 {
		switch x := k.args[0].(type) {
		case []any:
			return x
		case *types.Hash:
			out := []any{}
			for key, v := range x.All() {
				out = append(out, key, v)
			}
			return out
		case string:
			if x == "" {
				return []any{}
			}
		case nil:
			return []any{}
		}
	}
	return append([]any{}, k.args...)
}

func (k *call) hasKey() any {
	h, _ := k.arg(0).(*types.Hash)
	_, ok := h.Get(k.arg(1))
	return ok
}

func (k *call) joinKeys() any {
	h, _ := k.arg(0).(*types.Hash)
	sep := types.Text(k.arg(1))
	out := []any{}
	for key, v := range h.All() {
		if l, ok := v.([]any); ok {
			for _, x := range l {
				out = append(out, types.Text(key)+sep+types.Text(x))
			}
			continue
		}
		out = append(out, types.Text(key)+sep+types.Text(v))
	}
	return out
}

func (k *call) grep() any {
	re := k.regexp(types.Text(k.arg(1)), k.at)
	out := []any{}
	for _, x := range k.list(0) {
		if (re.Match(types.Text(x)) != nil) == (k.name == "grep") {
			out = append(out, x)
		}
	}
	return out
}

func (k *call) valuesAt() any {
	out := []any{}
	for _, i := range flatten(k.arg(1)) {
		if n, ok := i.(int64); ok && n >= 0 && n < int64(len(k.list(0))) {
			out = append(out, k.list(0)[n])
		}
	}
	return out
}

// nestedValues are all values below a hash, those of hashes and arrays inside it, too.
func (k *call) nestedValues() any {
	out := []any{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case *types.Hash:
			for _, x := range v.All() {
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		default:
			out = append(out, v)
		}
	}
	walk(k.arg(0))
	return out
}
