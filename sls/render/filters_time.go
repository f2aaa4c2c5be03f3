package render

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/itchyny/timefmt-go"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func timeFilters() []filter {
	return []filter{
		{name: "strftime", params: []string{"format"}, fn: formatDate},
		{name: "date_format", params: []string{"format"}, fn: formatDate},
		{name: "get_uid", fn: getUID},
	}
}

// formatDate formats None (now), a Unix time, or a date as text.
func formatDate(_ context.Context, r *Renderer, v value.Value, a []value.Value) (value.Value, error) {
	t, err := parseDate(v, r.cfg.Now())
	if err != nil {
		return nil, err
	}
	if t.Year() < 1 || t.Year() > 9999 {
		return nil, value.Raise("ValueError", "year %d is out of range", t.Year())
	}
	format := strOr(a[0], "%Y-%m-%d")
	if tooWide(format) {
		return nil, value.Raise("ValueError", "Invalid format string")
	}
	return value.Str(timefmt.Format(t, format)), nil
}

// tooWide says whether a directive asks for a width of more than three digits, %99999d.
func tooWide(format string) bool {
	digits := -1 // of the directive that is being read; -1 outside of one
	for _, c := range format {
		switch {
		case c == '%':
			digits = 0
		case digits >= 0 && c >= '0' && c <= '9':
			if digits++; digits > 3 {
				return true
			}
		case digits >= 0 && !strings.ContainsRune("-_^#E:O", c):
			digits = -1
		}
	}
	return false
}

func parseDate(v value.Value, now time.Time) (time.Time, error) {
	switch v := v.(type) {
	case nil, value.NoneType:
		return now, nil
	case value.Int:
		return time.Unix(int64(v), 0), nil
	case value.Bool: // a number, as in Python
		if v {
			return time.Unix(1, 0), nil
		}
		return time.Unix(0, 0), nil
	case value.Float:
		return time.Unix(0, int64(float64(v)*1e9)), nil
	case value.Str:
		s := string(v)
		if f, err := strconv.ParseFloat(s, 64); err == nil && len(s) != 8 {
			return time.Unix(0, int64(f*1e9)), nil
		}
		for _, layout := range []string{
			time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "2006/01/02",
			"20060102",
			time.RFC1123Z, time.RFC1123, time.ANSIC, time.UnixDate, "02.01.2006", "2 January 2006", "January 2, 2006",
		} {
			if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
				return t, nil
			}
		}
		switch s {
		case "now":
			return now, nil
		case "today":
			return midnight(now, 0), nil
		case "tomorrow":
			return midnight(now, 1), nil
		case "yesterday":
			return midnight(now, -1), nil
		}
	}
	return time.Time{}, value.Raise("ValueError", "Unable to parse %s as a date", value.Repr(v))
}

func midnight(now time.Time, days int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()+days, 0, 0, 0, 0, time.Local)
}

// getUID is the number of a user; of nothing, that of the user who runs this.
func getUID(ctx context.Context, r *Renderer, v value.Value, _ []value.Value) (value.Value, error) {
	h := r.host(ctx)
	name := strOr(v, "")
	if name == "" {
		return value.Int(host.IdentityOf(h).UID), nil
	}
	u, err := h.User(name)
	if err != nil {
		return value.None, nil
	}
	return value.Int(u.UID), nil
}
