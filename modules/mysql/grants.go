package mysql

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// known are the privileges that Salt knows, with those of newer servers' names.
const known = "|ALL PRIVILEGES|ALTER|ALTER ROUTINE|BACKUP_ADMIN|BINLOG_ADMIN|BINLOG ADMIN|BINLOG MONITOR|BINLOG REPLAY|" +
	"CONNECTION_ADMIN|CONNECTION ADMIN|CREATE|CREATE ROLE|CREATE ROUTINE|CREATE TABLESPACE|CREATE TEMPORARY TABLES|" +
	"CREATE USER|CREATE VIEW|DELETE|DELETE HISTORY|DROP|DROP ROLE|ENCRYPTION_KEY_ADMIN|EVENT|EXECUTE|FEDERATED ADMIN|FILE|" +
	"GRANT OPTION|GROUP_REPLICATION_ADMIN|INDEX|INSERT|LOCK TABLES|PERSIST_RO_VARIABLES_ADMIN|PROCESS|READ_ONLY ADMIN|" +
	"REFERENCES|RELOAD|REPLICA MONITOR|REPLICATION CLIENT|REPLICATION MASTER ADMIN|REPLICATION REPLICA|REPLICATION SLAVE|" +
	"REPLICATION_SLAVE_ADMIN|REPLICATION SLAVE ADMIN|RESOURCE_GROUP_ADMIN|RESOURCE_GROUP_USER|ROLE_ADMIN|SELECT|SET USER|" +
	"SET_USER_ID|SHOW DATABASES|SHOW VIEW|SHUTDOWN|SLAVE MONITOR|SUPER|SYSTEM_VARIABLES_ADMIN|TRIGGER|UPDATE|USAGE|" +
	"XA_RECOVER_ADMIN|SHOW CREATE ROUTINE|"

// always are those that a server from version 8 names one by one where all are held; newer ones may come to them.
const always = "SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|RELOAD|SHUTDOWN|PROCESS|FILE|REFERENCES|INDEX|ALTER|SHOW " +
	"DATABASES|" +
	"SUPER|CREATE TEMPORARY TABLES|LOCK TABLES|EXECUTE|REPLICATION SLAVE|REPLICATION CLIENT|CREATE VIEW|SHOW VIEW|" +
	"CREATE ROUTINE|ALTER ROUTINE|CREATE USER|EVENT|TRIGGER|CREATE TABLESPACE|CREATE ROLE|DROP ROLE"

const (
	allPrivileges = "ALL PRIVILEGES"
	grantOption   = "GRANT OPTION"
)

// A grant is what is granted to whom.
type grant struct {
	list       []string // privileges in capitals, as "SELECT (a, b)"
	on         string   // as written: db.*, db.table, *.*
	user, host string
	option     bool
	escape     bool
	require    string // REQUIRE of old servers, "" for none
}

func (g grant) key() string { return g.user + "\n" + g.host }

// split takes privileges apart: "select, insert (a,b)" are SELECT and INSERT (A, B).
func split(text string) (out []string) {
	depth, word := 0, ""
	for _, r := range text + "," {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		}
		if r == ',' && depth == 0 {
			if word = spaced(word); word != "" {
				out = append(out, word)
			}
			word = ""
			continue
		}
		word += string(r)
	}
	return out
}

// spaced writes one privilege with single blanks and its words in capitals; columns stay as they are.
func spaced(word string) string {
	name, columns, has := strings.Cut(word, "(")
	name = strings.Join(strings.Fields(strings.ToUpper(name)), " ")
	if name == "ALL" {
		name = allPrivileges
	}
	if !has {
		return name
	}
	list := strings.Split(strings.TrimSuffix(strings.TrimSpace(columns), ")"), ",")
	for i := range list {
		list[i] = strings.Trim(strings.TrimSpace(list[i]), "`")
	}
	return name + " (" + strings.Join(list, ", ") + ")"
}

// newGrant reads the arguments of a grant.
func newGrant(list, on, user, from string, option, escape bool) (grant, error) {
	g := grant{list: split(list), on: on, user: user, host: from, option: option, escape: escape}
	if len(g.list) == 0 {
		return g, errors.New("there is no privilege to grant")
	}
	if !strings.Contains(on, ".") {
		return g, fmt.Errorf("the database %q is neither db.* nor db.table", on)
	}
	for _, p := range g.list {
		name, _, _ := strings.Cut(p, " (")
		if !strings.Contains(known, "|"+name+"|") {
			return g, fmt.Errorf("Invalid grant : '%s'", name)
		}
	}
	return g, nil
}

// level is what a grant is on as it is written in statements.
func (g grant) level() string {
	i := strings.LastIndexByte(g.on, '.')
	db, table := g.on[:i], g.on[i+1:]
	if !g.escape {
		return g.on
	}
	if db != "*" && table == "*" {
		db = quoted(strings.ReplaceAll(db, "_", `\_`)) // % stays a pattern, as in Salt
	} else if db != "*" {
		db = quoted(db)
	}
	if table != "*" {
		table = quoted(table)
	}
	return db + "." + table
}

