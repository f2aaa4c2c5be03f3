package ssh

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/cmd/internal/roster"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
)

// A Board shows where the machines are: on a terminal a live line for each that is worked on, and everywhere a line for
// each that is through.
type Board struct {
	// Lines takes the lines of those that are through, Live the live ones; nil for none.
	Lines, Live io.Writer
	// Width and Height are the terminal's.
	Width, Height int

	mu     sync.Mutex // guards all below
	active []*working
	wide   int // the longest name
	drawn  int // live lines on the screen
	stop   chan struct{}
	gone   chan struct{}
}

// A working is a machine that is worked on.
type working struct {
	host *roster.Host
	text string
}

// tick is how often live lines are drawn.
const tick = 200 * time.Millisecond

// Begin starts to draw.
func (b *Board) Begin(hosts []*roster.Host) {
	for _, h := range hosts {
		b.wide = min(40, max(b.wide, len(h.ID)))
	}
	if b.Live == nil {
		return
	}
	b.stop, b.gone = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(b.gone)
		t := time.NewTicker(tick)
		defer t.Stop()
		for {
			select {
			case <-b.stop:
				return
			case <-t.C:
				b.mu.Lock()
				b.clear()
				b.draw()
				b.mu.Unlock()
			}
		}
	}()
}

// End takes the live lines away.
func (b *Board) End() {
	if b.Live == nil {
		return
	}
	close(b.stop)
	<-b.gone
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
}

// Watch takes what goes on on a machine.
func (b *Board) Watch(h *roster.Host, step string, e *Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.of(h)
	if w.text = step; e != nil {
		w.text = fmt.Sprintf("%d/%d states", e.Done, e.Total)
		if e.Result == "" {
			w.text += "  " + e.State
		}
	}
}

func (b *Board) of(h *roster.Host) *working {
	for _, w := range b.active {
		if w.host == h {
			return w
		}
	}
	w := &working{host: h}
	b.active = append(b.active, w)
	return w
}

// Done shows the line of a machine that is through.
func (b *Board) Done(r *Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, w := range b.active {
		if w.host == r.Host {
			b.active = append(b.active[:i:i], b.active[i+1:]...)
			break
		}
	}
	b.clear()
	if b.Lines != nil {
		fmt.Fprintf(b.Lines, "%-*s  %s\n", b.wide, r.Host.ID, r.Line())
	}
	b.draw()
}

// clear takes the live lines from the screen. b.mu is held.
func (b *Board) clear() {
	if b.Live != nil && b.drawn > 0 {
		fmt.Fprintf(b.Live, "\x1b[%dA\x1b[J", b.drawn)
		b.drawn = 0
	}
}

// draw writes the live lines. b.mu is held.
func (b *Board) draw() {
	if b.Live == nil {
		return
	}
	for i, w := range b.active {
		line := fmt.Sprintf("%-*s  %s", b.wide, w.host.ID, report.Visible(w.text))
		if rest := len(b.active) - i; b.drawn >= b.Height-2 && rest > 1 {
			line = fmt.Sprintf("and %d more", rest)
		}
		if b.Width > 1 && len(line) >= b.Width {
			line = strings.ToValidUTF8(line[:b.Width-1], "")
		}
		fmt.Fprintln(b.Live, line)
		if b.drawn++; strings.HasPrefix(line, "and ") {
			return
		}
	}
}

// State is what became of a machine, in a word or two: each is of one.
func (r *Result) State() string {
	switch {
	case r.Err != nil && r.Begun:
		return "lost"
	case r.Err != nil && strings.HasPrefix(r.Err.Error(), "not begun"):
		return "not begun"
	case r.Err != nil:
		return "no answer"
	case r.End.Code == 0:
		return "ok"
	case r.End.Ran, r.End.Called:
		return "failed"
	}
	return "refused"
}

// Line says in one line what became of a machine.
func (r *Result) Line() string {
	if r.Err != nil {
		return fmt.Sprintf("%-9s  %v", r.State(), r.Err)
	}
	c := r.End.Counts
	text := fmt.Sprintf("%-9s  ", r.State())
	switch {
	case r.End.Called:
		text += "answered"
	case !r.End.Ran:
		text += strings.TrimPrefix(firstLine(r.End.Errors), "error: ")
	default:
		text += fmt.Sprintf("%s, %d changed", diag.Count(c.Total, "state"), c.Changed)
	}
	for _, n := range []struct {
		n    int
		what string
	}{{c.Pending, "would change"}, {c.Failed, "failed"}} {
		if n.n > 0 {
			text += fmt.Sprintf(", %d %s", n.n, n.what)
		}
	}
	if r.End.Stopped {
		text += ", stopped"
	}
	return fmt.Sprintf("%s, %.1f s", text, r.Took.Seconds())
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Details writes what people have to read of the machines, in full: diagnostics, what failed, and in a preview what
// would change; with all, everything. Machines of which the same is to be said are named together.
func Details(w io.Writer, results []*Result, all bool) {
	var heads, texts []string
	for _, r := range results {
		text := r.details(all)
		if text == "" {
			continue
		}
		at := -1
		for i := range texts {
			if texts[i] == text {
				at = i
			}
		}
		if at >= 0 {
			heads[at] += ", " + r.Host.ID
			continue
		}
		heads, texts = append(heads, r.Host.ID), append(texts, text)
	}
	for i := range texts {
		fmt.Fprintf(w, "\n%s:\n%s\n", heads[i], strings.TrimRight(texts[i], "\n"))
	}
}

func (r *Result) details(all bool) string {
	if r.Err != nil {
		var f *Fault
		if r.State() == "not begun" || !errors.As(r.Err, &f) {
			return ""
		}
		text := "error: " + f.Error() + "\n"
		if f.Hint != "" {
			text += "hint: " + f.Hint + "\n"
		}
		return text
	}
	text := r.End.Errors
	if all || r.End.Called || r.End.Counts.Failed+r.End.Counts.Pending > 0 {
		text += r.End.Text
	}
	return text
}

// Summary counts the machines by what became of them.
func Summary(results []*Result) string {
	n := map[string]int{}
	for _, r := range results {
		n[r.State()]++
	}
	text := fmt.Sprintf("%d hosts", len(results))
	if len(results) == 1 {
		text = "1 host"
	}
	sep := ": "
	for _, s := range []string{"ok", "failed", "refused", "no answer", "lost", "not begun"} {
		if n[s] > 0 {
			text += fmt.Sprintf("%s%d %s", sep, n[s], s)
			sep = ", "
		}
	}
	return text
}

// JSON is the object of a machine.
func (r *Result) JSON() ([]byte, error) {
	o := struct {
		Host    string          `json:"host"`
		Result  string          `json:"result"`
		Exit    *int            `json:"exit,omitempty"`
		Seconds float64         `json:"seconds"`
		States  *Counts         `json:"states,omitempty"`
		Return  json.RawMessage `json:"return,omitempty"`
		Said    string          `json:"messages,omitempty"`
		Error   string          `json:"error,omitempty"`
		Hint    string          `json:"hint,omitempty"`
	}{Host: r.Host.ID, Result: r.State(), Seconds: float64(r.Took.Milliseconds()) / 1000}
	if r.End != nil {
		o.Exit, o.Return, o.Said = &r.End.Code, r.End.Return, r.End.Errors
		if r.End.Ran {
			o.States = &r.End.Counts
		}
	}
	if r.Err != nil {
		o.Error = r.Err.Error()
		var f *Fault
		if errors.As(r.Err, &f) {
			o.Hint = f.Hint
		}
	}
	return json.Marshal(o)
}
