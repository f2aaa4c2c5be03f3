package modules

import (
	"cmp"
	"encoding/hex"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Find follows the path key through data; its delimiter is the parameter of that name.
func (c *Call) Find(in, key value.Value) (value.Value, bool) {
	s, ok := key.(value.Str)
	if !ok {
		if d, isDict := in.(*value.Dict); isDict {
			return d.Get(key)
		}
		return nil, false
	}
	return value.Lookup(in, string(s), c.Delimiter())
}

// Delimiter is what separates the keys of a path.
func (c *Call) Delimiter() string { return cmp.Or(c.Str("delimiter"), ":") }

// Items gives each positional argument with what is found under it.
func (c *Call) Items(in *value.Dict) (value.Value, error) {
	out := value.NewDict(len(c.Rest()))
	for _, k := range c.Rest() {
		v, ok := value.Lookup(in, value.String(k), c.Delimiter())
		if err := out.Set(k, OrElse(v, ok, c.Arg("default"))); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// OrElse is v, or def where nothing was found.
func OrElse(v value.Value, ok bool, def value.Value) value.Value {
	if ok {
		return v
	}
	return def
}

// Keys are the keys of a map.
func Keys(d *value.Dict) *value.List {
	l := &value.List{Items: make([]value.Value, 0, d.Len())}
	for k := range d.All() {
		l.Items = append(l.Items, k)
	}
	return l
}

// ChosenEnv is the environment of the file roots that the parameter saltenv names, else the run's, else base.
func (c *Call) ChosenEnv() string {
	named := ""
	if c.Has("saltenv") {
		named = c.Str("saltenv")
	}
	return cmp.Or(named, c.SaltEnv, "base")
}

// ReadText is a file of the machine without white space around it; one that is not there is an error in Salt's words.
func (c *Call) ReadText(path string) (string, error) {
	b, err := c.Host.ReadFile(path)
	if err != nil {
		return "", value.Raise("CommandExecutionError", "File %s not found.", path)
	}
	return strings.TrimSpace(string(b)), nil
}

// Digest is the hash of the kind in hex.
func Digest(kind string, b []byte) (string, error) {
	h := value.NewHash(strings.ToLower(kind))
	if h == nil {
		return "", value.Raise("CommandExecutionError", "Hash func '%s' is not supported.", kind)
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil)), nil
}
