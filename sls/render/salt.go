package render

import (
	"context"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A saltObject is `salt` in a template: salt['x.y'], salt.x.y and salt['x']['y'] are execution functions. What is not
// there is undefined.
type saltObject struct{ r *Renderer }

// TypeName is the name in messages.
func (*saltObject) TypeName() string { return "salt" }

// Item is a function by its whole name, or a module.
func (s *saltObject) Item(key value.Value) (value.Value, bool) {
	name, ok := key.(value.Str)
	if !ok {
		return nil, false
	}
	if strings.Contains(string(name), ".") {
		return s.function(string(name))
	}
	return s.module(string(name))
}

// Attr is a module: salt.cmd, or get as dicts have it.
func (s *saltObject) Attr(name string) (value.Value, bool) {
	if strings.Contains(name, ".") {
		return s.function(name)
	}
	if name == "get" {
		return &value.Func{Name: "get", Fn: s.get}, true
	}
	return s.module(name)
}

func (s *saltObject) get(_ context.Context, args []value.Value, _ *value.Dict) (value.Value, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, value.Raise("TypeError", "get expected 1 or 2 arguments, got %d", len(args))
	}
	if v, ok := s.Item(args[0]); ok {
		return v, nil
	}
	if len(args) == 2 {
		return args[1], nil
	}
	return value.None, nil
}

// module gives a module; one that the caller knows to be missing is undefined.
func (s *saltObject) module(name string) (value.Value, bool) {
	if known, ok := s.r.cfg.Exec.(interface{ HasModule(name string) bool }); ok && !known.HasModule(name) {
		return nil, false
	}
	if s.r.cfg.Exec == nil {
		return nil, false
	}
	return &saltModule{s, name}, true
}

func (s *saltObject) function(name string) (value.Value, bool) {
	x := s.r.cfg.Exec
	if x == nil {
		return nil, false
	}
	if !x.Has(name) {
		return nil, false
	}
	return &value.Func{Name: name, Fn: func(ctx context.Context, args []value.Value, kwargs *value.Dict) (value.Value,
		error) {
		if kwargs == nil {
			kwargs = value.NewDict(0)
		}
		for _, v := range args {
			if u, ok := v.(*value.Undefined); ok && !u.Lenient {
				return nil, u.Err()
			}
		}
		for _, v := range kwargs.All() {
			if u, ok := v.(*value.Undefined); ok && !u.Lenient {
				return nil, u.Err()
			}
		}
		if strings.HasPrefix(name, "cmd.") {
			s.r.cfg.Log("info", "a template calls "+name)
		}
		out, err := x.Call(ctx, name, args, kwargs)
		s.carry(name, out, args, kwargs)
		return out, err
	}}, true
}

// carry tells the secrets of what a function made of its arguments; what one gives that looks something up is not made
// of them.
func (s *saltObject) carry(name string, out value.Value, args []value.Value, kwargs *value.Dict) {
	if s.r.cfg.Secrets.Empty() || strings.HasSuffix(name, ".get") {
		return
	}
	for _, v := range kwargs.All() {
		args = append(args[:len(args):len(args)], v)
	}
	s.r.cfg.Secrets.Carry(out, args...)
}

// A saltModule is one module: salt.cmd.
type saltModule struct {
	salt *saltObject
	name string
}

// TypeName is the name in messages.
func (m *saltModule) TypeName() string { return "salt." + m.name }

// Attr is a function of the module.
func (m *saltModule) Attr(name string) (value.Value, bool) {
	return m.salt.function(m.name + "." + name)
}

// Item is a function of the module.
func (m *saltModule) Item(key value.Value) (value.Value, bool) {
	name, ok := key.(value.Str)
	if !ok {
		return nil, false
	}
	return m.Attr(string(name))
}
