package file

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func uncommentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.uncomment",
		Doc: `Takes the comment character off lines that a regular expression matches.

The expression does not include the comment character; a leading ^ is dropped.`,
		Example: `
/etc/adduser.conf:
  file.uncomment:
    - regex: EXTRA_GROUPS
`,
		New: func() modules.StateFunc { return &Uncomment{} },
	}
}

// Uncomment is file.uncomment.
type Uncomment struct {
	Name   Path        `arg:"name,required,path" doc:"The file."`
	Regex  string      `arg:"regex,required,text" doc:"The regular expression."`
	Char   string      `arg:"char" default:"'#'" doc:"What is taken off the line."`
	Backup value.Value `arg:"backup" default:".bak" doc:"What the name of the copy of the old file ends in; false for none."`
}

// Act uncomments the lines that match.
func (u *Uncomment) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	doc, err := editable(h, u.Name.String())
	if err != nil {
		return state.Effect{}, err
	}
	regex := strings.TrimLeft(u.Regex, "^")
	todo, err := found(doc.text, u.Char+`[ \t]*`+regex)
	if err != nil {
		return state.Effect{}, err
	}
	plain := `^[ \t]*` + regex
	if !todo {
		done, err := found(doc.text, plain)
		switch {
		case err != nil:
			return state.Effect{}, err
		case done:
			return state.Settled("Pattern already uncommented"), nil
		}
		return state.Effect{}, fmt.Errorf("%s: Pattern not found", u.Regex)
	}
	text, err := eachLine(doc.text, "^"+u.Char+`\s*(`+strings.TrimRight(regex, "$")+")"+dollar(u.Regex),
		func(line string) string { return strings.TrimLeft(line, u.Char) })
	if err != nil {
		return state.Effect{}, err
	}
	return saveLines(env, h, doc, text, u.Name, u.Backup, plain, "uncommented")
}
