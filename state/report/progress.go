package report

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/secret"
)

// tick is how often the seconds of the progress line move on.
const tick = 200 * time.Millisecond

// A Progress is the live line of a run on a terminal: how many states are done, which runs, and for how long.
type Progress struct {
	w     io.Writer
	width int
	now   func() time.Time
	// Secrets are hidden; nil hides none. It is set before the first event.
	Secrets *secret.Store

	mu    sync.Mutex
	text  string    // guarded by mu, as all below
	word  string    // what a state says that it waits for
	since time.Time // when the state began
	shown bool
}

// WithProgress calls the function with what takes its events, and shows them on w, a terminal of the given width. The
// line is gone when it returns.
func WithProgress(w io.Writer, width int, work func(p *Progress)) {
	p := &Progress{w: w, width: max(width, 20), now: time.Now}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		t := time.NewTicker(tick)
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
	work(p)
}

// Event takes an event of a run. The line is drawn by the clock, so that short states do not flicker.
func (p *Progress) Event(e run.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Result == nil {
		p.text = fmt.Sprintf("%d/%d %s %s", e.Done+1, e.Total, e.Low.Fun(), e.Low.ID)
		p.word, p.since = "", p.now()
	}
}

// Say adds what the running state waits for.
func (p *Progress) Say(word string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.word = word
}

func (p *Progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text == "" {
		return
	}
	line := fmt.Sprintf("%s %.0fs", p.text, p.now().Sub(p.since).Seconds())
	if p.word != "" {
		line += ": " + p.word
	}
	line = strings.NewReplacer("\n", " ", "\t", " ").Replace(Visible(p.Secrets.Text(line)))
	if r := []rune(line); len(r) >= p.width {
		line = string(r[:p.width-1])
	}
	fmt.Fprintf(p.w, "\r%s\x1b[K", line)
	p.shown = true
}

func (p *Progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.text, p.shown = "", false
}
