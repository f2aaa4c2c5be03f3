package compile

import (
	"path"
	"slices"
	"strings"

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
	// options are its lookup_options, nil until they are read.
	options *types.Hash
}

// A level is an entry of the hierarchy: its files, and how they are read.
type level struct {
	name, format string
	paths, globs []string
	datadir      string
	mapped       []string
	// privateKey and publicKey are the files of the keys of encrypted values.
	privateKey, publicKey string
}

// A found file is one of a level: where it is, and what hiera.yaml calls it.
type found struct{ path, original string }

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

// pillarFormat is the data_hash of a level that is the pillar.
const pillarFormat = "pillar"

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
		if module == "" && c.opts.Pillar != nil {
			h.levels = []level{{name: "Pillar", format: pillarFormat}}
		}
		return h
	}
	v, err := yaml.Decode(file, text)
	if err != nil {
		c.plainly("Unable to parse %s: %v", file, err)
	}
	conf, _ := FromValue(v).(*types.Hash)
	if c.oldHiera(conf, file, module) {
		return h
	}
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

// oldHiera says whether a hiera.yaml is one of Hiera 3, which Puppet leaves out; of another version it is refused.
func (c *Compiler) oldHiera(conf *types.Hash, file, module string) bool {
	version := conf.Value("version")
	_, backends := conf.Get(":backends")
	_, levels := conf.Get(":hierarchy")
	switch {
	case version == int64(3), version == nil && (backends || levels):
		where := "the environment"
		if module != "" {
			where = "module " + module
		}
		c.log("warning", "hiera.yaml version 3 found at the root of "+where+" was ignored: "+file)
		return true
	case version != nil && version != int64(5):
		c.plainly("%s: hiera.yaml of version %s is not known here: write it in version 5", file, types.Text(version))
	}
	return false
}

func (c *Compiler) level(_ string, e, dflt *types.Hash) level {
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
		if l.format = "eyaml"; k != "eyaml_lookup_key" {
			l.format = k
		}
	}
	if o, ok := get("options").(*types.Hash); ok {
		l.privateKey, l.publicKey = types.Text(o.Value("pkcs7_private_key")), types.Text(o.Value("pkcs7_public_key"))
	}
	return l
}

// levelPaths are the files of a level, whether they are there or not.
func (c *Compiler) levelPaths(l *level, dir string) []found {
	defer c.untraced()()
	var out []found
	for _, p := range l.paths {
		out = append(out, found{path.Join(dir, types.Text(c.interpolateData(p, 0))), p})
	}
	for _, g := range l.globs {
		pattern := types.Text(c.interpolateData(g, 0))
		names, _ := c.opts.List(path.Join(dir, path.Dir(pattern)))
		slices.Sort(names)
		for _, n := range names {
			if ok, _ := path.Match(path.Base(pattern), n); ok {
				out = append(out, found{path.Join(dir, path.Dir(pattern), n), g})
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
			out = append(out, found{path.Join(dir, types.Text(c.interpolateData(l.mapped[2], 0))), l.mapped[2]})
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
	case "yaml", "eyaml":
		v, err := yaml.Decode(file, text)
		if err != nil {
			c.plainly("Unable to parse (%s): %v", file, err)
		}
		data = FromValue(v)
	default:
		c.plainly("The Hiera back end %s of the level '%s' is not known here (yaml_data, json_data and eyaml_lookup_key are)",
			l.format, l.name)
	}
	d, _ := data.(*types.Hash)
	h.files[file] = d
	return d
}
