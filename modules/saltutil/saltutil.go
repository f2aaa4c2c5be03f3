// Package saltutil is the execution functions that ask after other jobs and load Python modules in Salt; here is neither.
package saltutil

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "saltutil", Execs: execs()} }

func execs() []modules.ExecSpec {
	none := func(context.Context, *modules.Call) (value.Value, error) { return value.NewList(), nil }
	kinds := []string{"beacons", "clouds", "engines", "executors", "grains", "log_handlers", "matchers", "modules", "output", "proxymodules", "renderers",
		"returners", "sdb", "serializers", "states", "thorium", "tops", "utils", "wrapper"}
	out := []modules.ExecSpec{
		modules.NewExec("saltutil.is_running", "is_running(fun): the jobs that run a function elsewhere; none without a master.", none, "fun"),
		modules.NewExec("saltutil.running", "running(): the jobs that run elsewhere; none without a master.", none),
		modules.NewExec("saltutil.sync_all", "sync_all(): loads Python modules from the file roots in Salt; there are none here.", func(context.Context, *modules.Call) (value.Value, error) {
			d := value.NewDict(len(kinds))
			for _, k := range kinds {
				d.SetStr(k, value.NewList())
			}
			return d, nil
		}, "saltenv=None", "refresh=true", "extmod_whitelist=None", "extmod_blacklist=None"),
	}
	for _, k := range kinds {
		out = append(out, modules.NewExec("saltutil.sync_"+k, "sync_"+k+"(): loads Python modules from the file roots in Salt; there are none here.", none,
			"saltenv=None", "refresh=true", "extmod_whitelist=None", "extmod_blacklist=None"))
	}
	return out
}
