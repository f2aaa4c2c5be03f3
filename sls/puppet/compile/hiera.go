package compile

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/sls/yaml"
)

// A hiera is the data of one hiera.yaml: its levels in their order.
type hiera struct {
	dir    string
	levels []level
	files  map[string]*types.Hash
	module string
}

// A level is an entry of the hierarchy: its files, and how they are read.
type level struct {
	name, format string
	paths, globs []string
	datadir      string
	mapped       []string
}

// data are the hieras that a key is looked up in: the environment's, and its module's.
func (c *Compiler) data(key string) []*hiera {
	var out []*hiera
	if c.hiera == nil {
		c.hiera = c.readHiera(c.opts.EnvDir, "")
	}
	out = append(out, c.hiera)
	module, _, qualified := strings.Cut(key, "::")
	if dir := c.moduleDir(module); qualified && dir != "" {
		out = append(out, c.readHiera(dir, module))
	}
	return out
}

func (c *Compiler) readHiera(dir, module string) *hiera {
	h := &hiera{dir: dir, module: module, files: map[string]*types.Hash{}}
	file := path.Join(dir, "hiera.yaml")
	if dir == "" {
		return h
	}
	if had, ok := c.hieras[file]; ok {
		return had
	}
	if c.hieras == nil {
		c.hieras = map[string]*hiera{}
	}
	c.hieras[file] = h
	text, err := c.opts.Read(file)
	if err != nil {
		return h
	}
	v, err := yaml.Decode(file, text)
	if err != nil {
		c.plainly("Unable to parse %s: %v", file, err)
	}
	conf, _ := FromValue(v).(*types.Hash)
	dflt, _ := conf.Value("defaults").(*types.Hash)
	if dflt == nil {
		dflt = types.NewHash()
	}
	levels, _ := conf.Value("hierarchy").([]any)
	if levels == nil {
		levels = []any{types.NewHash("name", "Common", "path", "common.yaml")}
	}
	for _, l := range levels {
		if e, ok := l.(*types.Hash); ok {
			h.levels = append(h.levels, c.level(file, e, dflt))
		}
	}
	return h
}

func (c *Compiler) level(file string, e, dflt *types.Hash) level {
	get := func(k string) any {
		if v, ok := e.Get(k); ok {
			return v
		}
		return dflt.Value(k)
	}
	l := level{name: types.Text(e.Value("name")), datadir: types.Text(get("datadir"))}
	if l.datadir == "" {
		l.datadir = "data"
	}
	for _, k := range []string{"path", "paths"} {
		for _, p := range flatten(e.Value(k)) {
			if p != nil {
				l.paths = append(l.paths, types.Text(p))
			}
		}
	}
	for _, k := range []string{"glob", "globs"} {
		for _, p := range flatten(e.Value(k)) {
			if p != nil {
				l.globs = append(l.globs, types.Text(p))
			}
		}
	}
	for _, p := range flatten(e.Value("mapped_paths")) {
		if p != nil {
			l.mapped = append(l.mapped, types.Text(p))
		}
	}
	switch f := types.Text(get("data_hash")); f {
	case "", "yaml_data":
		l.format = "yaml"
	case "json_data":
		l.format = "json"
	default:
		l.format = f
	}
	if k := types.Text(get("lookup_key")); k != "" {
		if l.format = "yaml"; k != "eyaml_lookup_key" {
			c.plainly("The Hiera back end %s of %s is not known here (yaml_data, json_data and eyaml_lookup_key are)", k, file)
		}
	}
	return l
}

// each calls f with the data of the files of a hiera, in the order of the hierarchy.
func (c *Compiler) eachFile(h *hiera, f func(data *types.Hash) bool) {
	for i := range h.levels {
		l := &h.levels[i]
		dir := path.Join(h.dir, types.Text(c.interpolateData(l.datadir, 0)))
		if path.IsAbs(l.datadir) {
			dir = l.datadir
		}
		for _, p := range c.levelPaths(l, dir) {
			if data := c.dataFile(h, l, p); data != nil && !f(data) {
				return
			}
		}
	}
}

func (c *Compiler) levelPaths(l *level, dir string) []string {
	var out []string
	for _, p := range l.paths {
		out = append(out, path.Join(dir, types.Text(c.interpolateData(p, 0))))
	}
	for _, g := range l.globs {
		pattern := types.Text(c.interpolateData(g, 0))
		names, _ := c.opts.List(path.Join(dir, path.Dir(pattern)))
		slices.Sort(names)
		for _, n := range names {
			if ok, _ := path.Match(path.Base(pattern), n); ok {
				out = append(out, path.Join(dir, path.Dir(pattern), n))
			}
		}
	}
	if len(l.mapped) == 3 {
		v, _ := c.variable(c.top, l.mapped[0])
		for _, x := range flatten(v) {
			if x == nil {
				continue
			}
			c.top.vars[l.mapped[1]] = x
			out = append(out, path.Join(dir, types.Text(c.interpolateData(l.mapped[2], 0))))
			delete(c.top.vars, l.mapped[1])
		}
	}
	return out
}

