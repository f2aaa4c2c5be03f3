package jinja

import "github.com/gostate/gostate/state/value"

// What an operation makes of a secret is one, too: those that make new texts tell the store of the environment, where
// that holds any. Macros, tests and what containers give of what they hold make nothing new.

// carry tells of what a filter made of its value and its arguments.
func (c *Call) carry(out value.Value) {
	if s := c.Env.cfg.Secrets; !s.Empty() {
		s.CarryText(out, operands(c.Value, c.Args, c.Kwargs)...)
	}
}

// carryMethod tells of what a method made of a text and of its arguments.
func (f *frame) carryMethod(out, self value.Value, args []value.Value, kwargs *value.Dict) {
	s := f.run.env.cfg.Secrets
	if s.Empty() {
		return
	}
	switch self.(type) {
	case value.Str, value.Bytes, Markup:
		s.CarryText(out, operands(self, args, kwargs)...)
	}
}

// carry tells of what an operator made.
func (f *frame) carry(out, a, b value.Value) {
	if s := f.run.env.cfg.Secrets; !s.Empty() {
		s.CarryText(out, a, b)
	}
}

// operands are all that an operation was given.
func operands(self value.Value, args []value.Value, kwargs *value.Dict) []value.Value {
	out := append([]value.Value{self}, args...)
	if kwargs != nil {
		for _, v := range kwargs.All() {
			out = append(out, v)
		}
	}
	return out
}
