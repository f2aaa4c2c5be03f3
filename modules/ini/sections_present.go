package ini

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// SectionsPresent keeps sections.
type SectionsPresent struct {
	file
	Sections value.Value `arg:"sections" doc:"The names of the sections. What a map has below them is not looked at: ini.options_present keeps options."`
}

func sectionsPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "ini.sections_present",
		Doc:     "Keeps sections in an ini file. A new one is empty.",
		Example: "/etc/app.ini:\n  ini.sections_present:\n    - sections:\n        - server",
		New:     func() modules.StateFunc { return &SectionsPresent{} },
	}
}

// Validate wants names.
func (s *SectionsPresent) Validate() []modules.Fault { return badNames(s.Sections) }

// Act makes those that are missing.
func (s *SectionsPresent) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return s.act(env, h, func(d *document, changes *value.Dict) error {
		wanted, err := names(s.Sections)
		for _, name := range wanted {
			d.section(name, value.NewDict(0), false, changes)
		}
		return err
	})
}
