package file

import (
	"strings"
	"testing"
)

func TestRetentionSchedule(t *testing.T) {
	names := []string{"b_20230105T0300", "b_20230601T0300", "b_20240101T0300", "b_20240101T0900", "b_20240115T0300",
		"b_20240201T0300", "b_20240202T0300", "b_20240202T0330", "notes"}
	for _, tt := range []struct {
		name   string
		retain []any
		kept   string
	}{
		{"the newest", []any{"most_recent", 2}, "['b_20240202T0330', 'b_20240202T0300']"},
		{"hours", []any{"first_of_hour", 2}, "['b_20240202T0300', 'b_20240201T0300']"},
		{"days", []any{"first_of_day", 3}, "['b_20240202T0300', 'b_20240201T0300', 'b_20240115T0300']"},
		{"weeks, one more than asked for", []any{"first_of_week", 1}, "['b_20240201T0300', 'b_20240115T0300']"},
		{"months", []any{"first_of_month", 2}, "['b_20240201T0300', 'b_20240101T0300']"},
		{"years", []any{"first_of_year", "all"}, "['b_20240101T0300', 'b_20230105T0300']"},
		{"together", []any{"most_recent", 1, "first_of_year", 1}, "['b_20240202T0330', 'b_20240101T0300']"},
		{"none", []any{"most_recent", 0}, "[]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			for _, n := range names {
				w.h.MustWrite("/d/b/"+n, "", 0o644)
			}
			got := w.run("file.retention_schedule", "/d/b", "retain", dict(tt.retain...), "strptime_format", "b_%Y%m%dT%H%M")
			if !strings.HasPrefix(got.Changes, "{'retained': "+tt.kept+",") ||
				!strings.HasSuffix(got.Changes, "'ignored': ['notes']}") {
				t.Errorf("got %+v", got)
			}
			if again := w.run("file.retention_schedule", "/d/b", "retain", dict(tt.retain...), "strptime_format",
				"b_%Y%m%dT%H%M"); again.Foretold != "{}" {
				t.Errorf("the second time: %+v", again)
			}
		})
	}
}

func TestRetentionScheduleFaults(t *testing.T) {
	for _, r := range []*Retention{{Retain: dict("last_of_day", 1)}, {Retain: dict("most_recent", "many")},
		{Retain: dict("most_recent", 1), Timezone: "Nowhere/Town"}} {
		if len(r.Validate()) != 1 {
			t.Errorf("%+v has the faults %v", r, r.Validate())
		}
	}
}
