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

func replaceSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.replace",
		Doc: `Replaces what a regular expression finds in a file.

The expression is Python's; ^ and $ are at lines. With append_if_not_found the text is added where nothing is found.`,
		Example: `
/etc/ssh/sshd_config:
  file.replace:
    - pattern: '^#?PermitRootLogin .*$'
    - repl: PermitRootLogin no
    - append_if_not_found: true
`,
		New: func() modules.StateFunc { return &Replace{} },
	}
}

// Replace is file.replace.
type Replace struct {
	Name Path `arg:"name,required,path" doc:"The file."`
	Edit
	Pattern           string      `arg:"pattern,required,text" doc:"The regular expression."`
	Repl              string      `arg:"repl,required,text" doc:"What takes the place of what is found; \\1 is the first group."`
	Count             int         `arg:"count" default:"0" doc:"How many times at most; 0 for all."`
	Flags             value.Value `arg:"flags" default:"8" doc:"Flags of Python's re, such as [IGNORECASE, MULTILINE], or their number."`
	Bufsize           value.Value `arg:"bufsize" default:"1" doc:"Without effect."`
	AppendIfNotFound  bool        `arg:"append_if_not_found" doc:"Adds the text at the end where nothing is found."`
	PrependIfNotFound bool        `arg:"prepend_if_not_found" doc:"Adds the text at the beginning where nothing is found."`
	NotFoundContent   *string     `arg:"not_found_content,text" doc:"What is added then, instead of repl."`
	IgnoreIfMissing   bool        `arg:"ignore_if_missing" doc:"A file that is not there is fine."`
	BackslashLiteral  bool        `arg:"backslash_literal" doc:"Takes backslashes in repl as they are."`
}

// Validate compiles the expression.
func (r *Replace) Validate() []modules.Fault {
	var faults []modules.Fault
	flags, err := regexFlags(r.Flags)
	if err != nil {
		faults = append(faults, modules.Fault{Arg: "flags", Msg: err.Error()})
	}
	if _, err := pyre.Compile(r.Pattern, flags); err != nil {
		faults = append(faults, modules.Fault{Arg: "pattern", Msg: err.Error()})
	}
	if r.AppendIfNotFound && r.PrependIfNotFound {
		faults = append(faults, modules.Fault{Arg: "prepend_if_not_found",
			Msg: "only one of append_if_not_found and prepend_if_not_found is permitted"})
	}
	return faults
}

// Act replaces what matches.
func (r *Replace) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	e, err := r.edit(env, h, r.Name.String(), r.replaced)
	if notFound(err) && r.IgnoreIfMissing {
		return state.Settled("No changes needed to be made"), nil
	}
	if e.Preview != "" {
		e.Preview = "Changes would have been made"
	}
	return e, err
}

// replaced is the text after the replacement.
func (r *Replace) replaced(text string) (string, error) {
	flags, err := regexFlags(r.Flags)
	if err != nil {
		return "", err
	}
	re, err := pyre.Compile(r.Pattern, flags)
	if err != nil {
		return "", err
	}
	out, hit, err := r.substitute(re, text)
	if err != nil || hit || !(r.AppendIfNotFound || r.PrependIfNotFound) {
		return out, err
	}
	content := r.Repl
	if r.NotFoundContent != nil {
		content = *r.NotFoundContent
	}
	there, err := pyre.Compile("^"+pyre.Escape(content)+`($|(?=\r\n))`, flags)
	if err != nil {
		return "", err
	}
	switch m, err := there.Search(text); {
	case err != nil || m != nil:
		return out, err
	case r.PrependIfNotFound:
		return content + "\n" + out, nil
	}
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return out + content + "\n", nil
}

// found says whether the expression is found in the text.
func (r *Replace) found(text string) (bool, error) {
	flags, err := regexFlags(r.Flags)
	if err != nil {
		return false, err
	}
	re, err := pyre.Compile(r.Pattern, flags)
	if err != nil {
		return false, err
	}
	m, err := re.Search(text)
	return m != nil, err
}

// substitute replaces as re.subn does, and says whether anything was found.
func (r *Replace) substitute(re *pyre.Regexp, text string) (string, bool, error) {
	all, err := re.FindAll(text)
	if err != nil {
		return "", false, err
	}
	if r.Count > 0 && len(all) > r.Count {
		all = all[:r.Count]
	}
	var b strings.Builder
	at := 0
	for _, m := range all {
		repl := r.Repl
		if !r.BackslashLiteral {
			if repl, err = re.Expand(r.Repl, m); err != nil {
				return "", false, fmt.Errorf("repl: %w", err)
			}
		}
		b.WriteString(text[at:m.Start] + repl)
		at = m.End
	}
	return b.String() + text[at:], len(all) > 0, nil
}
