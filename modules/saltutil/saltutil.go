// Package saltutil is the execution functions that ask after other jobs, load Python modules and speak with a master in
// Salt. Here are no jobs, modules or masters: what asks finds nothing, what refreshes has nothing to do, and what needs
// a master says so.
package saltutil

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "saltutil", Execs: execs()} }

func execs() []modules.ExecSpec {
	out := append(jobSpecs(), syncSpecs()...)
	return append(append(out, masterSpecs()...), cacheSpecs()...)
}

// A row is functions of one answer.
type row struct {
	names  []string
	doc    string
	answer func() value.Value
	params []string
}

// specs are the functions of rows.
func specs(rows ...row) (out []modules.ExecSpec) {
	for _, r := range rows {
		for _, n := range r.names {
			fn := func(context.Context, *modules.Call) (value.Value, error) { return r.answer(), nil }
			out = append(out, modules.NewExec("saltutil."+n, n+"(): "+r.doc, fn, r.params...))
		}
	}
	return out
}

func nothing() value.Value { return value.NewList() }
func empty() value.Value   { return value.NewDict(0) }
func yes() value.Value     { return value.Bool(true) }
func text() value.Value    { return value.Str("") }

// jobSpecs are the functions of jobs.
func jobSpecs() []modules.ExecSpec {
	return specs(
		row{[]string{"is_running"}, "the jobs that run a function elsewhere; none without a master.", nothing,
			[]string{"fun"}},
		row{[]string{"running"}, "the jobs that run elsewhere; none without a master.", nothing, nil},
		row{[]string{"find_job", "find_cached_job"}, "what a job does; nothing without a master.", empty, []string{"jid"}},
		row{[]string{"signal_job"}, "signals a job; there are none without a master.", text, []string{"jid", "sig"}},
		row{[]string{"term_job", "kill_job"}, "ends a job; there are none without a master.", text, []string{"jid"}},
		row{[]string{"term_all_jobs", "kill_all_jobs"}, "ends all jobs; there are none without a master.", nothing, nil},
		row{[]string{"clear_job_cache"}, "clears the cache of jobs; there is none.", yes, []string{"hours=24"}},
	)
}

// kinds are those of the Python modules that Salt loads from the file roots.
func kinds() []string {
	return []string{"beacons", "clouds", "engines", "executors", "grains", "log_handlers", "matchers", "modules", "output",
		"proxymodules", "renderers",
		"returners", "sdb", "serializers", "states", "thorium", "tops", "utils", "wrapper"}
}

// syncSpecs are the functions of modules, grains and pillar, which each run has as they are.
func syncSpecs() []modules.ExecSpec {
	const doc = "loads Python modules from the file roots in Salt; there are none here."
	lists := []string{"extmod_whitelist=None", "extmod_blacklist=None"}
	all := append([]string{"saltenv=None", "refresh=true"}, lists...)
	none := func() value.Value {
		d := value.NewDict(len(kinds()))
		for _, k := range kinds() {
			d.SetStr(k, value.NewList())
		}
		return d
	}
	rows := []row{
		{[]string{"sync_all"}, doc, none, all},
		{[]string{"sync_outputters", "sync_pillar"}, doc, nothing, all},
		{[]string{"list_extmods"}, "the Python modules that were loaded; none.", empty, nil},
		{[]string{"refresh_pillar", "pillar_refresh"}, "renders the pillar anew in Salt; here each run does.", yes,
			[]string{"wait=false", "timeout=30", "clean_cache=true"}},
		{[]string{"refresh_grains"}, "asks for the grains anew in Salt; here each run does.", yes,
			[]string{"refresh_pillar=true"}},
		{[]string{"refresh_modules"}, "loads Python modules anew in Salt; there are none here.", yes, []string{"async=true"}},
		{[]string{"refresh_matchers", "refresh_beacons"}, "loads Python modules anew in Salt; there are none here.", yes,
			nil},
	}
	for _, k := range kinds() {
		params := all
		if k == "sdb" {
			params = append([]string{"saltenv=None"}, lists...)
		}
		rows = append(rows, row{[]string{"sync_" + k}, doc, nothing, params})
	}
	return specs(rows...)
}

// masterSpecs are the functions that only a master can do: each is an error.
func masterSpecs() (out []modules.ExecSpec) {
	fn := func(name string) modules.ExecFunc {
		return func(context.Context, *modules.Call) (value.Value, error) {
			return nil, value.Raise("CommandExecutionError", "saltutil.%s needs a master, and there is none here", name)
		}
	}
	for name, params := range map[string][]string{
		"runner": {"name", "arg=None", "kwarg=None", "full_return=false", "saltenv=base", "jid=None", "**kwargs"},
		"wheel":  {"name", "*args", "**kwargs"},
		"cmd": {"tgt", "fun", "arg=None", "timeout=None", "tgt_type=glob", "ret=''", "kwarg=None", "ssh=false",
			"**kwargs"},
	} {
		out = append(out, modules.NewExec("saltutil."+name,
			name+"(): asks the master in Salt; an error here, as there is none.", fn(name), params...))
	}
	return out
}
