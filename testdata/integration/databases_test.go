//go:build integration

package integration

import (
	"strings"
	"testing"
)

// TestPostgres keeps what a real PostgreSQL server holds: an empty one, then one that is cleared again.
func TestPostgres(t *testing.T) {
	m := boot(t, "gs-postgres")
	m.sh("apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends postgresql " +
		">/dev/null 2>&1")
	m.write(map[string]string{
		"full": `readers:
  postgres_group.present: []
shopuser:
  postgres_user.present: [{password: secret}, {encrypted: scram-sha-256}, {createdb: true}, {groups: readers}]
old:
  postgres_user.present: [{password: "it's"}, {valid_until: '2035-01-01'}]
/srv/fast:
  file.directory: [{user: postgres}, {mode: '0700'}]
fast:
  postgres_tablespace.present: [{directory: /srv/fast}, {owner: shopuser}, {options: {seq_page_cost: 1.1}}]
shop:
  postgres_database.present: [{owner: shopuser}, {encoding: utf-8}, {template: template0}, {lc_collate: C}, {lc_ctype: C}]
sales:
  postgres_schema.present: [{dbname: shop}, {owner: shopuser}]
plpgsql:
  postgres_language.present: [{maintenance_db: shop}]
may connect:
  postgres_privileges.present: [{name: old}, {object_name: shop}, {object_type: database}, {privileges: [CONNECT, TEMPORARY]}, {grant_option: true}, {maintenance_db: shop}]
may look:
  postgres_privileges.present: [{name: readers}, {object_name: sales}, {object_type: schema}, {privileges: [ALL]}, {maintenance_db: shop}]
is member:
  postgres_privileges.present: [{name: old}, {object_name: readers}, {object_type: group}]
`,
		"other": `shopuser:
  postgres_user.present: [{password: other}, {superuser: true}, {login: false}]
shop:
  postgres_database.present: [{owner: old}, {owner_recurse: true}]
fast:
  postgres_tablespace.present: [{directory: /srv/fast}, {owner: old}, {options: {seq_page_cost: 1.2}}]
all tables:
  postgres_privileges.present: [{name: readers}, {object_name: ALL}, {object_type: table}, {privileges: [SELECT]}, {prepend: sales}, {maintenance_db: shop}]
may not look:
  postgres_privileges.absent: [{name: readers}, {object_name: sales}, {object_type: schema}, {privileges: [ALL]}, {maintenance_db: shop}]
everybody:
  postgres_privileges.absent: [{name: public}, {object_name: shop}, {object_type: database}, {privileges: [CONNECT, TEMPORARY]}]
second:
  postgres_cluster.present: [{version: '15'}, {port: 5499}]
`,
		"none": `second:
  postgres_cluster.absent: [{version: '15'}]
shop:
  postgres_database.absent: []
fast:
  postgres_tablespace.absent: []
shopuser:
  postgres_user.absent: []
old:
  postgres_user.absent: []
readers:
  postgres_group.absent: []
`,
		"bad": `no owner:
  postgres_database.present: [{name: x}, {owner: nobody}]
no files:
  postgres_extension.present: [{name: unheard-of}]
bound:
  postgres_user.absent: [{name: old}]
no role:
  postgres_privileges.present: [{name: nobody}, {object_name: shop}, {object_type: database}, {privileges: [CONNECT]}]
locale:
  postgres_database.present: [{name: y}, {lc_collate: POSIX}]
`,
		"stopped": "u:\n  postgres_user.present: []\n",
		"start":   "postgresql@15-main:\n  service.running: []\nu:\n  postgres_user.present: []\n",
	})
	m.converge("full")
	psql := func(query string) string { return `runuser -u postgres -- psql -Atc "` + query + `" ` }
	m.want(psql("SELECT datname, pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datcollate FROM pg_database "+
		"WHERE datname = 'shop'")+
		"; "+psql("SELECT left(rolpassword, 3), rolcreatedb FROM pg_authid WHERE rolname IN ('shopuser', 'old') ORDER BY 1"),
		"shop|shopuser|UTF8|C\nSCR|t\nmd5|f")
	m.sh(psql("CREATE TABLE sales.t (n int)") + "shop")
	m.converge("other")
	m.want(psql("SELECT relowner::regrole, relacl FROM pg_class WHERE relname = 't'")+"shop; pg_lsclusters -h | wc -l",
		"old|{old=arwdDxt/old,readers=r/old}\n2")
	m.fails("bad", 5)
	m.converge("none")
	m.want(psql("SELECT count(*) FROM pg_roles WHERE rolname !~ '^pg_'")+"; pg_lsclusters -h | wc -l", "1\n1")
	m.sh("systemctl stop postgresql@15-main")
	m.fails("stopped", 1)
	m.converge("start")
}

