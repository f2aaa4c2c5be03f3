package compile

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// A trace tells what a lookup looked at, in Puppet's words. None tells nothing.
type trace struct {
	b      strings.Builder
	indent int
}

func (t *trace) say(format string, args ...any) {
	if t == nil {
		return
	}
	lead := strings.Repeat("  ", t.indent)
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		t.b.WriteString(lead + line + "\n")
	}
}

// in says a line; what is said until the function that it gives is called belongs to it.
func (t *trace) in(format string, args ...any) func() {
	if t == nil {
		return func() {}
	}
	t.say(format, args...)
	t.indent++
	return func() { t.indent-- }
}

// untraced leaves out of the explanation what is done until the function that it gives is called.
func (c *Compiler) untraced() func() {
	was := c.trace
	c.trace = nil
	return func() { c.trace = was }
}

func (t *trace) merge(o lookupOptions, several bool) func() {
	if !several || !o.merges() {
		return func() {}
	}
	return t.in("Merge strategy %s", o.merge)
}

func (t *trace) merged(o lookupOptions, several bool, v any) {
	if several && o.merges() {
		t.say("Merged result: %s", pretty(v, ""))
	}
}

func (t *trace) provider(h *hiera) func() {
	if t == nil {
		return func() {}
	}
	name := "Environment Data Provider"
	if h.module != "" {
		name = fmt.Sprintf("Module %q Data Provider", h.module)
	}
	back := t.in("%s (hiera configuration version 5)", name)
	t.say("Using configuration %q", h.dir+"/hiera.yaml")
	return back
}

func (t *trace) file(p found) func() {
	back := t.in("Path %q", p.path)
	t.say("Original path: %q", p.original)
	return back
}

func (t *trace) found(key string, v any) { t.say("Found key: %q value: %s", key, pretty(v, "")) }

func (t *trace) subKey(key string, v any) {
	defer t.in("Sub key: %q", key)()
	if v == nil {
		t.say("No such key: %q", key)
		return
	}
	t.found(key, v)
}

// pretty is a value over several lines.
func pretty(v any, lead string) string {
	inner := lead + "  "
	var parts []string
	switch v := v.(type) {
	case *types.Hash:
		for k, x := range v.All() {
			parts = append(parts, inner+pretty(k, inner)+" => "+pretty(x, inner))
		}
		if len(parts) == 0 {
			return "{}"
		}
		return "{\n" + strings.Join(parts, ",\n") + "\n" + lead + "}"
	case []any:
		for _, x := range v {
			parts = append(parts, inner+pretty(x, inner))
		}
		if len(parts) == 0 {
			return "[]"
		}
		return "[\n" + strings.Join(parts, ",\n") + "\n" + lead + "]"
	case string:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(v) + `"`
	}
	return types.Inspect(v)
}
