package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// TablespacePresent keeps a tablespace.
type TablespacePresent struct {
	Name      string      `arg:"name,required" doc:"The tablespace."`
	Directory string      `arg:"directory,required,path" doc:"An empty directory that belongs to the server's user. It cannot be changed."`
	Options   *value.Dict `arg:"options" doc:"Options such as seq_page_cost. Others stay."`
	Owner     string      `arg:"owner" doc:"The role that owns it."`
	maintained
}

func tablespacePresentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_tablespace.present", Doc: "Keeps a directory where a server may keep tables.",
		Example: "fast:\n  postgres_tablespace.present:\n    - directory: /srv/fast\n    - options:\n        " +
			"seq_page_cost: 1.1",
		New: func() modules.StateFunc { return &TablespacePresent{} }}
}

// Act makes or changes the tablespace.
func (t *TablespacePresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := t.server().catalog(ctx, env, h)
	defer c.close()
	was, err := c.get(tablespaces, "", t.Name)
	if err == nil {
		err = c.needs(roles, t.Owner)
	}
	switch {
	case err != nil:
		return state.Effect{}, err
	case was == nil:
		return outcome(state.Effect{Changes: value.DictOf(t.Name, value.Str("Present")), Foretold: value.NewDict(0),
			Comment: "The tablespace " + t.Name + " has been created",
			Preview: "Tablespace " + t.Name + " is set to be created",
		}, failedIf(c.createTablespace(t), "Failed to create tablespace %s", t.Name))
	case was["location"] != t.Directory:
		return state.Effect{}, errors.New("Tablespace " + t.Name + " is not at the right location. This is\n" +
			"            unfixable without dropping and recreating the tablespace.")
	}
	return t.alter(c, was)
}

// alter changes owner and options of a tablespace that is there. Salt differs: in test mode, it changes the owner.
func (t *TablespacePresent) alter(c *catalog, was object) (state.Effect, error) {
	changes, as, list := value.NewDict(0), maps.Clone(was), []statement(nil)
	e := state.Effect{Foretold: value.NewDict(0)}
	if t.Owner != "" && t.Owner != was["owner"] {
		list = append(list, sql("ALTER TABLESPACE %I OWNER TO %I", t.Name, t.Owner))
		changes.SetStr("owner", value.Str(t.Owner))
		as["owner"] = t.Owner
		e.Comment = "Tablespace " + t.Name + " owner changed"
		e.Preview = "Tablespace " + t.Name + " owner to be altered"
	}
	options := value.NewDict(0)
	for k, v := range t.lacking(was["options"]) {
		list = append(list, sql("ALTER TABLESPACE %I SET (%I = %L)", t.Name, k, v))
		options.SetStr(k, value.Str(v))
		as["options"] = withOption(as["options"], k, v)
	}
	if options.Len() > 0 {
		changes.SetStr("options", options)
		e.Comment, e.Preview = "Tablespace "+t.Name+" opts changed", "Tablespace "+t.Name+" options to be altered"
	}
	if len(list) == 0 {
		return state.Settled("Tablespace " + t.Name + " is already present"), nil
	}
	e.Changes = value.DictOf(t.Name, changes)
	return outcome(e, c.do("change the tablespace "+t.Name, "", func(o host.Host) error {
		c.foresee(o, tablespaces, "", t.Name, as)
		return nil
	}, list...))
}

// lacking are the options that are not as wanted, in the order of the argument.
func (t *TablespacePresent) lacking(kept string) func(yield func(k, v string) bool) {
	has := strings.Split(strings.Trim(kept, "{}"), ",")
	return func(yield func(k, v string) bool) {
		if t.Options == nil {
			return
		}
		for k, v := range t.Options.All() {
			k, v := value.String(k), value.String(v)
			if !slices.Contains(has, k+"="+v) && !yield(k, v) {
				return
			}
		}
	}
}

// withOption adds to {a=1,b=2} or changes it there.
func withOption(kept, name, v string) string {
	list := slices.DeleteFunc(strings.Split(strings.Trim(kept, "{}"), ","),
		func(o string) bool { return o == "" || strings.HasPrefix(o, name+"=") })
	return "{" + strings.Join(append(list, name+"="+v), ",") + "}"
}

func (c *catalog) createTablespace(t *TablespacePresent) error {
	if err := c.directory(t.Directory); err != nil {
		return err
	}
	st := sql("CREATE TABLESPACE %I", t.Name)
	if t.Owner != "" {
		st = st.and(" OWNER %I", t.Owner)
	}
	st = st.and(" LOCATION %L", t.Directory)
	as := object{"owner": cmp.Or(t.Owner, c.user), "location": t.Directory, "options": "", "acl": ""}
	sep := " WITH ("
	for k, v := range t.lacking("") {
		st = st.and(sep+"%I = %L", k, v)
		sep = ", "
		as["options"] = withOption(as["options"], k, v)
	}
	if sep == ", " {
		st.text += ")"
	}
	return c.do("make the tablespace "+t.Name, "", func(o host.Host) error {
		c.foresee(o, tablespaces, "", t.Name, as)
		return nil
	}, st)
}

// directory finds fault with the directory of a tablespace on this machine.
func (c *catalog) directory(name string) error {
	if c.tcp() {
		return nil
	}
	switch i, err := c.h.Stat(name); {
	case host.IsUnknown(err):
		return err
	case err != nil:
		return host.Missing("directory %q does not exist: file.directory %s before it", name, name)
	case !i.IsDir():
		return fmt.Errorf("%q is no directory", name)
	}
	if u, err := c.h.User(c.runas); err == nil {
		if i, err := c.h.Stat(name); err == nil && i.UID != u.UID {
			return fmt.Errorf("directory %q does not belong to %s", name, c.runas)
		}
	}
	return nil
}
