package compile

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// access is a[b].
func (c *Compiler) access(s *scope, n *syntax.Access) any {
	of := c.operand(s, n.Of)
	keys := c.evalAll(s, n.Keys)
	switch of := of.(type) {
	case []any:
		return c.slice(n, of, keys)
	case *types.Hash:
		return c.entries(of, keys)
	case string:
		return c.substring(n, of, keys)
	case *types.Type:
		return c.parametrize(n, of, keys)
	case *types.Sensitive:
	case *types.Object:
		if len(keys) == 1 {
			if name, ok := keys[0].(string); ok && of.Fields != nil {
				return of.Fields.Value(name)
			}
		}
	case nil:
		c.fail(n.Pos, "Operator '[]' is not applicable to an Undef Value.")
	}
	c.fail(n.Pos, "Operator '[]' is not applicable to %s.", an(types.Infer(of)))
	return nil
}

// entries are the values of keys: of one the value, of several those that are there.
func (c *Compiler) entries(h *types.Hash, keys []any) any {
	if len(keys) == 1 {
		return h.Value(keys[0])
	}
	out := []any{}
	for _, k := range keys {
		if v, ok := h.Get(k); ok && v != nil {
			out = append(out, v)
		}
	}
	return out
}

// span turns [from, count] into what Ruby means: negative numbers count from the end.
func (c *Compiler) span(n *syntax.Access, size int, keys []any, what string) (from, to int, single bool) {
	if len(keys) == 0 || len(keys) > 2 {
		c.fail(n.Pos, "%s supports [] with one or two arguments. Got %d", what, len(keys))
	}
	nums := make([]int, len(keys))
	for i, k := range keys {
		v, ok := k.(int64)
		if !ok {
			f, isFloat := k.(float64)
			if v = int64(f); !isFloat || float64(v) != f {
				c.fail(n.Keys[i].At(), "Cannot use %s where Integer is expected", types.Infer(k).Kind)
			}
		}
		nums[i] = int(v)
	}
	from = nums[0]
	if from < 0 {
		from += size
	}
	if len(nums) == 1 {
		return from, from + 1, true
	}
	to = from + nums[1]
	if nums[1] < 0 {
		to = size + nums[1] + 1
	}
	return max(from, 0), min(max(to, 0), size), false
}

func (c *Compiler) slice(n *syntax.Access, l, keys []any) any {
	from, to, single := c.span(n, len(l), keys, "Array")
	if single {
		if from < 0 || from >= len(l) {
			return nil
		}
		return l[from]
	}
	if from >= to {
		return []any{}
	}
	return append([]any{}, l[from:to]...)
}

func (c *Compiler) substring(n *syntax.Access, text string, keys []any) any {
	runes := []rune(text)
	from, to, single := c.span(n, len(runes), keys, "String")
	if single {
		if from < 0 || from >= len(runes) {
			return ""
		}
		return string(runes[from])
	}
	if from >= to {
		return ""
	}
	return string(runes[from:to])
}

// operand evaluates what may be the name of a type that is not there: Nosuch['x'] is a reference all the same.
func (c *Compiler) operand(s *scope, n syntax.Node) any {
	if name, ok := n.(*syntax.TypeName); ok {
		return c.typeName(name.Text, name.Pos)
	}
	return c.eval(s, n)
}

// typeName is a type by its name: one of the language, an alias, or that of a resource.
func (c *Compiler) typeName(name string, at syntax.Pos) *types.Type {
	simple := strings.TrimPrefix(name, "::")
	if t := types.Builtin(simple); t != nil {
		return t
	}
	if t := c.findAlias(simple); t != nil {
		return t
	}
	return types.Resource(simple, "")
}

