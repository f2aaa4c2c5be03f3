package compile

import (
	"github.com/gostate/gostate/sls/puppet/types"
)

// iteration are the functions that call a block for each element.
func iteration(name string) *builtin {
	switch name {
	case "each":
		return &builtin{fn: func(k *call) any {
			k.loop(func() { k.walk(func(_, _ any, y func() any) { y() }) })
			return k.arg(0)
		}}
	case "map":
		return &builtin{fn: func(k *call) any {
			out := []any{}
			k.loop(func() { k.walk(func(_, _ any, y func() any) { out = append(out, y()) }) })
			return out
		}}
	case "filter":
		return &builtin{fn: (*call).filter}
	case "any", "all":
		return &builtin{fn: (*call).anyAll}
	case "reduce":
		return &builtin{fn: (*call).reduce}
	case "slice":
		return &builtin{fn: (*call).slices}
	case "with":
		return &builtin{fn: func(k *call) any {
			if bt := k.block.PuppetType(); !types.Accepts(bt, k.args, nil) {
				k.refuse("%s", types.Refusal("lambda", []*types.Signature{bt}, k.args, nil))
			}
			return k.yield(k.args...)
		}}
	case "then":
		return &builtin{fn: func(k *call) any {
			if k.arg(0) == nil {
				return nil
			}
			return k.yield(k.arg(0))
		}}
	case "lest":
		return &builtin{fn: func(k *call) any {
			if k.arg(0) != nil {
				return k.arg(0)
			}
			return k.yield()
		}}
	case "reverse_each":
		return &builtin{fn: func(k *call) any {
			items := k.items(k.arg(0))
			out := make([]any, len(items))
			for i, x := range items {
				out[len(items)-1-i] = x
			}
			if k.block == nil {
				return out
			}
			for _, x := range out {
				k.yield(x)
			}
			return k.arg(0)
		}}
	case "step":
		return &builtin{fn: func(k *call) any {
			n, _ := k.arg(1).(int64)
			out := []any{}
			for i, x := range k.items(k.arg(0)) {
				if n > 0 && int64(i)%n == 0 {
					out = append(out, x)
				}
			}
			if k.block == nil {
				return out
			}
			for _, x := range out {
				k.yield(x)
			}
			return k.arg(0)
		}}
	case "group_by", "partition":
		return &builtin{fn: (*call).group}
	case "tree_each":
		return &builtin{fn: (*call).treeEach}
	}
	return nil
}

// walk goes through the elements of the first argument. The block gets an element, or its key or index, too, when it
// has two parameters; of a hash with one parameter the pair.
func (k *call) walk(f func(key, val any, yield func() any)) {
	var at any = int64(0)
	two := k.block != nil && k.arity() > 1
	if h, ok := k.arg(0).(*types.Hash); ok {
		for kk, v := range h.Clone().All() {
			f(kk, v, func() any {
				k.fits(kk, v, two, true)
				if two {
					return k.yield(kk, v)
				}
				return k.yield([]any{kk, v})
			})
		}
		return
	}
	for i, v := range k.items(k.arg(0)) {
		at = int64(i)
		f(at, v, func() any {
			k.fits(at, v, two, false)
			if two {
				return k.yield(at, v)
			}
			return k.yield(v)
		})
	}
}

// fits refuses elements that the block's parameters do not take.
func (k *call) fits(key, val any, two, hash bool) {
	args := []any{val}
	switch {
	case two:
		args = []any{key, val}
	case hash:
		args = []any{[]any{key, val}}
	}
	bt := k.block.PuppetType()
	if !types.Accepts(bt, args, nil) {
		k.refuse("%s", types.Refusal("lambda", []*types.Signature{bt}, args, nil))
	}
}

