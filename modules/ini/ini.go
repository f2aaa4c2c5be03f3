// Package ini keeps options and sections of ini files. Comments, order and spelling of what is not managed stay; a file
// that is written has its layout as Salt has it.
package ini

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "ini", States: []modules.StateSpec{optionsPresentSpec(), optionsAbsentSpec(),
		sectionsPresentSpec(), sectionsAbsentSpec()},
		Execs: execSpecs()}
}

// A file is what all four functions are given of the file.
type file struct {
	Name     string `arg:"name,required,path" doc:"The file."`
	Sep      string `arg:"separator" default:"'='" doc:"What stands between an option and its value."`
	NoSpaces bool   `arg:"no_spaces" doc:"Writes no spaces around the separator."`
	Encoding string `arg:"encoding" doc:"No effect: files are UTF-8."`
}

func read(h host.Reader, name, sep string) (*document, error) {
	raw, err := h.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if sep == "" {
		sep = "="
	}
	return parse(string(raw), sep), nil
}

func (d *document) write(h host.Host, name string) error {
	text := strings.TrimSuffix(d.String(), "\n")
	if text == "" {
		return modules.WriteLines(h, name, nil)
	}
	return modules.WriteLines(h, name, strings.Split(text, "\n"))
}

// act edits the file and writes it where something changed. Salt differs: it writes the file anew, or makes an empty
// one, where nothing is to be changed.
func (f *file) act(env *modules.Env, h host.Host,
	edit func(d *document, changes *value.Dict) error) (state.Effect, error) {
	d, err := read(h, f.Name, f.Sep)
	if err != nil {
		return state.Effect{}, err
	}
	d.tight = f.NoSpaces
	e := state.NewEffect()
	if err := edit(d, e.Changes); err != nil {
		return state.Effect{}, err
	}
	if e.Changes.Len() == 0 {
		return state.Settled("No anomaly detected"), nil
	}
	e.Comment, e.Preview = "Changes take effect", fmt.Sprintf("%s would be changed", f.Name)
	// Salt differs: it shows what is in a private file.
	if i, err := h.Stat(f.Name); err == nil {
		e.Changes = env.PrivateChanges(modules.Private(i.Perm()), e.Changes)
	}
	return e, d.write(h, f.Name)
}

// names reads a list of names, or the keys of a map.
func names(v value.Value) ([]string, error) {
	if d, ok := v.(*value.Dict); ok {
		var out []string
		for k := range d.All() {
			out = append(out, value.String(k))
		}
		return out, nil
	}
	if v == nil {
		return nil, nil
	}
	return modules.Texts(v)
}

func badNames(v value.Value) []modules.Fault {
	if _, err := names(v); err != nil {
		return []modules.Fault{{Arg: "sections", Msg: "sections " + err.Error()}}
	}
	return nil
}
