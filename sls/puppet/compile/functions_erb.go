package compile

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/puppet/erb"
	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// erb renders templates in ERB, one behind the other.
func (k *call) erb() any {
	defer k.deeper(k.at)()
	var b strings.Builder
	for _, a := range k.args {
		name := types.Text(a)
		text, file, what := name, "inline template", "inline template"
		if k.name == "template" {
			if file = k.inModule(name, "templates"); file == "" {
				k.refuse("Could not find template '%s'", name)
			}
			raw, err := k.opts.Read(file)
			if err != nil {
				k.refuse("Could not read %s: %v", file, err)
			}
			text, what = string(raw), "template "+name
		}
		t, err := erb.Parse(text)
		out := ""
		if err == nil {
			out, err = t.Render(ruby{k})
		}
		var e *erb.Error
		if errors.As(err, &e) {
			where := syntax.Error{File: file, Pos: syntax.Pos{Line: e.Line}}
			k.refuse("Failed to parse %s: %s%s", what, e.Msg, where.Place())
		}
		b.WriteString(out)
	}
	return b.String()
}

// ruby is what a template in ERB sees of the scope that it is rendered in.
type ruby struct{ k *call }

// Variable finds a variable as $name would.
func (r ruby) Variable(name string) (any, bool) {
	return r.k.variable(r.k.scope, strings.TrimPrefix(name, "$"))
}

// Variables are those with a value, from the outermost scope in.
func (r ruby) Variables() *types.Hash {
	var chain []*scope
	for s := r.k.scope; s != nil; s = s.parent {
		chain = append(chain, s)
	}
	out := types.NewHash()
	for i := len(chain) - 1; i >= 0; i-- {
		for _, name := range slices.Sorted(maps.Keys(chain[i].vars)) {
			if v := chain[i].vars[name]; v != nil {
				out.Set(name, v)
			} else {
				out.Delete(name)
			}
		}
	}
	return out
}

// Keep keeps a value of a template for others of the same scope.
func (r ruby) Keep(name string, v any) {
	s := r.k.scope.owner()
	if s.kept == nil {
		s.kept = map[string]any{}
	}
	s.kept[name] = v
}

// Kept is what Keep kept.
func (r ruby) Kept(name string) (any, bool) {
	v, ok := r.k.scope.owner().kept[name]
	return v, ok
}

// YAML is to_yaml.
func (r ruby) YAML(v any) (string, error) { return RubyYAML(v) }

// Call calls a function by its name.
func (r ruby) Call(name string, args ...any) any {
	return r.k.callNamed(r.k.scope, name, args, nil, r.k.at, nil)
}
