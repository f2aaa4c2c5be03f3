package session

import (
	"context"
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/render"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// unjudged is what lint cannot judge: what depends on values that only a command would tell. A nil one judges all.
type unjudged struct {
	mu sync.Mutex
	// files are those whose rendering used such a value, with what it came from; all is what everything depends on, ""
	// where not everything does. Guarded by mu.
	files map[string]string
	all   string
	first string // of files
}

// LeaveUnjudged makes notes of the faults that depend on what only a command would tell, and runs none.
func (s *Session) LeaveUnjudged() { s.unjudged = &unjudged{files: map[string]string{}} }

// unknown is the value of a function that was not called, for the rendering at hand.
func (u *unjudged) unknown(ctx context.Context, function string) value.Value {
	pos := render.CallPos(ctx)
	by := function + " at " + pos.String()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.first == "" {
		u.first = by
	}
	for _, file := range []string{pos.File, render.FileOf(ctx)} {
		if u.files[file] == "" {
			u.files[file] = by
		}
	}
	return &value.Unknown{By: by}
}

// spread says that what was rendered so far (the pillar, top files) is what all else depends on.
func (u *unjudged) spread() {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all = u.first
}

// some says whether anything cannot be judged.
func (u *unjudged) some() bool {
	if u == nil {
		return false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.first != ""
}

// of is what the judgement of a fault depends on, "" when nothing is in its way.
func (u *unjudged) of(d *diag.Diagnostic) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	by := u.all
	if by == "" {
		by = u.files[d.Pos.File]
	}
	for i := 0; by == "" && i < len(d.Related); i++ {
		by = u.files[d.Related[i].Pos.File]
	}
	return by
}

// notJudged begins the notes of faults that cannot be judged.
const notJudged = "not judged: depends on "

// NotJudged counts the faults that could not be judged.
func (s *Session) NotJudged(l *diag.List) (n int) {
	for _, d := range l.All {
		if strings.HasPrefix(d.Msg, notJudged) {
			n++
		}
	}
	return n
}

// soften makes notes of the faults that cannot be judged.
func (u *unjudged) soften(l *diag.List) {
	if !u.some() {
		return
	}
	for i, d := range l.All {
		if by := u.of(d); by != "" && d.Severity != diag.Note {
			note := *d
			note.Severity, note.Msg, note.Hint = diag.Note, notJudged+by+": "+d.Msg, ""
			l.All[i] = &note
		}
	}
	l.Sort()
}
