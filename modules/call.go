package modules

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Call calls the execution function of the name with its parameters bound as Python binds them. Wrong arguments give
// the TypeError that Python raises.
func (r *Registry) Call(ctx context.Context, env *Env, h host.Host, name string, args []value.Value,
	kwargs *value.Dict) (value.Value,
	error) {
	c, err := r.bindCall(env, h, name, args, kwargs)
	if err != nil {
		return nil, err
	}
	v, err := c.run(ctx)
	if v == nil {
		v = value.None
	}
	return v, err
}

// run does the work; a panic is its failure.
func (c *Call) run(ctx context.Context) (v value.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s panicked: %v", c.spec.Name, p)
			c.Log("debug", string(debug.Stack()))
		}
	}()
	return c.spec.Fn(ctx, c)
}

// CheckCall says what Call would find wrong with the name and the arguments.
func (r *Registry) CheckCall(name string, args []value.Value, kwargs *value.Dict) error {
	_, err := r.bindCall(nil, nil, name, args, kwargs)
	return err
}

func (r *Registry) bindCall(env *Env, h host.Host, name string, args []value.Value, kwargs *value.Dict) (*Call, error) {
	if spec, ok := r.Exec(name); ok {
		return NewCall(spec, env, h, args, kwargs)
	}
	if near := diag.Nearest(name, r.enames()); near != "" {
		return nil, value.Raise("KeyError", "'%s' is not available; did you mean '%s'?", name, near)
	}
	return nil, value.Raise("KeyError", "'%s' is not available", name)
}

// NewCall binds the arguments of a call to the parameters of the spec.
func NewCall(spec *ExecSpec, env *Env, h host.Host, args []value.Value, kwargs *value.Dict) (*Call, error) {
	if kwargs == nil {
		kwargs = value.NewDict(0)
	}
	c := &Call{Env: env, Host: spec.Class.on(h), Args: args, Kwargs: kwargs, spec: spec,
		params: make([]value.Value, len(spec.Params)), extra: value.NewDict(0)}
	if err := c.bindPositional(); err != nil {
		return nil, err
	}
	if err := c.bindKeywords(); err != nil {
		return nil, err
	}
	c.mark()
	return c, cmp.Or(c.checkMissing(), c.checkKinds())
}

// paramName is the name in a parameter, without what formOf reads.
func paramName(p string) (name string, optional bool) {
	name, _, optional = strings.Cut(p, "=")
	return name[:cmp.Or(strings.IndexAny(name, ":!")+1, len(name)+1)-1], optional
}

// checkKinds finds fault with what is given for parameters of a kind.
func (c *Call) checkKinds() error {
	for i, p := range c.spec.Params {
		name, form, sh := c.spec.formOf(p)
		var err error
		switch v := c.params[i]; {
		case strings.HasPrefix(p, "**"):
			err = sh.check(c.extra)
		case strings.HasPrefix(p, "*"):
			err = sh.checkAll(c.rest)
		case v != nil && v != value.Value(value.None):
			err = cmp.Or(sh.check(v), fits(form, v))
		}
		if SecretName(name) {
			err = unsaid(err)
		}
		if err != nil {
			return value.Raise("TypeError", "%s() argument '%s' %v", c.function(), strings.TrimLeft(name, "*"), err)
		}
	}
	return nil
}

// formOf takes a parameter apart: "name:list+word!:,=default" is called name, is a list, and each text in it is a word
// without colon and comma. What a function that writes does not say of a text is as in an arg tag.
func (s *ExecSpec) formOf(p string) (name, form string, sh shape) {
	head, _, _ := strings.Cut(p, "=")
	head, not, _ := strings.Cut(head, "!")
	name, words, _ := strings.Cut(head, ":")
	sh.kind, sh.not = [...]kind{Looks: aText, Writes: aLine, Commands: aCommand, Own: aText}[s.Class], parts(not)
	for word := range strings.SplitSeq(words, "+") {
		if k, ok := kinds(word); ok {
			sh.kind = k
		} else {
			form = word
		}
	}
	return name, form, sh
}

// fits says whether a value can be what a parameter of a form holds.
func fits(form string, v value.Value) (err error) {
	switch form {
	case "":
	case "int":
		_, err = Integer(v)
	case "seconds":
		_, err = Seconds(v)
	case "list":
		_, err = Texts(v)
	case "map":
		_, err = Map(v)
	default:
		panic("modules: no parameter is of the kind " + form)
	}
	return err
}

func (c *Call) function() string { return c.spec.Name[strings.LastIndexByte(c.spec.Name, '.')+1:] }

func (c *Call) bindPositional() error {
	n := 0
	for i, p := range c.spec.Params {
		switch {
		case strings.HasPrefix(p, "**"):
		case strings.HasPrefix(p, "*"):
			c.rest = c.Args[min(n, len(c.Args)):]
			return nil
		case n < len(c.Args):
			c.params[i] = c.Args[n]
			n++
		}
	}
	if len(c.Args) > n {
		return value.Raise("TypeError", "%s() takes %s but %d %s given", c.function(), c.arity(), len(c.Args),
			plural(len(c.Args), "was", "were"))
	}
	return nil
}

// arity says how many positional arguments the function takes, in Python's words.
func (c *Call) arity() string {
	least, most := 0, 0
	for _, p := range c.spec.Params {
		if strings.HasPrefix(p, "*") {
			continue
		}
		most++
		if _, optional := paramName(p); !optional {
			least++
		}
	}
	if least != most {
		return fmt.Sprintf("from %d to %d positional arguments", least, most)
	}
	return fmt.Sprintf("%d positional %s", most, plural(most, "argument", "arguments"))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (c *Call) bindKeywords() error {
	anyKeyword := false
	for _, p := range c.spec.Params {
		anyKeyword = anyKeyword || strings.HasPrefix(p, "**")
	}
	for k, v := range c.Kwargs.All() {
		name, _ := Text(k)
		if strings.HasPrefix(name, "__pub_") {
			continue
		}
		switch i := c.index(name); {
		case i >= 0 && c.params[i] != nil:
			return value.Raise("TypeError", "%s() got multiple values for argument '%s'", c.function(), name)
		case i >= 0:
			c.params[i] = v
		case anyKeyword:
			c.extra.SetStr(name, v)
		default:
			return c.unexpected(name)
		}
	}
	return nil
}

func (c *Call) unexpected(name string) error {
	return value.Raise("TypeError", "%s() got an unexpected keyword argument '%s'", c.function(), name)
}

func (c *Call) checkMissing() error {
	var missing []string
	for i, p := range c.spec.Params {
		if name, optional := paramName(p); !optional && !strings.HasPrefix(p, "*") && c.params[i] == nil {
			missing = append(missing, "'"+name+"'")
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return value.Raise("TypeError", "%s() missing %d required positional %s: %s", c.function(), len(missing),
		plural(len(missing), "argument", "arguments"), enumerate(missing))
}

// enumerate joins names as Python's messages do: 'a', 'b', and 'c'.
func enumerate(names []string) string {
	switch n := len(names); n {
	case 1:
		return names[0]
	case 2:
		return names[0] + " and " + names[1]
	default:
		return strings.Join(names[:n-1], ", ") + ", and " + names[n-1]
	}
}

// index is the place of a parameter, -1 when the function has none of the name.
func (c *Call) index(name string) int {
	for i, p := range c.spec.Params {
		if n, _ := paramName(p); n == name && !strings.HasPrefix(p, "*") {
			return i
		}
	}
	return -1
}
