package postgres

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

const clusterFile = "/etc/postgresql/clusters" // where the fake pg_lsclusters finds its lines

// tools are Debian's, and initdb.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	lines, _ := modules.ReadLines(m, clusterFile)
	id := func() string { return c.Args[len(c.Args)-2] + " " + c.Args[len(c.Args)-1] }
	switch c.Args[0] {
	case "pg_lsclusters":
		return &host.Output{Stdout: []byte(strings.Join(lines, "\n"))}, nil
	case "pg_createcluster":
		port := fmt.Sprint(5432 + len(lines))
		if c.Args[1] == "--port" {
			port = c.Args[2]
		}
		lines = append(lines, id()+" "+port+" down postgres /var/lib/postgresql/"+strings.ReplaceAll(id(), " ", "/")+" /log")
	case "pg_dropcluster":
		for i, l := range lines {
			if strings.HasPrefix(l, id()) {
				lines = append(lines[:i], lines[i+1:]...)
				break
			}
		}
	default:
		m.MustMkdir("/data")
		m.MustWrite("/data/PG_VERSION", "", 0o644)
		m.MustWrite("/data/postgresql.conf", "", 0o644)
		return &host.Output{}, nil
	}
	return &host.Output{}, modules.WriteLines(m, clusterFile, lines)
}

func machine(objects ...object) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		fakeServer(m, objects...)
		for _, f := range []string{"/usr/bin/pg_lsclusters", "/usr/bin/pg_createcluster", "/usr/bin/pg_dropcluster",
			"/usr/lib/postgresql/15/bin/initdb"} {
			m.MustWrite(f, "", 0o755)
		}
		m.MustWrite(clusterFile, "15 main 5432 online postgres /var/lib/postgresql/15/main /log\n", 0o644)
		m.MustMkdir("/srv/fast")
		if err := m.Chown("/srv/fast", 70, -1); err != nil {
			panic(err)
		}
	})
}

// full holds one of each.
func full() []object {
	return []object{
		{"kind": "role", "name": "app", "superuser": "f", "inherit": "t", "createroles": "f", "createdb": "f", "login": "t",
			"replication": "f", "password": "md5" + md5Hex("secretapp"), "valid_until": "2030-01-01 00:00:00"},
		{"kind": "role", "name": "readers", "superuser": "f", "inherit": "t", "createroles": "f", "createdb": "f",
			"login":       "f",
			"replication": "f"},
		{"kind": "role", "name": "bound", "superuser": "f", "inherit": "t", "createroles": "f", "createdb": "f", "login": "t",
			"replication": "f"},
		{"kind": "privileges", "database": "postgres", "name": "tablespace fast", "bound": "CREATE", "app": "CREATE"},
		{"kind": "database", "name": "shop", "owner": "app", "encoding": "UTF8", "collate": "C", "ctype": "C",
			"tablespace": "pg_default"},
		{"kind": "tablespace", "name": "fast", "owner": "app", "location": "/srv/fast", "options": "{seq_page_cost=1.1}"},
		{"kind": "schema", "database": "shop", "name": "sales", "owner": "app", "oid": "20000"},
		{"kind": "extension", "database": "postgres", "name": "hstore", "extversion": "1.6", "schema_name": "public",
			"extrelocatable": "t", "oid": "20001"},
		{"kind": "language", "database": "postgres", "name": "plperl", "owner": "postgres", "oid": "20002"},
		{"kind": "member", "name": "readers\napp", "group": "readers", "member": "app", "admin": "f"},
		{"kind": "privileges", "database": "postgres", "name": "table orders", "app": "SELECT INSERT*",
			"postgres": "SELECT INSERT UPDATE DELETE TRUNCATE REFERENCES TRIGGER"},
	}
}

