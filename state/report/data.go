package report

import (
	"math"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// Data is the report in Salt's shape: a map from the tag of each state to its result, in the order of the run.
func Data(r *run.Report, o Options) *value.Dict {
	d := value.NewDict(len(r.Results))
	for _, res := range r.Results {
		d.SetStr(res.Tag(), resultData(res, &o))
	}
	return d
}

func resultData(r *state.Result, o *Options) *value.Dict {
	changes := r.Changes
	if changes == nil {
		changes = value.NewDict(0)
	}
	d := value.NewDict(12)
	d.SetStr("name", value.Str(r.Low.Name))
	d.SetStr("changes", changes)
	d.SetStr("result", outcome(r.Outcome))
	d.SetStr("comment", value.Str(r.Comment))
	if len(r.Warnings) > 0 {
		l := value.NewList()
		for _, w := range r.Warnings {
			l.Items = append(l.Items, value.Str(w))
		}
		d.SetStr("warnings", l)
	}
	if r.How == state.Conditional && r.Outcome == state.Succeeded {
		d.SetStr("skip_watch", value.Bool(true))
	}
	if r.Noop {
		d.SetStr("noop", value.Bool(true))
	}
	if !r.Ran {
		d.SetStr("__state_ran__", value.Bool(false))
	}
	d.SetStr("__sls__", orNone(r.Low.SLS))
	d.SetStr("__run_num__", value.Int(r.RunNum))
	d.SetStr("start_time", value.Str(clock(r.Start, o)))
	d.SetStr("duration", value.Float(millis(r.Duration)))
	d.SetStr("__id__", value.Str(r.ID))
	return d
}

// orNone is the SLS of a state; one from the command line has none.
func orNone(sls string) value.Value {
	if sls == "" {
		return value.None
	}
	return value.Str(sls)
}

func outcome(o state.Outcome) value.Value {
	switch o {
	case state.Succeeded:
		return value.Bool(true)
	case state.Failed:
		return value.Bool(false)
	}
	return value.None
}

// clock is the time of day as Python's isoformat gives it: microseconds are left out when they are zero.
func clock(t time.Time, o *Options) string {
	t = t.In(o.zone())
	if t.Nanosecond()/1000 == 0 {
		return t.Format("15:04:05")
	}
	return t.Format("15:04:05.000000")
}

// millis are milliseconds to the microsecond.
func millis(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }
