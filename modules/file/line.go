package file

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

func lineSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.line",
		Doc: `Adds, replaces or removes one line of a file.

Mode ensure adds the line where before and after say, unless it is there; insert does so again in every run; replace and
delete work on the first line that match is found in. file.replace is often the better choice.`,
		Example: `
/etc/hosts.allow:
  file.line:
    - mode: ensure
    - content: 'sshd: ALL'
    - after: '^# services'
`,
		New: func() modules.StateFunc { return &Line{} },
	}
}

// Line is file.line.
type Line struct {
	Name        Path         `arg:"name,required,path" doc:"The file."`
	Content     *string      `arg:"content,text" doc:"The line."`
	Match       string       `arg:"match,text" doc:"What the line to replace or delete contains, as text or as a regular expression; content if not given."`
	Mode        string       `arg:"mode" doc:"What is done: ensure, replace, delete or insert."`
	Location    string       `arg:"location" choices:"start|end" doc:"Inserts at the start or the end of the file."`
	Before      string       `arg:"before,text" doc:"The line before which the content goes, as text or as a regular expression."`
	After       string       `arg:"after,text" doc:"The line after which the content goes, as text or as a regular expression."`
	ShowChanges bool         `arg:"show_changes" default:"true" doc:"Shows the diff."`
	Backup      bool         `arg:"backup" doc:"Keeps a copy of the old file, with the time in its name."`
	Quiet       bool         `arg:"quiet" doc:"A file that is not there is fine."`
	Indent      bool         `arg:"indent" default:"true" doc:"Indents the line as its neighbour."`
	Create      bool         `arg:"create" doc:"Makes an empty file where there is none."`
	User        Owner        `arg:"user,word" doc:"The owner of the file."`
	Group       Owner        `arg:"group,word" doc:"The group of the file."`
	FileMode    modules.Mode `arg:"file_mode" doc:"The permissions of the file."`
}

// Validate checks the mode and what it needs.
func (l *Line) Validate() []modules.Fault {
	mode := strings.ToLower(l.Mode)
	switch {
	case mode == "":
		return []modules.Fault{{Arg: "mode", Msg: "mode was not defined",
			Hint: "it is one of ensure, replace, delete, insert"}}
	case !slices.Contains([]string{"ensure", "replace", "delete", "insert"}, mode):
		return []modules.Fault{{Arg: "mode", Msg: fmt.Sprintf("unknown mode: %q", l.Mode),
			Hint: "it is one of ensure, replace, delete, insert"}}
	case mode != "delete" && l.Content == nil:
		return []modules.Fault{{Arg: "content", Msg: "content can only be empty if mode is delete"}}
	case mode == "insert" && l.Location == "" && l.Before == "" && l.After == "":
		return []modules.Fault{{Arg: "mode", Msg: `on insert either "location" or "before/after" conditions are required`}}
	case mode == "ensure" && l.Before == "" && l.After == "":
		return []modules.Fault{{Arg: "mode", Msg: "unable to ensure line without knowing where to put it before and/or after"}}
	}
	return nil
}

// Act edits the line.
func (l *Line) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	m := &Managed{Name: l.Name, Create: l.Create, User: l.User, Group: l.Group, Mode: l.FileMode, FollowSymlinks: true,
		ShowChanges: true}
	made := l.Create && !lexists(h, l.Name.String())
	if _, err := m.Act(ctx, env, h); err != nil {
		return state.Effect{}, err
	}
	edit := Edit{ShowChanges: l.ShowChanges, Backup: value.Str("")}
	if l.Backup {
		edit.Backup = value.Str("." + env.Time().Format("2006-01-02-15-04-05"))
	}
	e, err := edit.edit(env, h, l.Name.String(), l.edited)
	if notFound(err) && l.Quiet {
		return state.Settled("No changes needed to be made"), nil
	}
	e.Pending = e.Pending || made
	return e, err
}

// edited is the text after the edit.
func (l *Line) edited(text string) (string, error) {
	lines := modules.SplitKeep(text)
	if n := len(lines); n > 0 && strings.HasSuffix(lines[n-1], "\n") {
		lines = append(lines, "") // so that what is added at the end is a line of its own
	}
	lines, err := l.set(lines)
	if err != nil || len(lines) == 0 {
		return "", err
	}
	for i, line := range lines[:len(lines)-1] {
		if !strings.HasSuffix(line, "\n") {
			lines[i] = strings.TrimRight(line, " \t\r\n\v\f") + eolOf(lines[max(0, i-1)])
		}
	}
	return strings.Join(lines, ""), nil
}

