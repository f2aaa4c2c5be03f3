package ui

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/internal/page"
	"github.com/gostate/gostate/state/diag"
)

// atOnce is how many machines are shown on one page.
const atOnce = 500

type overviewPage struct {
	At       string
	Counts   []classCount
	Releases []operate.Spread
	Notes    []string
	Title    string
	Machines []machineRow
	Left     int
	Target   string
	Fault    string
}

type classCount struct {
	Class operate.Class
	Key   string
	N     int
	Here  bool
}

type machineRow struct {
	ID, Line string
	Class    operate.Class
	Key      string
}

// key is a class in an address and a style.
func key(c operate.Class) string { return strings.ReplaceAll(string(c), " ", "-") }

// overview counts the machines, and shows those that are not as they should be, of a class, or of a target.
func (u *UI) overview(w http.ResponseWriter, r *http.Request) error {
	f, err := u.look(r.Context())
	if err != nil {
		return err
	}
	s := f.Status()
	class, target := r.URL.Query().Get("class"), r.URL.Query().Get("target")
	p := overviewPage{At: f.At.UTC().Format("2006-01-02 15:04:05 MST"), Releases: s.Releases, Target: target,
		Title: "Not as they should be"}
	for _, c := range operate.Classes() {
		p.Counts = append(p.Counts, classCount{c, key(c), s.Counts[c], class == key(c)})
	}
	if s.Listless {
		p.Notes = append(p.Notes, "There is no nodes.yaml: machines that never reported are not known.")
	}
	if n := len(s.Unlisted); n > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("Of %s nodes.yaml knows nothing.", diag.Count(n, "machine")))
	}
	machines, err := f.Select(target)
	if err != nil {
		p.Fault = err.Error()
	}
	if class != "" || target != "" {
		p.Title = strings.TrimSpace(class + " " + target)
	}
	for _, m := range machines {
		if class != "" && key(m.Class) != class || class == "" && target == "" && !m.Class.Bad() {
			continue
		}
		if len(p.Machines) == atOnce {
			p.Left++
			continue
		}
		p.Machines = append(p.Machines, machineRow{m.ID, m.Line(f.At), m.Class, key(m.Class)})
	}
	return u.write(w, http.StatusOK, "overview", p)
}

type machinePage struct {
	ID, Line string
	Class    operate.Class
	Key      string
	Facts    []page.Fact
	Runs     []runRow
	Left     int
}

type runRow struct {
	Run, Text, Key, Before string
	Class                  operate.Class
}

// maxRuns is how many runs of a machine are shown.
const maxRuns = 50

// machine shows a machine and its runs.
func (u *UI) machine(w http.ResponseWriter, r *http.Request) error {
	f, err := u.look(r.Context())
	if err != nil {
		return err
	}
	m, err := f.Find(r.PathValue("id"))
	if err != nil {
		return &missing{err}
	}
	p := machinePage{ID: m.ID, Line: m.Line(f.At), Class: m.Class, Key: key(m.Class)}
	if rep := m.Last.Report; rep != nil {
		p.Facts = []page.Fact{{Name: "Environment", Text: m.Env}, {Name: "gostate", Text: rep.Version}}
		for _, name := range []string{"os", "osrelease", "osarch", "fqdn"} {
			if text, ok := rep.Grains[name]; ok {
				p.Facts = append(p.Facts, page.Fact{Name: name, Text: strings.Trim(string(text), `"`)})
			}
		}
	}
	runs, err := u.Reports.Runs(r.Context(), m.ID)
	if err != nil {
		return err
	}
	p.Left = max(0, len(runs)-maxRuns)
	for i, run := range runs[:min(len(runs), maxRuns)] {
		row := runRow{Run: run, Text: "it cannot be read", Key: "failed"}
		if e, err := u.Reports.Run(r.Context(), m.ID, run); err == nil && e.Report != nil {
			row.Class = operate.ClassOf(e.Report)
			row.Key, row.Text = key(row.Class), operate.Summary(e.Report)
		}
		if i+1 < len(runs) {
			row.Before = runs[i+1]
		}
		p.Runs = append(p.Runs, row)
	}
	return u.write(w, http.StatusOK, "machine", p)
}

// run shows a run on the page that gostate report --html makes, too.
func (u *UI) run(w http.ResponseWriter, r *http.Request) error {
	e, err := u.read(r, r.PathValue("run"))
	if err != nil {
		return err
	}
	p := operate.Page(e)
	p.Server = true
	p.Back = []page.Link{{Text: "The fleet", Path: "/"}, {Text: e.Node, Path: path("machine", e.Node)}}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return page.Write(w, p)
}

// read reads a report; one that there is not is no fault.
func (u *UI) read(r *http.Request, run string) (operate.Entry, error) {
	e, err := operate.Read(r.Context(), u.Reports, r.PathValue("id"), run)
	var d *diag.Diagnostic
	if errors.As(err, &d) || errors.Is(err, operate.ErrNoReport) {
		err = &missing{err}
	}
	return e, err
}

type diffPage struct {
	*operate.Diff
	States []diffRow
}

type diffRow struct{ Label, Before, After, Comment string }

// diff shows what two runs did otherwise.
func (u *UI) diff(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	from, to := q.Get("from"), q.Get("to")
	for _, run := range []string{from, to} {
		if _, err := u.read(r, cmp.Or(run, "?")); err != nil {
			return err
		}
	}
	d, err := operate.DiffOf(r.Context(), u.Reports, r.PathValue("id"), from, to)
	if err != nil {
		return err
	}
	p := diffPage{Diff: d}
	for _, s := range d.States {
		row := diffRow{Label: s.Label, Before: operate.KindOf(s.A), After: operate.KindOf(s.B)}
		if s.B != nil {
			row.Comment = s.B.Comment
		}
		p.States = append(p.States, row)
	}
	return u.write(w, http.StatusOK, "diff", p)
}

// DiffPath leads from the run before to a run.
func (p machinePage) DiffPath(row runRow) string {
	return path("machine", p.ID, "diff") + "?from=" + url.QueryEscape(row.Before) + "&to=" + url.QueryEscape(row.Run)
}
