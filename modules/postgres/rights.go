package postgres

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A thing is what privileges are held on.
type thing struct{ what, database, schema, name string }

// all says whether all tables or sequences of a schema are meant.
func (t thing) all() bool {
	return (t.what == "table" || t.what == "sequence") && strings.EqualFold(t.name, "all")
}

// Rights are the privileges on one thing: by role, by privilege, whether they may be handed on.
type rights struct {
	name, owner string
	granted     map[string]map[string]bool
	implied     bool // nobody granted them: they come by default
}

// privilegesOf are the privileges that there are on a kind of thing.
func privilegesOf(what string) []string {
	switch what {
	case "table":
		return []string{"INSERT", "SELECT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"}
	case "sequence":
		return []string{"SELECT", "UPDATE", "USAGE"}
	case "schema":
		return []string{"USAGE", "CREATE"}
	case "database":
		return []string{"CREATE", "TEMPORARY", "CONNECT"}
	case "tablespace":
		return []string{"CREATE"}
	case "language":
		return []string{"USAGE"}
	case "function":
		return []string{"EXECUTE"}
	}
	return nil
}

// spelled are privileges as they are written in statements: in capitals, each once. The error names one that there is
// not.
func spelled(what string, list []string) ([]string, error) {
	if what == "group" {
		if len(list) > 0 {
			return nil, fmt.Errorf("The privileges option should not be set for object_type group")
		}
		return nil, nil
	}
	known := privilegesOf(what)
	if known == nil {
		return nil, fmt.Errorf("Invalid object_type: %s provided", what)
	}
	var out []string
	for _, p := range list {
		for part := range strings.SplitSeq(p, ",") {
			part = strings.ToUpper(strings.TrimSpace(part))
			if part != "ALL" && !slices.Contains(known, part) || part == "" {
				return nil, fmt.Errorf("Invalid privilege(s): %s provided for object %s", strings.Join(list, ","), what)
			}
			out = append(out, part)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("Invalid privilege(s):  provided for object %s", what)
	}
	return out, nil
}

// every are privileges without the word ALL.
func every(what string, list []string) []string {
	if slices.Contains(list, "ALL") {
		return privilegesOf(what)
	}
	return list
}

// source is where the server keeps the privileges on a kind of thing, and its letter in acldefault().
func (t thing) source() (from, letter string) {
	const class = "SELECT relname::text AS name, relowner AS owner, relacl AS acl FROM pg_class c JOIN pg_namespace n " +
		"ON n.oid = " +
		"relnamespace WHERE nspname = $1 AND (relname = $2 OR upper($2) = 'ALL') AND relkind IN "
	switch t.what {
	case "table":
		return class + "('r', 'v', 'p', 'm', 'f')", "r"
	case "sequence":
		return class + "('S')", "s"
	case "schema":
		return "SELECT nspname::text AS name, nspowner AS owner, nspacl AS acl FROM pg_namespace WHERE $1::text IS NOT " +
			"NULL AND " +
			"nspname = $2", "n"
	case "database":
		return "SELECT datname::text AS name, datdba AS owner, datacl AS acl FROM pg_database WHERE $1::text IS NOT NULL " +
			"AND datname = $2", "d"
	case "tablespace":
		return "SELECT spcname::text AS name, spcowner AS owner, spcacl AS acl FROM pg_tablespace WHERE $1::text IS NOT " +
			"NULL AND " +
			"spcname = $2", "t"
	case "language":
		return "SELECT lanname::text AS name, lanowner AS owner, lanacl AS acl FROM pg_language WHERE $1::text IS NOT NULL " +
			"AND lanname " +
			"= $2", "l"
	}
	return "SELECT p.oid::regprocedure::text AS name, proowner AS owner, proacl AS acl FROM pg_proc p JOIN pg_namespace " +
		"n ON " +
		"n.oid = pronamespace WHERE nspname = $1 AND (p.oid = to_regprocedure($2) OR p.oid::regprocedure::text = $2)", "f"
}

// kind is the kind of object that a thing is, where states make such.
func (t thing) kind() kind {
	switch t.what {
	case "schema":
		return schemas
	case "database":
		return databases
	case "tablespace":
		return tablespaces
	case "language":
		return languages
	}
	return ""
}

// rights are the privileges on a thing, or on each of those meant; none where it is not there.
func (c *catalog) rights(t thing) ([]rights, error) {
	var made object
	if k := t.kind(); k != "" {
		var err error
		if made, err = c.get(k, t.database, t.name); err != nil || made == nil {
			return nil, err
		}
	}
	from, letter := t.source()
	r, err := c.ask(t.database, "SELECT o.name, pg_get_userbyid(o.owner), CASE WHEN a.grantee = 0 THEN 'public' ELSE "+
		"pg_get_userbyid(a.grantee) END, a.privilege_type, a.is_grantable, o.acl IS NULL FROM ("+from+
		") o LEFT JOIN LATERAL "+
		"aclexplode(coalesce(o.acl, acldefault('"+letter+"', o.owner))) a ON true", t.schema, t.name)
	if err != nil {
		return nil, err
	}
	out := gathered(r.rows)
	if len(out) == 0 && made != nil {
		out = []rights{{name: t.name, owner: made["owner"], implied: true, granted: map[string]map[string]bool{}}}
		out[0].grant(made["owner"], privilegesOf(t.what), false)
	}
	for i := range out {
		if made != nil {
			out[i].owner = made["owner"]
		}
		c.recall(t, &out[i])
	}
	return out, nil
}

// gathered are the rights that rows tell, in the order of the rows.
func gathered(rows [][]string) (out []rights) {
	for _, row := range rows {
		if len(out) == 0 || out[len(out)-1].name != row[0] {
			out = append(out, rights{name: row[0], owner: row[1], implied: row[5] == "t",
				granted: map[string]map[string]bool{}})
		}
		if row[3] != "" {
			out[len(out)-1].grant(row[2], []string{row[3]}, row[4] == "t")
		}
	}
	return out
}

func (r *rights) grant(role string, list []string, option bool) {
	if r.granted[role] == nil {
		r.granted[role] = map[string]bool{}
	}
	for _, p := range list {
		r.granted[role][p] = r.granted[role][p] || option
	}
}

// holds says whether a role has privileges, with the right to hand them on if that is asked for. What comes by default
// counts as none for Salt.
func (r *rights) holds(role string, list []string, option bool) bool {
	if role == r.owner {
		return true
	}
	return !r.implied && !slices.ContainsFunc(list, func(p string) bool {
		mayGrant, has := r.granted[role][p]
		return !has || option && !mayGrant
	})
}

// holdsAny says whether a role has one of the privileges, be it by default.
func (r *rights) holdsAny(role string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool { _, has := r.granted[role][p]; return has })
}