// bare is a level as levels are compared: without quotes and escapes.
func bare(level string) string {
	return strings.NewReplacer("`", "", `\`, "", `"`, "").Replace(level)
}

// columns writes privileges for a statement: columns are names.
func columns(list []string) string {
	out := make([]string, len(list))
	for i, p := range list {
		name, cols, has := strings.Cut(p, " (")
		if has {
			parts := strings.Split(strings.TrimSuffix(cols, ")"), ", ")
			for j := range parts {
				parts[j] = quoted(parts[j])
			}
			name += " (" + strings.Join(parts, ", ") + ")"
		}
		out[i] = name
	}
	return strings.Join(out, ", ")
}

// held are the privileges of a user by what they are on: Salt's own words for them, each once.
func (c *catalog) held(g grant) (object, error) {
	if f, ok := c.h.Fact(host.FactDatabase, c.key(grants, g.key())); ok {
		return f.Attrs, nil
	}
	lines, err := c.shown(g.user, g.host)
	if err != nil {
		return nil, err
	}
	out := object{}
	for _, l := range lines {
		t, ok := tokenize(l)
		if !ok {
			continue // of a role
		}
		if strings.HasSuffix(l, "WITH GRANT OPTION") || strings.Contains(l, "WITH GRANT OPTION ") {
			t.list = append(t.list, grantOption)
		}
		out[bare(t.on)] = strings.Join(append(parts(out[bare(t.on)]), t.list...), "|")
	}
	return out, nil
}

func parts(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '|' })
}

// shown are the grants of a user in the server's words.
func (c *catalog) shown(user, from string) ([]string, error) {
	r, err := c.ask("SHOW GRANTS FOR ?@?", user, from)
	var out []string
	for _, row := range r.rows {
		text, rest, _ := strings.Cut(row[0], " IDENTIFIED BY")
		if strings.Contains(rest, "WITH GRANT OPTION") {
			text += " WITH GRANT OPTION"
		}
		out = append(out, text)
	}
	return out, err
}

// tokenize reads a GRANT statement of the server's; false for one of a role.
func tokenize(text string) (grant, bool) {
	var words []string
	word, quote := "", byte(0)
	for i := range len(text) {
		ch := text[i]
		switch {
		case quote != 0 && ch == quote:
			quote = 0
		case quote == 0 && (ch == '`' || ch == '\'' || ch == '"'):
			quote = ch
		}
		if ch == ' ' && quote == 0 {
			words = append(words, word)
			word = ""
			continue
		}
		word += string(ch)
	}
	words = append(words, word)
	on, to := slices.Index(words, "ON"), slices.Index(words, "TO")
	if len(words) < 5 || words[0] != "GRANT" || on < 0 || to < on || to+1 >= len(words) {
		return grant{}, false
	}
	g := grant{list: split(strings.Join(words[1:on], " ")), on: strings.Join(words[on+1:to], " ")}
	g.user, g.host, _ = strings.Cut(words[to+1], "@")
	g.user, g.host = strings.Trim(g.user, "'`\""), strings.Trim(g.host, "'`\"")
	return g, true
}

// canonical is a privilege under the name that the server shows.
func (c *catalog) canonical(p string) string {
	if c.mariadb() {
		switch p {
		case "REPLICATION REPLICA":
			return "REPLICATION SLAVE"
		case "REPLICATION CLIENT":
			return "BINLOG MONITOR"
		case "REPLICA MONITOR":
			return "SLAVE MONITOR"
		case "DELETE VERSIONING ROWS":
			return "DELETE HISTORY"
		}
	}
	return p
}

// has says whether one privilege is among those held at its level. What was taken from all of them stands there with a
// minus.
func (c *catalog) has(held []string, p string) bool {
	p = c.canonical(p)
	if p == "USAGE" {
		return true
	}
	same := func(other string) bool { return strings.EqualFold(c.canonical(other), p) }
	if slices.ContainsFunc(held, same) {
		return true
	}
	name, cols, _ := strings.Cut(p, " (")
	if cols != "" && slices.Contains(held, name) {
		return true
	}
	if cols != "" {
		return everyColumn(held, name, cols)
	}
	if p == allPrivileges {
		return !c.mariadb() && !slices.ContainsFunc(strings.Split(always, "|"), func(a string) bool {
			return !slices.Contains(held, a)
		})
	}
	return p != grantOption && slices.Contains(held, allPrivileges) && !slices.Contains(held, "-"+p)
}

// everyColumn says whether a privilege is held on all of some columns.
func everyColumn(held []string, name, cols string) bool {
	has := ","
	for _, h := range held {
		if rest, ok := strings.CutPrefix(h, name+" ("); ok {
			has += strings.ReplaceAll(strings.TrimSuffix(rest, ")"), ", ", ",") + ","
		}
	}
	return !slices.ContainsFunc(strings.Split(strings.TrimSuffix(cols, ")"), ", "), func(col string) bool {
		return !strings.Contains(strings.ToLower(has), ","+strings.ToLower(col)+",")
	})
}

