package compile

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// lookupOptions say how what several files say is put together.
type lookupOptions struct {
	merge   string // "", first, unique, hash, deep
	knock   string
	convert []any
}

// merged puts what several levels say together.
func merged(vals []any, o lookupOptions) any {
	switch o.merge {
	case "unique":
		out := []any{}
		seen := map[string]bool{}
		for _, v := range vals {
			for _, x := range flatten(v) {
				if id := types.Inspect(x); !seen[id] {
					seen[id] = true
					out = append(out, x)
				}
			}
		}
		return out
	case "hash":
		out := types.NewHash()
		for i := len(vals) - 1; i >= 0; i-- {
			if h, ok := vals[i].(*types.Hash); ok {
				out = out.Merge(h)
			}
		}
		return out
	case "deep":
		v := vals[len(vals)-1]
		for i := len(vals) - 2; i >= 0; i-- {
			v = deepMerge(v, vals[i], o.knock)
		}
		return v
	}
	return vals[0]
}

// deepMerge lays one value over another: hashes key by key, arrays together.
func deepMerge(low, high any, knock string) any {
	switch h := high.(type) {
	case *types.Hash:
		l, ok := low.(*types.Hash)
		if !ok {
			return high
		}
		out := l.Clone()
		for k, v := range h.All() {
			if name, isText := k.(string); isText && knock != "" && strings.HasPrefix(name, knock) {
				out.Delete(strings.TrimPrefix(name, knock))
				continue
			}
			if have, there := out.Get(k); there {
				v = deepMerge(have, v, knock)
			}
			out.Set(k, v)
		}
		return out
	case []any:
		l, ok := low.([]any)
		if !ok {
			return high
		}
		out := slices.Clone(h)
		for _, x := range l {
			if !slices.ContainsFunc(out, func(y any) bool { return strictEqual(x, y) }) {
				out = append(out, x)
			}
		}
		if knock != "" {
			out = slices.DeleteFunc(out, func(x any) bool {
				s, isText := x.(string)
				return isText && (strings.HasPrefix(s, knock) || slices.ContainsFunc(h, func(y any) bool { return y == knock+s }))
			})
		}
		return out
	}
	return high
}

func mergeOf(v any) lookupOptions {
	if h, ok := v.(*types.Hash); ok {
		return lookupOptions{merge: types.Text(h.Value("strategy")), knock: types.Text(h.Value("knockout_prefix"))}
	}
	return lookupOptions{merge: types.Text(v)}
}