// recall puts in what earlier states of a preview did.
func (c *catalog) recall(t thing, r *rights) {
	f, ok := c.promise(privileges, t.database, t.what+" "+t.schema+" "+r.name)
	if !ok {
		return
	}
	r.implied, r.granted = false, map[string]map[string]bool{}
	for role, list := range f.Attrs {
		for p := range strings.FieldsSeq(list) {
			name, option := strings.CutSuffix(p, "*")
			r.grant(role, []string{name}, option)
		}
	}
}

// foreseeRights leaves rights as they will be.
func (c *catalog) foreseeRights(o host.Host, t thing, r rights) {
	as := object{}
	for role, list := range r.granted {
		for _, p := range slices.Sorted(maps.Keys(list)) {
			if list[p] {
				p += "*"
			}
			as[role] += p + " "
		}
	}
	o.Promise(host.Fact{Kind: host.FactDatabase, Name: c.key(privileges, t.database, t.what+" "+t.schema+" "+r.name),
		Value: "present", Attrs: as})
}

// on writes what a statement is about.
func (t thing) on(st statement, all []rights) statement {
	st.text += " ON "
	switch {
	case t.all():
		return st.and("ALL "+strings.ToUpper(t.what)+"S IN SCHEMA %I", t.schema)
	case t.what == "table", t.what == "sequence":
		return st.and(strings.ToUpper(t.what)+" %I.%I", t.schema, t.name)
	case t.what == "function":
		return st.and("FUNCTION %s", all[0].name)
	}
	return st.and(strings.ToUpper(t.what)+" %I", t.name)
}

