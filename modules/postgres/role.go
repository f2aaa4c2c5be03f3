package postgres

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A wish is what a role is to be; nil and "" leave it.
type wish struct {
	name     string
	flags    [6]*bool // by the names of flagNames
	connlim  string
	hashing  hashing
	password string
	until    string
	groups   []string
}

// flagNames are the columns of the flags of a role, as the arguments of states are called, in the order of Salt's
// statements.
var flagNames = [6]string{"inherit", "createdb", "createroles", "superuser", "replication", "login"}

var flagWords = [6]string{"INHERIT", "CREATEDB", "CREATEROLE", "SUPERUSER", "REPLICATION", "LOGIN"}

// hashing is how a password is stored: "" for md5, which Salt takes, or plain.
type hashing string

const (
	md5Hash   hashing = "md5"
	scramHash hashing = "scram-sha-256"
	noHash    hashing = "plain"
)

// BindValue takes true, false or the name of an algorithm.
func (e *hashing) BindValue(v value.Value) error {
	text, _ := v.(value.Str)
	switch {
	case v == value.Value(value.Bool(true)), text == value.Str(md5Hash):
		*e = md5Hash
	case v == value.Value(value.Bool(false)):
		*e = noHash
	case text == value.Str(scramHash):
		*e = scramHash
	default:
		return fmt.Errorf("takes true, false, md5 or scram-sha-256, not %s", modules.Describe(v))
	}
	return nil
}

// ArgType names the type.
func (hashing) ArgType() string { return "boolean, md5 or scram-sha-256" }

// names is a list of roles, or text with commas.
type names []string

// BindValue takes a list, or text with commas.
func (n *names) BindValue(v value.Value) error {
	if text, ok := v.(value.Str); ok {
		for part := range strings.SplitSeq(string(text), ",") {
			if part = strings.TrimSpace(part); part != "" {
				*n = append(*n, part)
			}
		}
		return nil
	}
	list, err := modules.Texts(v)
	*n = list
	return err
}

// ArgType names the type.
func (names) ArgType() string { return "list of text" }

// hash is the password as the server keeps it.
func (w *wish) hash() (string, error) {
	switch {
	case w.hashing == scramHash && !strings.HasPrefix(w.password, scramName):
		salt := make([]byte, 16)
		_, _ = rand.Read(salt)
		return scramVerifier(w.password, salt, 4096)
	case w.hashing != scramHash && w.hashing != noHash && !strings.HasPrefix(w.password, "md5"):
		return "md5" + md5Hex(w.password+w.name), nil
	}
	return w.password, nil
}

// matches says whether the server keeps the password in the way that is wanted.
func (w *wish) matches(kept string) bool {
	switch {
	case w.hashing == scramHash && !strings.HasPrefix(w.password, scramName):
		return scramMatches(kept, w.password)
	case w.hashing == scramHash, w.hashing == noHash, strings.HasPrefix(w.password, "md5"):
		return kept == w.password
	}
	return kept == "md5"+md5Hex(w.password+w.name)
}

// clauses are the words of a statement that makes or changes a role. was is the role so far, nil for none.
func (w *wish) clauses(st statement, was object) (statement, error) {
	for i, flag := range w.flags {
		if flag == nil || flagNames[i] == "superuser" && was != nil && was["superuser"] == truth(*flag) {
			continue
		}
		no := "NO"
		if *flag {
			no = ""
		}
		st.text += " " + no + flagWords[i]
	}
	if n, err := strconv.Atoi(w.connlim); err == nil {
		st.text += " CONNECTION LIMIT " + strconv.Itoa(n)
	}
	if w.password != "" {
		kept, err := w.hash()
		if err != nil {
			return st, err
		}
		st = st.and(" ENCRYPTED PASSWORD %L", kept)
	}
	if w.until != "" {
		st = st.and(" VALID UNTIL %L", w.until)
	}
	for _, g := range w.groups {
		st = st.and("; GRANT %I TO %I", g, w.name)
	}
	return st, nil
}

