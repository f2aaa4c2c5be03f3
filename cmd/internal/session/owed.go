package session

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/gostate/gostate/cmd/internal/journal"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/secret"
)

// journal opens what this machine owes from earlier runs. Its troubles are warnings.
func (s *Session) journal() *journal.File {
	return journal.Open(s.stateDir(), s.id, s.machine.Root(), func(err error) {
		s.Show(&diag.List{All: []*diag.Diagnostic{diag.Warnf(diag.Pos{}, "%v", err)}})
	})
}

// whole says whether the Request is about all states of this machine: then what is owed by others is forgotten.
func (r Request) whole() bool { return r.Top && len(r.Exclude)+len(r.IDs) == 0 }

// discreet is the journal of a run whose states have secrets in their names: those are not written down.
func (s *Session) discreet(j run.Journal, low []*state.Low) run.Journal {
	if s.secrets.Empty() {
		return j
	}
	d := discreet{j, s.secrets, map[string]string{}}
	for _, l := range low {
		if tag := l.Tag(); s.secrets.Holds(tag) {
			d.tags[d.hidden(tag)] = tag
		}
	}
	return d
}

// A discreet journal knows states by their names without the secrets in them. Two digits of a hash tell apart those
// that look alike then, and are too few to try secrets out on.
type discreet struct {
	run.Journal
	secrets *secret.Store
	tags    map[string]string // the real ones by the hidden ones
}

func (d discreet) hidden(tag string) string {
	if !d.secrets.Holds(tag) {
		return tag
	}
	sum := sha256.Sum256([]byte(tag))
	return d.secrets.Text(tag) + " " + hex.EncodeToString(sum[:1])
}

// Debts are those of the journal under the names of this run.
func (d discreet) Debts() []run.Debt {
	debts := d.Journal.Debts()
	for i := range debts {
		if tag, ok := d.tags[debts[i].Tag]; ok {
			debts[i].Tag = tag
		}
	}
	return debts
}

// Owe adds debts under their hidden names.
func (d discreet) Owe(debts []run.Debt) {
	out := make([]run.Debt, len(debts))
	for i, debt := range debts {
		debt.Tag, debt.Cause = d.hidden(debt.Tag), d.secrets.Text(debt.Cause)
		debt.Held = d.secrets.Text(debt.Held)
		out[i] = debt
	}
	d.Journal.Owe(out)
}

// Settle strikes debts out under their hidden names.
func (d discreet) Settle(debtors []run.Debtor) {
	out := make([]run.Debtor, len(debtors))
	for i, debtor := range debtors {
		debtor.Tag = d.hidden(debtor.Tag)
		out[i] = debtor
	}
	d.Journal.Settle(out)
}
