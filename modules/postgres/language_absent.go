package postgres

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// LanguageAbsent removes a procedural language.
type LanguageAbsent struct{ Language }

func languageAbsentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_language.absent", Doc: "Removes a procedural language from a database.",
		Example: "plpgsql:\n  postgres_language.absent:\n    - maintenance_db: app",
		New:     func() modules.StateFunc { return &LanguageAbsent{} }}
}

// Act removes the language.
func (l *LanguageAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := l.server(l.MaintenanceDB).catalog(ctx, env, h)
	defer c.close()
	was, err := c.get(languages, l.MaintenanceDB, l.Name)
	if noDatabase(err) {
		err = nil
	}
	what := "Language " + l.Name
	if err != nil || was == nil {
		return state.Settled(what + " is not present so it cannot be removed"), err
	}
	return outcome(removed(l.Name, what), failedIf(c.dropLanguage(l.MaintenanceDB, l.Name), "Failed to remove language %s",
		l.Name))
}

func (c *catalog) dropLanguage(database, name string) error {
	st := sql("DROP LANGUAGE %I", name)
	switch ext, err := c.get(extensions, database, name); {
	case err != nil:
		return err
	case ext != nil: // it goes as it came
		st = sql("DROP EXTENSION %I", name)
	case name == "internal" || name == "c" || name == "sql":
		return refusal{text: "cannot drop language " + name + " because it is required by the database system"}
	}
	return c.do("remove the language "+name, database, func(o host.Host) error {
		c.foresee(o, languages, database, name, nil)
		c.foresee(o, extensions, database, name, nil)
		return nil
	}, st)
}
