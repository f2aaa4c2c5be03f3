package file

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/itchyny/timefmt-go"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func retentionSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.retention_schedule",
		Doc: `Removes backups from a directory, all but those that a schedule keeps.

The time of a backup is that of its last change, or what its name says when there is a strptime_format; what has another
kind of name is left alone.`,
		Example: `
/var/backups/example:
  file.retention_schedule:
    - retain:
        most_recent: 5
        first_of_day: 14
        first_of_week: 6
        first_of_month: 6
        first_of_year: all
    - strptime_format: example_%Y%m%dT%H%M%S.tar.bz2
`,
		New: func() modules.StateFunc { return &Retention{} },
	}
}

// Retention is file.retention_schedule.
type Retention struct {
	Name     Path        `arg:"name,required,path" doc:"The directory."`
	Retain   *value.Dict `arg:"retain,required" doc:"How many to keep of: most_recent, first_of_hour, first_of_day, first_of_week, first_of_month, first_of_year; a number or all."`
	Format   string      `arg:"strptime_format" doc:"How the names tell the time, in the letters of strptime."`
	Timezone string      `arg:"timezone" doc:"The time zone in which days begin, where the names do not tell the time; that of the machine if not given."`
}

// Validate finds rules that there are not, and numbers that are none.
func (r *Retention) Validate() []modules.Fault {
	var faults []modules.Fault
	if _, err := r.rules(); err != nil {
		faults = append(faults, modules.Fault{Arg: "retain", Msg: err.Error()})
	}
	if _, err := r.zone(); err != nil {
		faults = append(faults, modules.Fault{Arg: "timezone", Msg: err.Error()})
	}
	return faults
}

// A backup is one file and its time.
type backup struct {
	name string
	at   time.Time
}

// A retention keeps the first backup of each period, as many of them as keep says, the newest periods first.
type retention struct {
	period func(t time.Time) string // sorts as the periods do
	keep   int
}

func (r *Retention) rules() ([]retention, error) {
	layouts := map[string]string{"first_of_year": "2006", "first_of_month": "2006-01", "first_of_day": "2006-01-02",
		"first_of_hour": "2006-01-02 15", "most_recent": "2006-01-02 15:04:05.000000000"}
	var out []retention
	for k, v := range r.Retain.All() {
		name := value.String(k)
		rule := retention{keep: math.MaxInt}
		if value.String(v) != "all" {
			n, err := modules.Integer(v)
			if err != nil {
				return nil, fmt.Errorf("%s takes a number or all, not %s", name, modules.Describe(v))
			}
			rule.keep = int(n)
		}
		layout, ok := layouts[name]
		switch {
		case ok:
			rule.period = func(t time.Time) string { return t.Format(layout) }
		case name == "first_of_week":
			rule.period = func(t time.Time) string {
				_, week := t.ISOWeek()
				return fmt.Sprintf("%04d %02d", t.Year(), week)
			}
			if rule.keep < math.MaxInt {
				rule.keep++ // as in Salt, which keeps one week more
			}
		default:
			return nil, fmt.Errorf("%q is no rule: they are most_recent, first_of_hour, first_of_day, first_of_week, "+
				"first_of_month and first_of_year", name)
		}
		out = append(out, rule)
	}
	return out, nil
}

func (r *Retention) zone() (*time.Location, error) {
	if r.Timezone == "" {
		return time.Local, nil
	}
	zone, err := time.LoadLocation(r.Timezone)
	if err != nil {
		return nil, fmt.Errorf("there is no time zone %q", r.Timezone)
	}
	return zone, nil
}

// Act removes what need not be kept.
func (r *Retention) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	dir := path.Clean(r.Name.String())
	if !isDir(h, dir) {
		return state.Effect{}, fmt.Errorf("Name provided to file.retention must be a directory")
	}
	backups, ignored, err := r.backups(h, dir)
	if err != nil {
		return state.Effect{}, err
	}
	rules, err := r.rules()
	if err != nil {
		return state.Effect{}, err
	}
	keep := map[string]bool{}
	for _, rule := range rules {
		rule.mark(backups, keep)
	}
	var kept, gone []string
	for _, b := range backups {
		if keep[b.name] {
			kept = append(kept, b.name)
		} else {
			gone = append(gone, b.name)
		}
	}
	if len(gone) == 0 {
		return state.Settled(fmt.Sprintf("0 backups were removed from %s.\n", dir)), nil
	}
	e := state.NewEffect()
	for _, name := range gone {
		if err := h.RemoveAll(path.Join(dir, name)); err != nil {
			return e, err
		}
	}
	e.Comment = fmt.Sprintf("%d backups were removed from %s.\n", len(gone), dir)
	e.Preview = fmt.Sprintf("%d backups would have been removed from %s.\n", len(gone), dir)
	for _, l := range []struct {
		key   string
		names []string
	}{{"retained", kept}, {"deleted", gone}, {"ignored", ignored}} {
		slices.SortFunc(l.names, func(a, b string) int { return strings.Compare(b, a) })
		e.Changes.SetStr(l.key, modules.TextList(l.names))
	}
	return e, nil
}

// backups are the files with a time, the oldest first, and those without.
func (r *Retention) backups(h host.Reader, dir string) (out []backup, ignored []string, err error) {
	zone, err := r.zone()
	if err != nil {
		return nil, nil, err
	}
	infos, err := h.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range infos {
		at := i.MTime.In(zone)
		if r.Format != "" {
			if at, err = timefmt.Parse(i.Path, r.Format); err != nil {
				ignored = append(ignored, i.Path)
				continue
			}
		}
		out = append(out, backup{i.Path, at})
	}
	slices.SortStableFunc(out, func(a, b backup) int {
		return cmp.Or(a.at.Compare(b.at),
			strings.Compare(a.name, b.name))
	})
	return out, ignored, nil
}

// mark notes the backups that the rule keeps.
func (r retention) mark(backups []backup, keep map[string]bool) {
	first := map[string]string{}
	var periods []string
	for _, b := range backups {
		p := r.period(b.at)
		if _, ok := first[p]; !ok {
			first[p] = b.name
			periods = append(periods, p)
		}
	}
	slices.Sort(periods)
	for i, p := range slices.Backward(periods) {
		if len(periods)-i > r.keep {
			return
		}
		keep[first[p]] = true
	}
}
