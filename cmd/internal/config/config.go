// Package config reads a Salt minion's configuration: DIR/minion, then DIR/minion.d/*.conf, by Salt's rules, so that
// `gostate -c /etc/salt` runs with what is there. It decides defaults; it touches nothing.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A Config is the configuration of a run. Opts holds every key, those that gostate does not know included: templates
// and config.get see them.
type Config struct {
	Dir  string
	File string // the main file read, "" when there is none
	// Root is the tree whose configuration this is, "/" as a rule: the default directories are below it, and those that
	// the configuration names, too, where Inside.
	Root   string
	Inside bool
	Opts   *value.Dict
	// over is a file that the command line lays over it, whose directories are those of where gostate runs.
	over string
	// places are where the keys were last given.
	places map[string]diag.Pos
}

// Read reads the configuration below dir, of the machine whose tree is at root. A directory without one is an empty
// configuration, unless required. One that is not is looked for in the tree, and its paths are the tree's.
func Read(root, dir string, required bool) (*Config, error) {
	inside := !required && root != "/"
	if inside {
		dir = filepath.Join(root, dir)
	}
	c := &Config{Dir: dir, Root: root, Inside: inside, Opts: value.NewDict(32), places: map[string]diag.Pos{}}
	main := filepath.Join(dir, "minion")
	err := c.merge(main)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, statErr := os.Stat(dir); statErr != nil && required {
			return nil, diag.Errorf(diag.Pos{File: dir}, "no such configuration directory").
				WithHint("--config-dir names a directory that holds a file \"minion\" or minion.d/*.conf")
		}
	case err != nil:
		return nil, err
	default:
		c.File = main
	}
	parts, _ := filepath.Glob(filepath.Join(dir, "minion.d", "*.conf"))
	slices.Sort(parts)
	for _, p := range parts {
		if filepath.Base(p)[0] == '_' {
			continue // Salt's own: _schedule.conf
		}
		if err := c.merge(p); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Given is the configuration that another machine gives for a run on this one. Only grains are this machine's own.
func Given(root, dir string, opts *value.Dict) (*Config, error) {
	own, err := Read(root, dir, false)
	if err != nil {
		return nil, err
	}
	c := &Config{Dir: own.Dir, Root: root, Opts: opts, places: map[string]diag.Pos{}}
	if g, ok := own.Opts.GetStr("grains"); ok {
		c.Opts.SetStr("grains", g)
	}
	return c, c.check()
}

// Add reads a file over the configuration, where one is given, and adds directories of modules.
func (c *Config) Add(file string, moduleDirs []string, statesDir string) error {
	if c.over = file; file != "" {
		if err := c.merge(file); err != nil {
			return err
		}
	}
	for key, dirs := range map[string][]string{"module_dirs": SplitCommas(moduleDirs), "states_dirs": {statesDir}} {
		list := value.NewList()
		for _, dir := range dirs {
			abs, err := filepath.Abs(dir)
			if err != nil {
				return fmt.Errorf("resolve %s: %w", dir, err)
			}
			if dir != "" {
				list.Items = append(list.Items, value.Str(abs))
			}
		}
		if len(list.Items) > 0 {
			c.Opts.SetStr(key, list)
		}
	}
	return c.check()
}

// merge reads one file over what is there: maps are merged, everything else is replaced.
func (c *Config) merge(path string) error {
	text, err := host.ReadRegular(path, host.MaxText)
	if err != nil {
		return err
	}
	v, err := yaml.Decode(path, text)
	if err != nil {
		return err
	}
	d, ok := v.(*value.Dict)
	if !ok {
		if v == value.None {
			return nil
		}
		return diag.Errorf(diag.Pos{File: path, Line: 1, Col: 1}, "the configuration is a %s, not a map", v.TypeName()).
			WithHint("write KEY: VALUE lines, as in a Salt minion's configuration")
	}
	for i := range d.Len() {
		e := d.At(i)
		key := value.String(e.Key)
		c.places[key] = diag.Pos{File: path, Line: int(e.KeyAt.Line), Col: int(e.KeyAt.Col)}
		if key == "schedules" {
			c.placesBelow(path, key, e.Val)
		}
	}
	update(c.Opts, d)
	return nil
}

func update(into, from *value.Dict) {
	for k, v := range from.All() {
		old, ok := into.Get(k)
		oldDict, oldIs := old.(*value.Dict)
		newDict, newIs := v.(*value.Dict)
		if ok && oldIs && newIs {
			update(oldDict, newDict)
			continue
		}
		_ = into.Set(k, v)
	}
}

// check refuses values that would be misread later.
func (c *Config) check() error {
	var l diag.List
	for _, k := range []string{"failhard", "noop", "state_auto_order", "strict", "test", "allow_undefined",
		"state_aggregate", "auto_require"} {
		v, ok := c.Opts.GetStr(k)
		if !ok || v == value.None {
			continue
		}
		_, isBool := v.(value.Bool)
		if _, isList := v.(*value.List); k == "state_aggregate" && isList {
			continue
		}
		if !isBool {
			l.Add(diag.Errorf(c.Pos(k), "%s is %s, not true or false", k, value.Repr(v)).WithHint("%s: true", k))
		}
	}
	for _, k := range []string{"file_roots", "pillar_roots"} {
		if _, err := c.Roots(k, nil); err != nil {
			l.AddErr(err)
		}
	}
	for _, k := range []string{"report_keep", "report_size"} {
		if v, ok := c.Opts.GetStr(k); ok && v != value.None && c.Int(k, -1) < 0 {
			l.Add(diag.Errorf(c.Pos(k), "%s is %s, not a number from 0", k, value.Repr(v)).WithHint("%s: 100", k))
		}
	}
	if _, ok := c.Opts.GetStr("schedules"); ok {
		_, faults := c.schedules()
		l.Add(faults.All...)
	}
	if v, ok := c.Opts.GetStr("state_output"); ok && v != value.None {
		if fault := StateOutputFault(value.String(v)); fault != nil {
			fault.Pos = c.Pos("state_output")
			l.Add(fault)
		}
	}
	_, err := c.Stages()
	l.AddErr(err)
	l.Sort()
	return l.Err()
}

// Pos is the place of a key.
func (c *Config) Pos(key string) diag.Pos {
	if p, ok := c.places[key]; ok {
		return p
	}
	return diag.Pos{File: c.File}
}

// Bool is the value of a boolean key.
func (c *Config) Bool(key string, def bool) bool {
	if v, ok := c.Opts.GetStr(key); ok && v != value.None {
		return value.Truth(v)
	}
	return def
}

// Str is the value of a text key; numbers and booleans print as Python prints them.
func (c *Config) Str(key, def string) string {
	if v, ok := c.Opts.GetStr(key); ok && v != value.None {
		return value.String(v)
	}
	return def
}

// Int is the value of a key that holds a number.
func (c *Config) Int(key string, def int) int {
	if v, _ := c.Opts.GetStr(key); v != nil {
		if n, ok := v.(value.Int); ok {
			return int(n)
		}
	}
	return def
}

// Dict is the value of a map key, nil when it is absent.
func (c *Config) Dict(key string) *value.Dict {
	v, _ := c.Opts.GetStr(key)
	d, _ := v.(*value.Dict)
	return d
}

// Strings is the value of a key that holds a list of texts, or one text.
func (c *Config) Strings(key string) []string {
	switch v, _ := c.Opts.GetStr(key); v := v.(type) {
	case value.Str:
		return []string{string(v)}
	case *value.List:
		out := make([]string, len(v.Items))
		for i, it := range v.Items {
			out[i] = value.String(it)
		}
		return out
	}
	return nil
}

// Roots is file_roots or pillar_roots: environments with their directories. given (flags) replaces those of env base.
func (c *Config) Roots(key string, given []string) ([]roots.EnvDirs, error) {
	var out []roots.EnvDirs
	v, ok := c.Opts.GetStr(key)
	if d, isDict := v.(*value.Dict); isDict {
		for k, dirs := range d.All() {
			e := roots.EnvDirs{Env: value.String(k)}
			list, isList := dirs.(*value.List)
			if !isList {
				return nil, diag.Errorf(c.Pos(key), "%s: environment %q holds %s, not a list of directories", key, e.Env,
					value.Repr(dirs)).
					WithHint("%s: {%s: [/srv/salt]}", key, e.Env)
			}
			for _, it := range list.Items {
				dir := value.String(it)
				if c.over == "" || c.Pos(key).File != c.over { // what the command line names is where gostate runs
					dir = c.Place(dir)
				}
				e.Dirs = append(e.Dirs, dir)
			}
			out = append(out, e)
		}
	} else if ok && v != value.None {
		return nil, diag.Errorf(c.Pos(key), "%s is %s, not a map of environments", key, value.Repr(v)).
			WithHint("%s: {base: [/srv/salt]}", key)
	}
	if len(given) > 0 {
		return replaceBase(out, given)
	}
	if len(out) == 0 {
		out = []roots.EnvDirs{{Env: "base", Dirs: []string{filepath.Join(c.Root, defaultRoots[key])}}}
	}
	return out, nil
}

// Place is where a path of the configuration lies on the machine that gostate runs on.
func (c *Config) Place(path string) string {
	if c.Inside {
		return filepath.Join(c.Root, path)
	}
	return path
}

var defaultRoots = map[string]string{"file_roots": "/srv/salt", "pillar_roots": "/srv/pillar"}

func replaceBase(envs []roots.EnvDirs, given []string) ([]roots.EnvDirs, error) {
	dirs := make([]string, len(given))
	for i, g := range given {
		abs, err := filepath.Abs(g)
		if err != nil {
			return nil, fmt.Errorf("resolve %s: %w", g, err)
		}
		dirs[i] = abs
	}
	if i := slices.IndexFunc(envs, func(e roots.EnvDirs) bool { return e.Env == "base" }); i >= 0 {
		envs[i].Dirs = dirs
		return envs, nil
	}
	return append([]roots.EnvDirs{{Env: "base", Dirs: dirs}}, envs...), nil
}