// parametrize is Type[a, b], and File['/x']['mode'].
func (c *Compiler) parametrize(n *syntax.Access, t *types.Type, keys []any) any {
	if t.Kind == "Resource" && t.Title != "" || t.Kind == "Class" && t.Text != "" {
		return c.attribute(n, t, keys)
	}
	var flat []any
	listed := len(keys) > 1
	for _, k := range keys {
		if _, ok := k.([]any); ok {
			listed = true
		}
		if l, ok := k.([]any); ok && (t.Kind == "Resource" || t.Kind == "Class") {
			flat = append(flat, l...)
		} else {
			flat = append(flat, k)
		}
	}
	given := len(keys)
	keys = flat
	if t.Kind == "Resource" && t.Text != "" {
		if keys = slices.DeleteFunc(keys, func(k any) bool { return k == nil }); given > 0 && len(keys) == 0 {
			if listed {
				return []any{}
			}
			return nil
		}
	}
	if len(keys) == 0 {
		c.fail(n.Pos, "The type %s cannot be given no parameters", t.Kind)
	}
	if t.Kind == "Resource" && t.Text != "" || t.Kind == "Class" {
		return c.references(n, t, keys, listed)
	}
	if t.Kind == "Resource" && len(keys) > 2 {
		base, err := t.Param(keys[:1])
		if err == nil {
			return c.references(n, base, keys[1:], true)
		}
	}
	if t.Kind == "Object" {
		return c.objectType(n, keys)
	}
	out, err := t.Param(keys)
	if err != nil {
		c.fail(n.Keys[0].At(), "Error creating type specialization of %s-Type, %v", types.An(t.String()), err)
	}
	return out
}

// references are File['a', 'b']: one is a reference, several, or those of a list, are a list.
func (c *Compiler) references(n *syntax.Access, t *types.Type, keys []any, listed bool) any {
	out := []any{}
	for i, k := range keys {
		if k == "" || k == nil {
			at := n.Keys[min(i, len(n.Keys)-1)].At()
			if k == nil {
				c.fail(at, "Evaluation Error: Missing title. The title expression resulted in undef")
			}
			c.fail(at, "Empty string title at %d. Title strings must have a length greater than zero.", i)
		}
		ref, err := t.Param([]any{k})
		if err != nil || ref == nil {
			c.fail(n.Keys[min(i, len(n.Keys)-1)].At(), "Error creating type specialization of %s-Type, Cannot use %s where a "+
				"resource title String is expected", types.An(t.String()), types.Infer(k).Kind)
		}
		out = append(out, ref)
	}
	if !listed && len(out) == 1 {
		return out[0]
	}
	return out
}

// attribute is a parameter of a resource that was declared.
func (c *Compiler) attribute(n *syntax.Access, t *types.Type, keys []any) any {
	r := c.catalog.Lookup(t)
	if r == nil {
		c.fail(n.Pos, "Resource not found: %s", t.String())
	}
	out := []any{}
	for _, k := range keys {
		name := types.Text(k)
		v, ok := r.Params.Get(name)
		if !ok && r.scope != nil {
			v, ok = r.scope.lookupDefaults(strings.ToLower(r.Type)).Get(name)
		}
		if !ok && r.Kind != "" && r.def != nil && !hasParam(r.def.class, name) && !metaParam(name) {
			c.fail(n.Pos, "The resource %s does not have a parameter called '%s'", t.String(), name)
		}
		out = append(out, v)
	}
	if len(out) == 1 {
		return out[0]
	}
	return out
}

// typeOf evaluates what must be a type.
func (c *Compiler) typeOf(s *scope, n syntax.Node) *types.Type {
	v := c.operand(s, n)
	t, ok := v.(*types.Type)
	if !ok {
		c.fail(n.At(), "The expression does not evaluate to a type, got %s", types.Infer(v).Kind)
	}
	if t.Kind == "Resource" && t.Title == "" && t.Text != "" {
		if name, isName := n.(*syntax.TypeName); isName && !c.resourceTypeExists(t.Text) {
			ref := types.New("TypeReference")
			ref.Text = name.Text
			return ref
		}
	}
	return t
}
