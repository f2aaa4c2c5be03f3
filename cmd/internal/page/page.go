// Package page shows a run or a plan as one page of HTML, which asks the network for nothing: what became of the
// states, why, when, and what waits for what.
//
// All texts are taken as hostile: they are escaped, controls and what turns the direction of letters
// are shown as escapes, and the page's policy lets no other script run than its own. Nothing is parsed before a page is
// asked for.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"
	"text/template"

	"github.com/gostate/gostate/state/report"
)

//go:embed page.html page.css page.js
var files embed.FS

// A Page is what is shown.
type Page struct {
	Title string
	Facts []Fact
	// States are in the order of the run. Took is how long that lasted, in microseconds; 0 for a plan.
	States []State
	Took   int64
	Plan   bool // this is what would be, and not what was
	Notes  []string
	// Server says that a server has the page's style and script beside it (Asset), and Back where the page leads back to.
	Server bool
	Back   []Link
}

// A Link leads to another page of the same server.
type Link struct{ Text, Path string }

// Asset is the style (page.css) or the script (page.js) of a page.
func Asset(name string) string { return text(name) }

// A Fact is one of the figures at the top.
type Fact struct{ Name, Text string }

// A State is one state. Places of others are those in Page.States.
type State struct {
	ID, Name, Fun, SLS, Place string
	Kind                      Kind
	Note                      string // "corrective", "would change", ...
	Comment                   string
	Start, Took               int64 // microseconds
	Properties                []Property
	Waits                     []Wait
	Because                   []int
	Cause                     int // -1 for none
}

// A Wait is a requisite: its kind as in SLS files, and the place of the state.
type Wait struct {
	Kind string
	On   int
}

// A Property is one thing that changed: a text of several lines, or what it was and is.
type Property struct{ Name, Before, After string }

// A Kind is what became of a state.
type Kind string

// The kinds, as they are counted and filtered.
const (
	Changed Kind = "changed"
	Failed  Kind = "failed"
	Blocked Kind = "blocked"
	Unknown Kind = "unknown"
	InOrder Kind = "unchanged"
	Skipped Kind = "skipped"
)

func kinds() []Kind { return []Kind{Failed, Blocked, Changed, Unknown, InOrder, Skipped} }

// many is from how many states on those that are as they should be are not shown at first.
const many = 200

// Write writes the page.
func Write(w io.Writer, p *Page) error {
	css, js := text("page.css"), text("page.js")
	t, err := template.New("page.html").Funcs(template.FuncMap{"see": see}).ParseFS(files, "page.html")
	if err != nil {
		return fmt.Errorf("read the page's template: %w", err)
	}
	graph, note := p.graph()
	bars := p.bars()
	style, script := sum(css), sum(js)
	if p.Server {
		style, script = "self", "self"
	}
	return t.Execute(w, view{Page: p, Graph: graph, GraphNote: note, Few: len(bars) == maxBars, CSS: css, JS: js,
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'",
			style, script),
		Kinds: p.counts(), Causes: p.causes(), Bars: bars, Rows: p.rows()})
}

// see is a text as the page shows it. text/template escapes nothing by itself, and html/template, which does, costs
// each start of the program a tenth; so every text of a run goes through this, which a test of the template holds.
func see(text string) string { return html.EscapeString(report.Visible(text)) }

func text(name string) string {
	raw, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(raw)
}

// sum names a text in a policy.
func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(s[:])
}

// A view is what the template sees.
type view struct {
	*Page
	CSS    string
	JS     string
	Policy string
	// Graph is a picture in SVG, of nothing but escaped texts; GraphNote says what is left out of it.
	Graph     string
	GraphNote string
	Few       bool // the timeline shows some of the states only
	Kinds     []count
	Causes    []cause
	Bars      []bar
	Rows      []row
}

type count struct {
	Kind  Kind
	N     int
	Shown bool
}

func (p *Page) counts() []count {
	n := map[Kind]int{}
	for i := range p.States {
		n[p.States[i].Kind]++
	}
	var out []count
	for _, k := range kinds() {
		if n[k] > 0 {
			out = append(out, count{k, n[k], len(p.States) <= many || k != InOrder && k != Skipped})
		}
	}
	return out
}

// A cause is a failure of its own.
type cause struct {
	At        int
	State     *State
	First     string
	Followers int
}

func (p *Page) causes() (out []cause) {
	at := map[int]int{}
	for i := range p.States {
		s := &p.States[i]
		if s.Kind == Failed && s.Cause < 0 {
			first, _, _ := strings.Cut(strings.TrimSpace(s.Comment), "\n")
			at[i] = len(out)
			out = append(out, cause{At: i, State: s, First: first})
		}
	}
	for i := range p.States {
		if c, ok := at[p.States[i].Cause]; ok && p.States[i].Cause != i {
			out[c].Followers++
		}
	}
	return out
}

// A row is one state in the list.
type row struct {
	At int
	*State
	Open   bool
	Blocks []block
	Refs   []ref
}

// A ref leads to another state.
type ref struct {
	Word  string
	At    int
	State *State
}

func (p *Page) rows() []row {
	out := make([]row, len(p.States))
	for i := range p.States {
		s := &p.States[i]
		r := row{At: i, State: s, Open: s.Kind == Failed && len(p.States) <= many, Blocks: blocks(s.Properties)}
		if s.Cause >= 0 {
			r.Refs = append(r.Refs, p.ref("failed because of", s.Cause)...)
		}
		for _, n := range s.Because {
			r.Refs = append(r.Refs, p.ref("because of", n)...)
		}
		for _, w := range s.Waits {
			r.Refs = append(r.Refs, p.ref(w.Kind, w.On)...)
		}
		out[i] = r
	}
	return out
}

func (p *Page) ref(word string, n int) []ref {
	if n < 0 || n >= len(p.States) {
		return nil
	}
	return []ref{{word, n, &p.States[n]}}
}

// Shown is whether the row is shown at first.
func (v view) Shown(k Kind) bool {
	for _, c := range v.Kinds {
		if c.Kind == k {
			return c.Shown
		}
	}
	return true
}

// Word is what a kind is called.
func (v view) Word(k Kind) string {
	switch {
	case v.Plan && k == Changed:
		return "would change"
	case v.Plan && k == Failed:
		return "would fail"
	}
	return string(k)
}

// Sign is the sign of a kind, for those who do not see colours.
func (k Kind) Sign() string {
	switch k {
	case Changed:
		return "~"
	case Failed, Blocked:
		return "!"
	case Unknown:
		return "?"
	}
	return "·"
}