func TestConformance(t *testing.T) {
	state := modtest.State
	privilege := func(verb, role, what, on string, more ...any) modtest.Deed {
		return state("postgres_privileges."+verb, role, append([]any{"object_type", what, "object_name", on}, more...)...)
	}
	few := []string{"SELECT"}
	modtest.Suite{
		Family: Family(),
		Beyond: []string{"/var/lib/postgresql", clusterFile},
		Situations: modtest.Situations{
			"no server": modtest.Memory(tools, nil), "an empty server": machine(), "a full server": machine(full()...),
		},
		Deeds: []modtest.Deed{
			state("postgres_user.present", "app"),
			state("postgres_user.present", "app", "password", "secret", "createdb", true, "groups", "readers"),
			state("postgres_user.present", "app", "password", "other", "encrypted", "scram-sha-256", "valid_until",
				"2031-01-01"),
			state("postgres_user.present", "app", "default_password", "x", "superuser", true, "login", false,
				"groups", []string{"postgres"}),
			state("postgres_user.present", `o"dd'`, "password", "it's", "replication", true, "inherit", false),
			state("postgres_user.present", "app", "password", "x", "encrypted", false),
			state("postgres_user.present", "app", "password", "secret", "refresh_password", true),
			state("postgres_user.present", "app", "valid_until", "never"),
			state("postgres_user.present", "pg_x"),
			state("postgres_user.absent", "app"), state("postgres_user.absent", "readers"),
			state("postgres_user.absent", "postgres"), state("postgres_user.absent", "bound"),
			state("postgres_group.present", "readers", "groups", "app"), privilege("present", "readers", "group", "app"),
			state("postgres_group.present", "readers", "createroles", true),
			state("postgres_group.present", "others", "groups", "readers,postgres"),
			state("postgres_group.absent", "readers"),
			state("postgres_database.present", "shop"),
			state("postgres_database.present", "shop", "owner", "app", "encoding", "utf-8", "template", "template0"),
			state("postgres_database.present", "shop", "owner", "postgres", "owner_recurse", true, "tablespace", "pg_default"),
			state("postgres_database.present", "shop", "lc_collate", "de_DE.UTF-8"),
			state("postgres_database.present", "shop", "encoding", "EBCDIC"),
			state("postgres_database.present", "new", "owner", "nobody"),
			state("postgres_database.present", "new", "template", "none"),
			state("postgres_database.absent", "shop"), state("postgres_database.absent", "template1"),
			state("postgres_schema.present", "sales", "dbname", "shop", "owner", "postgres"),
			state("postgres_schema.present", "pg_x", "dbname", "postgres"),
			state("postgres_schema.absent", "sales", "dbname", "shop"),
			state("postgres_extension.present", "hstore", "ext_version", "1.7"),
			state("postgres_extension.present", "hstore", "ext_version", "99"),
			state("postgres_extension.present", "earth"), state("postgres_extension.present", "unheard-of"),
			state("postgres_extension.absent", "hstore", "if_exists", true),
			state("postgres_language.present", "plperl", "maintenance_db", "postgres"),
			state("postgres_language.absent", "plperl", "maintenance_db", "postgres"),
			state("postgres_language.absent", "sql", "maintenance_db", "postgres"),
			state("postgres_tablespace.present", "fast", "directory", "/srv/fast", "options",
				map[string]any{"seq_page_cost": "2"}),
			state("postgres_tablespace.present", "fast", "directory", "/srv/fast", "owner", "postgres"),
			state("postgres_tablespace.present", "fast", "directory", "/srv/none"),
			state("postgres_tablespace.absent", "fast"), state("postgres_tablespace.absent", "pg_default"),
			privilege("present", "app", "table", "orders", "privileges", few),
			privilege("present", "app", "table", "orders", "privileges", []string{"UPDATE"}, "grant_option", true),
			privilege("present", "app", "table", "ALL", "privileges", few),
			privilege("present", "public", "sequence", "ids", "privileges", []string{"ALL"}),
			privilege("present", "app", "schema", "public", "privileges", []string{"usage"}),
			privilege("present", "app", "function", "f(integer)", "privileges", []string{"EXECUTE"}),
			privilege("present", "app", "database", "shop", "privileges", []string{"CONNECT"}),
			privilege("present", "app", "group", "readers", "grant_option", true),
			privilege("present", "app", "function", "g(integer)", "privileges", []string{"EXECUTE"}),
			privilege("present", "bound", "tablespace", "fast", "privileges", []string{"CREATE"}),
			privilege("absent", "bound", "tablespace", "fast", "privileges", []string{"CREATE"}),
			privilege("present", "nobody", "table", "orders", "privileges", few),
			privilege("present", "app", "table", "none", "privileges", few),
			privilege("absent", "app", "table", "orders", "privileges", few),
			privilege("absent", "app", "table", "ALL", "privileges", []string{"ALL"}),
			privilege("absent", "app", "group", "readers"),
			state("postgres_cluster.present", "main", "version", "15"),
			state("postgres_cluster.present", "main", "version", "15", "port", 5555),
			state("postgres_cluster.present", "second", "version", "15"),
			state("postgres_cluster.present", "old", "version", "9"),
			state("postgres_cluster.absent", "main", "version", "15"),
			state("postgres_initdb.present", "/data", "password", "x"),
		},
	}.Run(t)
}