// Salt differs: it ends a new line in a newline, whatever the others end in.
func eolOf(line string) string {
	if strings.HasSuffix(line, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// set gives the lines with the content in its place.
func (l *Line) set(lines []string) ([]string, error) {
	content := ""
	if l.Content != nil {
		content = *l.Content
	}
	match := l.Match
	if match == "" && l.Before == "" && l.After == "" {
		match = content
	}
	var hits [3][]string
	for i, expr := range []string{match, l.Before, l.After} {
		var err error
		if hits[i], err = linesWith(lines, expr); err != nil {
			return nil, err
		}
	}
	switch strings.ToLower(l.Mode) {
	case "delete":
		if len(hits[0]) > 0 {
			lines = slices.DeleteFunc(lines, func(line string) bool { return line == hits[0][0] })
		}
		return lines, nil
	case "replace":
		if len(hits[0]) > 0 {
			i := slices.Index(lines, hits[0][0])
			lines[i] = l.indent(lines[i], content)
		}
		return lines, nil
	case "insert":
		return l.insert(lines, content, hits[1], hits[2])
	}
	return l.ensure(lines, content, hits[1], hits[2])
}

// linesWith are the lines that an expression is found in, or that contain it as it is.
func linesWith(lines []string, expr string) ([]string, error) {
	if expr == "" {
		return nil, nil
	}
	re, err := pyre.Compile(expr, pyre.DotAll)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, line := range lines {
		m, err := re.Search(line)
		if err != nil {
			return nil, err
		}
		if m != nil || strings.Contains(line, expr) {
			out = append(out, line)
		}
	}
	return out, nil
}

// indent gives the line the spaces that its neighbour begins with.
func (l *Line) indent(neighbour, line string) string {
	if !l.Indent {
		return line
	}
	spaces := neighbour[:len(neighbour)-len(strings.TrimLeft(neighbour, " \t"))]
	return spaces + strings.TrimLeft(line, " \t\r\n\v\f")
}

// place is the index of the only line that was found.
func place(lines, hits []string, what string) (int, error) {
	switch {
	case len(hits) > 1:
		return 0, fmt.Errorf(`Found more than expected occurrences in "%s" expression`, what)
	case len(hits) == 0:
		return 0, fmt.Errorf(`Found less than expected occurrences in "%s" expression`, what)
	}
	return slices.Index(lines, hits[0]), nil
}

func bare(line string) string { return strings.TrimRight(line, "\r\n") }

func (l *Line) insert(lines []string, content string, before, after []string) ([]string, error) {
	switch {
	case l.Location == "end" && len(lines) > 1 && lines[len(lines)-1] == "":
		// Salt differs: where the file ends in a newline, it leaves an empty line before the new one.
		return slices.Insert(lines, len(lines)-1, l.indent(lines[len(lines)-2], content)), nil
	case l.Location == "end" && len(lines) > 0:
		return append(lines, l.indent(lines[len(lines)-1], content)), nil
	case l.Location == "end":
		return []string{content}, nil
	case l.Location == "start" && len(lines) > 0:
		return slices.Insert(lines, 0, strings.TrimRight(content, " \t\r\n\v\f")+eolOf(lines[0])), nil
	case l.Location == "start":
		return []string{content + "\n"}, nil
	case len(before) == 0 && len(after) == 0:
		return nil, fmt.Errorf("Neither before or after was found in file")
	}
	var b, a int
	var err error
	if len(before) > 0 {
		if b, err = place(lines, before, "before"); err != nil {
			return nil, err
		}
	}
	if len(after) > 0 {
		if a, err = place(lines, after, "after"); err != nil {
			return nil, err
		}
	}
	switch {
	case len(before) > 0 && len(after) > 0:
		return slices.Insert(lines, b, l.indent(lines[b], content)), nil
	case len(after) > 0:
		if a+1 >= len(lines) || bare(lines[a+1]) != bare(content) {
			lines = slices.Insert(lines, a+1, l.indent(lines[a], content))
		}
	case b == 0 || bare(lines[b-1]) != bare(content):
		lines = slices.Insert(lines, b, l.indent(lines[b], content))
	}
	return lines, nil
}

func (l *Line) ensure(lines []string, content string, before, after []string) ([]string, error) {
	var b, a int
	var err error
	if l.After != "" {
		if a, err = place(lines, after, "after"); err != nil {
			return nil, err
		}
	}
	if l.Before != "" {
		if b, err = place(lines, before, "before"); err != nil {
			return nil, err
		}
	}
	switch {
	case l.After != "" && l.Before != "":
		return l.between(lines, content, a, b)
	case l.Before != "":
		if b == 0 || bare(lines[b-1]) != bare(content) {
			lines = slices.Insert(lines, b, l.indent(lines[max(0, b-1)], content))
		}
	case a+1 >= len(lines) || bare(lines[a+1]) != bare(content):
		lines = slices.Insert(lines, a+1, l.indent(lines[a], content))
	}
	return lines, nil
}

// between puts the line between two others that have at most one line between them. Salt differs: a line that is there
// with its end of line counts as there, which Salt takes for another.
func (l *Line) between(lines []string, content string, a, b int) ([]string, error) {
	if slices.ContainsFunc(lines, func(line string) bool { return bare(strings.TrimLeft(line, " \t")) == bare(content) }) {
		return lines, nil
	}
	switch b - a {
	case 1:
		return slices.Insert(lines, a+1, l.indent(lines[a], content)), nil
	case 2:
		lines[a+1] = l.indent(lines[a], content)
		return lines, nil
	}
	return nil, fmt.Errorf(`Found more than one line between boundaries "before" and "after".`)
}
