package schedule

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Parse reads one schedule of the configuration. at gives the place of a key of its map, "" that of the schedule.
func Parse(name string, v value.Value, at func(key string) diag.Pos, faults *diag.List) *Schedule {
	p := &parser{s: &Schedule{Name: name}, at: at, faults: faults}
	d, ok := v.(*value.Dict)
	if !ok {
		p.fail("", "schedule %q is %s, not a map", name, value.Repr(v)).WithHint("%s: {range: '2-4', period: daily}", name)
		return p.s
	}
	for i := range d.Len() {
		p.key(value.String(d.At(i).Key), d.At(i).Val)
	}
	if p.s.Calendar && p.s.Repeat > 1 {
		p.fail("repeat", "schedule %q has both repeat and `periodmatch: number`", name).
			WithHint("with `periodmatch: distance` the runs are spread over the period")
	}
	return p.s
}

type parser struct {
	s      *Schedule
	at     func(key string) diag.Pos
	faults *diag.List
}

func keys() []string { return []string{"period", "periodmatch", "range", "repeat", "weekday"} }

func (p *parser) fail(key, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(p.at(key), format, args...)
	p.faults.Add(d)
	return d
}

func (p *parser) key(key string, v value.Value) {
	if list, ok := v.(*value.List); ok && len(list.Items) == 0 {
		p.fail(key, "%s of schedule %q is an empty list", key, p.s.Name).WithHint("leave it out")
		return
	}
	switch key {
	case "range":
		for _, text := range texts(v) {
			p.rang(text)
		}
	case "weekday":
		for _, text := range texts(v) {
			p.weekday(text)
		}
	case "period":
		p.s.Period = Hourly + Period(max(p.oneOf(key, v, Periods()), 0))
	case "periodmatch":
		p.s.Calendar = p.oneOf(key, v, []string{"distance", "number"}) == 1
	case "repeat":
		n, err := strconv.Atoi(value.String(v))
		if err != nil || n < 1 {
			p.fail(key, "repeat of schedule %q is %s, not a number from 1", p.s.Name, value.Repr(v))
		}
		p.s.Repeat = n
	default:
		d := p.fail(key, "schedule %q has no key %q", p.s.Name, key)
		if near := diag.Nearest(key, keys()); near != "" {
			d.WithHint("did you mean %q?", near)
		} else {
			d.WithHint("it has %s", strings.Join(keys(), ", "))
		}
	}
}

// oneOf is the place of a word among those that there are, -1 for none of them.
func (p *parser) oneOf(key string, v value.Value, words []string) int {
	word := strings.ToLower(value.String(v))
	i := slices.Index(words, word)
	if i < 0 {
		d := p.fail(key, "%s of schedule %q is %s, none of %s", key, p.s.Name, value.Repr(v), strings.Join(words, ", "))
		if near := diag.Nearest(word, words); near != "" {
			d.WithHint("did you mean %q?", near)
		}
	}
	return i
}

// texts are the values of a list, or the one value, as texts.
func texts(v value.Value) []string {
	out := value.Texts(v)
	for i, t := range out {
		out[i] = strings.TrimSpace(t)
	}
	return out
}

// rang reads "HH[:MM[:SS]] - HH[:MM[:SS]]".
func (p *parser) rang(text string) {
	first, last, ok := strings.Cut(text, "-")
	from, good := daytime(first)
	to, fine := daytime(last)
	if !ok || !good || !fine {
		p.fail("range", "range %q of schedule %q is not HH[:MM[:SS]] - HH[:MM[:SS]], from 0 to 23:59:59", text, p.s.Name).
			WithHint("for example '2 - 4' or '22:30-04:00'; over midnight it ends on the next day")
		return
	}
	p.s.Ranges = append(p.s.Ranges, Range{from, to})
}

// daytime is the second of the day that a text names.
func daytime(text string) (sec int, ok bool) {
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) > 3 {
		return 0, false
	}
	for i, most := range []int{23, 59, 59} {
		n := 0
		if i < len(parts) {
			var err error
			if n, err = strconv.Atoi(parts[i]); err != nil || n < 0 || n > most || len(parts[i]) > 2 || parts[i][0] == '+' {
				return 0, false
			}
		}
		sec = sec*60 + n
	}
	return sec, true
}

// weekday reads a day's name, in short or in full, or its number from Sunday as 0.
func (p *parser) weekday(text string) {
	days := []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
	word := strings.ToLower(text)
	if n, err := strconv.Atoi(word); err == nil && n >= 0 && n < len(days) && len(word) == 1 {
		p.s.Weekdays[n] = true
		return
	}
	for i, d := range days {
		if len(word) >= 3 && strings.HasPrefix(d, word) {
			p.s.Weekdays[i] = true
			return
		}
	}
	d := p.fail("weekday", "weekday %q of schedule %q is no day", text, p.s.Name)
	if near := diag.Nearest(word, days); near != "" {
		d.WithHint("did you mean %q?", near)
	} else {
		d.WithHint("Mon, Tue, Wed, Thu, Fri, Sat, Sun, their full names, or 0 (Sunday) to 6")
	}
}
