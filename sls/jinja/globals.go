package jinja

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// builtinGlobals are the variables that every template sees.
func builtinGlobals() map[string]value.Value {
	fn := func(name string, f func(ctx context.Context, args []value.Value, kwargs *value.Dict) (value.Value,
		error)) value.Value {
		return &builtin{name: name, fn: f}
	}
	return map[string]value.Value{
		"range":     fn("safe_range", makeRange),
		"dict":      &class{name: "dict", module: "", make: makeDict},
		"namespace": &class{name: "Namespace", module: "jinja2.utils.", make: makeNamespace},
		"cycler":    &class{name: "Cycler", module: "jinja2.utils.", make: makeCycler},
		"joiner":    &class{name: "Joiner", module: "jinja2.utils.", make: makeJoiner},
		"lipsum":    fn("generate_lorem_ipsum", lipsum),
	}
}

// A class is a type that templates call to make values.
type class struct {
	name, module string
	make         func(ctx context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error)
}

func (*class) TypeName() string  { return "type" }
func (c *class) PyStr() string   { return "<class '" + c.module + c.name + "'>" }
func (*class) QualName() string  { return "type" }
func (c *class) IsMapping() bool { return false }

// Call makes a value of the type.
func (c *class) Call(ctx context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	return c.make(ctx, args, kwargs)
}

// Attr is a method of the class that needs no object.
func (c *class) Attr(name string) (value.Value, bool) {
	if c.name != "dict" || name != "fromkeys" {
		return nil, false
	}
	m, ok := value.Method(value.NewDict(0), name)
	return m, ok
}

// maxRange is the longest range that a sandboxed template may make.
const maxRange = 100000

func makeRange(_ context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	if kwargs != nil && kwargs.Len() > 0 {
		return nil, raise("TypeError", "safe_range() got an unexpected keyword argument %s", value.Repr(kwargs.At(0).Key))
	}
	if len(args) == 0 {
		return nil, raise("TypeError", "range expected at least 1 argument, got 0")
	}
	if len(args) > 3 {
		return nil, raise("TypeError", "range expected at most 3 arguments, got %d", len(args))
	}
	var n [3]int64
	for i, a := range args {
		x, err := whole(a, 0)
		if err != nil {
			return nil, err
		}
		n[i] = int64(x)
	}
	start, stop, step := int64(0), n[0], int64(1)
	if len(args) > 1 {
		start, stop = n[0], n[1]
	}
	if len(args) > 2 {
		step = n[2]
	}
	r, err := value.NewRange(start, stop, step)
	if err != nil {
		return nil, err
	}
	if r.Len() > maxRange {
		return nil, raise("OverflowError", "Range too big. The sandbox blocks ranges larger than MAX_RANGE (%d).", maxRange)
	}
	return r, nil
}