// lacking are the privileges of a grant that are not held.
func (c *catalog) lacking(g grant, held object) (out []string) {
	at := parts(held[bare(g.level())])
	for _, p := range g.list {
		if !c.has(at, p) {
			out = append(out, p)
		}
	}
	if g.option && !slices.Contains(at, grantOption) {
		out = append(out, grantOption)
	}
	return out
}

// add grants; first takes away what is held at that level.
func (c *catalog) add(g grant, held object, first bool) error {
	switch u, err := c.get(users, g.key()); {
	case err != nil:
		return err
	case u == nil:
		return refusal{1133, "Can't find any matching row in the user table"}
	}
	if err := c.object(g); err != nil {
		return err
	}
	at := bare(g.level())
	before := parts(held[at])
	var list []statement
	if first && len(before) > 0 {
		list, before = g.revoking(before), nil
	}
	text := "GRANT " + columns(g.list) + " ON " + g.level() + " TO ?@?" + g.require
	if g.option {
		text += " WITH GRANT OPTION"
	}
	for _, p := range c.lacking(g, object{at: strings.Join(before, "|")}) {
		before = append(before, c.canonical(p))
	}
	return c.do("grant privileges to "+g.user+"@"+g.host, c.leaving(g, held, at, before), append(list, stmt(text, g.user,
		g.host))...)
}

// object is the error for a grant on a table that is not there, unless the privilege to make it is granted.
func (c *catalog) object(g grant) error {
	i := strings.LastIndexByte(g.on, '.')
	db, table := strings.Trim(g.on[:i], "`"), strings.Trim(g.on[i+1:], "`")
	if table == "*" || slices.Contains(g.list, "CREATE") || slices.Contains(g.list, allPrivileges) {
		return nil
	}
	r, err := c.ask("SELECT 1 FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", db, table)
	if err == nil && len(r.rows) == 0 {
		err = refusal{1146, fmt.Sprintf("Table '%s.%s' doesn't exist", db, table)}
	}
	return err
}

// leaving leaves the privileges at a level as they will be.
func (c *catalog) leaving(g grant, held object, at string, list []string) func(o host.Host) error {
	return func(o host.Host) error {
		as := object{}
		maps.Copy(as, held)
		as[at] = strings.Join(list, "|")
		if len(list) == 0 {
			delete(as, at)
		}
		c.foresee(o, grants, g.key(), as)
		return nil
	}
}

// holding are the privileges of a grant that are held.
func (c *catalog) holding(g grant, held object) (out []string) {
	at := parts(held[bare(g.level())])
	for _, p := range g.list {
		if p != "USAGE" && c.has(at, p) {
			out = append(out, p)
		}
	}
	if slices.Equal(g.list, []string{allPrivileges}) {
		for _, p := range at {
			if p != "USAGE" && (p != grantOption || g.option) {
				out = g.list
			}
		}
	}
	if g.option && slices.Contains(at, grantOption) {
		out = append(out, grantOption)
	}
	return out
}

// remove revokes what is held.
func (c *catalog) remove(g grant, held object, list []string) error {
	at := bare(g.level())
	var rest []string
	for _, p := range parts(held[at]) {
		if !slices.Contains(list, allPrivileges) && !slices.ContainsFunc(list,
			func(l string) bool { return c.canonical(l) == p }) ||
			p == grantOption && !g.option {
			rest = append(rest, p)
		}
	}
	if slices.Contains(rest, allPrivileges) {
		for _, p := range list {
			rest = append(rest, "-"+c.canonical(p))
		}
	}
	if len(rest) == 1 && rest[0] == "USAGE" {
		rest = nil
	}
	return c.do("revoke privileges of "+g.user+"@"+g.host, c.leaving(g, held, at, rest), g.revoking(list)...)
}

// revoking are statements that revoke privileges. ALL and the grant option are never in one.
func (g grant) revoking(list []string) (out []statement) {
	revoke := func(what string) {
		out = append(out, stmt("REVOKE "+what+" ON "+g.level()+" FROM ?@?", g.user, g.host))
	}
	if slices.Contains(list, allPrivileges) && slices.Contains(list, grantOption) {
		revoke(allPrivileges)
		list = []string{grantOption}
	}
	revoke(columns(list))
	return out
}

// require is the clause of SSL options, which are a list of maps of one key.
func require(options value.Value) (string, error) {
	list, _ := options.(*value.List)
	if list == nil {
		return "", nil
	}
	var out []string
	for _, it := range list.Items {
		d, err := modules.Map(it)
		if err != nil {
			return "", fmt.Errorf("ssl_option takes a list of maps, not %s", modules.Describe(it))
		}
		for k, v := range d.All() {
			key := strings.ToUpper(strings.TrimSpace(value.String(k)))
			switch key {
			case "CIPHER", "ISSUER", "SUBJECT":
				out = append(out, key+" '"+strings.NewReplacer("'", "", `\`, `\\`).Replace(value.String(v))+"'")
			case "SSL", "X509":
				if value.Truth(v) {
					out = append(out, key)
				}
			default:
				return "", fmt.Errorf("Invalid SSL option : '%s'", value.String(k))
			}
		}
	}
	if len(out) == 0 {
		return "", nil
	}
	return " REQUIRE " + strings.Join(out, " AND "), nil
}
