package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/gostate/gostate/state/host/hosttest"
)

// store is the file in which the fake server keeps its objects, so that what writes is seen.
const store = "/var/lib/postgresql/objects"

// A fake is a PostgreSQL server that knows gostate's own questions and statements. It keeps objects by kind, database
// and name, a line each in a map.
type fake struct {
	m        *hosttest.Memory
	database string
	objects  map[string]object
}

// fakeServer listens on the usual socket of a machine in memory.
func fakeServer(m *hosttest.Memory, objects ...object) {
	m.AddUser("postgres", 70)
	m.MustWrite("/var/run/postgresql/.s.PGSQL.5432", "", 0o777)
	f := &fake{m: m, objects: map[string]object{}}
	for _, o := range slices.Concat(basic(), objects) {
		f.put(kind(o["kind"]), o["database"], o)
	}
	f.save()
	m.Dialer = func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go (&fake{m: m}).serve(far)
		return near, nil
	}
}

func basic() []object {
	db := func(name string) object {
		return object{"kind": "database", "name": name, "owner": "postgres", "encoding": "UTF8", "collate": "C", "ctype": "C",
			"tablespace": "pg_default"}
	}
	return []object{db("postgres"), db("template0"), db("template1"),
		{"kind": "role", "name": "postgres", "superuser": "t", "inherit": "t", "createroles": "t", "createdb": "t",
			"login":       "t",
			"replication": "t"},
		{"kind": "tablespace", "name": "pg_default", "owner": "postgres"},
		{"kind": "schema", "database": "postgres", "name": "public", "owner": "postgres", "oid": "2200"},
		{"kind": "language", "database": "postgres", "name": "sql", "owner": "postgres", "oid": "14"},
		{"kind": "relation", "database": "postgres", "name": "table public orders", "owner": "postgres"},
		{"kind": "relation", "database": "postgres", "name": "sequence public ids", "owner": "postgres"},
		{"kind": "relation", "database": "postgres", "name": "function public f(integer)", "owner": "postgres"}}
}

func (f *fake) load() {
	f.objects = map[string]object{}
	raw, _ := f.m.ReadFile(store)
	_ = json.Unmarshal(raw, &f.objects)
}

func (f *fake) save() {
	raw, _ := json.Marshal(f.objects)
	f.m.MustWrite(store, string(raw), 0o600)
}

func (f *fake) key(k kind, database, name string) string {
	if k == roles || k == members || k == databases || k == tablespaces {
		database = ""
	}
	return string(k) + "\n" + database + "\n" + name
}

func (f *fake) put(k kind, database string, o object) { f.objects[f.key(k, database, o["name"])] = o }

func (f *fake) of(k kind) (out []object) {
	for key, o := range f.objects {
		if strings.HasPrefix(key, f.key(k, f.database, "")) {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b object) int { return strings.Compare(a["name"], b["name"]) })
	return out
}

// serve speaks the protocol until the client goes.
func (f *fake) serve(c net.Conn) {
	defer c.Close()
	b := pgproto3.NewBackend(c, c)
	start, err := b.ReceiveStartupMessage()
	if err != nil {
		return
	}
	f.database = start.(*pgproto3.StartupMessage).Parameters["database"]
	f.load()
	if f.objects[f.key(databases, "", f.database)] == nil {
		b.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: codeNoDatabase, Message: "no database " + f.database})
		_ = b.Flush()
		return
	}
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	_ = b.Flush()
	var text string
	var args []string
	bound := false
	for {
		m, err := b.Receive()
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *pgproto3.Parse:
			text, bound = m.Query, false
		case *pgproto3.Bind:
			args, bound = nil, true
			for _, p := range m.Parameters {
				args = append(args, string(p))
			}
		case *pgproto3.Sync:
			f.answer(b, func() (result, error) {
				if !bound {
					return result{columns: map[bool][]string{true: {"n"}}[strings.HasPrefix(text, "SELECT")]}, nil
				}
				return f.ask(text, args)
			})
		case *pgproto3.Query:
			f.answer(b, func() (result, error) { return result{}, f.run(m.String) })
		case *pgproto3.Terminate:
			return
		}
	}
}

func (f *fake) answer(b *pgproto3.Backend, do func() (result, error)) {
	f.load()
	r, err := do()
	if err != nil {
		b.Send(&pgproto3.ErrorResponse{Severity: "ERROR", Code: "42000", Message: err.Error()})
	} else if r.columns != nil {
		d := &pgproto3.RowDescription{}
		for _, c := range r.columns {
			d.Fields = append(d.Fields, pgproto3.FieldDescription{Name: []byte(c)})
		}
		b.Send(d)
		for _, row := range r.rows {
			v := &pgproto3.DataRow{}
			for _, text := range row {
				v.Values = append(v.Values, []byte(text))
			}
			b.Send(v)
		}
	}
	b.Send(&pgproto3.CommandComplete{CommandTag: []byte("OK")})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	_ = b.Flush()
}

// one is a result of one value.
func one(text string) result { return result{[]string{"x"}, [][]string{{text}}} }