func (k *call) filter() any {
	if _, ok := k.arg(0).(*types.Hash); ok {
		out := types.NewHash()
		k.loop(func() {
			k.walk(func(kk, v any, y func() any) {
				if types.Truth(y()) {
					out.Set(kk, v)
				}
			})
		})
		return out
	}
	out := []any{}
	k.loop(func() {
		k.walk(func(_, v any, y func() any) {
			if types.Truth(y()) {
				out = append(out, v)
			}
		})
	})
	return out
}

func (k *call) anyAll() any {
	found := k.name == "all"
	if k.block == nil {
		for _, v := range k.items(k.arg(0)) {
			if k.name == "all" {
				found = found && types.Truth(v)
			} else {
				found = found || types.Truth(v)
			}
		}
		return found
	}
	k.loop(func() {
		k.walk(func(_, _ any, y func() any) {
			if k.name == "all" {
				found = found && types.Truth(y())
			} else {
				found = found || types.Truth(y())
			}
		})
	})
	return found
}

func (k *call) reduce() any {
	items := k.items(k.arg(0))
	var memo any
	if len(k.args) > 1 {
		memo = k.arg(1)
	} else {
		if len(items) == 0 {
			return nil
		}
		memo, items = items[0], items[1:]
	}
	k.loop(func() {
		for _, x := range items {
			memo = k.yield(memo, x)
		}
	})
	return memo
}

func (k *call) slices() any {
	n, _ := k.arg(1).(int64)
	if n < 1 {
		k.refuse("'slice' parameter 'slice_size' expects an Integer[1] value, got %s", types.Infer(k.arg(1)))
	}
	items := k.items(k.arg(0))
	out := []any{}
	for i := 0; i < len(items); i += int(n) {
		out = append(out, append([]any{}, items[i:min(i+int(n), len(items))]...))
	}
	if k.block == nil {
		return out
	}
	for _, chunk := range out {
		l := chunk.([]any)
		if k.arity() > 1 {
			for len(l) < k.arity() && k.arity() < 99 {
				l = append(l, nil)
			}
			k.yield(l...)
		} else {
			k.yield(chunk)
		}
	}
	return k.arg(0)
}

func (k *call) group() any {
	if k.name == "partition" {
		yes, no := []any{}, []any{}
		k.walk(func(kk, v any, y func() any) {
			item := v
			if _, isHash := k.arg(0).(*types.Hash); isHash {
				item = []any{kk, v}
			}
			if types.Truth(y()) {
				yes = append(yes, item)
			} else {
				no = append(no, item)
			}
		})
		return []any{yes, no}
	}
	out := types.NewHash()
	k.walk(func(kk, v any, y func() any) {
		item := v
		if _, isHash := k.arg(0).(*types.Hash); isHash {
			item = []any{kk, v}
		}
		g := y()
		list, _ := out.Value(g).([]any)
		out.Set(g, append(list, item))
	})
	return out
}

// treeEach calls the block for each value below another, with the way to it.
func (k *call) treeEach() any {
	opts, _ := k.arg(1).(*types.Hash)
	root := opts == nil || opts.Value("include_root") != false
	containers := opts == nil || opts.Value("include_containers") != false
	leaves := opts == nil || opts.Value("include_values") != false
	out := []any{}
	var walk func(path []any, v any)
	walk = func(path []any, v any) {
		_, isList := v.([]any)
		_, isHash := v.(*types.Hash)
		inner := isList || isHash
		if (len(path) > 0 || root) && (inner && containers || !inner && leaves) {
			out = append(out, []any{append([]any{}, path...), v})
		}
		switch x := v.(type) {
		case []any:
			for i, e := range x {
				walk(append(append([]any{}, path...), int64(i)), e)
			}
		case *types.Hash:
			for kk, e := range x.All() {
				walk(append(append([]any{}, path...), kk), e)
			}
		}
	}
	walk(nil, k.arg(0))
	if k.block == nil {
		return out
	}
	for _, x := range out {
		p := x.([]any)
		if k.arity() > 1 {
			k.yield(p[0], p[1])
		} else {
			k.yield(p)
		}
	}
	return k.arg(0)
}