func makeDict(_ context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	if len(args) > 1 {
		return nil, raise("TypeError", "dict expected at most 1 argument, got %d", len(args))
	}
	d := value.NewDict(4)
	if len(args) == 1 {
		src := args[0]
		if err := strict(src); err != nil {
			return nil, err
		}
		if g, ok := src.(*Generator); ok {
			items, err := drain(g)
			if err != nil {
				return nil, err
			}
			src = value.NewList(items...)
		}
		if l, ok := src.(*value.List); ok {
			src = plainGroups(l)
		}
		if err := value.UpdateDict(d, Plain(src)); err != nil {
			return nil, err
		}
	}
	if kwargs != nil {
		for k, v := range kwargs.All() {
			if err := d.Set(k, v); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// plainGroups makes tuples of what groupby gave.
func plainGroups(l *value.List) *value.List {
	for i, it := range l.Items {
		if _, ok := it.(*groupTuple); ok {
			out := value.NewList(slices.Clone(l.Items)...)
			for j := i; j < len(out.Items); j++ {
				if g, ok := out.Items[j].(*groupTuple); ok {
					out.Items[j] = g.AsTuple()
				}
			}
			return out
		}
	}
	return l
}

func makeNamespace(ctx context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	d, err := makeDict(ctx, args, kwargs)
	if err != nil {
		return nil, err
	}
	return &Namespace{dict: d.(*value.Dict)}, nil
}

// cycler gives its items in turn.
type cycler struct {
	items []value.Value
	pos   int
}

func (*cycler) TypeName() string { return "Cycler" }
func (*cycler) QualName() string { return "jinja2.utils.Cycler" }
func (*cycler) PyStr() string    { return "<jinja2.utils.Cycler object at 0x7f0000000000>" }

func makeCycler(_ context.Context, args []value.Value, _ *value.Dict) (value.Value, error) {
	if len(args) == 0 {
		return nil, raise("RuntimeError", "at least one item has to be provided")
	}
	return &cycler{items: args}, nil
}

// Attr is current, next, reset, items or pos.
func (c *cycler) Attr(name string) (value.Value, bool) {
	switch name {
	case "current":
		return c.items[c.pos], true
	case "next":
		return &builtin{name: "next", fn: func(context.Context, []value.Value, *value.Dict) (value.Value, error) {
			v := c.items[c.pos]
			c.pos = (c.pos + 1) % len(c.items)
			return v, nil
		}}, true
	case "reset":
		return &builtin{name: "reset", fn: func(context.Context, []value.Value, *value.Dict) (value.Value, error) {
			c.pos = 0
			return value.None, nil
		}}, true
	case "pos":
		return value.Int(c.pos), true
	case "items":
		return value.NewTuple(c.items...), true
	}
	return nil, false
}

// joiner gives nothing when it is first called, then its text.
type joiner struct {
	sep  value.Value
	used bool
}

func (*joiner) TypeName() string { return "Joiner" }
func (*joiner) QualName() string { return "jinja2.utils.Joiner" }
func (*joiner) PyStr() string    { return "<jinja2.utils.Joiner object at 0x7f0000000000>" }

func makeJoiner(_ context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	p, err := sig("Joiner.__init__(sep)").bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	if p[0] == nil {
		p[0] = value.Str(", ")
	}
	return &joiner{sep: p[0]}, nil
}

// Attr is sep or used.
func (j *joiner) Attr(name string) (value.Value, bool) {
	switch name {
	case "sep":
		return j.sep, true
	case "used":
		return value.Bool(j.used), true
	}
	return nil, false
}

// Call gives the separator, but not the first time.
func (j *joiner) Call(context.Context, []value.Value, *value.Dict) (value.Value, error) {
	if !j.used {
		j.used = true
		return value.Str(""), nil
	}
	return j.sep, nil
}

// lipsum makes filler text of n paragraphs of min to max words.
func lipsum(_ context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	p, err := sig("generate_lorem_ipsum(n, html, min, max)").bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	var nums [3]int
	for i, q := range []struct{ at, def int }{{0, 5}, {2, 20}, {3, 100}} {
		if nums[i], err = whole(p[q.at], q.def); err != nil {
			return nil, err
		}
	}
	asHTML, err := flag(p[1], true)
	if err != nil {
		return nil, err
	}
	if nums[2] <= nums[1] || nums[2] > maxRange || nums[0] > maxRange {
		return nil, raise("ValueError", "empty range for randrange() (%d, %d, %d)", nums[1], nums[2], nums[2]-nums[1])
	}
	words := strings.Fields("lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut " +
		"labore et dolore magna")
	var out []string
	for range nums[0] {
		var b strings.Builder
		for i := range nums[1] + rand.IntN(nums[2]-nums[1]) {
			w := words[rand.IntN(len(words))]
			if i == 0 {
				w = strings.ToUpper(w[:1]) + w[1:]
			} else {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
		text := b.String() + "."
		if asHTML {
			text = "<p>" + text + "</p>"
		}
		out = append(out, text)
	}
	if asHTML {
		return Markup(strings.Join(out, "\n")), nil
	}
	return value.Str(strings.Join(out, "\n\n")), nil
}

func sortedNames(m map[string]value.Value) []string { return slices.Sorted(maps.Keys(m)) }
