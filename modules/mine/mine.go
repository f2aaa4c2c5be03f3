// Package mine is the execution functions of Salt's mine, which answer as on a machine without a master: nobody has published anything.
package mine

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "mine", Execs: execs()} }

func execs() []modules.ExecSpec {
	empty := func(context.Context, *modules.Call) (value.Value, error) { return value.NewDict(0), nil }
	return []modules.ExecSpec{
		modules.NewExec("mine.get", "get(tgt, fun, tgt_type='glob'): what other machines published; nothing without a master.", empty,
			"tgt", "fun", "tgt_type=glob", "exclude_minion=false"),
		modules.NewExec("mine.valid", "valid(): the functions of the mine that are configured.", empty),
	}
}
