package ssh

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/gostate/gostate/cmd/internal/roster"
)

// Limits say how many machines are worked on.
type Limits struct {
	// Jobs is how many at once; Batch how many before the next are begun, 0 for all.
	Jobs, Batch int
	// MaxFail is how many may fail before no other is begun, below 0 for any number.
	MaxFail int
}

// Share reads a number, or a share of n in per cent, which is one at least.
func Share(text string, n int) (int, error) {
	word, percent := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(word, 64)
	switch {
	case err != nil || f < 0 || !percent && f != float64(int(f)) || percent && f > 100:
		return 0, fmt.Errorf("%q is neither a number nor a share such as 10%%", text)
	case percent && f > 0:
		return max(1, int(f*float64(n)/100)), nil
	}
	return int(f), nil
}

// errNotBegun is the fault of a machine that nothing was begun on.
func errNotBegun(why string) error { return &Fault{Msg: "not begun, since " + why} }

// A fleet is machines that are worked on.
type fleet struct {
	job   *Job
	lim   Limits
	watch watch
	done  func(*Result)

	mu     sync.Mutex // guards failed, and calls of done
	failed int
}

// All carries out the work on all machines. Watch is told of what goes on, done of each machine when it is through, one
// at a time. What comes back is in the order of the machines.
func (j *Job) All(ctx context.Context, hosts []*roster.Host, lim Limits,
	watch func(h *roster.Host, step string, e *Event), done func(*Result)) []*Result {
	f := &fleet{job: j, lim: lim, watch: watch, done: done}
	out := make([]*Result, len(hosts))
	size := lim.Batch
	if size <= 0 {
		size = max(1, len(hosts))
	}
	for at := 0; at < len(hosts); at += size {
		end := min(at+size, len(hosts))
		f.batch(ctx, hosts[at:end], out[at:end])
	}
	return out
}

// batch works on machines, so many at once, and waits for all of them.
func (f *fleet) batch(ctx context.Context, hosts []*roster.Host, out []*Result) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(max(1, f.lim.Jobs), len(hosts)) {
		wg.Go(func() {
			for i := range next {
				out[i] = f.one(ctx, hosts[i])
			}
		})
	}
	for i := range hosts {
		next <- i
	}
	close(next)
	wg.Wait()
}

func (f *fleet) one(ctx context.Context, h *roster.Host) *Result {
	var r *Result
	switch why := f.stopped(ctx); why {
	case "":
		r = f.job.do(ctx, h, f.watch)
	default:
		r = &Result{Host: h, Err: errNotBegun(why)}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Failed() {
		f.failed++
	}
	f.done(r)
	return r
}

// stopped says why no other machine is begun; "" while there is no reason.
func (f *fleet) stopped(ctx context.Context) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return "it was stopped"
	case f.lim.MaxFail >= 0 && f.failed > f.lim.MaxFail:
		return fmt.Sprintf("%d failed", f.failed)
	}
	return ""
}

// Failed says whether the machine is not as it is to be.
func (r *Result) Failed() bool { return r.Err != nil || r.End.Code != 0 }

// Code is the exit code of a run on many machines: 0 where all is well, 1 where nothing was touched, 2 otherwise.
func Code(all []*Result) int {
	failed, begun := false, false
	for _, r := range all {
		failed = failed || r.Failed()
		begun = begun || r.Begun
	}
	switch {
	case !failed:
		return 0
	case begun:
		return 2
	}
	return 1
}
