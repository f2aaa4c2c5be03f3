// Package mysql keeps what a MySQL or MariaDB server holds: databases, users and grants; and runs queries.
//
// It speaks the server's protocol (go-sql-driver/mysql) over the local socket or the network; no client program is run.
// Connections last as long as one look or deed. What a state does to the server is foretold as facts, from which later
// states of a preview see databases, users and grants as they will be.
package mysql

import "github.com/gostate/gostate/modules"

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "mysql", States: []modules.StateSpec{
		databasePresentSpec(), databaseAbsentSpec(), userPresentSpec(), userAbsentSpec(), grantsPresentSpec(),
		grantsAbsentSpec(), queryRunSpec(), queryRunFileSpec(),
	}, Execs: execs()}
}
