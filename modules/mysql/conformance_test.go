package mysql

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func machine(objects map[string]object) func(*testing.T) host.Host {
	return modtest.Memory(nil, func(m *hosttest.Memory) {
		m.MustWrite("/etc/mysql/debian.cnf", "[other]\nuser = x\n[client]\nuser = 'root'\nsocket = "+
			"/var/run/mysqld/mysqld.sock\n",
			0o600)
		m.MustWrite("/srv/answer", "", 0o644)
		fakeServer(m, objects)
	})
}

// full holds one of each.
func full() map[string]object {
	return map[string]object{
		"database shop": {"charset": "utf8mb3", "collation": "utf8mb3_general_ci"},
		"user app\nlocalhost": {"User": "app", "Host": "localhost", "plugin": native,
			"authentication_string": login{password: "s3cret"}.kept()},
		"user free\nlocalhost":   {"User": "free", "Host": "localhost", "plugin": native},
		"user sock\nlocalhost":   {"User": "sock", "Host": "localhost", "plugin": "unix_socket"},
		"user other\nlocalhost":  {"User": "other", "Host": "localhost", "plugin": "ed25519", "authentication_string": "x"},
		"grants app\nlocalhost":  {"`shop`.*": "SELECT|INSERT", "`a\\_b`.*": "ALL PRIVILEGES|GRANT OPTION"},
		"grants free\nlocalhost": {"*.*": "BINLOG MONITOR|PROCESS"},
	}
}

// files hold one script.
type files struct{ modules.Files }

func (files) Fetch(context.Context, string, string) ([]byte, error) {
	return []byte("-- begin\nDELETE FROM a WHERE b = ';'; # and\nSELECT 1 AS a;\n"), nil
}

func TestConformance(t *testing.T) {
	state := modtest.State
	grant := func(verb, list, on, user string, more ...any) modtest.Deed {
		return state("mysql_grants."+verb, "g", append([]any{"grant", list, "database", on, "user", user}, more...)...)
	}
	modtest.Suite{
		Family: Family(),
		Beyond: []string{"/var/lib/mysql"},
		Env: func(*testing.T) *modules.Env {
			none := modules.Whole(func() *value.Dict { return value.NewDict(0) })
			return &modules.Env{Opts: none, Grains: none, Pillar: none, Files: files{}, Progress: func(string) {},
				Now: func() time.Time { return time.Unix(1, 0) }}
		},
		Situations: modtest.Situations{
			"no server": modtest.Memory(nil, nil), "an empty server": machine(nil), "a full server": machine(full()),
		},
		Deeds: []modtest.Deed{
			state("mysql_database.present", "shop"),
			state("mysql_database.present", "shop", "character_set", "utf8", "connection_default_file", "/etc/mysql/debian.cnf"),
			state("mysql_database.present", "shop", "collate", "latin1_bin"),
			state("mysql_database.present", "shop", "character_set", "utf8mb4", "collate", "utf8mb4_bin"),
			state("mysql_database.present", "shop", "character_set", "klingon"),
			state("mysql_database.present", "shop", "collate", "klingon_ci"),
			state("mysql_database.present", "shop", "connection_default_file", "/etc/none"),
			state("mysql_database.absent", "shop"), state("mysql_database.absent", "mysql"),
			state("mysql_user.present", "app", "password", "s3cret"),
			state("mysql_user.present", "app", "password", "other", "host", "%"),
			state("mysql_user.present", "app", "password_hash", "*6C8989366EAF75BB670AD8EA7A7FC1176A95CEF4"),
			state("mysql_user.present", "app", "password_hash", "plain"),
			state("mysql_user.present", "free", "allow_passwordless", true),
			state("mysql_user.present", "app", "allow_passwordless", true),
			state("mysql_user.present", "app", "unix_socket", true), state("mysql_user.present", "sock", "password", "x"),
			state("mysql_user.present", "other", "password", "x", "auth_plugin", "ed25519"),
			state("mysql_user.present", "new", "password", "x", "auth_plugin", "none"),
			state("mysql_user.absent", "app"), state("mysql_user.absent", "none"),
			grant("present", "select, insert", "shop.*", "app"), grant("present", "all", "shop.*", "app", "grant_option", true),
			grant("present", "SELECT", "a_b.*", "app"), grant("present", "delete", "shop.*", "app", "revoke_first", true),
			grant("present", "select (a, b)", "shop.orders", "app"), grant("present", "select", "shop.none", "app"),
			grant("present", "replication client", "*.*", "free"), grant("present", "usage", "*.*", "app"),
			grant("present", "select", "`shop`.*", "app", "escape", false),
			grant("present", "select", "shop.*", "app", "ssl_option", []any{map[string]any{"SSL": true}}),
			grant("present", "select", "shop.*", "nobody"),
			grant("absent", "insert", "shop.*", "app"), grant("absent", "all", "a_b.*", "app", "grant_option", true),
			grant("absent", "process", "*.*", "free"), grant("absent", "usage", "*.*", "nobody"),
			state("mysql_query.run", "q", "database", "shop", "query", "SELECT 1 AS a"),
			state("mysql_query.run", "q", "database", "shop", "query", "DELETE FROM a", "output", "/srv/answer", "overwrite",
				false),
			state("mysql_query.run", "q", "database", "mysql", "query", "SELECT 1 AS a", "output", "/srv/new"),
			state("mysql_query.run", "q", "database", "mysql", "query", "SELEKT").Untold("the server does not understand it"),
			state("mysql_query.run_file", "q", "database", "mysql", "query_file", "salt://a.sql"),
			state("mysql_query.run_file", "q", "database", "mysql", "query_file", "/none.sql"),
		},
	}.Run(t)
}

