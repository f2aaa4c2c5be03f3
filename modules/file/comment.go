package file

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

func commentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.comment",
		Doc: `Comments out the lines that a regular expression matches.

The expression is matched at the beginning of a line; begin it with ^, so that what is commented is not commented again.`,
		Example: `
/etc/fstab:
  file.comment:
    - regex: ^bind 127.0.0.1
`,
		New: func() modules.StateFunc { return &Comment{} },
	}
}

// Comment is file.comment.
type Comment struct {
	Name          Path        `arg:"name,required,path" doc:"The file."`
	Regex         string      `arg:"regex,required,text" doc:"The regular expression."`
	Char          string      `arg:"char" default:"'#'" doc:"What is put before the line."`
	Backup        value.Value `arg:"backup" default:".bak" doc:"What the name of the copy of the old file ends in; false for none."`
	IgnoreMissing bool        `arg:"ignore_missing" doc:"No such line is fine."`
}

// Act comments the lines that match.
func (c *Comment) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	doc, err := editable(h, c.Name.String())
	if err != nil {
		return state.Effect{}, err
	}
	bare := unanchored(c.Regex)
	todo, err := found(doc.text, `^(?!\s*`+c.Char+`).*`+bare)
	if err != nil {
		return state.Effect{}, err
	}
	if !todo {
		done, err := found(doc.text, c.Char+bare)
		switch {
		case err != nil:
			return state.Effect{}, err
		case done:
			return state.Settled("Pattern already commented"), nil
		case c.IgnoreMissing:
			return state.Settled("Pattern not found and ignore_missing set to True"), nil
		}
		return state.Effect{}, fmt.Errorf("%s: Pattern not found", bare)
	}
	anchor := ""
	if strings.HasPrefix(c.Regex, "^") {
		anchor = "^"
	}
	text, err := eachLine(doc.text, anchor+"("+strings.TrimRight(strings.TrimLeft(c.Regex, "^"), "$")+")"+dollar(c.Regex),
		func(line string) string { return c.Char + line })
	if err != nil {
		return state.Effect{}, err
	}
	return saveLines(env, h, doc, text, c.Name, c.Backup, c.Char+bare, "commented")
}

// unanchored is the expression without inline flags, ^ and $.
func unanchored(regex string) string {
	if rest, ok := strings.CutPrefix(regex, "(?"); ok {
		if i := strings.IndexByte(rest, ')'); i > 0 && strings.Trim(rest[:i], "iLmsux") == "" {
			regex = rest[i+1:]
		}
	}
	return strings.TrimSuffix(strings.TrimPrefix(regex, "^"), "$")
}

func dollar(regex string) string {
	if strings.HasSuffix(regex, "$") {
		return "$"
	}
	return ""
}

// eachLine changes the lines that the expression matches at their beginning.
func eachLine(text, regex string, change func(line string) string) (string, error) {
	re, err := pyre.Compile(regex, 0)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		ok, err := re.Matches(line)
		if err != nil {
			return "", err
		}
		if ok {
			line = change(line)
		}
		b.WriteString(line)
	}
	return b.String(), nil
}

// saveLines writes lines that were commented or uncommented, and checks that the expected ones are there.
func saveLines(env *modules.Env, h host.Host, doc *document, text string, name Path, backup value.Value,
	expected, word string) (state.Effect, error) {
	e := state.NewEffect()
	e.Once = true
	e.Preview = fmt.Sprintf("File %s is set to be updated", name)
	e.Foretold = value.DictOf(name.String(), value.Str("updated"))
	if text != doc.text {
		if err := backupBeside(h, doc.path, backup); err != nil {
			return e, err
		}
		if err := h.WriteFile(doc.path, strings.NewReader(text), host.KeepAttr()); err != nil {
			return e, err
		}
		e.Changes.SetStr("diff", doc.diff(env, text))
	}
	ok, err := found(text, expected)
	if err == nil && !ok {
		err = fmt.Errorf("Expected %s lines not found", word)
	}
	e.Comment = strings.ToUpper(word[:1]) + word[1:] + " lines successfully"
	return e, err
}
