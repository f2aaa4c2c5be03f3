package schedule_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/schedule"
)

func parse(t testing.TB, text string) (*schedule.Schedule, *diag.List) {
	t.Helper()
	v, err := yaml.Decode("minion", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var faults diag.List
	return schedule.Parse("s", v, func(string) diag.Pos { return diag.Pos{File: "minion"} }, &faults), &faults
}

func berlin(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	return zone
}

func at(t testing.TB, text string) time.Time {
	t.Helper()
	if text == "" {
		return time.Time{}
	}
	v, err := time.ParseInLocation("2006-01-02 15:04:05", text+":00"[:3*(2-strings.Count(text, ":"))], berlin(t))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestOff(t *testing.T) {
	for _, c := range []struct {
		schedule, last, now string
		on                  bool
	}{
		// 2026-11-22 is a Sunday.
		{"{range: 2-4}", "", "2026-11-22 02:00", true},
		{"{range: 2-4}", "", "2026-11-22 04:00:00", true},
		{"{range: 2-4}", "", "2026-11-22 04:00:01", false},
		{"{range: '2:30 - 4:15:10'}", "", "2026-11-22 02:29:59", false},
		{"{range: '2:30 - 4:15:10'}", "", "2026-11-22 04:15:10", true},
		{"{range: ['1-2', '5-6']}", "", "2026-11-22 05:30", true},
		{"{range: ['1-2', '5-6']}", "", "2026-11-22 03:30", false},
		// Over midnight, a weekday is that on which the range begins.
		{"{range: 22-4}", "", "2026-11-22 23:00", true},
		{"{range: 22-4}", "", "2026-11-22 03:59", true},
		{"{range: 22-4}", "", "2026-11-22 12:00", false},
		{"{range: 22-4, weekday: Saturday}", "", "2026-11-22 03:00", true},
		{"{range: 22-4, weekday: Saturday}", "", "2026-11-22 23:00", false},
		{"{range: 22-4, weekday: 0}", "", "2026-11-22 03:00", false},
		{"{range: 22-4, weekday: 0}", "", "2026-11-23 03:00", true},
		{"{weekday: [Mon, sun]}", "", "2026-11-22 12:00", true},
		{"{weekday: [Mon, tues]}", "", "2026-11-22 12:00", false},
		// The hour that comes twice is in the range twice; the one that is left out is not missed by its neighbours.
		{"{range: 2-3}", "", "2026-10-25 02:30", true},
		{"{range: '1:30-3:30'}", "", "2026-03-29 03:10", true},
		// Distance: from run to run.
		{"{period: hourly}", "2026-11-22 12:00", "2026-11-22 12:59", false},
		{"{period: hourly}", "2026-11-22 12:00:40", "2026-11-22 13:00:02", true},
		{"{period: daily}", "2026-11-21 03:00", "2026-11-22 02:59", false},
		{"{period: daily}", "2026-11-21 03:00", "2026-11-22 03:00", true},
		{"{period: daily}", "2026-10-24 12:00", "2026-10-25 11:59", false}, // a day of 25 hours
		{"{period: daily}", "2026-03-28 12:00", "2026-03-29 12:00", true},  // a day of 23 hours
		{"{period: weekly}", "2026-11-15 12:00", "2026-11-22 12:00", true},
		{"{period: weekly}", "2026-11-15 12:00", "2026-11-21 12:00", false},
		{"{period: monthly}", "2026-01-31 12:00", "2026-02-28 12:00", true},
		{"{period: monthly}", "2026-01-31 12:00", "2026-02-27 12:00", false},
		{"{period: monthly}", "2026-02-28 12:00", "2026-03-27 12:00", false},
		{"{period: daily, repeat: 4}", "2026-11-22 00:00", "2026-11-22 06:00", true},
		{"{period: daily, repeat: 4}", "2026-11-22 00:00", "2026-11-22 05:59", false},
		{"{period: daily, range: 2-4}", "2026-11-20 02:00", "2026-11-22 12:00", false},
		// Number: by the calendar.
		{"{period: hourly, periodmatch: number}", "2026-11-22 12:59", "2026-11-22 13:00", true},
		{"{period: hourly, periodmatch: number}", "2026-11-21 12:00", "2026-11-22 12:00", true},
		{"{period: daily, periodmatch: number}", "2026-11-21 23:59", "2026-11-22 00:00", true},
		{"{period: daily, periodmatch: number}", "2026-11-22 00:00", "2026-11-22 23:59", false},
		{"{period: daily, periodmatch: number}", "2026-10-22 12:00", "2026-11-22 12:00", true},
		{"{period: weekly, periodmatch: number}", "2026-11-22 23:00", "2026-11-23 00:00", true},
		{"{period: weekly, periodmatch: number}", "2026-11-16 12:00", "2026-11-22 12:00", false},
		{"{period: weekly, periodmatch: number}", "2026-12-31 12:00", "2027-01-01 12:00", false},
		{"{period: monthly, periodmatch: number}", "2026-11-30 12:00", "2026-12-01 00:00", true},
		{"{period: monthly, periodmatch: number}", "2025-11-30 12:00", "2026-11-30 12:00", true},
		// Never, whatever the time.
		{"{period: never}", "", "2026-11-22 12:00", false},
		// A clock that was set back.
		{"{period: daily}", "2026-11-22 13:00", "2026-11-22 12:00", false},
		{"{period: daily}", "2036-11-22 13:00", "2026-11-22 12:00", true},
		{"{}", "2026-11-22 12:00", "2026-11-22 12:00", true},
	} {
		s, faults := parse(t, c.schedule)
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		if why := s.Off(at(t, c.last), at(t, c.now)); (why == "") != c.on {
			t.Errorf("%s at %s, last at %q: %q", c.schedule, c.now, c.last, why)
		}
	}
}

func TestSays(t *testing.T) {
	s, _ := parse(t, "{range: ['22-4', '12:00:30-13'], weekday: [Sun, Mon], period: daily, repeat: 2}")
	if got, want := s.Off(time.Time{}, at(t, "2026-11-24 12:00")),
		"it is for 22:00-04:00, 12:00:30-13:00 on Mon, Sun"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := s.Off(at(t, "2026-11-22 22:00"), at(t, "2026-11-22 23:00")),
		"it ran at 2026-11-22 22:00, and its period is daily, 2 times"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"x":                    "not a map",
		"{range: '2'}":         "is not HH",
		"{range: '2-24'}":      "is not HH",
		"{range: '2:60-3'}":    "is not HH",
		"{range: '2-3-4'}":     "is not HH",
		"{range: '-2'}":        "is not HH",
		"{range: '2:1:1:1-3'}": "is not HH",
		"{range: ''}":          "is not HH",
		"{range: 5}":           "is not HH",
		"{weekday: Mo}":        "is no day",
		"{weekday: Mondey}":    `did you mean "monday"`,
		"{weekday: 7}":         "is no day",
		"{period: dayly}":      `did you mean "daily"`,
		"{periodmatch: x}":     "none of distance, number",
		"{repeat: 0}":          "not a number from 1",
		"{repeat: often}":      "not a number from 1",
		"{rang: 2-4}":          `did you mean "range"`,
		"{repeat: 2, period: daily, periodmatch: number}": "both repeat and",
	} {
		_, faults := parse(t, text)
		var got strings.Builder
		for _, d := range faults.All {
			got.WriteString(d.Msg + " " + d.Hint + "\n")
			if d.Pos.File != "minion" {
				t.Errorf("%s: no place", text)
			}
		}
		if !strings.Contains(got.String(), want) {
			t.Errorf("%s: got %q, want %q", text, got.String(), want)
		}
	}
}
