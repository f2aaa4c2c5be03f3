package nftables

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Table is what table_present and table_absent take.
type Table struct {
	Name string `arg:"name,required,word" doc:"The table."`
	Net
}

// TablePresent keeps a table.
type TablePresent struct{ Table }

// TableAbsent keeps a table away.
type TableAbsent struct{ Table }

func tablePresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "nftables.table_present",
		Doc:     "Keeps a table.",
		Example: "filter:\n  nftables.table_present:\n    - family: inet",
		New:     func() modules.StateFunc { return &TablePresent{} },
	}
}

func tableAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "nftables.table_absent",
		Doc:     "Keeps a table away: it is deleted with all its chains and rules.",
		Example: "filter:\n  nftables.table_absent:\n    - family: ipv4",
		New:     func() modules.StateFunc { return &TableAbsent{} },
	}
}

func (t *Table) line(verb string) string { return verb + " table " + t.nft() + " " + t.Name }

func (t *Table) say(format string) string { return fmt.Sprintf(format, t.Name, t.Family) }

// there says whether there is the table.
func (t *Table) there(ctx context.Context, h host.Reader) (bool, error) {
	all, err := now(ctx, h, told(h))
	return err == nil && all.table(t.nft(), t.Name) != nil, err
}

// Act makes the table.
func (t *TablePresent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if there, err := t.there(ctx, h); there || err != nil {
		return state.Settled(t.say("nftables table %s already exists in family %s")), err
	}
	if err := do(ctx, h, t.line("add")); err != nil {
		return state.Effect{}, fmt.Errorf(t.say("Failed to create table %s for family %s")+": %w", err)
	}
	return changed(t.Name, t.say("nftables table %s successfully created in family %s"),
		t.say("nftables table %s would be created in family %s")), nil
}

// Act deletes the table.
func (t *TableAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if there, err := t.there(ctx, h); !there || err != nil {
		return state.Settled(t.say("nftables table %s is already absent from family %s")), err
	}
	if err := do(ctx, h, t.line("delete")); err != nil {
		return state.Effect{}, fmt.Errorf(t.say("Failed to delete table %s from family %s")+": %w", err)
	}
	return changed(t.Name, t.say("nftables table %s successfully deleted from family %s"),
		t.say("nftables table %s would be deleted from family %s")), nil
}
