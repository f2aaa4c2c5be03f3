package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/secret"
)

// DiagnosticOptions are how diagnostics are shown.
type DiagnosticOptions struct {
	Color bool
	// JSON writes one object a line.
	JSON bool
	// Source gives the text of a file, to show the line at fault; nil shows none.
	Source func(file string) ([]byte, error)
	// Secrets are hidden; nil hides none. SecretPath says by the path of a key in a file whether it is one.
	Secrets    *secret.Store
	SecretPath func(path []string) bool
}

// WriteDiagnostics shows the list in the order it has: what is wrong, the line with a marker, related places, a hint,
// and how many there were.
func WriteDiagnostics(w io.Writer, list *diag.List, o DiagnosticOptions) error {
	b := bufio.NewWriter(w)
	p := &diagnosticPrinter{w: b, o: o, paint: newPalette(o.Color), lines: map[string][]string{}}
	errs, warns := 0, 0
	for _, d := range list.All {
		d = p.hidden(d)
		switch d.Severity {
		case diag.Error:
			errs++
		case diag.Warning:
			warns++
		}
		if o.JSON {
			if err := p.json(d); err != nil {
				return err
			}
			continue
		}
		p.text(d)
	}
	if !o.JSON && errs+warns > 1 {
		fmt.Fprintln(b, counts(errs, warns))
	}
	return b.Flush()
}

func counts(errs, warns int) string {
	var parts []string
	if errs > 0 {
		parts = append(parts, diag.Count(errs, "error"))
	}
	if warns > 0 {
		parts = append(parts, diag.Count(warns, "warning"))
	}
	return strings.Join(parts, ", ")
}

type diagnosticPrinter struct {
	w     *bufio.Writer
	o     DiagnosticOptions
	paint palette
	lines map[string][]string // of the files read so far
}

// hidden is a diagnostic without its secrets: those that are known, and those of the line that it is about.
func (p *diagnosticPrinter) hidden(d *diag.Diagnostic) *diag.Diagnostic {
	if p.o.Secrets == nil {
		return d
	}
	p.source(d.Pos) // which tells the store of secrets in that file
	out := *d
	out.Msg, out.Hint, out.Pos.File = p.o.Secrets.Text(d.Msg), p.o.Secrets.Text(d.Hint), p.o.Secrets.Text(d.Pos.File)
	out.Related = nil
	for _, r := range d.Related {
		r.Msg = p.o.Secrets.Text(r.Msg)
		out.Related = append(out.Related, r)
	}
	return &out
}

func (p *diagnosticPrinter) text(d *diag.Diagnostic) {
	word, c := d.Severity.String()+":", p.paint.lightRed
	if d.Severity != diag.Error {
		c = p.paint.lightYellow
	}
	place := ""
	if s := d.Pos.String(); s != "" {
		place = s + ": "
	}
	msg := strings.TrimRight(Visible(d.Msg), "\n")
	fmt.Fprintf(p.w, "%s %s%s\n", c(word), place, p.paint.bold(msg))
	p.excerpt(d.Pos, c)
	for _, r := range d.Related {
		place := r.Pos.String()
		if place != "" {
			place += ": "
		}
		fmt.Fprintf(p.w, "  %s%s\n", place, Visible(r.Msg))
	}
	if d.Hint != "" {
		fmt.Fprintf(p.w, "%s %s\n", p.paint.cyan("hint:"), Visible(d.Hint))
	}
}

// excerpt shows the line at fault with a marker below its column.
func (p *diagnosticPrinter) excerpt(pos diag.Pos, c paint) {
	line, ok := p.source(pos)
	if !ok {
		return
	}
	number := fmt.Sprintf("%5d", pos.Line)
	fmt.Fprintf(p.w, "%s %s %s\n", p.paint.blue(number), p.paint.blue("|"), Visible(line))
	if pos.Col > 0 {
		fmt.Fprintf(p.w, "%5s %s %s%s\n", "", p.paint.blue("|"), pad(line, pos.Col-1), c("^"))
	}
}

const longestLine = 240

func (p *diagnosticPrinter) source(pos diag.Pos) (string, bool) {
	if p.o.Source == nil || pos.File == "" || pos.Line < 1 {
		return "", false
	}
	lines, ok := p.lines[pos.File]
	if !ok {
		if text, err := p.o.Source(pos.File); err == nil && utf8.Valid(text) {
			lines = splitLines(string(text))
			if p.o.Secrets != nil && p.o.SecretPath != nil {
				lines = p.o.Secrets.Lines(lines, p.o.SecretPath)
			}
		}
		p.lines[pos.File] = lines
	}
	if pos.Line > len(lines) || len(lines[pos.Line-1]) > longestLine || strings.TrimSpace(lines[pos.Line-1]) == "" {
		return "", false
	}
	return p.o.Secrets.Text(lines[pos.Line-1]), true
}

// pad is blanks as wide as the first n characters of the line: tabs stay tabs.
func pad(line string, n int) string {
	var b strings.Builder
	for _, r := range line {
		if n--; n < 0 {
			break
		}
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

type jsonPlace struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

func (p *diagnosticPrinter) json(d *diag.Diagnostic) error {
	out := struct {
		Severity string `json:"severity"`
		jsonPlace
		Hint    string      `json:"hint,omitempty"`
		Related []jsonPlace `json:"related,omitempty"`
	}{Severity: d.Severity.String(), jsonPlace: jsonPlace{d.Pos.File, d.Pos.Line, d.Pos.Col, d.Msg}, Hint: d.Hint}
	for _, r := range d.Related {
		out.Related = append(out.Related, jsonPlace{r.Pos.File, r.Pos.Line, r.Pos.Col, r.Msg})
	}
	enc := json.NewEncoder(p.w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return fmt.Errorf("write a diagnostic: %w", err)
	}
	return nil
}
