package cmd

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// codes are exit codes, written as one or as a list.
type codes []int64

// BindValue takes a number or a list of numbers.
func (c *codes) BindValue(v value.Value) error {
	items := []value.Value{v}
	if l, ok := v.(*value.List); ok {
		items = l.Items
	}
	for _, it := range items {
		i, err := modules.Integer(it)
		if err != nil {
			return err
		}
		*c = append(*c, i)
	}
	return nil
}

// ArgType names the type in documentation.
func (*codes) ArgType() string { return "list of integers" }
