package postgres

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Language are the arguments of both states of languages.
type Language struct {
	Name          string `arg:"name,required" doc:"The language."`
	MaintenanceDB string `arg:"maintenance_db,required" doc:"The database."`
	access
}

// LanguagePresent keeps a procedural language.
type LanguagePresent struct{ Language }

func languagePresentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_language.present", Doc: "Keeps a procedural language in a database.",
		Example: "plpgsql:\n  postgres_language.present:\n    - maintenance_db: app",
		New:     func() modules.StateFunc { return &LanguagePresent{} }}
}

// Act installs the language.
func (l *LanguagePresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := l.server(l.MaintenanceDB).catalog(ctx, env, h)
	defer c.close()
	was, err := c.get(languages, l.MaintenanceDB, l.Name)
	if err != nil || was != nil {
		return state.Settled("Language " + l.Name + " is already installed"), err
	}
	return outcome(state.Effect{Changes: value.DictOf(l.Name, value.Str("Present")), Foretold: value.NewDict(0),
		Comment: "Language " + l.Name + " has been installed", Preview: "Language " + l.Name + " is set to be installed",
	}, failedIf(c.createLanguage(l.MaintenanceDB, l.Name), "Failed to install language %s", l.Name))
}

// createLanguage installs a language, which is an extension of its name since PostgreSQL 9.1.
func (c *catalog) createLanguage(database, name string) error {
	if _, err := c.available(database, name); err != nil {
		return err
	}
	return c.do("install the language "+name, database, func(o host.Host) error {
		c.foresee(o, languages, database, name, object{"owner": c.user})
		c.foreseeExtension(o, database, name, "", "pg_catalog")
		return nil
	}, sql("CREATE LANGUAGE %I", name))
}
