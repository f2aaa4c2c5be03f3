package ini

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// SectionsAbsent keeps sections away.
type SectionsAbsent struct {
	file
	Sections value.Value `arg:"sections" doc:"The names of the sections."`
}

func sectionsAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "ini.sections_absent",
		Doc:     "Keeps sections, with all that is in them, out of an ini file.",
		Example: "/etc/app.ini:\n  ini.sections_absent:\n    - sections:\n        - server",
		New:     func() modules.StateFunc { return &SectionsAbsent{} },
	}
}

// Validate wants names.
func (s *SectionsAbsent) Validate() []modules.Fault { return badNames(s.Sections) }

// Act removes them and tells their options. Salt differs: it says nothing of one that was empty.
func (s *SectionsAbsent) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return s.act(env, h, func(d *document, changes *value.Dict) error {
		unwanted, err := names(s.Sections)
		for _, name := range unwanted {
			if name != "" && len(d.named(name)) > 0 {
				changes.SetStr(name, d.describe(name))
				d.drop(name)
			}
		}
		return err
	})
}

// describe are the options of a section.
func (d *document) describe(name string) *value.Dict {
	out := value.NewDict(0)
	keys, vals := d.options(name)
	for _, k := range keys {
		out.SetStr(k, value.Str(vals[k]))
	}
	return out
}
