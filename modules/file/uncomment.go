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
	Name   Path        `arg:"name,required" doc:"The file."`
	Regex  string      `arg:"regex,required" doc:"The regular expression."`
	Char   string      `arg:"char" default:"'#'" doc:"What is taken off the line."`
	Backup value.Value `arg:"backup" default:".bak" doc:"What the name of the copy of the old file ends in; false for none."`
}

// OnlyFiles: in a preview it is applied to the overlay.
func (*Uncomment) OnlyFiles() {}

// Check does it to an overlay.
func (u *Uncomment) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	return check(ctx, env, h, u)
}

// Apply uncomments the lines.
func (u *Uncomment) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	return apply(ctx, env, h, u)
}

func (u *Uncomment) act(_ context.Context, _ *modules.Env, h host.Host) (effect, error) {
	doc, err := editable(h, u.Name.String())
	if err != nil {
		return effect{}, err
	}
	regex := strings.TrimLeft(u.Regex, "^")
	todo, err := found(doc.text, u.Char+`[ \t]*`+regex)
	if err != nil {
		return effect{}, err
	}
	plain := `^[ \t]*` + regex
	if !todo {
		done, err := found(doc.text, plain)
		switch {
		case err != nil:
			return effect{}, err
		case done:
			return settled("Pattern already uncommented"), nil
		}
		return effect{}, fmt.Errorf("%s: Pattern not found", u.Regex)
	}
	text, err := eachLine(doc.text, "^"+u.Char+`\s*(`+strings.TrimRight(regex, "$")+")"+dollar(u.Regex),
		func(line string) string { return strings.TrimLeft(line, u.Char) })
	if err != nil {
		return effect{}, err
	}
	return saveLines(h, doc, text, u.Name, u.Backup, plain, "uncommented")
}
