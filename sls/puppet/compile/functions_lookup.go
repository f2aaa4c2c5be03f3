package compile

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// A query is what lookup() was asked: names, how to merge, and what to give where none is found.
type lookupQuery struct {
	names               []any
	o                   lookupOptions
	valueType           *types.Type
	dflt                any
	hasDefault          bool
	overrides, fallback *types.Hash
}

// lookup is lookup(name, type, merge, default), or with a hash of options; hiera() and its like are the old forms.
func (k *call) lookup() any {
	q := k.lookupQuery()
	v, ok := any(nil), false
	for _, n := range q.names {
		if v, ok = q.overrides.Get(n); ok {
			break
		}
		if v, ok = k.lookupKey(types.Text(n), q.o, 0); ok {
			break
		}
	}
	for i := 0; !ok && i < len(q.names); i++ {
		v, ok = q.fallback.Get(q.names[i])
	}
	switch {
	case ok:
	case k.block != nil:
		v = k.yield(q.names[0])
	case q.hasDefault:
		v = q.dflt
	default:
		k.refuse("%s", notFound(q.names))
	}
	k.checkFound(q.valueType, v, ok)
	if k.name == "hiera_include" {
		return (&call{Compiler: k.Compiler, scope: k.scope, name: "include", args: flatten(v), at: k.at}).include()
	}
	return v
}

// lookupQuery reads the arguments.
func (k *call) lookupQuery() *lookupQuery {
	q := &lookupQuery{names: flatten(k.arg(0)), overrides: types.NewHash(), fallback: types.NewHash()}
	args := k.args
	if h, ok := k.arg(0).(*types.Hash); ok {
		q.names, args = flatten(h.Value("name")), []any{nil, h}
	}
	if h, ok := lastHash(args); ok {
		q.named(h)
		args = args[:len(args)-1]
	}
	if k.name != "lookup" {
		q.o.merge = map[string]string{"hiera": "", "hiera_array": "unique", "hiera_hash": "hash",
			"hiera_include": "unique"}[k.name]
		if len(args) > 1 {
			q.dflt, q.hasDefault = args[1], true
		}
		return q
	}
	if len(args) > 1 && args[1] != nil {
		x, ok := args[1].(*types.Type)
		if !ok {
			k.refuse("'lookup' parameter 'value_type' expects a Type value, got %s", types.Infer(args[1]).Kind)
		}
		q.valueType = x
	}
	if len(args) > 2 && args[2] != nil {
		q.o = mergeOf(args[2])
	}
	if len(args) > 3 {
		q.dflt, q.hasDefault = args[3], true
	}
	return q
}

// named takes what the hash of options says.
func (q *lookupQuery) named(h *types.Hash) {
	if m := h.Value("merge"); m != nil {
		q.o = mergeOf(m)
	}
	if x, ok := h.Value("value_type").(*types.Type); ok {
		q.valueType = x
	}
	q.dflt, q.hasDefault = h.Get("default_value")
	if x, ok := h.Value("override").(*types.Hash); ok {
		q.overrides = x
	}
	if x, ok := h.Value("default_values_hash").(*types.Hash); ok {
		q.fallback = x
	}
}

// checkFound refuses a value of another type than was asked for.
func (k *call) checkFound(t *types.Type, v any, found bool) {
	if t == nil || types.Instance(t, v) {
		return
	}
	what := "Found value"
	if !found {
		what = "Default value"
	}
	k.refuse("%s", strings.Replace(types.MismatchValue(what, t, v), what, what+" has wrong type,", 1))
}

func notFound(names []any) string {
	if len(names) == 1 {
		return "Function lookup() did not find a value for the name '" + types.Text(names[0]) + "'"
	}
	var quoted []string
	for _, n := range names {
		quoted = append(quoted, "'"+types.Text(n)+"'")
	}
	return "Function lookup() did not find a value for any of the names [" + strings.Join(quoted, ", ") + "]"
}

func lastHash(args []any) (*types.Hash, bool) {
	if len(args) < 2 {
		return nil, false
	}
	h, ok := args[len(args)-1].(*types.Hash)
	if !ok || len(args) > 3 {
		return nil, false
	}
	for k := range h.All() {
		if !slices.Contains([]string{"name", "value_type", "default_value", "override", "default_values_hash", "merge"},
			types.Text(k)) {
			return nil, false
		}
	}
	return h, true
}
