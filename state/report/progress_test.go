package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
)

// TestProgressNamesWhatRuns: of what is under way, those that are carried out are named, with their time and what their
// commands said last; off a terminal it is a line, without what steers one.
func TestProgressNamesWhatRuns(t *testing.T) {
	at := time.Unix(1000, 0)
	var b bytes.Buffer
	p := newProgress(&b, 0, func() time.Time { return at })
	one, two := &state.Low{Module: "cmd", Func: "run", ID: "make"}, &state.Low{Module: "pkg", Func: "installed", ID: "vim"}
	three := &state.Low{Module: "file", Func: "managed", ID: "/etc/motd"}
	p.Event(run.Event{Low: one, Total: 9})
	p.Event(run.Event{Low: one, Doing: true, Total: 9})
	at = at.Add(65 * time.Second)
	p.Event(run.Event{Low: two, Total: 9})
	p.Event(run.Event{Low: two, Doing: true, Total: 9})
	p.Event(run.Event{Low: three, Total: 9})
	p.Say(one, "cc \x1b[2Jmain.c")
	at = at.Add(5 * time.Second)
	p.draw()
	want := "0/9, 2 at once 1m10s cmd.run make 1m10s: cc \\x1b[2Jmain.c | pkg.installed vim 5s\n"
	if b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
	b.Reset()
	p.Event(run.Event{Low: one, Result: &state.Result{Low: one}, Done: 1, Total: 9})
	p.Event(run.Event{Low: two, Result: &state.Result{Low: two}, Done: 2, Total: 9})
	p.draw()
	if !strings.HasPrefix(b.String(), "3/9 1m10s file.managed /etc/motd 5s") {
		t.Errorf("got %q", b.String())
	}
}
