package postgres

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// ExtensionAbsent removes an extension.
type ExtensionAbsent struct {
	Name     string `arg:"name,required" doc:"The extension."`
	IfExists *bool  `arg:"if_exists" doc:"Takes it well when it goes meanwhile."`
	Restrict bool   `arg:"restrict" doc:"Refuses to remove what something depends on."`
	Cascade  *bool  `arg:"cascade" doc:"Removes what depends on it too, as it is by default."`
	maintained
}

func extensionAbsentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_extension.absent", Doc: "Removes an extension from a database.",
		Example: "pgcrypto:\n  postgres_extension.absent:\n    - maintenance_db: app",
		New:     func() modules.StateFunc { return &ExtensionAbsent{} }}
}

// Validate refuses what contradicts itself.
func (x *ExtensionAbsent) Validate() []modules.Fault {
	if x.Restrict && x.Cascade != nil && *x.Cascade {
		return []modules.Fault{{Arg: "restrict", Msg: "restrict and cascade exclude each other", Hint: "leave one out"}}
	}
	return nil
}

// Act removes the extension.
func (x *ExtensionAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := x.server().catalog(ctx, env, h)
	defer c.close()
	was, err := c.get(extensions, c.database, x.Name)
	if noDatabase(err) {
		err = nil
	}
	what := "Extension " + x.Name
	if err != nil || was == nil {
		return absent(what), err
	}
	cascade := !x.Restrict && (x.Cascade == nil || *x.Cascade)
	return outcome(removed(x.Name, what), failedIf(c.dropExtension(x.Name, x.IfExists != nil && *x.IfExists, cascade),
		"%s failed to be removed", what))
}

// dropExtension removes an extension. Salt differs: restrict alone is a fault of syntax there.
func (c *catalog) dropExtension(name string, ifExists, cascade bool) error {
	st := sql("DROP EXTENSION")
	if ifExists {
		st.text += " IF EXISTS"
	}
	st = st.and(" %I", name)
	if cascade {
		st.text += " CASCADE"
	}
	return c.do("remove the extension "+name, c.database, func(o host.Host) error {
		c.foresee(o, extensions, c.database, name, nil)
		c.foresee(o, languages, c.database, name, nil)
		return nil
	}, st)
}
