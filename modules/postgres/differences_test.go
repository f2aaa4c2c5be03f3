package postgres

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

// TestUnlikeSalt has what Salt gets wrong: one state on a server that holds one of each.
func TestUnlikeSalt(t *testing.T) {
	state, suite := modtest.State, modtest.Suite{Family: Family()}
	privilege := func(verb, list string, more ...any) modtest.Deed {
		return state("postgres_privileges."+verb, "app", append([]any{"object_type", "table", "object_name", "orders",
			"privileges", strings.Split(list, ",")}, more...)...)
	}
	for _, tt := range []struct {
		name string
		deed modtest.Deed
		want string
	}{
		{"an encoding by another name", state("postgres_database.present", "shop", "encoding", "utf-8"), "quiet"},
		{"restrict", state("postgres_extension.absent", "hstore", "restrict", true), "{'hstore': 'Absent'}"},
		{"a version", state("postgres_extension.present", "hstore", "ext_version", "1.7"), "{'hstore': 'Upgraded'}"},
		{"a grant option that is held", privilege("present", "INSERT", "grant_option", true), "quiet"},
		{"one that is not", privilege("present", "SELECT", "grant_option", true), "{'app': 'Present'}"},
		{"what of it is held", privilege("absent", "INSERT,UPDATE"), "{'app': 'Absent'}"},
		{"nothing of it", privilege("absent", "UPDATE"), "quiet"},
	} {
		e, err := suite.One(t, machine(full()...)(t), tt.deed)
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
	_, err := suite.One(t, modtest.Memory(tools, nil)(t), state("postgres_user.absent", "app"))
	if err == nil || !strings.Contains(err.Error(), "no PostgreSQL server answers") {
		t.Errorf("without a server: %v", err)
	}
}
