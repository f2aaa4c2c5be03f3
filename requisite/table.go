package requisite

import "github.com/gostate/gostate/state"

// Gate says when a group of requisites lets its state run.
type Gate uint8

const (
	// GateSucceeded: every target succeeded (a skipped one did). Otherwise the state fails.
	GateSucceeded Gate = iota
	// GateAnySucceeded: at least one target succeeded. Otherwise the state fails.
	GateAnySucceeded
	// GateChanged: every target succeeded and one of them changed. A failure fails the state, no change skips it.
	GateChanged
	// GateAnyChanged: one target succeeded with changes. All failed fails the state, otherwise no change skips it.
	GateAnyChanged
	// GateFailed: one target failed. Otherwise the state is skipped.
	GateFailed
	// GateAllFailed: every target failed. Otherwise the state is skipped.
	GateAllFailed
	// GateWouldChange: a preview of one target says that it would change. Otherwise the state is not needed.
	GateWouldChange
	// GateNone: always.
	GateNone
)

// Reaction says what a change of a target makes of the state.
type Reaction uint8

const (
	// ReactNone: nothing.
	ReactNone Reaction = iota
	// ReactWatch: mod_watch is called when the state itself made no change.
	ReactWatch
	// ReactAtEnd: mod_watch is called once when all else has run.
	ReactAtEnd
	// ReactCopy: the target's arguments are copied when compiling; nothing at run time.
	ReactCopy
)

// A Row is what one kind of requisite in one mode means.
type Row struct {
	Kind state.Kind
	Mode state.Mode
	// Key is the name in an SLS file.
	Key string
	// Before says that targets run before the state that names them; prereq is the other way round, listen and use say nothing.
	Before bool
	// After says that targets run after the state: prereq.
	After    bool
	Gate     Gate
	Reaction Reaction
}

// table is Table, made once; nobody writes it.
var table = [...]Row{
	{state.Require, state.All, "require", true, false, GateSucceeded, ReactNone},
	{state.Require, state.Any, "require_any", true, false, GateAnySucceeded, ReactNone},
	{state.Watch, state.All, "watch", true, false, GateSucceeded, ReactWatch},
	{state.Watch, state.Any, "watch_any", true, false, GateAnySucceeded, ReactWatch},
	{state.Prereq, state.All, "prereq", false, true, GateWouldChange, ReactNone},
	{state.Onfail, state.All, "onfail", true, false, GateFailed, ReactNone},
	{state.Onfail, state.Any, "onfail_any", true, false, GateFailed, ReactNone},
	{state.Onfail, state.Every, "onfail_all", true, false, GateAllFailed, ReactNone},
	{state.Onchanges, state.All, "onchanges", true, false, GateChanged, ReactNone},
	{state.Onchanges, state.Any, "onchanges_any", true, false, GateAnyChanged, ReactNone},
	{state.Listen, state.All, "listen", false, false, GateNone, ReactAtEnd},
	{state.Use, state.All, "use", false, false, GateNone, ReactCopy},
}

// Table is what each kind of requisite does, in the order in which a state's requisites are walked.
func Table() []Row { return append([]Row(nil), table[:]...) }

// Of is the row of a kind and mode.
func Of(k state.Kind, m state.Mode) Row {
	for i := range table {
		if table[i].Kind == k && table[i].Mode == m {
			return table[i]
		}
	}
	return Row{Kind: k, Mode: m, Gate: GateNone}
}