// TestMySQL keeps what a real MariaDB server holds.
func TestMySQL(t *testing.T) {
	m := boot(t, "gs-mysql")
	m.sh("apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends " +
		"mariadb-server " +
		">/dev/null 2>&1; printf '[mysqld]\\nskip-networking\\ntmpdir=/run/mysqld\\n' " +
		">/etc/mysql/mariadb.conf.d/99-local.cnf; systemctl restart mariadb")
	m.write(map[string]string{
		"full": `shop:
  mysql_database.present: [{character_set: utf8}, {collate: utf8_general_ci}]
app:
  mysql_user.present: [{password: s3cret}, {connection_default_file: /etc/mysql/debian.cnf}]
hashed:
  mysql_user.present: [{host: '%'}, {password_hash: '*6C8989366EAF75BB670AD8EA7A7FC1176A95CEF4'}]
daemon:
  mysql_user.present: [{unix_socket: true}]
free:
  mysql_user.present: [{allow_passwordless: true}]
some:
  mysql_grants.present: [{grant: 'select,insert'}, {database: shop.*}, {user: app}]
all:
  mysql_grants.present: [{grant: all privileges}, {database: 'a_b.*'}, {user: app}, {grant_option: true}]
server:
  mysql_grants.present: [{grant: 'replication client, process'}, {database: '*.*'}, {user: free}]
`,
		"other": `shop:
  mysql_database.present: [{character_set: utf8mb4}]
app:
  mysql_user.present: [{password: other}]
free:
  mysql_user.present: [{unix_socket: true}]
daemon:
  mysql_user.present: [{password: x}]
some:
  mysql_grants.absent: [{grant: insert}, {database: shop.*}, {user: app}]
all:
  mysql_grants.absent: [{grant: all}, {database: 'a_b.*'}, {user: app}, {grant_option: true}]
less:
  mysql_grants.present: [{grant: create}, {database: shop.*}, {user: app}, {revoke_first: true}]
`,
		"none": `shop:
  mysql_database.absent: []
app:
  mysql_user.absent: []
hashed:
  mysql_user.absent: [{host: '%'}]
`,
		"query": "q:\n  mysql_query.run: [{database: mysql}, {query: SELECT 1 AS one}, {output: /root/one}, {overwrite: " +
			"false}]\n",
		"bad": `no user:
  mysql_grants.present: [{grant: select}, {database: shop.*}, {user: nobody}]
no set:
  mysql_database.present: [{character_set: klingon}]
no table:
  mysql_grants.present: [{grant: select}, {database: shop.none}, {user: app}]
own:
  mysql_database.absent: [{name: mysql}]
refused:
  mysql_database.present: [{connection_user: app}, {connection_pass: wrong}]
`,
		"stopped": "db:\n  mysql_database.present: []\n",
		"start":   "mariadb:\n  service.running: []\ndb:\n  mysql_database.present: []\n",
	})
	m.converge("full")
	sql := func(query string) string { return `mariadb -rNBe "` + query + `"` }
	m.want(sql("SELECT 1")+" -u app -ps3cret; runuser -u daemon -- "+sql("SELECT 1")+" -u daemon; "+
		sql("SHOW GRANTS FOR app@localhost")+
		" | tail -2 | sort", "1\n1\nGRANT ALL PRIVILEGES ON `a\\_b`.* TO `app`@`localhost` WITH GRANT OPTION\n"+
		"GRANT SELECT, INSERT ON `shop`.* TO `app`@`localhost`")
	m.fails("bad", 5)
	m.converge("other")
	m.want(sql("SHOW GRANTS FOR app@localhost")+" | tail -1; "+sql("SELECT 1")+" -u app -pother",
		"GRANT CREATE ON `shop`.* TO `app`@`localhost`\n1")
	m.converge("query")
	m.want("cat /root/one", "one:1")
	m.converge("none")
	m.want(sql("SELECT COUNT(*) FROM mysql.user WHERE User IN ('app', 'hashed')"), "0")
	m.sh("systemctl stop mariadb")
	m.fails("stopped", 1)
	m.converge("start")
}

// fails says that a preview and a run fail in as many states.
func (m *machine) fails(sls string, count int) {
	m.t.Helper()
	preview, _, _ := m.apply("tree", "--test", "sls", sls)
	run, _, code := m.apply("tree", "sls", sls)
	if code == 0 || len(preview.failed()) != count || len(run.failed()) != count {
		m.t.Errorf("%s: exit code %d, preview failed %s, run %s", sls, code, strings.Join(preview.failed(), ", "),
			strings.Join(run.failed(), ", "))
	}
}
