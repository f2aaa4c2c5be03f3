package ini

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// OptionsAbsent keeps options away.
type OptionsAbsent struct {
	file
	Sections value.Value `arg:"sections" doc:"Sections with lists of their options, or a list of options in no section."`
}

func optionsAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "ini.options_absent",
		Doc:     "Keeps options out of an ini file.",
		Example: "/etc/app.ini:\n  ini.options_absent:\n    - sections:\n        server:\n          - port",
		New:     func() modules.StateFunc { return &OptionsAbsent{} },
	}
}

// Validate wants names.
func (o *OptionsAbsent) Validate() []modules.Fault {
	faults := badNames(o.Sections)
	d, _ := o.Sections.(*value.Dict)
	for i := 0; d != nil && i < d.Len(); i++ {
		faults = append(faults, badNames(d.At(i).Val)...)
	}
	return faults
}

// Act removes the options and tells what they were: {section: {option: value}}. Salt differs: it removes an option that
// is in no section where the section is not there, and says nothing of one that had no value.
func (o *OptionsAbsent) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return o.act(env, h, func(d *document, changes *value.Dict) error {
		sections, ok := o.Sections.(*value.Dict)
		if !ok {
			free, err := names(o.Sections)
			d.removeAll("", free, changes)
			return err
		}
		for k, v := range sections.All() {
			name, gone := value.String(k), value.NewDict(0)
			switch v.(type) {
			case *value.Dict, *value.List:
				keys, _ := names(v)
				d.removeAll(name, keys, gone)
			default:
				d.removeAll("", []string{name}, changes)
			}
			if gone.Len() > 0 {
				changes.SetStr(name, gone)
			}
		}
		return nil
	})
}

func (d *document) removeAll(name string, keys []string, gone *value.Dict) {
	for _, key := range keys {
		if was, there := d.remove(name, key); there {
			gone.SetStr(key, value.Str(was))
		}
	}
}
