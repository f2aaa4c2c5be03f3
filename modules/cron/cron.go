// Package cron keeps jobs and variables in users' crontabs.
//
// The lines that it manages stand below a marker, each job below a comment with its identifier, as Salt writes them: a
// crontab that Salt managed is taken over as it is. What stands above the marker is never touched. Crontabs are files here,
// so previews see what earlier states would write.
package cron

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{
		Name:   "cron",
		States: []modules.StateSpec{presentSpec(), absentSpec(), envPresentSpec(), envAbsentSpec()},
		Execs:  execSpecs(),
	}
}

const (
	marker     = "# Lines below here are managed by Salt, do not edit"
	identifier = "SALT_CRON_IDENTIFIER:"
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

// A table is a crontab in two parts.
type table struct {
	above   []string // lines above the marker
	managed []line
}

// dir is where crontabs are: Debian's place, or that of other systems.
func dir(h host.Reader) (string, error) {
	for _, d := range []string{"/var/spool/cron/crontabs", "/var/spool/cron"} {
		if i, err := h.Stat(d); err == nil && i.IsDir() {
			return d, nil
		}
	}
	return "", host.Missing("cron is not installed: neither /var/spool/cron/crontabs nor /var/spool/cron exists")
}

// read is the crontab of the user; one that is not there is empty.
func read(h host.Reader, user string) (*table, error) {
	if _, err := h.User(user); err != nil {
		return nil, host.Missing("the user %s, whose crontab is managed, does not exist", user)
	}
	d, err := dir(h)
	if err != nil {
		return nil, err
	}
	data, err := h.ReadFile(d + "/" + user)
	if errors.Is(err, fs.ErrNotExist) {
		return &table{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the crontab of %s: %w", user, err)
	}
	return parse(string(data)), nil
}

func parse(text string) *table {
	t := &table{}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	below := false
	var comment, id string
	for _, l := range lines {
		switch {
		case !below && l == "" && len(lines) == 1:
		case !below && strings.TrimSpace(l) == marker:
			below = true
		case !below:
			t.above = append(t.above, l)
		case strings.HasPrefix(l, "#") && !strings.HasPrefix(l, disabled):
			c, i := parseComment(l)
			switch {
			case id != "": // the comment before had no job
				t.managed = append(t.managed, line{text: commentLine(comment, id)})
				comment = c
			case comment != "":
				comment += "\n" + c
			default:
				comment = c
			}
			id = i
		default:
			m := parseLine(l)
			if m.job != nil {
				m.job.comment, m.job.id = comment, id
			} else if comment != "" || id != "" {
				t.managed = append(t.managed, line{text: commentLine(comment, id)})
			}
			comment, id = "", ""
			t.managed = append(t.managed, m)
		}
	}
	if comment != "" || id != "" {
		t.managed = append(t.managed, line{text: commentLine(comment, id)})
	}
	return t
}

func parseComment(l string) (comment, id string) {
	text := strings.TrimPrefix(l, "#")
	text, id, _ = strings.Cut(text, identifier)
	return strings.TrimSpace(text), strings.TrimSpace(id)
}

func commentLine(comment, id string) string {
	text := "#"
	if comment != "" {
		text += " " + strings.ReplaceAll(comment, "\n", "\n# ")
	}
	if id != "" {
		text += " " + identifier + id
	}
	return text
}

// parseLine reads a job or a variable; anything else is kept as text.
func parseLine(l string) line {
	rest, off := strings.CutPrefix(l, disabled)
	f := strings.Fields(rest)
	switch {
	case len(f) >= 2 && strings.HasPrefix(f[0], "@"):
		return line{job: &job{special: f[0], command: strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), f[0])), off: off}}
	case len(f) >= 6 && schedule(f[:5]):
		j := &job{off: off}
		copy(j.when[:], f[:5])
		j.command = strings.TrimSpace(rest)
		for _, w := range f[:5] {
			j.command = strings.TrimSpace(strings.TrimPrefix(j.command, w))
		}
		return line{job: j}
	case strings.Contains(rest, "=") && !off:
		name, val, _ := strings.Cut(rest, "=")
		return line{env: &variable{strings.TrimSpace(name), strings.TrimSpace(val)}}
	}
	return line{text: l}
}

// schedule says whether the words can be times: a line such as "A=1 2 3 4 5 6" is a variable.
func schedule(words []string) bool {
	for _, w := range words {
		if strings.Contains(w, "=") || strings.ContainsAny(w[:1], "\"'") {
			return false
		}
	}
	return true
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

// String is the crontab's text.
func (t *table) String() string {
	var b strings.Builder
	for _, l := range t.above {
		b.WriteString(l + "\n")
	}
	if len(t.managed) == 0 {
		return b.String()
	}
	b.WriteString(marker + "\n")
	for _, l := range t.managed {
		switch {
		case l.job != nil:
			b.WriteString(l.job.String())
		case l.env != nil:
			b.WriteString(l.env.name + "=" + l.env.value)
		default:
			b.WriteString(l.text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// write replaces the crontab of the user. Cron sees it by the time of its folder.
func (t *table) write(h host.Host, user string) error {
	u, err := h.User(user)
	if err != nil {
		return fmt.Errorf("look up the user %s: %w", user, err)
	}
	d, err := dir(h)
	if err != nil {
		return err
	}
	a := host.Attr{Mode: 0o600, HasMode: true, UID: u.UID, GID: -1}
	if g, err := h.Group("crontab"); err == nil {
		a.GID = g.GID
	}
	if err := h.WriteFile(d+"/"+user, strings.NewReader(t.String()), a); err != nil {
		return fmt.Errorf("write the crontab of %s: %w", user, err)
	}
	return nil
}

// find is the place of a job among the managed lines: that of the identifier, else one without identifier that has the command.
func (t *table) find(command, id string) int {
	plain := -1
	for i, l := range t.managed {
		switch {
		case l.job == nil:
		case l.job.id == id && id != "":
			return i
		case l.job.id == "" && l.job.command == command && plain < 0:
			plain = i
		}
	}
	return plain
}

// variable is the place of a variable, -1 when there is none.
func (t *table) variable(name string) int {
	for i, l := range t.managed {
		if l.env != nil && l.env.name == name {
			return i
		}
	}
	return -1
}
