package ssh

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gostate/gostate/cmd/internal/roster"
)

// A Job is one piece of work for many machines.
type Job struct {
	Source   *Source
	Programs *Programs
	Settings Settings
	Sudo     Sudo
	Work     Work
	// Abort ends the commands of running states.
	Abort context.Context
}

// A Result is what came of the work on one machine.
type Result struct {
	Host *roster.Host
	// Err is why nothing, or no whole run, came of it; nil where there is an End.
	Err error
	End *End
	// Begun says that the machine may have been touched.
	Begun bool
	Sent  bool // the program was sent
	Noise string
	Took  time.Duration
}

// A watch is told of a run while it lasts.
type watch func(h *roster.Host, step string, e *Event)

// do carries out the work on one machine. When ctx ends, the run over there is asked to end; when Abort does, once
// more.
func (j *Job) do(ctx context.Context, h *roster.Host, w watch) *Result {
	begin := time.Now()
	r := &Result{Host: h}
	r.Err = j.carry(ctx, r, w)
	r.Took = time.Since(begin)
	return r
}

func (j *Job) carry(ctx context.Context, r *Result, w watch) error {
	c := &conn{r.Host, &j.Settings}
	w(r.Host, "connecting", nil)
	m, err := c.probe(ctx)
	if err != nil {
		return err
	}
	r.Noise = m.noise
	g, err := j.Programs.of(m.arch)
	if err != nil {
		return err
	}
	if r.Sent = !m.has(g.hash); r.Sent {
		w(r.Host, "sending gostate", nil)
	}
	at, err := c.put(ctx, m, g)
	if err != nil {
		return err
	}
	w(r.Host, "starting", nil)
	s, err := c.open(ctx, m, at, &j.Sudo)
	if err != nil {
		return err
	}
	defer s.end()
	t := &talk{job: j, r: r, s: s, watch: w, served: map[[2]string]bool{}}
	return t.run(ctx)
}

// A talk is what is said with the program over there.
type talk struct {
	job    *Job
	r      *Result
	s      *stream
	watch  watch
	dir    string // where the tree lies over there
	served map[[2]string]bool
}

func (t *talk) run(ctx context.Context) error {
	b, texts, err := t.job.Source.first(t.r.Host, t.job.Work)
	if err != nil {
		return err
	}
	if err := t.s.to.send(toNode{Begin: b}, nil); err != nil {
		return t.lost(err)
	}
	for _, f := range texts {
		if err := t.raw(f); err != nil {
			return t.lost(err)
		}
	}
	for _, c := range []context.Context{ctx, t.job.Abort} {
		defer context.AfterFunc(c, func() { _ = t.s.to.send(toNode{Stop: true}, nil) })() // what is gone has stopped
	}
	return t.listen(ctx)
}

// raw sends the text of a file that the first message has named.
func (t *talk) raw(f *texted) error {
	defer f.close()
	if f.text == nil {
		return nil
	}
	return t.s.to.text(f.text)
}

// listen answers until the end comes.
func (t *talk) listen(ctx context.Context) error {
	for {
		var m fromNode
		if err := receive(t.s.out, &m); err != nil {
			return t.lost(err)
		}
		switch {
		case m.Hello != nil:
			t.dir = m.Hello.Dir
		case m.Event != nil:
			t.r.Begun = true
			t.watch(t.r.Host, "", m.Event)
		case m.Ask != nil:
			if err := t.answer(ctx, m.Ask); err != nil {
				return t.lost(err)
			}
		case m.End != nil:
			t.ended(m.End)
			return nil
		}
	}
}

func (t *talk) ended(e *End) {
	here := t.job.Source.shown(t.dir, t.served)
	e.Text, e.Errors = here.Replace(e.Text), here.Replace(e.Errors)
	t.r.End = e
	t.r.Begun = t.r.Begun || e.Ran || e.Called
}

func (t *talk) answer(ctx context.Context, a *ask) error {
	switch {
	case a.Grains != "":
		return t.s.to.send(toNode{Pillar: t.pillar(ctx, a.Grains)}, nil)
	case len(a.Paths) > 0:
		return t.bulk(a)
	case a.Names:
		return t.s.to.send(toNode{Names: t.job.Source.names(a.Env)}, nil)
	}
	return t.send(t.job.Source.file(a.Env, a.Path), false)
}

// send sends a file of the tree.
func (t *talk) send(f *texted, early bool) error {
	defer f.close()
	t.served[[2]string{f.Env, f.Path}] = true
	if f.text == nil {
		f.Size = 0
		return t.s.to.send(toNode{File: &f.file, Early: early}, nil)
	}
	return t.s.to.send(toNode{File: &f.file, Early: early}, f.text)
}

// What is sent together is bounded: the rest is sent when it is asked for.
const (
	maxEarly = 1 << 20
	maxBulk  = 16 << 20
)

// bulk sends several files, and what is in directories.
func (t *talk) bulk(a *ask) error {
	sent := int64(0)
	for _, path := range t.job.Source.below(a.Env, a.Paths) {
		f := t.job.Source.file(a.Env, path)
		if f.Error != "" || f.Size > maxEarly || sent+f.Size > maxBulk {
			f.close()
			continue
		}
		sent += f.Size
		if err := t.send(f, true); err != nil {
			return err
		}
	}
	return t.s.to.send(toNode{Through: true}, nil)
}

// pillar renders that of the machine.
func (t *talk) pillar(ctx context.Context, grains string) *pillar {
	p, secrets, err := t.job.Source.pillar(ctx, t.r.Host, grains)
	if err == nil {
		var text string
		if text, err = encode(p); err == nil {
			return &pillar{Data: text, Secrets: secrets}
		}
	}
	return &pillar{Error: err.Error()}
}

// lost is why the talk ended before its end.
func (t *talk) lost(err error) error {
	t.s.end()
	heard := lastLine(t.s.heard.String())
	msg := "the connection ended before the run did"
	if !t.r.Begun {
		msg = "the program over there ended before it did anything"
	}
	if heard == "" && err != nil && !errors.Is(err, context.Canceled) {
		heard = fmt.Sprint(err)
	}
	f := &Fault{Msg: msg, Heard: heard}
	if t.r.Begun {
		f.Hint = "the run over there ends after the state that it is at; gostate report last tells of it there"
	}
	return f
}
