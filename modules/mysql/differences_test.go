package mysql

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

// TestUnlikeSalt has what Salt gets wrong: one state on a server that holds one of each.
func TestUnlikeSalt(t *testing.T) {
	state, suite := modtest.State, modtest.Suite{Family: Family()}
	grant := func(verb, list, on string, more ...any) modtest.Deed {
		return state("mysql_grants."+verb, "g", append([]any{"grant", list, "database", on, "user", "app"}, more...)...)
	}
	for _, tt := range []struct {
		name string
		deed modtest.Deed
		want string
	}{
		{"utf8 is utf8mb3", state("mysql_database.present", "shop", "character_set", "utf8"), "quiet"},
		{"a character set alone", state("mysql_database.present", "shop", "character_set", "latin1"),
			"{'collate': {'before': 'utf8mb3_general_ci', 'now': 'latin1_general_ci'}, 'character_set': {'before': 'utf8mb3', " +
				"'now': 'latin1'}}"},
		{"the server's own database", state("mysql_database.absent", "mysql"),
			"error: Unable to remove database mysql (it is the server's own)"},
		{"to the socket", state("mysql_user.present", "app", "unix_socket", true), "{'app': 'Updated'}"},
		{"and back", state("mysql_user.present", "sock", "password", "x"), "{'sock': 'Updated'}"},
		{"a part of ALL", grant("present", "select", "a_b.*"), "quiet"},
		{"a grant option that is not held", grant("present", "select", "shop.*", "grant_option", true), "{'g': 'Present'}"},
		{"revoked first", grant("present", "delete", "shop.*", "revoke_first", true), "{'g': 'Present'}"},
		{"what of it is held", grant("absent", "insert,delete", "shop.*"), "{'g': 'Absent'}"},
		{"all, with the grant option", grant("absent", "all", "a_b.*", "grant_option", true), "{'g': 'Absent'}"},
		{"a query nowhere", state("mysql_query.run", "q", "database", "none", "query", "SELECT 1 AS a"),
			"error: Database none is not present"},
	} {
		e, err := suite.One(t, machine(full())(t), tt.deed)
		got := "quiet"
		switch {
		case err != nil:
			got = "error: " + err.Error()
		case e.Alters():
			got = value.Repr(e.Changes)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	h := machine(full())(t)
	if _, err := suite.One(t, h, grant("present", "delete", "shop.*", "revoke_first", true)); err != nil {
		t.Fatal(err)
	}
	left := modtest.Execs{Family: Family(), Host: h}.Call(t, "mysql.user_grants", `["app"]`, "")
	if strings.Contains(left, "INSERT") || !strings.Contains(left, "DELETE") {
		t.Errorf("after revoke_first: %s", left)
	}
}
