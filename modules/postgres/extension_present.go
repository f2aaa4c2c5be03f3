package postgres

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ExtensionPresent keeps an extension.
type ExtensionPresent struct {
	Name        string `arg:"name,required" doc:"The extension, whose files are there already."`
	IfNotExists *bool  `arg:"if_not_exists" doc:"Takes an extension that comes meanwhile for this one, as it is by default."`
	Schema      string `arg:"schema" doc:"The schema that it is installed into, or moved to where it can be."`
	ExtVersion  string `arg:"ext_version" doc:"The version that it is to have at least."`
	FromVersion string `arg:"from_version" doc:"The version of what is there without being an extension; PostgreSQL 13 and later know no such."`
	maintained
}

func extensionPresentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_extension.present", Doc: "Keeps an extension in a database.",
		Example: "pgcrypto:\n  postgres_extension.present:\n    - maintenance_db: app",
		New:     func() modules.StateFunc { return &ExtensionPresent{} }}
}

// Act installs, updates or moves the extension. Salt differs: it writes a version like 1.3 in a way that the server
// does not take.
func (x *ExtensionPresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := x.server().catalog(ctx, env, h)
	defer c.close()
	was, err := c.get(extensions, c.database, x.Name)
	if err != nil {
		return state.Effect{}, err
	}
	todo := lifecycle(was, x.ExtVersion, x.Schema)
	mode := "install"
	switch {
	case was != nil && len(todo) == 1:
		return state.Settled("Extension " + x.Name + " is already present"), nil
	case was != nil:
		mode = "upgrade"
	}
	done := strings.TrimSuffix(mode, "e") + "ed"
	return outcome(state.Effect{Changes: value.DictOf(x.Name, value.Str(strings.ToUpper(done[:1])+done[1:])),
		Comment: fmt.Sprintf("The extension %s has been %s", x.Name, done), Foretold: value.NewDict(0),
		Preview: fmt.Sprintf("Extension %s is set to be %s", x.Name, done),
	}, failedIf(c.createExtension(x, was, todo), "Failed to %s extension %s", mode, x.Name))
}

// What an extension's lifecycle is made of, in Salt's words.
const (
	extensionMissing   = "EXTENSION NOT INSTALLED"
	extensionInstalled = "EXTENSION INSTALLED"
	extensionToUpgrade = "EXTENSION TO UPGRADE"
	extensionToMove    = "EXTENSION TO MOVE"
)

// lifecycle is what is to be done with an extension.
func lifecycle(was object, version, schema string) []string {
	if was == nil {
		return []string{extensionMissing}
	}
	out := []string{extensionInstalled}
	if version != "" && older(was["extversion"], version) {
		out = append(out, extensionToUpgrade)
	}
	if schema != "" && was["extrelocatable"] == "t" && was["schema_name"] != schema {
		out = append(out, extensionToMove)
	}
	return out
}

// older compares versions of extensions: numbers as numbers, the rest as text.
func older(a, b string) bool {
	split := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '-' || r == '_' })
	}
	return slices.CompareFunc(split(a), split(b), func(x, y string) int {
		var m, n int
		if scanned(x, &m) && scanned(y, &n) {
			return cmp.Compare(m, n)
		}
		return strings.Compare(x, y)
	}) < 0
}

func scanned(text string, n *int) bool {
	rest := ""
	count, _ := fmt.Sscanf(text+" ", "%d%s", n, &rest)
	return count == 1
}

// available is the default version of an extension that may be installed, and an error for one that may not.
func (c *catalog) available(database, name string) (string, error) {
	r, err := c.ask(database, "SELECT default_version FROM pg_available_extensions WHERE lower(name) = lower($1)", name)
	if err != nil {
		return "", err
	}
	if len(r.rows) == 0 {
		return "", host.Missing("extension %q is not available: its package is not installed on the server", name)
	}
	return r.rows[0][0], nil
}

// requires are the extensions that a version of one needs; an error for a version that is not there.
func (c *catalog) requires(database, name, version string) ([]string, error) {
	r, err := c.ask(database, "SELECT array_to_string(requires, E'\\n') FROM pg_available_extension_versions WHERE name "+
		"= $1 "+
		"AND version = $2", name, version)
	if err == nil && len(r.rows) == 0 {
		err = fmt.Errorf("extension %q has no version %q", name, version)
	}
	if err != nil {
		return nil, err
	}
	return strings.Fields(r.rows[0][0]), nil
}

func (c *catalog) createExtension(x *ExtensionPresent, was object, todo []string) error {
	version, err := c.available(c.database, x.Name)
	if err != nil {
		return err
	}
	version = cmp.Or(x.ExtVersion, version)
	if err := c.ready(x, version, was != nil); err != nil {
		return err
	}
	list := x.statements(was, todo)
	return c.do("install the extension "+x.Name, c.database, func(o host.Host) error {
		if was == nil {
			c.foreseeExtension(o, c.database, x.Name, version, x.Schema)
			return nil
		}
		as := maps.Clone(was)
		as["extversion"], as["schema_name"] = cmp.Or(x.ExtVersion, was["extversion"]), cmp.Or(x.Schema, was["schema_name"])
		c.foresee(o, extensions, c.database, x.Name, as)
		return nil
	}, list...)
}

// ready finds what the server would miss.
func (c *catalog) ready(x *ExtensionPresent, version string, there bool) error {
	needed, err := c.requires(c.database, x.Name, version)
	if err != nil {
		return err
	}
	for _, n := range needed {
		switch o, err := c.get(extensions, c.database, n); {
		case err != nil:
			return err
		case o == nil && !there:
			return fmt.Errorf("required extension %q is not installed", n)
		}
	}
	if x.Schema == "" {
		return nil
	}
	s, err := c.get(schemas, c.database, x.Schema)
	if err == nil && s == nil {
		err = missing("schema", x.Schema)
	}
	return err
}

func (x *ExtensionPresent) statements(was object, todo []string) (out []statement) {
	if was != nil {
		if slices.Contains(todo, extensionToMove) {
			out = append(out, sql("ALTER EXTENSION %I SET SCHEMA %I", x.Name, x.Schema))
		}
		if slices.Contains(todo, extensionToUpgrade) {
			out = append(out, sql("ALTER EXTENSION %I UPDATE TO %L", x.Name, x.ExtVersion))
		}
		return out
	}
	st := sql("CREATE EXTENSION IF NOT EXISTS %I", x.Name)
	if x.IfNotExists != nil && !*x.IfNotExists {
		st = sql("CREATE EXTENSION %I", x.Name)
	}
	for _, o := range [][2]string{{" SCHEMA %I", x.Schema}, {" VERSION %L", x.ExtVersion}, {" FROM %L", x.FromVersion}} {
		if o[1] != "" {
			st = st.and(o[0], o[1])
		}
	}
	return append(out, st)
}

// foreseeExtension leaves a new extension.
func (c *catalog) foreseeExtension(o host.Host, database, name, version, schema string) {
	c.foresee(o, extensions, database, name, object{"extname": name, "extversion": version,
		"schema_name": cmp.Or(schema, "public"), "extrelocatable": "f"})
}
