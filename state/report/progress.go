package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/secret"
)

const (
	// tick is how often the seconds of the progress line move on.
	tick = 200 * time.Millisecond
	// lineEvery is how often a run that nobody watches at a terminal says where it is.
	lineEvery = 30 * time.Second
)

// A Progress says where a run is: how many states are done, which are at work, for how long, and what they said last.
// On a terminal it is one live line, elsewhere a line every half minute.
type Progress struct {
	w     io.Writer
	width int // 0 where it is no terminal
	now   func() time.Time
	begin time.Time
	// Secrets are hidden; nil hides none. It is set before the first event.
	Secrets *secret.Store

	mu          sync.Mutex
	done, total int     // guarded by mu, as all below
	active      []*work // in the order in which they began
	shown       bool
}

// A work is a state that is at work.
type work struct {
	low   *state.Low
	doing bool // it is carried out, and not only looked at
	since time.Time
	word  string // what it waits for, or the last line of its command
}

// WithProgress calls the function with what takes its events, and shows them on w: a terminal of the given width, or
// what is none if that is 0. The live line is gone when it returns.
func WithProgress(w io.Writer, width int, do func(p *Progress)) {
	p := newProgress(w, width, time.Now)
	every := tick
	if width == 0 {
		every = lineEvery
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-stop:
				return
			case <-t.C:
				p.draw()
			}
		}
	}()
	defer func() {
		close(stop)
		<-done
		p.clear()
	}()
	do(p)
}

func newProgress(w io.Writer, width int, now func() time.Time) *Progress {
	if width > 0 {
		width = max(width, 20)
	}
	return &Progress{w: w, width: width, now: now, begin: now()}
}

// Event takes an event of a run. The line is drawn by the clock, so that short states do not flicker.
func (p *Progress) Event(e run.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = e.Done, e.Total
	switch w := p.of(e.Low); {
	case e.Result != nil:
		p.active = slices.DeleteFunc(p.active, func(w *work) bool { return w.low == e.Low })
	case w == nil:
		p.active = append(p.active, &work{low: e.Low, doing: e.Doing, since: p.now()})
	default:
		w.doing = true
	}
}

func (p *Progress) of(low *state.Low) *work {
	if i := slices.IndexFunc(p.active, func(w *work) bool { return w.low == low }); i >= 0 {
		return p.active[i]
	}
	return nil
}

// Say adds what a state waits for, or what its command printed last.
func (p *Progress) Say(low *state.Low, word string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.of(low); w != nil {
		w.word = word
	}
}

func (p *Progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.active) == 0 {
		return
	}
	line := strings.NewReplacer("\n", " ", "\t", " ").Replace(Visible(p.Secrets.Text(p.line())))
	if p.width == 0 {
		fmt.Fprintln(p.w, line)
		return
	}
	fmt.Fprintf(p.w, "\r%s\x1b[K", cutCells(line, p.width-1))
	p.shown = true
}

// manyWords is how much is shown of what each state says where several are at work.
const manyWords = 24

// line says what runs: the states that are carried out, or where there is none the first that is looked at.
func (p *Progress) line() string {
	doing := slices.DeleteFunc(slices.Clone(p.active), func(w *work) bool { return !w.doing })
	if len(doing) == 0 {
		doing = p.active[:1]
	}
	now := p.now()
	text := fmt.Sprintf("%d/%d", p.done+1, p.total)
	if len(doing) > 1 {
		text = fmt.Sprintf("%d/%d, %d at once", p.done, p.total, len(doing))
	}
	text += " " + clockOf(now.Sub(p.begin))
	for i, w := range doing {
		if i > 0 {
			text += " |"
		}
		text += fmt.Sprintf(" %s %s %s", w.low.Fun(), oneLine(w.low.ID), clockOf(now.Sub(w.since)))
		if word := w.word; word != "" {
			if len(doing) > 1 {
				word = cutCells(word, manyWords)
			}
			text += ": " + word
		}
	}
	return text
}

// clockOf is a time that has passed, to the second.
func clockOf(d time.Duration) string {
	s := int(d.Seconds())
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	}
	return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
}

func (p *Progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.active, p.shown = nil, false
}
