package session

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/gittree"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/run"
)

// How many reports are kept, and how many MiB of them, unless the configuration says otherwise.
const (
	reportKeep = 100
	reportSize = 64
)

// recorded says whether the run leaves a report: a preview and a rehearsal write nothing.
func (s *Session) recorded() bool {
	return s.acts && !s.preview() && s.process.Inside == nil && !s.opts.Mock && s.config.Int("report_keep", reportKeep) > 0
}

// A record is the report of the run while it is under way. A nil one is of a run that leaves none. It belongs to the
// goroutine that gets the events of the run.
type record struct {
	s       *Session
	p       *Prepared
	dir     *history.Dir
	out     *history.Writer
	head    history.Header
	key     []byte
	earlier *history.Earlier // nil until something has changed
	listens map[*state.Low][]requisite.Target
	results []*state.Result // by Low.Index
	classes []string        // by Low.Index, of the changes
	state   history.State   // the line that is made
	counts  history.Counts
	never   []string       // states that were corrected in this run and in the runs before it
	told    map[int32]bool // sets of the plan that are written
	secrets int            // how many were known when the first line was written
}

// record begins the report of a run. What goes wrong with it is a warning: it is no reason not to run.
func (s *Session) record(p *Prepared, command string) *record {
	if !s.recorded() {
		return nil
	}
	r := &record{s: s, p: p, told: map[int32]bool{}, results: make([]*state.Result, len(p.Plan.Low)),
		classes: make([]string, len(p.Plan.Low)), secrets: s.secrets.Count()}
	if err := r.begin(command); err != nil {
		r.warn(err)
		if r.dir != nil {
			r.dir.Close()
		}
		return nil
	}
	for _, l := range p.Plan.Listens {
		if r.listens == nil {
			r.listens = map[*state.Low][]requisite.Target{}
		}
		r.listens[l.Low] = append(r.listens[l.Low], l.Targets...)
	}
	return r
}

func (r *record) begin(command string) (err error) {
	s := r.s
	if r.dir, err = history.Make(s.stateDir(), s.id, s.machine.Root()); err != nil {
		return err
	}
	key, name, err := r.dir.Key()
	if err != nil {
		return err
	}
	r.key = key
	r.head = history.Header{Time: time.Now(), Machine: s.id, Root: s.machine.Root(), Command: s.secrets.Text(command),
		Whole: r.p.whole,
		Mode:  "run", PID: os.Getpid(), Gostate: s.process.version(), SLS: slsOf(r.p.Plan.Low), States: len(r.p.Plan.Low),
		Key: name}
	r.head.User, r.head.By = whoRuns()
	r.head.Config, r.head.Remotes = s.version(), s.remotes(r.p.Plan.Low)
	if s.noop() {
		r.head.Mode = "noop"
	}
	r.out, err = r.dir.Begin(&r.head, r.warn)
	return err
}

func (r *record) warn(err error) {
	r.s.warn("this run leaves no whole report: "+err.Error(), "")
}

// version is that of the first of the file roots that is under git, nil where none is.
func (s *Session) version() *history.Tree {
	if s.process.Remote != nil {
		return s.process.Remote.Version
	}
	for _, env := range s.roots.Envs() {
		for _, dir := range s.roots.Dirs(env) {
			if t := gittree.Of(dir); t != nil {
				return &history.Tree{Dir: dir, Commit: t.Commit, Dirty: t.Dirty(dir)}
			}
		}
	}
	return nil
}

// version is that of the program.
func (p *Process) version() string {
	if p.Version == nil {
		return ""
	}
	return p.Version()
}

// slsOf are the SLS files that states are of, in their order.
func slsOf(low []*state.Low) []string {
	var out []string
	seen := map[string]bool{}
	last := ""
	for _, l := range low {
		if l.SLS != "" && l.SLS != last && !seen[l.SLS] {
			seen[l.SLS] = true
			out = append(out, l.SLS)
		}
		last = l.SLS
	}
	return out
}

