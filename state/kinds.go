package state

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
	// ReactSubscribe: as ReactWatch, and a refresh of a target counts as a change. A state that failed is not refreshed;
	// one that its conditions hold back does nothing, and passes the event on to those that subscribe to it.
	ReactSubscribe
	// ReactCopy: the target's arguments are copied when compiling; nothing at run time.
	ReactCopy
)

// InTurn says that mod_watch is called in the turn of the state.
func (r Reaction) InTurn() bool { return r == ReactWatch || r == ReactSubscribe }

// A KindRow is what one kind of requisite in one mode means.
type KindRow struct {
	Kind Kind
	Mode Mode
	// Key is the name in an SLS file; with _in behind it, it points the other way: the target gets the requisite.
	Key string
	In  bool // there is such a name
	// Before says that targets run before the state that names them; prereq is the other way round, listen and use say
	// nothing.
	Before bool
	// After says that targets run after the state: prereq.
	After    bool
	Gate     Gate
	Reaction Reaction
}

// kinds is Kinds, made once; nobody writes it.
var kinds = [...]KindRow{
	{Require, All, "require", true, true, false, GateSucceeded, ReactNone},
	{Require, Any, "require_any", false, true, false, GateAnySucceeded, ReactNone},
	{Watch, All, "watch", true, true, false, GateSucceeded, ReactWatch},
	{Watch, Any, "watch_any", false, true, false, GateAnySucceeded, ReactWatch},
	{Subscribe, All, "subscribe", false, true, false, GateSucceeded, ReactSubscribe},
	{Prereq, All, "prereq", true, false, true, GateWouldChange, ReactNone},
	{Onfail, All, "onfail", true, true, false, GateFailed, ReactNone},
	{Onfail, Any, "onfail_any", false, true, false, GateFailed, ReactNone},
	{Onfail, Every, "onfail_all", false, true, false, GateAllFailed, ReactNone},
	{Onchanges, All, "onchanges", true, true, false, GateChanged, ReactNone},
	{Onchanges, Any, "onchanges_any", false, true, false, GateAnyChanged, ReactNone},
	{Listen, All, "listen", true, false, false, GateNone, ReactAtEnd},
	{Use, All, "use", true, false, false, GateNone, ReactCopy},
}

// staged are the rows of what a run stage waits for: all of the one before. In mode Any a failure there does not
// matter.
// Nobody writes it: Kinds does not list them.
var staged = [...]KindRow{
	{Staged, All, "stage", false, true, false, GateSucceeded, ReactNone},
	{Staged, Any, "stage", false, true, false, GateNone, ReactNone},
}

// Kinds is what each kind of requisite does, in the order in which a state's requisites are walked.
func Kinds() []KindRow { return append([]KindRow(nil), kinds[:]...) }

// automatic is the row of what auto_require adds. It has no name in an SLS file: Kinds does not list it.
var automatic = KindRow{Require, Automatic, "automatic", false, true, false, GateSucceeded, ReactNone}

// KindOf is the row of a kind and mode.
func KindOf(k Kind, m Mode) KindRow {
	if m == Automatic {
		return automatic
	}
	if k == Staged {
		return staged[m]
	}
	for i := range kinds {
		if kinds[i].Kind == k && kinds[i].Mode == m {
			return kinds[i]
		}
	}
	return KindRow{Kind: k, Mode: m, Key: "requisite", Gate: GateNone}
}