func truth(b bool) string {
	if b {
		return "t"
	}
	return "f"
}

// role is a role, nil where there is none.
func (c *catalog) role(name string) (object, error) { return c.get(roles, "", name) }

// kept is the password of a role as the server keeps it, which only a superuser may read.
func (c *catalog) kept(name string) (string, error) {
	if f, ok := c.promise(roles, "", name); ok && f.Attrs["password"] != "" {
		return f.Attrs["password"], nil
	}
	r, err := c.ask("", "SELECT rolpassword FROM pg_authid WHERE rolname = $1", name)
	if err != nil {
		return "", fmt.Errorf("look at the password of %s: %w; refresh_password: true sets it without a look", name, err)
	}
	if len(r.rows) == 0 {
		return "", nil
	}
	return r.rows[0][0], nil
}

// groupsOf are the roles that a role is a member of.
func (c *catalog) groupsOf(name string) (out []string, err error) {
	all, err := c.list(members, "")
	for _, m := range all {
		if m["member"] == name {
			out = append(out, m["group"])
		}
	}
	return out, err
}

// instant is a time as the server understands it, "" for none.
func (c *catalog) instant(text string) (string, error) {
	r, err := c.ask("", "SELECT $1::timestamp(0)::text", text)
	if err != nil || len(r.rows) == 0 {
		return "", err
	}
	return when(r.rows[0][0]), nil
}

// when is a time of the server's, "" for one that is none, like infinity.
func when(text string) string {
	if _, err := time.Parse(time.DateTime, text); err != nil {
		return ""
	}
	return text
}

// save makes or changes a role. was is nil where it is to be made.
func (c *catalog) save(w *wish, was object) error {
	verb := "ALTER"
	if was == nil {
		verb = "CREATE"
	}
	if err := c.refuses(w, was); err != nil {
		return err
	}
	st, err := w.clauses(sql(verb+" ROLE %I WITH", w.name), was)
	if err != nil {
		return err
	}
	st.text = strings.Replace(st.text, " WITH;", ";", 1)
	st.text = strings.TrimSuffix(st.text, " WITH")
	if !strings.HasPrefix(st.text, "CREATE") && len(st.args) == 1 && st.text == "ALTER ROLE %I" {
		return nil
	}
	return c.do("change the role "+w.name, "", func(o host.Host) error { return c.foreseeRole(o, w, was) }, st)
}

// refuses says before what the server would refuse.
func (c *catalog) refuses(w *wish, was object) error {
	if w.hashing == noHash && w.password != "" {
		return errors.New("PostgreSQL keeps no password unencrypted: encrypted takes true, md5 or scram-sha-256")
	}
	if w.until != "" {
		if _, err := c.instant(w.until); err != nil {
			return err
		}
	}
	if was == nil && strings.HasPrefix(w.name, "pg_") {
		return fmt.Errorf("role name %q is reserved", w.name)
	}
	all, err := c.list(roles, "")
	if err != nil {
		return err
	}
	for _, g := range w.groups {
		if !slices.ContainsFunc(all, func(o object) bool { return o["name"] == g }) {
			return missing("role", g)
		}
		if err := c.circle(g, w.name); err != nil {
			return err
		}
	}
	return nil
}

// circle is the error for a group that would be a member of itself, by way of others too.
func (c *catalog) circle(group, member string) error {
	all, err := c.list(members, "")
	if err != nil {
		return err
	}
	reached := []string{group} // the group, what it is a member of, and so on
	for i := 0; i < len(reached); i++ {
		if reached[i] == member {
			return fmt.Errorf("role %q is a member of role %q", group, member)
		}
		for _, m := range all {
			if m["member"] == reached[i] && !slices.Contains(reached, m["group"]) {
				reached = append(reached, m["group"])
			}
		}
	}
	return nil
}

