package cron

import (
	"slices"
	"strings"
)

const (
	marker     = "# Lines below here are managed by Salt, do not edit"
	identifier = "SALT_CRON_IDENTIFIER"
	disabled   = "#DISABLED#"
)

// A line is one line below the marker: a job, a variable, or anything else, which is kept.
type line struct {
	job  *job
	env  *variable
	text string // what else it is
}

type variable struct{ name, value string }

// A job is one entry of a crontab.
type job struct {
	when    [5]string // minute, hour, day of month, month, day of week
	special string    // "@daily", in place of when
	command string
	comment string
	id      string // "" when it has none
	off     bool   // commented out
}

// is says whether it is the job of a command and an identifier: a job that has none is known by its command.
func (j *job) is(command, id string) bool {
	if j.id == "" {
		return j.command == command
	}
	return j.id == id
}

func parseComment(l string) (comment, id string) {
	comment, id, marked := strings.Cut(strings.TrimLeft(l, "# "), identifier)
	if !marked {
		return comment, ""
	}
	return strings.TrimRight(comment, " "), strings.TrimPrefix(id, ":")
}

func commentLine(comment, id string) string {
	text := "#"
	if comment != "" {
		text += " " + strings.ReplaceAll(comment, "\n", "\n# ")
	}
	if id != "" {
		text += " " + identifier + ":" + id
	}
	return text
}

// parseLine reads a job or a variable; anything else is kept as text.
func parseLine(l string) line {
	rest, off := strings.CutPrefix(l, disabled)
	words := strings.Fields(rest)
	switch {
	case len(words) >= 2 && strings.HasPrefix(words[0], "@"):
		return line{job: &job{special: words[0], command: after(rest, words[:1]), off: off}}
	case len(words) >= 6 && schedule(words[:5]):
		j := &job{command: after(rest, words[:5]), off: off}
		copy(j.when[:], words)
		return line{job: j}
	case strings.Contains(rest, "=") && !off:
		name, val, _ := strings.Cut(rest, "=")
		return line{env: &variable{strings.TrimSpace(name), strings.TrimSpace(val)}}
	}
	return line{text: l}
}

// after is what stands behind the words.
func after(text string, words []string) string {
	for _, w := range words {
		text = strings.TrimPrefix(strings.TrimLeft(text, " \t"), w)
	}
	return strings.TrimLeft(text, " \t")
}

// schedule says whether the words can be times: a line such as "A=1 2 3 4 5 6" is a variable.
func schedule(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return strings.Contains(w, "=") ||
			strings.ContainsAny(w[:1], "\"'")
	})
}

func (j *job) String() string {
	text := j.special
	if text == "" {
		text = strings.Join(j.when[:], " ")
	}
	text += " " + j.command
	if j.off {
		text = disabled + text
	}
	if j.comment != "" || j.id != "" {
		text = commentLine(j.comment, j.id) + "\n" + text
	}
	return text
}

func (l line) String() string {
	switch {
	case l.job != nil:
		return l.job.String()
	case l.env == nil:
		return l.text
	case l.env.value == "":
		return l.env.name + `=""`
	}
	return l.env.name + "=" + l.env.value
}

// The classes of lines stand in this order, as Salt writes them: a variable holds for all jobs.
const (
	variables = iota
	timed
	specials
)

// class is where a line belongs; ok is false for what is neither a variable nor a job.
func (l line) class() (class int, ok bool) {
	switch {
	case l.env != nil:
		return variables, true
	case l.job != nil && l.job.special != "":
		return specials, true
	}
	return timed, l.job != nil
}