func (c *Compiler) dataFile(h *hiera, l *level, file string) *types.Hash {
	if d, ok := h.files[file]; ok {
		return d
	}
	h.files[file] = nil
	text, err := c.opts.Read(file)
	if err != nil {
		return nil
	}
	var data any
	switch l.format {
	case "json":
		v, err := serial.Deserialize("json", string(text))
		if err != nil {
			c.plainly("Unable to parse (%s): %v", file, err)
		}
		data = FromValue(v)
	case "yaml":
		v, err := yaml.Decode(file, text)
		if err != nil {
			c.plainly("Unable to parse (%s): %v", file, err)
		}
		data = FromValue(v)
	default:
		c.plainly("The Hiera back end %s is not known here (yaml_data, json_data and eyaml_lookup_key are)", l.format)
	}
	d, _ := data.(*types.Hash)
	h.files[file] = d
	return d
}

var interpolated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%\{[^}]*\}`) })

// interpolateData replaces %{...} in data: variables, lookup(), alias(), literal(), scope().
func (c *Compiler) interpolateData(v any, depth int) any {
	if depth > 50 {
		c.plainly("Recursive lookup detected")
	}
	switch x := v.(type) {
	case string:
		return c.interpolateText(x, depth)
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = c.interpolateData(x[i], depth)
		}
		return out
	case *types.Hash:
		h := types.NewHash()
		for k, e := range x.All() {
			h.Set(c.interpolateData(k, depth), c.interpolateData(e, depth))
		}
		return h
	}
	return v
}

func (c *Compiler) interpolateText(s string, depth int) any {
	if !strings.Contains(s, "%{") {
		return s
	}
	if m := interpolated().FindString(s); m == s {
		if key, ok := function(m, "alias"); ok {
			v, _ := c.lookupKey(key, lookupOptions{}, depth+1)
			return v
		}
	}
	return interpolated().ReplaceAllStringFunc(s, func(m string) string {
		if key, ok := function(m, "lookup"); ok {
			return types.Text(c.found(key, depth))
		}
		if key, ok := function(m, "hiera"); ok {
			return types.Text(c.found(key, depth))
		}
		if text, ok := function(m, "literal"); ok {
			return text
		}
		name := strings.TrimSpace(m[2 : len(m)-1])
		if n, ok := function(m, "scope"); ok {
			name = n
		}
		if name == "" || name == "::" || name == `""` || name == "''" {
			return ""
		}
		first, rest, dotted := strings.Cut(name, ".")
		v, _ := c.variable(c.top, strings.TrimPrefix(first, "::"))
		if dotted {
			v = (&call{Compiler: c, scope: c.top}).digDotted(v, rest, nil)
		}
		return types.Text(v)
	})
}

// function reads %{name('text')}.
func function(m, name string) (string, bool) {
	inner := strings.TrimSpace(m[2 : len(m)-1])
	rest, ok := strings.CutPrefix(inner, name+"(")
	if !ok || !strings.HasSuffix(rest, ")") {
		return "", false
	}
	return strings.Trim(strings.TrimSuffix(rest, ")"), `'" `), true
}

func (c *Compiler) found(key string, depth int) any {
	v, _ := c.lookupKey(key, lookupOptions{}, depth+1)
	return v
}

// lookupOptions say how what several files say is put together.
type lookupOptions struct {
	merge   string // "", first, unique, hash, deep
	knock   string
	convert []any
}

// lookupKey finds a key; a dotted one goes into what it finds.
func (c *Compiler) lookupKey(key string, o lookupOptions, depth int) (any, bool) {
	if depth > 50 {
		c.plainly("Recursive lookup detected in [%s]", key)
	}
	parts := splitKey(key)
	root := parts[0]
	said := c.optionsFor(root)
	if o.merge == "" {
		o.merge, o.knock = said.merge, said.knock
	}
	var vals []any
	for _, h := range c.data(root) {
		c.eachFile(h, func(data *types.Hash) bool {
			v, ok := data.Get(root)
			if !ok {
				return true
			}
			vals = append(vals, c.interpolateData(v, depth))
			return o.merge != "" && o.merge != "first"
		})
		if len(vals) > 0 && (o.merge == "" || o.merge == "first") {
			break
		}
	}
	if len(vals) == 0 {
		return nil, false
	}
	v := merged(vals, o)
	v = c.converted(v, said)
	if len(parts) > 1 {
		for _, p := range parts[1:] {
			v = (&call{Compiler: c, scope: c.top}).digDotted(v, `"`+p+`"`, nil)
		}
		return v, v != nil
	}
	return v, true
}