// whoRuns is the user of this process, and who that was before: by sudo, or by the login.
func whoRuns() (name, by string) {
	name = nameOf(strconv.Itoa(os.Geteuid()))
	if by = os.Getenv("SUDO_USER"); by == "" {
		const nobody = "4294967295" // not logged in: a timer, say
		login, _ := os.ReadFile("/proc/self/loginuid")
		if uid := strings.TrimSpace(string(login)); uid != "" && uid != nobody {
			by = nameOf(uid)
		}
	}
	if by == name {
		by = ""
	}
	return name, by
}

func nameOf(uid string) string {
	if u, err := user.LookupId(uid); err == nil {
		return u.Username
	}
	return uid
}

// before is what takes the events of a run, and takes note of them before another does.
func (r *record) before(other func(run.Event)) func(run.Event) {
	if r == nil {
		return other
	}
	return func(e run.Event) {
		if e.Result != nil {
			r.note(e.Result)
		}
		if other != nil {
			other(e)
		}
	}
}

// note writes the line of a result.
func (r *record) note(res *state.Result) {
	if res.Changed() {
		r.s.markChanged(res)
	}
	st := r.stateOf(res)
	r.count(res, st)
	if res.How != state.Listened {
		r.results[res.Low.Index], r.classes[res.Low.Index] = res, st.Class
	}
	hide(r.s.secrets, st)
	r.out.State(st)
}

func (r *record) count(res *state.Result, st *history.State) {
	c := &r.counts
	c.Total++
	switch res.Outcome {
	case state.Succeeded:
		c.Succeeded++
	case state.Failed:
		c.Failed++
	case state.Pending:
		c.Pending++
	}
	if st.Changed() && !st.Noop {
		r.countChange(st)
	}
	switch res.How {
	case state.Called, state.Watched, state.Listened:
	default:
		c.Skipped++
	}
	if len(res.Warnings) > 0 {
		c.Warnings++
	}
}

func (r *record) countChange(st *history.State) {
	r.counts.Changed++
	switch st.Class {
	case history.Intentional:
		r.counts.Intentional++
	case history.Corrective:
		r.counts.Corrective++
	}
	if st.Corrected >= nevers {
		r.never = append(r.never, fmt.Sprintf("%s was corrected in %d runs running", r.s.secrets.Text(st.Label()),
			st.Corrected))
	}
}

// drifting says, a state a line, what does not stay as runs leave it.
func (r *record) drifting() string {
	if r == nil {
		return ""
	}
	text := ""
	for _, state := range r.never {
		text += "Never converging: " + state + "\n"
	}
	return text
}

// finish ends the report of a run whose results are shown, and removes old ones.
func (r *record) finish(rep *run.Report, owed []run.Debt) {
	if r == nil {
		return
	}
	f := &history.Footer{End: time.Now(), Took: rep.Duration.Microseconds(), Counts: r.counts, Exit: r.s.process.Code,
		Interrupted: rep.Interrupted, Stopped: rep.Stopped != nil, NotRun: len(rep.NotRun), Owed: OwedOf(owed),
		Never: r.never}
	var again func(*history.State)
	if r.s.secrets.Count() > r.secrets { // what was written may hold what was only learned later
		again = func(st *history.State) { hide(r.s.secrets, st) }
	}
	r.out.Finish(f, again)
	c := r.s.config
	if err := r.dir.Prune(c.Int("report_keep", reportKeep), int64(c.Int("report_size", reportSize))<<20); err != nil {
		r.s.warn(err.Error(), "")
	}
	r.dir.Close()
}

// OwedOf is what a footer says of debts, whose names are hidden already.
func OwedOf(debts []run.Debt) []history.Owed {
	var out []history.Owed
	for _, d := range debts {
		out = append(out, history.Owed{State: d.Tag, Kind: state.KindOf(d.Kind, state.All).Key, Cause: d.Cause,
			Since: d.Since, Held: d.Held, Tries: d.Tries})
	}
	return out
}
