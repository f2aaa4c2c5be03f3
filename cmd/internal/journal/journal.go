// Package journal keeps on disk which states owe a reaction (see run.Journal): one file for each machine, in the state
// directory.
//
// It promises that a debt is on the disk before Owe returns, that a run in which nothing is owed and nothing changes
// writes nothing, that what cannot be read is told and then passed over, and that no debt of one minion id or --root is
// seen by another.
//
// The file is a line of JSON that says what it is and whose, and then one line for each thing noted, oldest first:
//
//	{"format":"gostate-journal","version":1,"id":"web1","root":"/"}
//	{"owe":[{"state":"service_|-nginx_|-nginx_|-running","cause":"file: /etc/nginx.conf","since":"2026-11-21T03:00:00Z"}]}
//	{"settle":[{"state":"service_|-nginx_|-nginx_|-running"}]}
//
// What becomes of lines that cannot be read is said in package lines. When nothing is owed any more the file is
// removed.
package journal

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/lines"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
)

// A File is the journal of one machine. It belongs to one goroutine at a time, and is written by whoever holds the run
// lock.
type File struct {
	*lines.Log
	slots []slot // in the order in which they came to owe
	debts map[run.Debtor]int
	// The last time that was read, as text and as what it is: debts come in droves.
	text string
	time time.Time
}

// A slot holds a debt as long as it is owed.
type slot struct {
	run.Debt
	owed bool
}

type line struct {
	Owe    []entry `json:"owe,omitempty"`
	Settle []entry `json:"settle,omitempty"`
}

type entry struct {
	State  string `json:"state"`
	Listen bool   `json:"listen,omitempty"`
	// Onchanges says that it is to run at all.
	Onchanges bool   `json:"onchanges,omitempty"`
	Cause     string `json:"cause,omitempty"`
	Since     string `json:"since,omitempty"`
	Held      string `json:"held,omitempty"`
	Tries     int    `json:"tries,omitempty"`
	Tried     string `json:"tried,omitempty"`
}

func entryOf(d run.Debtor) entry {
	return entry{State: d.Tag, Listen: d.Kind == state.Listen, Onchanges: d.Kind == state.Onchanges}
}

func (e *entry) debtor() run.Debtor {
	switch {
	case e.Listen:
		return run.Debtor{Tag: e.State, Kind: state.Listen}
	case e.Onchanges:
		return run.Debtor{Tag: e.State, Kind: state.Onchanges}
	}
	return run.Debtor{Tag: e.State, Kind: state.Watch}
}

// Open reads what is owed by the machine of the id whose tree is at root. warn is told what goes wrong, now and later.
func Open(stateDir, id, root string, warn func(error)) *File {
	f := &File{debts: map[run.Debtor]int{}}
	f.Log = lines.Open(lines.Kind{Dir: "owed", Format: "gostate-journal", Version: 1, Name: "journal",
		Unread:    "what earlier runs left undone is not known",
		Unwritten: "a run that is killed now may leave a restart undone",
	}, stateDir, id, root, f, warn)
	return f
}

// Expect makes room for so many lines.
func (f *File) Expect(n int) { f.slots, f.debts = make([]slot, 0, n), make(map[run.Debtor]int, n) }

// ReadLine takes a line of the file.
func (f *File) ReadLine(text string) bool {
	l := line{Owe: make([]entry, 1)}
	if !plain(text, &l.Owe[0]) {
		l = line{}
		if json.Unmarshal([]byte(text), &l) != nil {
			return false
		}
	}
	return f.note(l)
}

// plain reads the line of a debt that was not tried yet, unless something is escaped in it. Most are such, and the
// decoder takes a second for 200,000 of them.
func plain(text string, e *entry) bool {
	rest, ok := strings.CutPrefix(text, `{"owe":[{"state":"`)
	if !ok || strings.Contains(rest, `\`) {
		return false
	}
	e.State, rest, _ = strings.Cut(rest, `"`)
	rest, e.Listen = strings.CutPrefix(rest, `,"listen":true`)
	rest, e.Onchanges = strings.CutPrefix(rest, `,"onchanges":true`)
	rest, ok = strings.CutPrefix(rest, `,"cause":"`)
	e.Cause, rest, _ = strings.Cut(rest, `"`)
	e.Since, rest, _ = strings.Cut(strings.TrimPrefix(rest, `,"since":"`), `"`)
	if held, has := strings.CutPrefix(rest, `,"held":"`); has {
		e.Held, rest, _ = strings.Cut(held, `"`)
	}
	return ok && rest == "}]}\n"
}

// Lines are those of a file that says what is owed now.
func (f *File) Lines() []any {
	out := make([]any, 0, len(f.debts))
	for i := range f.slots {
		if f.slots[i].owed {
			out = append(out, owe(f.slots[i].Debt))
		}
	}
	return out
}

// note does in memory what a line says. It is false for one that says nothing which could be.
func (f *File) note(l line) bool {
	for _, e := range l.Owe {
		d := run.Debt{Debtor: e.debtor(), Cause: e.Cause, Held: e.Held, Tries: e.Tries}
		var ok bool
		if d.Since, ok = f.when(e.Since); !ok {
			return false
		}
		if d.Tried, ok = f.when(e.Tried); !ok {
			return false
		}
		f.add(d)
	}
	for _, e := range l.Settle {
		f.strike(e.debtor())
	}
	return true
}

func (f *File) when(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, true
	}
	if text != f.text {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return t, false
		}
		f.text, f.time = text, t.Local()
	}
	return f.time, true
}

func (f *File) add(d run.Debt) {
	i, ok := f.debts[d.Debtor]
	switch {
	case !ok:
		f.debts[d.Debtor] = len(f.slots)
		f.slots = append(f.slots, slot{d, true})
	case d.Tries > 0, d.Held != "":
		f.slots[i].Debt = d
	}
}

func (f *File) strike(d run.Debtor) {
	if i, ok := f.debts[d]; ok {
		f.slots[i].owed = false
		delete(f.debts, d)
	}
}

// Debts are what is owed, oldest first.
func (f *File) Debts() []run.Debt {
	out := make([]run.Debt, 0, len(f.debts))
	for i := range f.slots {
		if f.slots[i].owed {
			out = append(out, f.slots[i].Debt)
		}
	}
	return out
}

// Owe adds debts; they are on the disk when it returns.
func (f *File) Owe(debts []run.Debt) {
	add := make([]any, len(debts))
	for i, d := range debts {
		f.add(d)
		add[i] = owe(d)
	}
	f.Save(true, add...)
}

// Settle strikes out. It does not wait for the disk: a reaction that is shown twice after a loss of power does no harm.
func (f *File) Settle(debtors []run.Debtor) {
	l := line{Settle: make([]entry, len(debtors))}
	for i, d := range debtors {
		f.strike(d)
		l.Settle[i] = entryOf(d)
	}
	f.Save(false, l)
}

// owe is the line of a debt. Each has one for itself, so that no damage loses two.
func owe(d run.Debt) line {
	e := entryOf(d.Debtor)
	e.Cause, e.Since, e.Held, e.Tries = d.Cause, d.Since.UTC().Format(time.RFC3339), d.Held, d.Tries
	if d.Tries > 0 {
		e.Tried = d.Tried.UTC().Format(time.RFC3339)
	}
	return line{Owe: []entry{e}}
}

// Close ends the run's use of the journal. When nothing is owed no file is left.
func (f *File) Close() { f.Log.Close(len(f.debts) == 0) }