// foreseeRole leaves a role as it will be.
func (c *catalog) foreseeRole(o host.Host, w *wish, was object) error {
	as := object{"connlimit": "-1", "superuser": "f", "inherit": "t", "createroles": "f", "createdb": "f", "login": "f",
		"replication": "f", "password": ""}
	maps.Copy(as, was)
	for i, flag := range w.flags {
		if flag != nil {
			as[flagNames[i]] = truth(*flag)
		}
	}
	if w.connlim != "" {
		as["connlimit"] = w.connlim
	}
	if w.password != "" {
		kept, err := w.hash()
		if err != nil {
			return err
		}
		as["password"] = kept
	}
	if w.until != "" {
		until, err := c.instant(w.until)
		if err != nil {
			return err
		}
		as["valid_until"] = until
	}
	c.foresee(o, roles, "", w.name, as)
	for _, g := range w.groups {
		c.foreseeMember(o, g, w.name, false)
	}
	return nil
}

func (c *catalog) foreseeMember(o host.Host, group, member string, admin bool) {
	c.foresee(o, members, "", group+"\n"+member, object{"group": group, "member": member, "admin": truth(admin)})
}

// dropRole removes a role.
func (c *catalog) dropRole(name string) error {
	if err := c.bound(name); err != nil {
		return err
	}
	return c.do("remove the role "+name, "", func(o host.Host) error {
		all, err := c.list(members, "")
		for _, m := range all {
			if m["group"] == name || m["member"] == name {
				c.foresee(o, members, "", m["name"], nil)
			}
		}
		c.foresee(o, roles, "", name, nil)
		return err
	}, sql("DROP ROLE %I", name))
}

// bound is the error for a role that something depends on, as the server would say it.
func (c *catalog) bound(name string) error {
	r, err := c.ask("", "SELECT DISTINCT CASE WHEN s.dbid <> 0 THEN 'in' WHEN o.oid IS NOT NULL THEN 'database' WHEN "+
		"t.oid IS "+
		"NOT NULL THEN 'tablespace' ELSE '' END, coalesce(d.datname, o.datname, t.spcname), s.deptype FROM pg_shdepend s "+
		"JOIN pg_authid a ON a.oid = s.refobjid LEFT JOIN pg_database d ON d.oid = s.dbid "+
		"LEFT JOIN pg_database o ON s.classid = 'pg_database'::regclass AND o.oid = s.objid "+
		"LEFT JOIN pg_tablespace t ON s.classid = 'pg_tablespace'::regclass AND t.oid = s.objid "+
		"WHERE s.refclassid = 'pg_authid'::regclass AND a.rolname = $1", name)
	if err != nil { // only a superuser may look
		r.rows = nil
	}
	for _, row := range r.rows {
		if held, err := c.holds(name, row[0], row[1], row[2] == "a"); err != nil || held {
			return cmp.Or(err, inUse(name))
		}
	}
	for _, k := range []kind{databases, tablespaces} {
		all, err := c.list(k, "")
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(o object) bool { return o["owner"] == name }) {
			return inUse(name)
		}
	}
	return nil
}

func inUse(role string) error {
	return fmt.Errorf("role %q cannot be dropped because some objects depend on it", role)
}

// holds says whether a role is still bound to a database, a tablespace or what is in a database, after what earlier
// states of a preview did.
func (c *catalog) holds(role, what, name string, granted bool) (bool, error) {
	k := kind(what)
	if what == "in" {
		k = databases
	}
	if f, ok := c.promise(k, "", name); ok && f.Value == "absent" {
		return false, nil
	}
	switch {
	case what == "in":
		for _, f := range c.h.Facts(host.FactDatabase) {
			if part := strings.Split(f.Name, "\n"); len(part) > 2 && part[0] == c.where && part[2] == name {
				return true, host.Untold(c.h, "whether the role "+role+" is bound to something in the database "+name, f)
			}
		}
	case what != "" && granted:
		all, err := c.rights(thing{what: what, database: c.database, name: name})
		return slices.ContainsFunc(all, func(r rights) bool { return len(r.granted[role]) > 0 }), err
	case what != "":
		return false, nil // the owner is looked at below
	}
	return true, nil
}
