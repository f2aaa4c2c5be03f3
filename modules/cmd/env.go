package cmd

import (
	"errors"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// An environ is the argument env: a map, a list of maps, or a list of KEY=VALUE.
type environ []string

var errEnv = errors.New("takes a map, or a list of maps")

// BindValue takes all of Salt's forms.
func (e *environ) BindValue(v value.Value) error {
	list, err := environment(v)
	*e = list
	return err
}

// ArgType names the type in documentation.
func (*environ) ArgType() string { return "map" }

func environment(v value.Value) ([]string, error) {
	switch v := v.(type) {
	case nil, value.NoneType:
		return nil, nil
	case value.Str:
		if strings.Contains(string(v), "=") {
			return []string{string(v)}, nil
		}
		return nil, errEnv
	case *value.Dict:
		return pairs(v)
	case *value.List:
		return environments(v.Items)
	case *value.Tuple:
		return environments(v.Items)
	}
	return nil, errEnv
}

func environments(items []value.Value) ([]string, error) {
	var out []string
	for _, it := range items {
		if l, ok := it.(*value.List); ok && l != nil {
			return nil, errEnv
		}
		more, err := environment(it)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

func pairs(d *value.Dict) ([]string, error) {
	var out []string
	for k, v := range d.All() {
		text, err := modules.Text(v)
		if err != nil {
			return nil, errors.New("has the variable " + value.String(k) + ", which holds " + modules.Describe(v))
		}
		out = append(out, value.String(k)+"="+text)
	}
	return out, nil
}
