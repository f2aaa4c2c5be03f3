package grains

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A store is the grains as a state may change them: those of the run, and over them the file in which changes are
// noted.
type store struct {
	env  *modules.Env
	path string
	// before is what the file held when the grains of the run were read, now what it holds.
	before, now *value.Dict
}

type beforeKey struct{}

// open reads the file of grains, which stands beside the configuration.
func open(env *modules.Env, h host.Reader) (*store, error) {
	conf := value.Value(value.Str("/etc/salt/minion"))
	if v, ok := env.Opts("conf_file"); ok {
		conf = v
	}
	s := &store{env: env, path: path.Join(path.Dir(value.String(conf)), "grains")}
	var err error
	if s.now, err = s.read(h); err != nil {
		return nil, err
	}
	s.before = s.now
	if env.Kept != nil {
		s.before = modules.Get(env.Kept, beforeKey{}, func() *value.Dict { return s.now })
	}
	return s, nil
}

func (s *store) read(h host.Reader) (*value.Dict, error) {
	raw, err := h.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && strings.TrimSpace(string(raw)) == "" {
		return value.NewDict(0), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the grains: %w", err)
	}
	v, err := s.env.Deserialize("yaml", string(raw))
	if err != nil {
		return nil, fmt.Errorf("Unable to read existing grains file: %w", err) //nolint:staticcheck // Salt's words
	}
	if d, ok := v.(*value.Dict); ok {
		return d, nil
	}
	return value.NewDict(0), nil
}

// get looks a grain up; what is looked up may be changed.
func (s *store) get(key string) (value.Value, bool) {
	top, rest, nested := strings.Cut(key, ":")
	v, ok := s.now.GetStr(top)
	if _, was := s.before.GetStr(top); !ok && !was {
		v, ok = s.env.Grains(top)
	}
	if !ok {
		return nil, false
	}
	if v = value.DeepCopy(v); !nested {
		return v, true
	}
	return value.Lookup(v, rest, ":")
}

// setval notes a grain of the first level, or with destructive and None takes it away.
func (s *store) setval(key string, v value.Value, destructive bool) {
	all := value.NewDict(s.now.Len() + 1)
	for k, old := range s.now.All() {
		_ = all.Set(k, old)
	}
	if s.now = all; destructive && isNone(v) {
		all.Delete(value.Str(key))
		return
	}
	all.SetStr(key, v)
}

func isNone(v value.Value) bool { return v == nil || v == value.Value(value.None) }

func (s *store) write(h host.Host) error {
	text, err := s.env.Serialize("yaml", s.now, value.DictOf("default_flow_style", value.Bool(false)))
	if err != nil {
		return fmt.Errorf("write the grains: %w", err)
	}
	return modules.WriteLines(h, s.path, strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
}

func complex(v value.Value) bool {
	switch v.(type) {
	case *value.Dict, *value.List:
		return true
	}
	return false
}

// set gives a grain, which may be a path, a value. What is a map or a list is replaced only with force. Of a path the
// grain of the first level is noted as a whole; it is what changed.
func (s *store) set(key string, v value.Value, force, destructive bool) (changes *value.Dict, err error) {
	now, there := s.get(key)
	switch {
	case there && value.Equal(now, v) && (!isNone(v) || !destructive):
		return value.NewDict(0), nil
	case !there || isNone(now) || force:
	case complex(now):
		return nil, host.Sure(fmt.Errorf("The key '%s' exists but is a dict or a list. Use 'force=True' to overwrite.", key)) //nolint:staticcheck // Salt's words
	case complex(v):
		//nolint:staticcheck // Salt's words
		return nil, fmt.Errorf("The key '%s' exists and the given value is a dict or a list. Use 'force=True' to overwrite.",
			key)
	}
	for strings.Contains(key, ":") {
		i := strings.LastIndex(key, ":")
		above, rest := key[:i], key[i+1:]
		if v, err = s.below(above, rest, v, force, destructive); err != nil {
			return nil, err
		}
		key = above
	}
	s.setval(key, v, destructive)
	return value.DictOf(key, v), nil
}

// below is what a grain becomes that has to hold a value under a key.
func (s *store) below(above, rest string, v value.Value, force, destructive bool) (value.Value, error) {
	holder, ok := s.get(above)
	if !ok {
		holder = value.NewDict(1)
	}
	switch h := holder.(type) {
	case *value.Dict:
		if h.SetStr(rest, v); isNone(v) && destructive {
			h.Delete(value.Str(rest))
		}
		return h, nil
	case *value.List:
		found := false
		for i, item := range h.Items {
			d, is := item.(*value.Dict)
			if _, has := getStr(d, is, rest); has {
				d.SetStr(rest, v)
				found = true
			} else if value.Equal(item, value.Str(rest)) {
				h.Items[i], found = value.DictOf(rest, v), true
			}
		}
		if !found {
			h.Items = append(h.Items, value.DictOf(rest, v))
		}
		return h, nil
	}
	if force || value.Equal(holder, value.Str(rest)) {
		return value.DictOf(rest, v), nil
	}
	return nil, fmt.Errorf("The key '%s' value is '%s', which is different from the provided key '%s'. Use 'force=True' to overwrite.", //nolint:staticcheck // Salt's words
		above, value.String(holder), rest)
}

func getStr(d *value.Dict, is bool, key string) (value.Value, bool) {
	if !is {
		return nil, false
	}
	return d.GetStr(key)
}

// list is a grain that has to be a list; ok is false where there is none, or an empty one.
func (s *store) list(key string) (l *value.List, ok bool, err error) {
	v, there := s.get(key)
	if !there || !value.Truth(v) {
		return value.NewList(), false, nil
	}
	l, is := v.(*value.List)
	if !is {
		return nil, true, fmt.Errorf("Grain %s is not a valid list", key) //nolint:staticcheck // Salt's words
	}
	return l, true, nil
}

func contains(l *value.List, v value.Value) bool {
	for _, item := range l.Items {
		if value.Equal(item, v) {
			return true
		}
	}
	return false
}

// each are the items of a list, or the one value.
func each(v value.Value) []value.Value {
	if l, ok := v.(*value.List); ok {
		return l.Items
	}
	return []value.Value{v}
}