// ask answers gostate's own questions.
func (f *fake) ask(text string, args []string) (result, error) {
	for _, k := range []kind{roles, members, databases, tablespaces, schemas, extensions, languages} {
		if text == k.query() {
			return table(f.of(k)), nil
		}
	}
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case has("SELECT format("):
		return one(format(args)), nil
	case has("pg_char_to_encoding"):
		return one(map[string]string{"utf-8": "UTF8", "UTF8": "UTF8", "LATIN1": "LATIN1"}[args[0]]), nil
	case has("::timestamp(0)::text"):
		if args[0] == "never" {
			return result{}, fmt.Errorf("invalid input syntax for type timestamp: %q", args[0])
		}
		return one(args[0] + " 00:00:00"), nil
	case has("rolpassword FROM pg_authid"):
		return one(f.objects[f.key(roles, "", args[0])]["password"]), nil
	case has("FROM pg_available_extensions"):
		if len(args) == 0 {
			return result{[]string{"name", "default_version"}, [][]string{{"hstore", "1.8"}}}, nil
		}
		if args[0] != "hstore" && args[0] != "plperl" && args[0] != "earth" {
			return result{columns: []string{"x"}}, nil
		}
		return one("1.8"), nil
	case has("pg_available_extension_versions"):
		if args[1] == "99" {
			return result{columns: []string{"x"}}, nil
		}
		return one(map[string]string{"earth": "cube"}[args[0]]), nil
	case has("aclexplode"):
		return f.acl(text, args), nil
	case has("pg_shdepend"):
		r := result{columns: []string{"what", "name", "how"}}
		if f.bound(args[0]) {
			r.rows = append(r.rows, []string{"tablespace", "fast", "a"})
		}
		return r, nil
	case has("pg_depend"):
		return result{columns: []string{"x"}}, nil
	case has("server_version"):
		return one("15.4"), nil
	case text == "SELECT 1 AS n":
		return result{[]string{"n"}, [][]string{{"1"}}}, nil
	}
	return result{}, fmt.Errorf("the fake does not know %s", text)
}

// table gives all objects the same columns.
func table(all []object) (r result) {
	r.columns = []string{"name"}
	for _, o := range all {
		for c := range o {
			if !slices.Contains(r.columns, c) {
				r.columns = append(r.columns, c)
			}
		}
	}
	for _, o := range all {
		row := make([]string, len(r.columns))
		for i, c := range r.columns {
			row[i] = o[c]
		}
		r.rows = append(r.rows, row)
	}
	return r
}

// format is PostgreSQL's function of that name.
func format(args []string) string {
	rest := args[1:]
	return regexp.MustCompile(`%[ILs%]`).ReplaceAllStringFunc(args[0], func(verb string) string {
		if verb == "%%" {
			return "%"
		}
		text := rest[0]
		rest = rest[1:]
		switch verb {
		case "%I":
			return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		case "%L":
			return `'` + strings.ReplaceAll(text, `'`, `''`) + `'`
		}
		return text
	})
}

// acl are the privileges on things: an object of the kind privileges holds them, role by role.
func (f *fake) acl(text string, args []string) result {
	r := result{columns: make([]string, 6)}
	what := "function"
	for _, w := range []string{"pg_namespace WHERE $1::text", "pg_database", "pg_tablespace", "pg_language", "('S')",
		"('r'"} {
		if strings.Contains(text, w) {
			what = map[string]string{"pg_namespace WHERE $1::text": "schema", "pg_database": "database",
				"pg_tablespace": "tablespace",
				"pg_language":   "language", "('S')": "sequence", "('r'": "table"}[w]
			break
		}
	}
	things := f.of(kind(what))
	if what == "table" || what == "sequence" || what == "function" {
		things = nil
		for _, o := range f.of("relation") {
			if name, ok := strings.CutPrefix(o["name"], what+" "+args[0]+" "); ok {
				things = append(things, object{"name": name, "owner": o["owner"]})
			}
		}
	}
	for _, o := range things {
		if o["name"] != args[1] && !strings.EqualFold(args[1], "all") {
			continue
		}
		kept, ok := f.objects[f.key(privileges, f.database, what+" "+o["name"])]
		if !ok {
			kept = object{o["owner"]: strings.Join(privilegesOf(what), " ")}
		}
		for role, list := range kept {
			for p := range strings.FieldsSeq(list) {
				name, option := strings.CutSuffix(p, "*")
				if role != "name" {
					r.rows = append(r.rows, []string{o["name"], o["owner"], role, name, truth(option), truth(!ok)})
				}
			}
		}
		if len(kept) == 0 {
			r.rows = append(r.rows, []string{o["name"], o["owner"], "", "", "", "f"})
		}
	}
	return r
}

// bound says whether a role has privileges on the tablespace fast, which keep it from being removed.
func (f *fake) bound(role string) bool {
	for key, o := range f.objects {
		if strings.HasPrefix(key, string(privileges)+"\n") && strings.HasSuffix(key, "\ntablespace fast") && o[role] != "" {
			return true
		}
	}
	return false
}