// change grants or revokes privileges on a thing. Each of the rights is foretold by edit.
func (c *catalog) change(t thing, role string, st statement, all []rights, edit func(r *rights)) error {
	return c.do("change the privileges of "+role, t.database, func(o host.Host) error {
		for _, r := range all {
			edit(&r)
			c.foreseeRights(o, t, r)
		}
		return nil
	}, st)
}

// knows is the error for a role or a thing that is not there.
func (c *catalog) knows(t thing, role string, all []rights) error {
	if len(all) == 0 && !t.all() {
		return missing(t.what, t.name)
	}
	if role == "public" {
		return nil
	}
	return c.needs(roles, role)
}

// membership is what privileges on a group are: being one of its members, and whether others may be made such.
func (c *catalog) membership(group, member string) (is, admin bool, err error) {
	o, err := c.get(members, "", group+"\n"+member)
	return o != nil, o["admin"] == "t", err
}

func (c *catalog) grant(t thing, role string, list []string, option bool, all []rights) error {
	if t.what == "group" {
		st := sql("GRANT %I TO %I", t.name, role)
		if option {
			st.text += " WITH ADMIN OPTION"
		}
		if err := c.circle(t.name, role); err != nil {
			return err
		}
		return c.join(t, role, st, func(o host.Host) { c.foreseeMember(o, t.name, role, option) })
	}
	if err := c.knows(t, role, all); err != nil {
		return err
	}
	st := t.on(sql("GRANT "+strings.Join(list, ", ")), all).and(" TO %I", role)
	if option {
		st.text += " WITH GRANT OPTION"
	}
	return c.change(t, role, st, all, func(r *rights) { r.grant(role, every(t.what, list), option) })
}

func (c *catalog) revoke(t thing, role string, list []string, all []rights) error {
	if t.what == "group" {
		return c.join(t, role, sql("REVOKE %I FROM %I", t.name, role),
			func(o host.Host) { c.foresee(o, members, "", t.name+"\n"+role, nil) })
	}
	if err := c.knows(t, role, all); err != nil {
		return err
	}
	st := t.on(sql("REVOKE "+strings.Join(list, ", ")), all).and(" FROM %I", role)
	return c.change(t, role, st, all, func(r *rights) {
		for _, p := range every(t.what, list) {
			delete(r.granted[role], p)
		}
	})
}

// join changes who is a member of a group.
func (c *catalog) join(t thing, role string, st statement, foretell func(o host.Host)) error {
	for _, name := range []string{t.name, role} {
		if err := c.needs(roles, name); err != nil {
			return err
		}
	}
	return c.do("change the members of "+t.name, "", func(o host.Host) error { foretell(o); return nil }, st)
}

// has says whether a role holds privileges: Salt's has_privileges.
func (c *catalog) has(t thing, role string, list []string, option bool) (bool, []rights, error) {
	if t.what == "group" {
		is, admin, err := c.membership(t.name, role)
		return is && (admin || !option), nil, err
	}
	all, err := c.rights(t)
	if err != nil || len(all) == 0 {
		return false, nil, err
	}
	return !slices.ContainsFunc(all, func(r rights) bool { return !r.holds(role, every(t.what, list), option) }), all, nil
}

// hasAny says whether there is something to revoke from a role.
func (c *catalog) hasAny(t thing, role string, list []string) (bool, []rights, error) {
	if t.what == "group" {
		is, _, err := c.membership(t.name, role)
		return is, nil, err
	}
	all, err := c.rights(t)
	return slices.ContainsFunc(all, func(r rights) bool { return r.holdsAny(role, every(t.what, list)) }), all, err
}

// fault is a wrong privilege or kind of thing, found before the run.
func fault(what string, list []string) []modules.Fault {
	if _, err := spelled(strings.ToLower(what), list); err != nil {
		hint := "the types are table, sequence, schema, database, tablespace, language, function and group"
		if known := privilegesOf(strings.ToLower(what)); known != nil {
			hint = "those of a " + what + " are ALL, " + strings.Join(known, ", ")
		}
		return []modules.Fault{{Arg: "privileges", Msg: err.Error(), Hint: hint}}
	}
	return nil
}
