package run

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
)

// A pool is the states that run at once. States are admitted in plan order, and only beside those where that can be seen
// to be safe, so that results do not depend on its size.
type pool struct {
	limit   int
	running []*task
	results chan *task
}

func newPool(limit int) *pool { return &pool{limit: limit, results: make(chan *task, limit)} }

func (p *pool) busy() bool { return len(p.running) > 0 }

// run starts a task that was admitted. wait gives it back.
func (p *pool) run(t *task, call func(*task) *state.Result) {
	p.running = append(p.running, t)
	go func() {
		t.result = call(t)
		p.results <- t
	}()
}

// wait gives the next task that has finished.
func (p *pool) wait() *task {
	t := <-p.results
	p.running = slices.DeleteFunc(p.running, func(r *task) bool { return r == t })
	return t
}

// admits says whether the task may run beside those that run. All that it refers to has finished.
func (p *pool) admits(t *task) bool {
	if len(p.running) >= p.limit {
		return false
	}
	for _, r := range p.running {
		if !beside(t, r) {
			return false
		}
	}
	return true
}

// beside says whether two states, between which there is no path, may run at once: never while they hold one lock; always
// where one of them is `parallel: true`; else only when neither runs commands and what they touch is known to be apart.
func beside(a, b *task) bool {
	la, oka := locks(a)
	lb, okb := locks(b)
	for _, l := range la {
		if slices.Contains(lb, l) {
			return false
		}
	}
	if a.low.Opts.Parallel || b.low.Opts.Parallel {
		return true
	}
	if commands(a) || commands(b) {
		return false
	}
	fa, fb := onlyFiles(a), onlyFiles(b)
	switch {
	case fa && fb:
		return apart(a.low.Name, b.low.Name)
	case fa:
		return okb && len(lb) == 0
	case fb:
		return oka && len(la) == 0
	}
	return oka && okb && (len(la) == 0 || len(lb) == 0)
}

// locks are those that a state holds; ok is false where that is not known.
func locks(t *task) (names []string, ok bool) {
	l, ok := t.fn.(modules.Locker)
	if !ok {
		return nil, false
	}
	return l.Locks(), true
}

func commands(t *task) bool {
	o := &t.low.Opts
	return t.watch || len(o.Onlyif)+len(o.Unless)+len(o.CheckCmd) > 0
}

func onlyFiles(t *task) bool { _, ok := t.fn.(modules.FileEffect); return ok }

// apart says whether neither path is within the other.
func apart(a, b string) bool {
	if !strings.HasPrefix(a, "/") || !strings.HasPrefix(b, "/") {
		return false
	}
	a, b = strings.TrimRight(a, "/")+"/", strings.TrimRight(b, "/")+"/"
	return !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a)
}
