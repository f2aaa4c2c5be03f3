// Package kept keeps on disk what runs know of states from earlier ones: when one with a schedule was applied, and what
// one that is audited looked like.
//
// The file is one of package lines; each line says all of one thing of one state, and a later one replaces it:
//
//	{"state":"cmd_|-backup_|-backup_|-run","ran":"2026-11-21T03:00:00Z"}
//	{"state":"file_|-/etc/x_|-/etc/x_|-managed","seen":{"mode":"0644","owner":"root"}}
package kept

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gostate/gostate/cmd/internal/lines"
)

// A File is what is kept for one machine.
type File struct {
	*lines.Log
	mu   sync.Mutex // guards the rest, and the Log
	ran  map[string]time.Time
	seen map[string]map[string]string
}

type line struct {
	State string            `json:"state"`
	Ran   *time.Time        `json:"ran,omitempty"`
	Seen  map[string]string `json:"seen,omitempty"`
}

// Open reads what is kept of the machine of the id whose tree is at root. warn is told what goes wrong, now and later.
func Open(stateDir, id, root string, warn func(error)) *File {
	f := &File{ran: map[string]time.Time{}, seen: map[string]map[string]string{}}
	f.Log = lines.Open(lines.Kind{Dir: "kept", Format: "gostate-kept", Version: 1, Name: "record of states",
		Unread:    "when scheduled states ran and what audited ones were is not known",
		Unwritten: "scheduled states may run again before their time, and audited changes be told again"},
		stateDir, id, root, f, warn)
	return f
}

// Expect does nothing.
func (f *File) Expect(int) {}

// ReadLine takes a line of the file.
func (f *File) ReadLine(text string) bool {
	var l line
	if json.Unmarshal([]byte(text), &l) != nil || l.State == "" {
		return false
	}
	if l.Ran != nil {
		f.ran[l.State] = *l.Ran
	}
	if l.Seen != nil {
		f.seen[l.State] = l.Seen
	}
	return l.Ran != nil || l.Seen != nil
}

// Lines are those of a file that says all, by state.
func (f *File) Lines() []any {
	out := make([]any, 0, len(f.ran)+len(f.seen))
	for _, tag := range slices.Sorted(maps.Keys(f.ran)) {
		at := f.ran[tag]
		out = append(out, line{State: tag, Ran: &at})
	}
	for _, tag := range slices.Sorted(maps.Keys(f.seen)) {
		out = append(out, line{State: tag, Seen: f.seen[tag]})
	}
	return out
}

// Ran is when the state of the tag was last applied under its schedule, zero for never.
func (f *File) Ran(tag string) time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ran[tag]
}

// NoteRan notes that it was.
func (f *File) NoteRan(tag string, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at = at.UTC().Truncate(time.Second)
	f.ran[tag] = at
	f.Save(true, line{State: tag, Ran: &at})
}

// Seen is what the state of the tag looked like when it was last audited; nil for never.
func (f *File) Seen(tag string) map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[tag]
}

// NoteSeen notes what it looks like.
func (f *File) NoteSeen(tag string, properties map[string]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen[tag] = properties
	f.Save(true, line{State: tag, Seen: properties})
}

// Close ends the run's use of the file.
func (f *File) Close() { f.Log.Close(len(f.ran)+len(f.seen) == 0) }
