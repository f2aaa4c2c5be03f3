package erb

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

func (c *invocation) of() []any { return c.self.(*list).of }

// kept makes a method that keeps what the block says yes (or no) to.
func kept(yes bool) method {
	return func(c *invocation) any {
		return &list{c.filter(c.of(), func(v any) bool { return types.Truth(c.yield(v)) == yes })}
	}
}

func (r *run) filter(of []any, f func(v any) bool) []any {
	var out []any
	for _, v := range of {
		if f(v) {
			out = append(out, v)
		}
	}
	return out
}

func (r *run) holds(of []any, v any) bool {
	return slices.ContainsFunc(of, func(x any) bool { return r.equal(x, v) })
}

func (r *run) unique(of []any) []any {
	var out []any
	for _, v := range of {
		if !r.holds(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// test is the block's answer, or the value itself without one.
func (c *invocation) test(v any) bool {
	switch {
	case c.block != nil:
		return types.Truth(c.yield(v))
	case len(c.args) > 0:
		return c.fits(c.arg(0), v)
	}
	return types.Truth(v)
}

// inPlace makes a method that changes the array of one that makes a new one.
func inPlace(m method) method {
	return func(c *invocation) any {
		c.self.(*list).of = m(c).(*list).of
		return c.self
	}
}

func listMethods() map[string]method {
	size := func(c *invocation) any { return int64(len(c.of())) }
	mapped := func(c *invocation) any {
		out := &list{}
		for _, v := range c.of() {
			out.of = append(out.of, c.yield(v))
		}
		return out
	}
	find := func(c *invocation) any {
		for _, v := range c.of() {
			if types.Truth(c.yield(v)) {
				return v
			}
		}
		return nil
	}
	compact := func(c *invocation) any { return &list{c.filter(c.of(), func(v any) bool { return v != nil })} }
	uniq := func(c *invocation) any { return &list{c.unique(c.of())} }
	push := func(c *invocation) any {
		l := c.self.(*list)
		for _, v := range c.args {
			c.listOp("<<", l, v)
		}
		return l
	}
	return map[string]method{
		"length": size, "size": size, "map": mapped, "collect": mapped, "find": find, "detect": find,
		"select": kept(true), "filter": kept(true), "reject": kept(false), "compact": compact, "uniq": uniq,
		"sort": (*invocation).sort, "sort_by": (*invocation).sortBy, "push": push, "append": push,
		"sort!": inPlace((*invocation).sort), "uniq!": inPlace(uniq), "compact!": inPlace(compact),
		"each": func(c *invocation) any {
			for _, v := range slices.Clone(c.of()) {
				c.yield(v)
			}
			return c.self
		},
		"each_with_index": func(c *invocation) any {
			for i, v := range slices.Clone(c.of()) {
				c.yield(v, int64(i))
			}
			return c.self
		},
		"each_with_object": func(c *invocation) any {
			for _, v := range slices.Clone(c.of()) {
				c.yield(v, c.arg(0))
			}
			return c.arg(0)
		},
		"delete_if": inPlace(kept(false)), "select!": inPlace(kept(true)), "reject!": inPlace(kept(false)),
		"keep_if": inPlace(kept(true)), "map!": inPlace(mapped),
		"flat_map": func(c *invocation) any {
			out := &list{}
			for _, v := range mapped(c).(*list).of {
				out.of = append(out.of, c.array(v).of...)
			}
			return out
		},
		"partition": func(c *invocation) any { return &list{[]any{kept(true)(c), kept(false)(c)}} },
		"zip":       (*invocation).zip, "sum": (*invocation).sum, "group_by": (*invocation).groupBy,
		"shift": (*invocation).takeOut, "pop": (*invocation).takeOut, "unshift": (*invocation).putIn,
		"prepend": (*invocation).putIn,
		"count": func(c *invocation) any {
			if c.block == nil && len(c.args) == 0 {
				return int64(len(c.of()))
			}
			return int64(len(c.filter(c.of(), c.test)))
		},
		"empty?":   func(c *invocation) any { return len(c.of()) == 0 },
		"any?":     func(c *invocation) any { return slices.ContainsFunc(c.of(), c.test) },
		"none?":    func(c *invocation) any { return !slices.ContainsFunc(c.of(), c.test) },
		"all?":     func(c *invocation) any { return len(c.filter(c.of(), c.test)) == len(c.of()) },
		"include?": func(c *invocation) any { return c.holds(c.of(), c.arg(0)) },
		"first":    (*invocation).ends, "last": (*invocation).ends,
		"reverse": func(c *invocation) any {
			out := slices.Clone(c.of())
			slices.Reverse(out)
			return &list{out}
		},
		"to_a":    func(c *invocation) any { return c.self },
		"flatten": func(c *invocation) any { return &list{c.flat(nil, c.of())} },
		"join":    (*invocation).join,
		"index": func(c *invocation) any {
			if i := slices.IndexFunc(c.of(), func(v any) bool { return c.equal(v, c.arg(0)) }); i >= 0 {
				return int64(i)
			}
			return nil
		},
		"delete": func(c *invocation) any {
			found := c.holds(c.of(), c.arg(0))
			c.self.(*list).of = c.filter(c.of(), func(v any) bool { return !c.equal(v, c.arg(0)) })
			if found {
				return c.arg(0)
			}
			return nil
		},
		"concat": func(c *invocation) any {
			c.self.(*list).of = c.listOp("+", c.self.(*list), c.arg(0)).(*list).of
			return c.self
		},
		"max": func(c *invocation) any { return c.most(1) }, "min": func(c *invocation) any { return c.most(-1) },
		"inject": (*invocation).reduce, "reduce": (*invocation).reduce, "[]": (*invocation).listIndex,
		"to_h": func(c *invocation) any {
			out := types.NewHash()
			for _, v := range c.of() {
				l, ok := v.(*list)
				if !ok || len(l.of) != 2 {
					c.fail("to_h: %s is no pair", c.run.inspect(v))
				}
				out.Set(c.key(l.of[0]), l.of[1])
			}
			return out
		},
	}
}

func (c *invocation) sort() any {
	out := slices.Clone(c.of())
	slices.SortStableFunc(out, func(a, b any) int {
		if c.block == nil {
			return c.compare(0, a, b)
		}
		n, _ := c.yield(a, b).(int64)
		return int(max(-1, min(n, 1)))
	})
	return &list{out}
}

func (c *invocation) sortBy() any {
	type keyed struct{ key, v any }
	var all []keyed
	for _, v := range c.of() {
		all = append(all, keyed{c.yield(v), v})
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return c.compare(0, a.key, b.key) })
	out := &list{}
	for _, k := range all {
		out.of = append(out.of, k.v)
	}
	return out
}

func (c *invocation) ends() any {
	of, n := c.of(), 1
	if len(c.args) > 0 {
		n = max(c.argNumber(0), 0)
	}
	n = min(n, len(of))
	part := of[:n]
	if c.name == "last" {
		part = of[len(of)-n:]
	}
	switch {
	case len(c.args) > 0:
		return &list{slices.Clone(part)}
	case n == 0:
		return nil
	}
	return part[0]
}

func (r *run) flat(out, of []any) []any {
	defer r.deeper(0)()
	for _, v := range of {
		if l, ok := v.(*list); ok {
			out = r.flat(out, l.of)
			continue
		}
		if out = append(out, v); len(out) > most {
			r.fail("an array is too long")
		}
	}
	return out
}

func (c *invocation) join() any {
	sep := ""
	if len(c.args) > 0 && c.args[0] != nil {
		sep = c.argText(0)
	}
	var b strings.Builder
	for i, v := range c.flat(nil, c.of()) {
		if i > 0 {
			b.WriteString(sep)
		}
		if b.WriteString(c.text(v)); b.Len() > 16*most {
			c.fail("a text is too long")
		}
	}
	return c.sized(b.String())
}

func (c *invocation) most(sign int) any {
	var best any
	for i, v := range c.of() {
		if i == 0 || c.compare(0, v, best)*sign > 0 {
			best = v
		}
	}
	return best
}

func (c *invocation) reduce() any {
	of := c.of()
	var acc any
	if op, ok := c.arg(0).(symbol); ok {
		c.fail("'%s(:%s)' is not known", c.name, op)
	}
	switch {
	case len(c.args) > 0:
		acc = c.arg(0)
	case len(of) > 0:
		acc, of = of[0], of[1:]
	}
	for _, v := range of {
		acc = c.yield(acc, v)
	}
	return acc
}

func (c *invocation) listIndex() any {
	of := c.of()
	if n, ok := c.arg(0).(int64); ok && len(c.args) == 1 {
		if n < 0 {
			n += int64(len(of))
		}
		if n < 0 || n >= int64(len(of)) {
			return nil
		}
		return of[n]
	}
	from, to, ok := c.bounds(len(of))
	if !ok {
		return nil
	}
	return &list{slices.Clone(of[from:to])}
}

func (c *invocation) hash() *types.Hash { return c.self.(*types.Hash) }

func hashMethods() map[string]method {
	has := func(c *invocation) any { _, ok := c.hash().Get(c.key(c.arg(0))); return ok }
	each := func(c *invocation) any {
		for k, v := range c.hash().Clone().All() {
			c.yield(k, v)
		}
		return c.self
	}
	pick := func(yes bool) method {
		return func(c *invocation) any {
			out := types.NewHash()
			for k, v := range c.hash().All() {
				if types.Truth(c.yield(k, v)) == yes {
					out.Set(k, v)
				}
			}
			return out
		}
	}
	size := func(c *invocation) any { return int64(c.hash().Len()) }
	return map[string]method{
		"has_key?": has, "key?": has, "include?": has, "member?": has, "length": size, "size": size,
		"each": func(c *invocation) any {
			if c.block != nil && len(c.block.n.kids) == 1 {
				for _, v := range c.elements(c.self) {
					c.yield(v)
				}
				return c.self
			}
			return each(c)
		},
		"each_pair": each, "select": pick(true), "filter": pick(true), "reject": pick(false),
		"empty?":  func(c *invocation) any { return c.hash().Len() == 0 },
		"keys":    func(c *invocation) any { return c.in(c.hash().Keys()) },
		"values":  func(c *invocation) any { return &list{c.hash().Vals()} },
		"to_a":    func(c *invocation) any { return &list{c.elements(c.self)} },
		"to_h":    func(c *invocation) any { return c.self },
		"to_hash": func(c *invocation) any { return c.self },
		"[]":      func(c *invocation) any { return c.hash().Value(c.key(c.arg(0))) },
		"delete": func(c *invocation) any {
			v := c.hash().Value(c.key(c.arg(0)))
			c.hash().Delete(c.key(c.arg(0)))
			return v
		},
		"store": func(c *invocation) any {
			c.hash().Set(c.key(c.arg(0)), c.arg(1))
			return c.arg(1)
		},
		"has_value?": func(c *invocation) any { return c.holds(c.hash().Vals(), c.arg(0)) },
		"value?":     func(c *invocation) any { return c.holds(c.hash().Vals(), c.arg(0)) },
		"key": func(c *invocation) any {
			for k, v := range c.hash().All() {
				if c.equal(v, c.arg(0)) {
					return k
				}
			}
			return nil
		},
		"merge!": changed((*invocation).merged), "update": changed((*invocation).merged),
		"delete_if": changed(pick(false)), "reject!": changed(pick(false)), "select!": changed(pick(true)),
		"keep_if": changed(pick(true)),
		"transform_values": func(c *invocation) any {
			out := types.NewHash()
			for k, v := range c.hash().All() {
				out.Set(k, c.yield(v))
			}
			return out
		},
		"transform_keys": func(c *invocation) any {
			out := types.NewHash()
			for k, v := range c.hash().All() {
				out.Set(c.key(c.yield(k)), v)
			}
			return out
		},
		"invert": func(c *invocation) any {
			out := types.NewHash()
			for k, v := range c.hash().All() {
				out.Set(c.key(v), k)
			}
			return out
		},
		"fetch": func(c *invocation) any {
			v, ok := c.hash().Get(c.key(c.arg(0)))
			if !ok && c.block != nil {
				return c.yield(c.arg(0))
			}
			if !ok && len(c.args) < 2 {
				c.fail("key not found: %s", c.run.inspect(c.arg(0)))
			}
			if !ok {
				return c.arg(1)
			}
			return v
		},
		"dig": func(c *invocation) any {
			v := c.self
			for _, k := range c.args {
				if v != nil {
					v = c.call(v, "[]", []any{k}, nil)
				}
			}
			return v
		},
		"merge": (*invocation).merged,
		"compact": func(c *invocation) any {
			out := types.NewHash()
			for k, v := range c.hash().All() {
				if v != nil {
					out.Set(k, v)
				}
			}
			return out
		},
	}
}
