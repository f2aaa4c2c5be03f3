package postgres

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
)

// TestExecs asks and changes a server, one call after the other.
func TestExecs(t *testing.T) {
	h := machine(full()...)(t)
	rows := [][4]string{
		{"postgres.version", `[]`, "", "'15.4'"},
		{"postgres.psql_query", `["SELECT 1 AS n;"]`, "", "[{'n': '1'}]"},
		{"postgres.psql_query", `["CREATE ROLE evil"]`, "", "[]"}, {"postgres.user_exists", `["evil"]`, "", "False"},
		{"postgres.db_exists", `["shop"]`, "", "True"},
		{"postgres.db_create", `["new"]`, `{"owner": "app"}`, "True"},
		{"postgres.db_create", `["new2"]`, `{"owner": "nobody"}`, "False"},
		{"postgres.db_list", `[]`, `{"maintenance_db": "none"}`, "{}"},
		{"postgres.db_alter", `["new"]`, `{"owner": "postgres"}`, "True"},
		{"postgres.db_remove", `["new"]`, "", "True"},
		{"postgres.db_remove", `["template1"]`, "", "error: Failed: cannot drop a template database"},
		{"postgres.user_exists", `["app"]`, "", "True"},
		{"postgres.user_create", `["app"]`, "", "False"},
		{"postgres.user_create", `["joe"]`, `{"rolepassword": "it's", "groups": "readers", "connlimit": 3}`, "True"},
		{"postgres.role_get", `["joe"]`, `{"return_password": true}`, "{'superuser': False, 'inherits privileges': True, " +
			"'can create roles': False, 'can create databases': False, 'can update system catalogs': None, 'can login': True, " +
			"'replication': False, 'connections': None, 'expiry time': None, 'defaults variables': '', 'password': 'md5" +
			md5Hex("it'sjoe") + "', 'groups': ['readers']}"},
		{"postgres.user_update", `["joe"]`, `{"encrypted": "rot13"}`, "error: Unknown password algorithm: rot13"},
		{"postgres.user_remove", `["joe"]`, "", "True"}, {"postgres.user_remove", `["joe"]`, "", "False"},
		{"postgres.role_get", `["joe"]`, "", "None"},
		{"postgres.group_create", `["g"]`, "", "True"}, {"postgres.group_update", `["g"]`, `{"createdb": true}`, "True"},
		{"postgres.group_remove", `["g"]`, "", "True"},
		{"postgres.schema_list", `["shop"]`, "", "{'sales': {'owner': 'app', 'acl': ''}}"},
		{"postgres.schema_create", `["shop", "s2"]`, `{"owner": "app"}`, "True"},
		{"postgres.schema_exists", `["shop", "s2"]`, "", "True"}, {"postgres.schema_remove", `["shop", "s2"]`, "", "True"},
		{"postgres.schema_get", `["shop", "s2"]`, "", "None"}, {"postgres.schema_get", `["none", "s2"]`, "", "None"},
		{"postgres.language_list", `["postgres"]`, "", "{'plperl': 'plperl', 'sql': 'sql'}"},
		{"postgres.language_remove", `["plperl", "postgres"]`, "", "True"},
		{"postgres.language_create", `["plperl", "postgres"]`, "", "True"},
		{"postgres.language_exists", `["plperl", "postgres"]`, "", "True"},
		{"postgres.is_available_extension", `["HStore"]`, "", "True"},
		{"postgres.get_available_extension", `["hstore"]`, "", "{'name': 'hstore', 'default_version': '1.8'}"},
		{"postgres.create_metadata", `["hstore"]`, `{"ext_version": "1.10", "schema": "x"}`,
			"['EXTENSION INSTALLED', 'EXTENSION TO UPGRADE', 'EXTENSION TO MOVE']"},
		{"postgres.drop_extension", `["hstore"]`, "", "True"}, {"postgres.is_installed_extension", `["hstore"]`, "", "False"},
		{"postgres.create_extension", `["hstore"]`, "", "True"},
		{"postgres.tablespace_exists", `["fast"]`, "", "True"},
		{"postgres.tablespace_alter", `["fast"]`, `{"set_option": {"seq_page_cost": "2"}}`, "True"},
		{"postgres.tablespace_list", `[]`, "", "{'fast': {'Owner': 'app', 'ACL': '', 'Opts': '{seq_page_cost=2}', " +
			"'Location': " +
			"'/srv/fast'}, 'pg_default': {'Owner': 'postgres', 'ACL': '', 'Opts': '', 'Location': ''}}"},
		{"postgres.tablespace_remove", `["fast"]`, "", "True"},
		{"postgres.privileges_list", `["orders", "table"]`, "", "{'app': {'INSERT': True, 'SELECT': False}, 'postgres': " +
			"{'INSERT': False, 'SELECT': False, 'UPDATE': False, 'DELETE': False, 'TRUNCATE': False, 'REFERENCES': False, " +
			"'TRIGGER': False}}"},
		{"postgres.has_privileges", `["app", "orders", "table", "SELECT,INSERT"]`, "", "True"},
		{"postgres.has_privileges", `["app", "orders", "table", "SELECT", true]`, "", "False"},
		{"postgres.has_privileges", `["app", "orders", "table", "JUMP"]`, "",
			"error: Invalid privilege(s): JUMP provided for object table"},
		{"postgres.privileges_grant", `["app", "orders", "table", "UPDATE"]`, "", "True"},
		{"postgres.privileges_grant", `["app", "orders", "table", "UPDATE"]`, "", "False"},
		{"postgres.privileges_revoke", `["app", "orders", "table", "UPDATE"]`, "", "True"},
		{"postgres.privileges_list", `["readers", "group"]`, "", "{'app': False}"},
		{"postgres.cluster_list", `[]`, "", "['15/main']"}, {"postgres.cluster_create", `["15", "two"]`, "", "True"},
		{"postgres.cluster_exists", `["15", "two"]`, "", "True"}, {"postgres.cluster_remove", `["15", "two"]`, "", "True"},
		{"postgres.datadir_exists", `["/data"]`, "", "False"}, {"postgres.datadir_init", `["/data"]`, "", "True"},
	}
	modtest.Execs{Family: Family(), Host: h}.Table(t, rows)
}

// TestExecsForetold: on an overlay what was made is there for later calls, and the server is as it was.
func TestExecsForetold(t *testing.T) {
	h := machine()(t)
	modtest.Execs{Family: Family(), Host: host.NewOverlay(h)}.Table(t, [][4]string{
		{"postgres.user_create", `["joe"]`, "", "True"}, {"postgres.user_exists", `["joe"]`, "", "True"},
		{"postgres.db_create", `["new"]`, `{"owner": "joe"}`, "True"}, {"postgres.db_exists", `["new"]`, "", "True"},
		{"postgres.schema_exists", `["new", "public"]`, "", "False"},
		{"postgres.user_remove", `["joe"]`, "", "False"}, {"postgres.db_remove", `["new"]`, "", "True"},
		{"postgres.user_remove", `["joe"]`, "", "True"},
	})
	modtest.Execs{Family: Family(), Host: h}.Table(t, [][4]string{{"postgres.user_exists", `["joe"]`, "", "False"}})
}
