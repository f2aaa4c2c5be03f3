package compile

import (
	"path"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// lookupKey finds a key; a dotted one goes into what it finds.
func (c *Compiler) lookupKey(key string, o lookupOptions, depth int) (any, bool) {
	if depth > 50 {
		c.plainly("Recursive lookup detected in [%s]", key)
	}
	parts := splitKey(key)
	said := c.optionsFor(parts[0])
	if o.merge == "" {
		o.merge, o.knock = said.merge, said.knock
	}
	defer c.trace.in("Searching for %q", key)()
	v, ok := c.searchAll(key, o, depth)
	if !ok {
		return nil, false
	}
	v = c.converted(v, said)
	if len(parts) == 1 {
		return v, true
	}
	for _, p := range parts[1:] {
		v = (&call{Compiler: c, scope: c.top}).digDotted(v, `"`+p+`"`, nil)
		c.trace.subKey(p, v)
	}
	return v, v != nil
}

// searchAll puts together what the environment and the module of a key say.
func (c *Compiler) searchAll(key string, o lookupOptions, depth int) (any, bool) {
	defer c.trace.merge(o, true)()
	var vals []any
	for _, h := range c.data(splitKey(key)[0]) {
		vals = append(vals, c.search(h, key, o, depth)...)
		if len(vals) > 0 && !o.merges() {
			break
		}
	}
	if len(vals) == 0 {
		return nil, false
	}
	v := merged(vals, o)
	c.trace.merged(o, true, v)
	return v, true
}

// search is what the levels of one hiera say of a key: the first that does, or all where they are merged.
func (c *Compiler) search(h *hiera, key string, o lookupOptions, depth int) (vals []any) {
	defer c.trace.provider(h)()
	defer c.trace.merge(o, len(h.levels) > 1)()
	for i := range h.levels {
		found := c.searchLevel(h, &h.levels[i], key, o, depth)
		if vals = append(vals, found...); len(vals) > 0 && !o.merges() {
			break
		}
	}
	if len(vals) > 0 {
		c.trace.merged(o, len(h.levels) > 1, merged(vals, o))
	}
	return vals
}

func (c *Compiler) searchLevel(h *hiera, l *level, key string, o lookupOptions, depth int) (vals []any) {
	defer c.trace.in("Hierarchy entry %q", l.name)()
	if l.format == pillarFormat {
		return c.searchPillar(l, key)
	}
	paths := c.levelPaths(l, c.levelDir(h, l))
	defer c.trace.merge(o, len(paths) > 1)()
	for _, p := range paths {
		v, ok := c.searchFile(h, l, p, key, depth)
		if !ok {
			continue
		}
		if vals = append(vals, v); !o.merges() {
			return vals
		}
	}
	if len(vals) > 0 {
		c.trace.merged(o, len(paths) > 1, merged(vals, o))
	}
	return vals
}

// searchPillar is what the pillar says of a key. Its templates have been rendered: nothing is interpolated.
func (c *Compiler) searchPillar(l *level, key string) []any {
	if c.opts.Pillar == nil {
		c.plainly("The level '%s' of Hiera is the pillar, which is there for manifests in SLS files only", l.name)
	}
	root := splitKey(key)[0]
	v, ok := c.opts.Pillar(root)
	if !ok {
		c.trace.say("No such key: %q", key)
		return nil
	}
	c.trace.found(root, v)
	return []any{v}
}

func (c *Compiler) searchFile(h *hiera, l *level, p found, key string, depth int) (any, bool) {
	defer c.trace.file(p)()
	data := c.dataFile(h, l, p.path)
	root := splitKey(key)[0]
	if data == nil {
		c.trace.say("Path not found")
		return nil, false
	}
	v, ok := data.Get(root)
	if !ok {
		c.trace.say("No such key: %q", key)
		return nil, false
	}
	if root != "lookup_options" {
		v = c.interpolateData(v, depth)
	}
	if l.format == "eyaml" {
		v = c.decrypted(h, l, p.path, v)
	}
	c.trace.found(root, v)
	return v, true
}

// levelDir is the folder of a level's files.
func (c *Compiler) levelDir(h *hiera, l *level) string {
	defer c.untraced()()
	dir := types.Text(c.interpolateData(l.datadir, 0))
	if path.IsAbs(dir) {
		return dir
	}
	return path.Join(h.dir, dir)
}

// options are the lookup_options of a hiera, read once.
func (c *Compiler) options(h *hiera) *types.Hash {
	if h.options == nil {
		h.options = types.NewHash() // for what is looked up meanwhile
		o := lookupOptions{merge: "hash"}
		if vals := c.search(h, "lookup_options", o, 0); len(vals) > 0 {
			h.options, _ = merged(vals, o).(*types.Hash)
		}
	}
	return h.options
}

// optionsFor is what lookup_options say of a key, by its name or by a regular expression.
func (c *Compiler) optionsFor(key string) lookupOptions {
	var o lookupOptions
	if key == "lookup_options" {
		return o
	}
	hs := c.data(key)
	for i := len(hs) - 1; i >= 0; i-- {
		opts := c.options(hs[i])
		if v, ok := opts.Get(key); ok {
			o.take(v)
			continue
		}
		for k, v := range opts.All() {
			if s := types.Text(k); strings.HasPrefix(s, "^") {
				if re, err := types.Compile(s); err == nil && re.Match(key) != nil {
					o.take(v)
					break
				}
			}
		}
	}
	return o
}

// take takes what lookup_options say of one key.
func (o *lookupOptions) take(v any) {
	h, ok := v.(*types.Hash)
	if !ok {
		return
	}
	switch m := h.Value("merge").(type) {
	case string:
		o.merge = m
	case *types.Hash:
		o.merge = types.Text(m.Value("strategy"))
		o.knock = types.Text(m.Value("knockout_prefix"))
	}
	if conv := h.Value("convert_to"); conv != nil {
		o.convert = flattenOnce(conv)
	}
}

// merges says that more than the first value counts.
func (o lookupOptions) merges() bool { return o.merge != "" && o.merge != "first" }

func (c *Compiler) converted(v any, o lookupOptions) any {
	if len(o.convert) == 0 {
		return v
	}
	t := c.parsedType(types.Text(o.convert[0]))
	k := &call{Compiler: c, scope: c.top, name: "new", args: append([]any{t, v}, o.convert[1:]...)}
	return k.new()
}

// automatic looks a parameter of a class up.
func (c *Compiler) automatic(key string, at syntax.Pos) (any, bool) {
	if c.lookups[key] {
		return nil, false
	}
	c.lookups[key] = true
	defer delete(c.lookups, key)
	return c.lookupKey(key, lookupOptions{}, 0)
}
