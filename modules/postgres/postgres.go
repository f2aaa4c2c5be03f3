// Package postgres keeps what a PostgreSQL server holds: roles, databases, schemas, extensions, languages, tablespaces
// and privileges; and the clusters of the machine.
//
// It speaks the server's protocol (pgx/v5/pgproto3) over the local socket, as the user of the machine that the server
// trusts, or over the network. No psql is run and none of its text is read. Names and texts in statements are written
// by the server's own format(). Sessions last as long as one look or deed: a kept one would stand in the way of the
// server's restart and of a database's removal.
//
// What a state does to the server is foretold as facts, from which later states of a preview see roles, databases and
// privileges as they will be. A database that is to be made holds what its template holds.
package postgres

import "github.com/gostate/gostate/modules"

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "postgres", States: []modules.StateSpec{
		userPresentSpec(), roleAbsentSpec("User"), groupPresentSpec(), roleAbsentSpec("Group"),
		databasePresentSpec(), databaseAbsentSpec(), schemaPresentSpec(), schemaAbsentSpec(),
		extensionPresentSpec(), extensionAbsentSpec(), languagePresentSpec(), languageAbsentSpec(),
		tablespacePresentSpec(), tablespaceAbsentSpec(), privilegesPresentSpec(), privilegesAbsentSpec(),
		clusterPresentSpec(), clusterAbsentSpec(), initdbPresentSpec(),
	}, Execs: execs()}
}
