// Package schedule says when a state with a `schedule` may run: at which times of which days, and how often in a
// period. It reads no clock and keeps nothing.
package schedule

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Schedule is Puppet's resource type of the name.
type Schedule struct {
	Name string
	// Ranges are times of day; none is any time.
	Ranges []Range
	// Weekdays are those on which a range begins, by time.Weekday; all false is any day.
	Weekdays [7]bool
	Period   Period
	// Calendar counts calendar hours, days, weeks (from Monday) and months (periodmatch: number), not the time since the
	// last run (distance).
	Calendar bool
	// Repeat is how often it may run in a period, evenly spread; 0 is once.
	Repeat int
}

// A Range is the seconds of the day from First to Last, both included; where Last is not after First it ends on the
// next day.
type Range struct{ First, Last int }

// Period is how often a state runs.
type Period uint8

// The periods. Any is no limit.
const (
	Any Period = iota
	Hourly
	Daily
	Weekly
	Monthly
	Never
)

// Periods are their names.
func Periods() []string { return []string{"hourly", "daily", "weekly", "monthly", "never"} }

// Builtin are the schedules that are there without being configured: each period under its name.
func Builtin() map[string]*Schedule {
	out := map[string]*Schedule{}
	for i, name := range Periods() {
		out[name] = &Schedule{Name: name, Period: Hourly + Period(i)}
	}
	return out
}

// Off says why a state is not to run now that ran last at the given time (zero: never); "" lets it run. Seconds are
// left out of how long ago that was, so that a job which starts a little earlier than the day before is not too early.
func (s *Schedule) Off(last, now time.Time) string {
	if !last.IsZero() {
		last = last.In(now.Location())
	}
	switch {
	case s.Period == Never:
		return "its period is never"
	case !s.inRange(now):
		return "it is for " + s.when()
	case last.IsZero() || s.Period == Any:
		return ""
	case s.Calendar:
		if s.unit(last) != s.unit(now) {
			return ""
		}
	case s.passed(last.Truncate(time.Minute), now.Truncate(time.Minute)):
		return ""
	}
	return fmt.Sprintf("it ran at %s, and its period is %s", last.Format("2006-01-02 15:04"), s.period())
}

// inRange says whether now is in one of the ranges on one of the days. A range over midnight belongs to the day on
// which it begins.
func (s *Schedule) inRange(now time.Time) bool {
	day := func(back int) bool {
		return s.Weekdays == [7]bool{} || s.Weekdays[(int(now.Weekday())+7-back)%7]
	}
	if len(s.Ranges) == 0 {
		return day(0)
	}
	sec := now.Hour()*3600 + now.Minute()*60 + now.Second()
	return slices.ContainsFunc(s.Ranges, func(r Range) bool {
		if r.First < r.Last {
			return r.First <= sec && sec <= r.Last && day(0)
		}
		return r.First <= sec && day(0) || sec <= r.Last && day(1)
	})
}

// unit names the calendar unit that a time is in.
func (s *Schedule) unit(t time.Time) string {
	switch s.Period {
	case Hourly:
		return t.Format("2006-01-02 15 -0700") // an hour that comes twice is two
	case Daily:
		return t.Format("2006-01-02")
	case Weekly:
		year, week := t.ISOWeek()
		return fmt.Sprint(year, week)
	}
	return t.Format("2006-01")
}

// passed says whether the period, or its share where it may run several times, has passed. A day is a day of the
// calendar, be it of 23 hours; a month is a calendar month. A clock that was set back holds a state off for one period
// at most.
func (s *Schedule) passed(last, now time.Time) bool {
	if now.Before(last) {
		return !now.After(last.Add(-s.share(last)))
	}
	return !now.Before(last.Add(s.share(last)))
}

// share is how long it takes from a run to the next.
func (s *Schedule) share(from time.Time) time.Duration {
	var to time.Time
	switch s.Period {
	case Hourly:
		to = from.Add(time.Hour)
	case Daily:
		to = from.AddDate(0, 0, 1)
	case Weekly:
		to = from.AddDate(0, 0, 7)
	default:
		to = nextMonth(from)
	}
	return to.Sub(from) / time.Duration(max(s.Repeat, 1))
}

// nextMonth is the same day of the next month, or its last one.
func nextMonth(t time.Time) time.Time {
	to := t.AddDate(0, 1, 0)
	if to.Day() != t.Day() {
		to = to.AddDate(0, 0, -to.Day())
	}
	return to
}

func (s *Schedule) period() string {
	text := Periods()[s.Period-Hourly]
	if s.Repeat > 1 {
		text += fmt.Sprintf(", %d times", s.Repeat)
	}
	return text
}

// when words the ranges and the days.
func (s *Schedule) when() string {
	var parts []string
	for _, r := range s.Ranges {
		parts = append(parts, clock(r.First)+"-"+clock(r.Last))
	}
	var days []string
	for i := range s.Weekdays {
		if d := (i + 1) % 7; s.Weekdays[d] {
			days = append(days, time.Weekday(d).String()[:3])
		}
	}
	out := strings.Join(parts, ", ")
	if len(days) > 0 {
		out = strings.TrimSpace(out + " on " + strings.Join(days, ", "))
	}
	return out
}

func clock(sec int) string {
	if sec%60 != 0 {
		return fmt.Sprintf("%02d:%02d:%02d", sec/3600, sec/60%60, sec%60)
	}
	return fmt.Sprintf("%02d:%02d", sec/3600, sec/60%60)
}
