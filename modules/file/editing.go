package file

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

// Edit are the arguments of functions that edit a file in place.
type Edit struct {
	Backup      value.Value `arg:"backup" default:".bak" doc:"What the name of the copy of the old file ends in; false for none."`
	ShowChanges bool        `arg:"show_changes" default:"true" doc:"Shows the diff."`
}

// edit gives the text of a file to the function and writes what it gives back, where that differs.
func (e *Edit) edit(env *modules.Env, h host.Host, name string,
	fn func(text string) (string, error)) (state.Effect, error) {
	doc, err := editable(h, name)
	if err != nil {
		return state.Effect{}, err
	}
	if !isText([]byte(doc.text)) {
		return state.Effect{}, fmt.Errorf("Cannot perform string replacements on a binary file: %s", name)
	}
	text, err := fn(doc.text)
	if err != nil {
		return state.Effect{}, err
	}
	if text == doc.text {
		return state.Settled("No changes needed to be made"), nil
	}
	out := state.NewEffect()
	if err := backupBeside(h, doc.path, e.Backup); err != nil {
		return out, err
	}
	if err := h.WriteFile(doc.path, strings.NewReader(text), host.KeepAttr()); err != nil {
		return out, err
	}
	if e.ShowChanges {
		out.Changes.SetStr("diff", doc.diff(env, text))
	} else {
		out.Changes.SetStr("diff", value.Bool(true))
	}
	out.Comment, out.Preview = "Changes were made", "Changes would be made"
	out.Once = true
	return out, nil
}

// regexFlags reads flags of Python's re: a number, a name, or a list of names.
func regexFlags(v value.Value) (pyre.Flags, error) {
	names := map[string]pyre.Flags{"IGNORECASE": pyre.IgnoreCase, "I": pyre.IgnoreCase, "MULTILINE": pyre.Multiline,
		"M":      pyre.Multiline,
		"DOTALL": pyre.DotAll, "S": pyre.DotAll, "VERBOSE": pyre.Verbose, "X": pyre.Verbose,
		"UNICODE": 0, "U": 0, "LOCALE": 0, "L": 0, "ASCII": 0, "A": 0}
	if n, err := modules.Integer(v); err == nil {
		var out pyre.Flags
		for bit, f := range map[int64]pyre.Flags{2: pyre.IgnoreCase, 8: pyre.Multiline, 16: pyre.DotAll, 64: pyre.Verbose} {
			if n&bit != 0 {
				out |= f
			}
		}
		return out, nil
	}
	list, err := modules.Texts(v)
	if err != nil {
		return 0, err
	}
	var out pyre.Flags
	for _, name := range list {
		f, ok := names[strings.ToUpper(name)]
		if !ok {
			return 0, fmt.Errorf("Invalid re flag given: %s", name)
		}
		out |= f
	}
	return out, nil
}

// found says whether a pattern is found anywhere in a text, with ^ and $ at lines.
func found(text, pattern string) (bool, error) {
	re, err := pyre.Compile(pattern, pyre.Multiline)
	if err != nil {
		return false, err
	}
	m, err := re.Search(text)
	return m != nil, err
}
