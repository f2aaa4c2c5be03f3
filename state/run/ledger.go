package run

import (
	"fmt"
	"sync"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// A Journal keeps, from run to run, which states owe a reaction: what they watch or listen to changed, and their
// mod_watch has not succeeded since. Its methods are called one at a time. It reports its own troubles: a run does not
// fail for them.
type Journal interface {
	// Debts are what earlier runs left.
	Debts() []Debt
	// Owe adds debts, or notes anew what there is. When it returns they outlast the process and a loss of power.
	Owe(debts []Debt)
	// Settle strikes the debts of these debtors out.
	Settle(debtors []Debtor)
}

// A Debtor is a state by state.Low.Tag, and how it reacts: with its mod_watch in its turn (state.Watch) or at the end
// of the run (state.Listen), or by running at all (state.Onchanges).
type Debtor struct {
	Tag  string
	Kind state.Kind
}

// A Debt is the reaction that a state owes.
type Debt struct {
	Debtor
	// Cause is the first of the states that changed, "file: /etc/x"; Since is when.
	Cause string
	Since time.Time
	// Held is what held the reaction back in the last run that could have done it, "" for a run that was killed.
	Held string
	// Tries counts how often the reaction failed, Tried is when it did last.
	Tries int
	Tried time.Time
}

// Due is when a reaction that failed is tried again: in the next run, as its cause may have been mended by hand; then
// after ten minutes, and each time after twice as long, a day at most.
func (d *Debt) Due() time.Time {
	if d.Tries < 2 {
		return time.Time{}
	}
	return d.Tried.Add(min(10*time.Minute<<min(d.Tries-2, 8), 24*time.Hour))
}

// what is owed.
func (d *Debt) what() string {
	if d.Kind == state.Onchanges {
		return "run"
	}
	return "restart"
}

// rest words that a reaction is not tried now.
func (d *Debt) rest() string {
	return fmt.Sprintf("the %s owed since %s for %s failed (%d times) and is tried again after %s",
		d.what(), d.Since.Format("2006-01-02 15:04"), d.Cause, d.Tries, d.Due().Format("2006-01-02 15:04"))
}

func (d *Debt) comment() string {
	text := "the " + d.what() + " owed since " + d.Since.Format("2006-01-02 15:04") + ", when " + d.Cause +
		" changed and this was held back"
	if d.Held != "" {
		text += " by " + d.Held
	}
	return text
}

// A ledger is a run's view of its journal. Salt differs: it forgets a restart when the run ends between the change and
// the restart; here it is noted before the change is made, and a later run makes up for it.
//
// A nil ledger has no debts and notes none. Its methods may be called from any goroutine.
type ledger struct {
	journal Journal
	plan    *requisite.Plan
	bound   []modules.StateFunc
	now     func() time.Time
	outside map[string][]Debtor
	preview bool // then nothing is noted

	mu     sync.Mutex            // guards all below
	old    map[Debtor]*Debt      // from earlier runs, not settled yet
	fresh  map[Debtor][]*cause   // of this run
	causes map[*state.Low]*cause // what this run was about to change
	react  *reactors             // nil until it is needed
}

// A cause is a state that others react to, and that was about to be applied.
type cause struct {
	low     *state.Low
	debtors []Debtor
	// applying says that Apply has not said yet what it did, altered that it changed something.
	applying, altered bool
}

func newLedger(cfg Config) *ledger {
	if cfg.Journal == nil {
		return nil
	}
	l := &ledger{journal: cfg.Journal, plan: cfg.Plan, bound: cfg.Bound, now: cfg.Now, outside: cfg.Outside,
		preview: cfg.Preview,
		old:     map[Debtor]*Debt{}, fresh: map[Debtor][]*cause{}, causes: map[*state.Low]*cause{}}
	for _, d := range cfg.Journal.Debts() {
		l.old[d.Debtor] = &d
	}
	return l
}

// owed is what an earlier run left the state to do, nil for nothing. What failed so lately that it is not tried now is
// given as rests.
func (l *ledger) owed(low *state.Low, kind state.Kind) (now, rests *Debt) {
	if l == nil {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.old) == 0 {
		return nil, nil
	}
	d := l.old[Debtor{low.Tag(), kind}]
	if now := l.now(); d != nil && now.Before(d.Due()) && !now.Before(d.Tried) { // else the clock was set back
		return nil, d
	}
	return d, nil
}

// owe notes, before the states are applied, who is to react to them.
func (l *ledger) owe(lows ...*state.Low) {
	if l == nil || l.preview {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.react == nil {
		l.react = newReactors(l.plan, canReact(l.bound))
	}
	var debts []Debt
	for _, low := range lows {
		c := l.causes[low]
		if c == nil {
			c = &cause{low: low, debtors: append(l.react.to(low), l.outside[low.Tag()]...)}
			l.causes[low] = c
			debts = append(debts, l.charge(c)...)
		}
		c.applying = true
	}
	if len(debts) > 0 {
		l.journal.Owe(debts)
	}
}

// charge gives the debts that a cause adds to those that there are.
func (l *ledger) charge(c *cause) []Debt {
	var out []Debt
	for _, d := range c.debtors {
		if l.old[d] == nil && len(l.fresh[d]) == 0 {
			out = append(out, *debtOf(d, c, l.now()))
		}
		l.fresh[d] = append(l.fresh[d], c)
	}
	return out
}

// applied says what Apply did. Until then a change must be assumed.
func (l *ledger) applied(low *state.Low, altered bool) {
	if l == nil || l.preview {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.causes[low]; c != nil {
		c.applying, c.altered = false, c.altered || altered
	}
}

// settle takes note of a result: of what it changed, and of the reaction that it was.
func (l *ledger) settle(r *state.Result) {
	if l == nil || l.preview {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.old)+len(l.causes) == 0 {
		return
	}
	var paid []Debtor
	if c := l.causes[r.Low]; c != nil && r.How != state.Listened && !c.applying && !c.altered && !r.Changed() {
		paid = l.withdraw(c)
	}
	for _, d := range debtorsOf(r) {
		if l.pays(d, r) {
			delete(l.old, d)
			delete(l.fresh, d)
			paid = append(paid, d)
		} else if r.Outcome == state.Failed && !r.Noop && tried(d, r) {
			l.failed(d)
		}
	}
	if len(paid) > 0 {
		l.journal.Settle(paid)
	}
}

// debtorsOf are those whose debts a result may pay.
func debtorsOf(r *state.Result) []Debtor {
	tag := r.Low.Tag()
	if r.How == state.Listened {
		return []Debtor{{tag, state.Listen}}
	}
	return []Debtor{{tag, state.Watch}, {tag, state.Onchanges}}
}

// tried says whether a result is what the debtor owed.
func tried(d Debtor, r *state.Result) bool {
	switch r.How {
	case state.Watched, state.Listened:
		return true
	case state.Called:
		return d.Kind == state.Onchanges
	}
	return false
}

// failed notes that a reaction was tried in vain.
func (l *ledger) failed(d Debtor) {
	debt := l.old[d]
	if debt == nil && len(l.fresh[d]) > 0 {
		debt = debtOf(d, l.fresh[d][0], l.now())
	}
	if debt == nil {
		return
	}
	again := *debt
	again.Tries, again.Tried, again.Held = debt.Tries+1, l.now(), ownFailure
	l.old[d] = &again
	l.journal.Owe([]Debt{again})
}

func debtOf(d Debtor, c *cause, since time.Time) *Debt {
	return &Debt{Debtor: d, Cause: c.low.Module + ": " + c.low.Name, Since: since}
}

// withdraw takes back what a state that changed nothing would have made others owe.
func (l *ledger) withdraw(c *cause) []Debtor {
	var clear []Debtor
	for _, d := range c.debtors {
		list := l.fresh[d]
		keep := list[:0]
		for _, other := range list {
			if other != c {
				keep = append(keep, other)
			}
		}
		if l.fresh[d] = keep; len(keep) == 0 {
			delete(l.fresh, d)
			if len(list) > 0 && l.old[d] == nil {
				clear = append(clear, d)
			}
		}
	}
	delete(l.causes, c.low)
	return clear
}

// pays says whether a result is what the debtor owed, or its own rules say that there is nothing to do.
func (l *ledger) pays(d Debtor, r *state.Result) bool {
	old := l.old[d] != nil
	if !old && len(l.fresh[d]) == 0 {
		return false
	}
	if r.Noop && r.How != state.Conditional {
		return false // it was not done
	}
	switch r.How {
	case state.Watched, state.Listened:
		return r.Outcome == state.Succeeded
	case state.Called:
		if d.Kind == state.Onchanges {
			return r.Outcome == state.Succeeded // that it ran is the reaction
		}
		if !old && !r.Changed() && r.Outcome != state.Failed {
			return true // its turn came in this run, and by Salt's rules there was nothing to react to
		}
		return r.Outcome == state.Succeeded && r.Changed()
	case state.Conditional:
		return true // the state says itself that it is not to react
	case state.OnchangesOff, state.OnfailOff, state.PrereqOff:
		return !old
	}
	return false
}

// forget drops the debts of states that are gone, or that react to nothing any more. Only a run of all states can know.
func (l *ledger) forget() {
	if l == nil || l.preview {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.old) == 0 {
		return
	}
	there := reacting(l.plan, canReact(l.bound))
	var gone []Debtor
	for _, d := range l.journal.Debts() {
		if l.old[d.Debtor] != nil && !there[d.Debtor] {
			gone = append(gone, d.Debtor)
		}
	}
	for _, d := range gone {
		delete(l.old, d)
	}
	if len(gone) > 0 {
		l.journal.Settle(gone)
	}
}

// close notes what held back those that still owe something when a run ends. held gives "" for those that the run knows
// nothing of.
func (l *ledger) close(held func(Debtor) string) {
	if l == nil || l.preview || len(l.old)+len(l.fresh) == 0 {
		return
	}
	var again []Debt
	for _, d := range l.journal.Debts() {
		if why := held(d.Debtor); why != "" && why != d.Held {
			d.Held = why
			again = append(again, d)
		}
	}
	if len(again) > 0 {
		l.journal.Owe(again)
	}
}
