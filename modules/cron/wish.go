package cron

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A wish is a job as it has to be: times may be left to chance, and the comment to what is there.
type wish struct {
	job
	anyComment bool
}

// made is the job that is wished for, given what there is (nil for none): what was once left to chance is kept.
func (w *wish) made(now *job) *job {
	j := w.job
	if now != nil && w.anyComment {
		j.comment = now.comment
	}
	if j.special != "" {
		return &j
	}
	for _, i := range [5]int{0, 1, 3, 4, 2} { // how many days there are depends on the month
		old := "*"
		if now != nil {
			old = now.when[i]
		}
		j.when[i] = w.time(i, old, j.when[3])
	}
	return &j
}

// time is one of the times: as it is given, or one that chance picks where none was picked before.
func (w *wish) time(field int, old, month string) string {
	text := w.when[field]
	least, most, chance := span(text)
	switch {
	case text == "random" && old != "*":
		return old
	case text == "random":
		least, most = fields()[field].least, fields()[field].most
		switch {
		case field == 2 && strings.Contains(" 1 3 5 7 8 10 12 ", " "+month+" "):
			most = 31
		case field == 2 && strings.Contains(" 4 6 9 11 ", " "+month+" "):
			most = 30
		case field == 2:
			most = 28
		case field == 4:
			most = 6
		}
	case !chance:
		return text
	}
	if n, err := strconv.Atoi(old); err == nil && least <= n && n <= most {
		return old
	}
	return fmt.Sprint(least + rand.IntN(most-least+1))
}

// span reads "5:20", a time that chance picks from a range; ok is false for any other.
func span(text string) (least, most int, ok bool) {
	a, b, ok := strings.Cut(text, ":")
	least, err := strconv.Atoi(a)
	most, err2 := strconv.Atoi(b)
	return min(least, most), max(least, most), ok && err == nil && err2 == nil
}

// A field is what one of the times may be.
type field struct {
	name        string
	least, most int
	words       string
}

func fields() [5]field {
	return [5]field{{"minute", 0, 59, ""}, {"hour", 0, 23, ""}, {"daymonth", 1, 31, ""},
		{"month", 1, 12, " jan feb mar apr may jun jul aug sep oct nov dec "},
		{"dayweek", 0, 7, " sun mon tue wed thu fri sat "}}
}

// takes says whether cron understands a time: a crontab with one that it does not is ignored as a whole.
func (f field) takes(text string) bool {
	if least, most, ok := span(text); ok {
		return f.least <= least && most <= f.most && text[0] != ':'
	}
	for part := range strings.SplitSeq(text, ",") {
		part, step, stepped := strings.Cut(part, "/")
		if n, err := strconv.Atoi(step); stepped && (err != nil || n < 1) || !f.takesRange(part) {
			return text == "random"
		}
	}
	return true
}

func (f field) takesRange(text string) bool {
	if text == "*" {
		return true
	}
	for end := range strings.SplitSeq(strings.ReplaceAll(text, "~", "-"), "-") {
		n, err := strconv.Atoi(end)
		if (err != nil || n < f.least || n > f.most) && (end == "" || !strings.Contains(f.words, " "+end+" ")) {
			return false
		}
	}
	return true
}

// every are the words that cron takes in place of times.
func every() []string {
	return []string{"@reboot", "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"}
}
