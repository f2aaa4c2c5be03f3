package compile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/sls/puppet/erb"
	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// rubyBuiltin is a function of a module that is written in the part of Ruby that we know. What it does besides is
// refused where it is met, with the file and the line.
func (c *Compiler) rubyBuiltin(name, file string) *builtin {
	if b := c.rubies[name]; b != nil {
		return b
	}
	raw, err := c.opts.Read(file)
	if err != nil {
		panic(callFault{fmt.Sprintf("Could not read %s: %v", file, err)})
	}
	all, err := erb.ParseFunction(string(raw))
	if err != nil {
		c.refuseRuby(name, file, err)
	}
	for _, f := range all {
		if strings.EqualFold(f.Name, name) {
			b := c.rubyWays(f, file)
			c.rubies[name] = b
			return b
		}
	}
	c.refuseRuby(name, file, errors.New("the file does not define it"))
	return nil
}

// rubyWays is how a function in Ruby is checked and called.
func (c *Compiler) rubyWays(f *erb.Function, file string) *builtin {
	var sigs []string
	for _, w := range f.Ways {
		sigs = append(sigs, w.Params)
	}
	if least, most := f.Arity(); len(sigs) == 0 && !f.Old {
		sigs = []string{anyParams(least, most)}
	}
	return &builtin{strings.Join(sigs, "\n"), func(k *call) any { return k.ruby(f, file) }}
}

// anyParams is the signature of so many arguments of any type.
func anyParams(least, most int) string {
	var out []string
	for i := range max(least, most) {
		mark := ""
		if i >= least {
			mark = "?"
		}
		out = append(out, fmt.Sprintf("Any arg%d%s", i, mark))
	}
	if most < 0 {
		out = append(out, "Any rest*")
	}
	return strings.Join(out, ", ")
}

func (k *call) ruby(f *erb.Function, file string) any {
	defer k.deeper(k.at)()
	way := 0
	for i, w := range f.Ways {
		if types.Accepts(k.signature(k.name, w.Params), k.args, nil) {
			way = i
			break
		}
	}
	v, err := f.Call(ruby{k}, way, k.args)
	var e *erb.Error
	if errors.As(err, &e) && e.Raised() {
		k.refuse("%s", e.Msg)
	}
	if err != nil {
		k.refuseRuby(k.name, file, err)
	}
	return v
}

// refuseRuby says what of a function in Ruby is not known, and where.
func (c *Compiler) refuseRuby(name, file string, err error) {
	where, msg := syntax.Error{File: file}, err.Error()
	var e *erb.Error
	if errors.As(err, &e) {
		where.Pos, msg = syntax.Pos{Line: e.Line}, e.Msg
	}
	panic(callFault{fmt.Sprintf("the function '%s' is written in Ruby that gostate does not run: %s%s", name, msg,
		where.Place())})
}