// optionsFor is what lookup_options say of a key, by its name or by a regular expression.
func (c *Compiler) optionsFor(key string) lookupOptions {
	var o lookupOptions
	if key == "lookup_options" {
		return o
	}
	take := func(v any) {
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
	hs := c.data(key)
	for i := len(hs) - 1; i >= 0; i-- {
		opts := types.NewHash()
		c.eachFile(hs[i], func(data *types.Hash) bool {
			if h, ok := data.Value("lookup_options").(*types.Hash); ok {
				opts = h.Merge(opts)
			}
			return true
		})
		if v, ok := opts.Get(key); ok {
			take(v)
			continue
		}
		for k, v := range opts.All() {
			if s := types.Text(k); strings.HasPrefix(s, "^") {
				if re, err := types.Compile(s); err == nil && re.Match(key) != nil {
					take(v)
					break
				}
			}
		}
	}
	return o
}

func (c *Compiler) converted(v any, o lookupOptions) any {
	if len(o.convert) == 0 {
		return v
	}
	t := c.parsedType(types.Text(o.convert[0]))
	k := &call{Compiler: c, scope: c.top, name: "new", args: append([]any{t, v}, o.convert[1:]...)}
	return k.new()
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

// automatic looks a parameter of a class up.
func (c *Compiler) automatic(key string, at syntax.Pos) (any, bool) {
	if c.lookups[key] {
		return nil, false
	}
	c.lookups[key] = true
	defer delete(c.lookups, key)
	return c.lookupKey(key, lookupOptions{}, 0)
}

// lookup is lookup(name, type, merge, default), or with a hash of options.
func (k *call) lookup() any {
	names := flatten(k.arg(0))
	var o lookupOptions
	var t *types.Type
	var dflt any
	hasDefault := false
	args := k.args
	if h, ok := k.arg(0).(*types.Hash); ok {
		names, args = flatten(h.Value("name")), []any{nil, h}
	}
	overrides, fallback := types.NewHash(), types.NewHash()
	if h, ok := lastHash(args); ok {
		if m := h.Value("merge"); m != nil {
			o = mergeOf(m)
		}
		if x, ok := h.Value("value_type").(*types.Type); ok {
			t = x
		}
		dflt, hasDefault = h.Get("default_value")
		if x, ok := h.Value("override").(*types.Hash); ok {
			overrides = x
		}
		if x, ok := h.Value("default_values_hash").(*types.Hash); ok {
			fallback = x
		}
		args = args[:len(args)-1]
	}
	if k.name != "lookup" {
		o.merge = map[string]string{"hiera": "", "hiera_array": "unique", "hiera_hash": "hash",
			"hiera_include": "unique"}[k.name]
		if len(args) > 1 {
			dflt, hasDefault = args[1], true
		}
	} else {
		if len(args) > 1 && args[1] != nil {
			x, ok := args[1].(*types.Type)
			if !ok {
				k.refuse("'lookup' parameter 'value_type' expects a Type value, got %s", types.Infer(args[1]).Kind)
			}
			t = x
		}
		if len(args) > 2 && args[2] != nil {
			o = mergeOf(args[2])
		}
		if len(args) > 3 {
			dflt, hasDefault = args[3], true
		}
	}
	v, ok := any(nil), false
	for _, n := range names {
		if v, ok = overrides.Get(n); ok {
			break
		}
		if v, ok = k.lookupKey(types.Text(n), o, 0); ok {
			break
		}
	}
	for i := 0; !ok && i < len(names); i++ {
		v, ok = fallback.Get(names[i])
	}
	switch {
	case ok:
	case k.block != nil:
		v = k.yield(names[0])
	case hasDefault:
		v = dflt
	case len(names) == 1:
		k.refuse("Function lookup() did not find a value for the name '%s'", types.Text(names[0]))
	default:
		var quoted []string
		for _, n := range names {
			quoted = append(quoted, "'"+types.Text(n)+"'")
		}
		k.refuse("Function lookup() did not find a value for any of the names [%s]", strings.Join(quoted, ", "))
	}
	if t != nil && !types.Instance(t, v) {
		what := "Found value"
		if !ok {
			what = "Default value"
		}
		msg := types.MismatchValue(what, t, v)
		k.refuse("%s", strings.Replace(msg, what, what+" has wrong type,", 1))
	}
	if k.name == "hiera_include" {
		return (&call{Compiler: k.Compiler, scope: k.scope, name: "include", args: flatten(v), at: k.at}).include()
	}
	return v
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

func mergeOf(v any) lookupOptions {
	if h, ok := v.(*types.Hash); ok {
		return lookupOptions{merge: types.Text(h.Value("strategy")), knock: types.Text(h.Value("knockout_prefix"))}
	}
	return lookupOptions{merge: types.Text(v)}
}