// TestFaults: what contradicts itself is refused before the run.
func TestFaults(t *testing.T) {
	for _, v := range []modules.Validator{
		&UserPresent{Name: "a", Host: "localhost"}, &UserPresent{Name: "a", Password: "x", UnixSocket: true,
			Host: "localhost"},
		&UserPresent{Name: "a", UnixSocket: true, Host: "%"},
		&GrantsPresent{Grants: Grants{Grant: "fly", Database: "a.*"}},
		&GrantsPresent{Grants: Grants{Grant: "select", Database: "a"}},
		&GrantsAbsent{Grants{Database: "a.*"}},
		&GrantsPresent{Grants: Grants{Grant: "select", Database: "a.*"},
			SSLOption: value.NewList(value.DictOf("TLS", value.Bool(true)))},
		&QueryRun{Run: Run{Output: "grain"}},
	} {
		if len(v.Validate()) == 0 {
			t.Errorf("%+v has no fault", v)
		}
	}
}

// TestExecs asks and changes a server, one call after the other.
func TestExecs(t *testing.T) {
	modtest.Execs{Family: Family(), Host: machine(full())(t), Env: &modules.Env{Files: files{}}}.Table(t, [][4]string{
		{"mysql.version", `[]`, "", "'10.11.6-MariaDB'"}, {"mysql.db_list", `[]`, "", "['mysql', 'shop']"},
		{"mysql.db_exists", `["shop"]`, "", "True"},
		{"mysql.db_get", `["shop"]`, "", "{'character_set': 'utf8mb3', 'collate': 'utf8mb3_general_ci'}"},
		{"mysql.db_create", `["new", "latin1"]`, "", "True"}, {"mysql.db_create", `["new"]`, "", "False"},
		{"mysql.alter_db", `["new"]`, `{"collate": "utf8_bin"}`, "True"},
		{"mysql.db_get", `["new"]`, "", "{'character_set': 'utf8mb3', 'collate': 'utf8mb3_bin'}"},
		{"mysql.db_remove", `["new"]`, "", "True"}, {"mysql.db_remove", `["mysql"]`, "", "False"},
		{"mysql.db_tables", `["shop"]`, "", "['t']"},
		{"mysql.user_exists", `["app"]`, "", "True"}, {"mysql.user_exists", `["app", "localhost", "wrong"]`, "", "False"},
		{"mysql.user_exists", `["free"]`, `{"passwordless": true}`, "True"},
		{"mysql.user_create", `["joe", "%", "pw"]`, "", "True"}, {"mysql.user_create", `["joe", "%", "pw"]`, "", "False"},
		{"mysql.user_chpass", `["joe", "%", "new"]`, "", "True"}, {"mysql.user_exists", `["joe", "%", "new"]`, "", "True"},
		{"mysql.grant_add", `["select,insert", "shop.*", "joe", "%"]`, "", "True"},
		{"mysql.user_grants", `["joe", "%"]`, "", "['GRANT USAGE ON *.* TO `joe`@`%`', 'GRANT SELECT, INSERT ON `shop`.* TO " +
			"`joe`@`%`']"},
		{"mysql.grant_exists", `["INSERT", "shop.*", "joe", "%"]`, "", "True"},
		{"mysql.grant_revoke", `["insert", "shop.*", "joe", "%"]`, "", "True"},
		{"mysql.grant_exists", `["INSERT", "shop.*", "joe", "%"]`, "", "False"},
		{"mysql.user_remove", `["joe", "%"]`, "", "True"}, {"mysql.user_remove", `["joe", "%"]`, "", "False"},
		{"mysql.status", `[]`, "", "{'Uptime': '7'}"},
		{"mysql.quote_identifier", "[\"a`b%\"]", "", "'`a``b%%`'"}, {"mysql.verify_login", `["root"]`, "", "True"},
		{"mysql.tokenize_grant", "[\"GRANT SELECT, LOCK TABLES ON `a b`.* TO 'x'@'%' WITH GRANT OPTION\"]", "",
			"{'user': 'x', 'host': '%', 'grant': ['SELECT', 'LOCK TABLES'], 'database': '`a b`.*'}"},
	})
}

// TestScript: a script is taken apart at its semicolons, and at no others.
func TestScript(t *testing.T) {
	got := statements("-- a;\nINSERT INTO t VALUES ('a;''b\\';', `c;d`); # e;\n/* f; */ /*!40101 SET x=1 */;\n;SELECT 2")
	want := []string{"INSERT INTO t VALUES ('a;''b\\';', `c;d`)", "/*!40101 SET x=1 */", "SELECT 2"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

// TestFailureChangesNothing: what the server refuses shows no changes beside the error, and the secret in it nowhere.
func TestFailureChangesNothing(t *testing.T) {
	env := &modules.Env{Progress: func(string) {}}
	for _, fn := range []modules.StateFunc{
		&QueryRun{Run: Run{Database: "mysql", CheckDBExists: true, Overwrite: true}, Query: "SELEKT"},
		&UserPresent{Name: "new", Host: "localhost", Password: "s3cret", AuthPlugin: "none"},
	} {
		e, err := fn.Act(t.Context(), env, machine(nil)(t))
		if err == nil || e.Alters() || strings.Contains(err.Error()+e.Comment, "s3cret") {
			t.Errorf("%T: %+v %v", fn, e, err)
		}
	}
}
