package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// highstate writes a report as Salt's outputter of the name does.
type highstate struct {
	w     *bufio.Writer
	o     *Options
	mode  string // without _id
	useID bool
	paint palette
	nest  nested
}

func writeHighstate(w *bufio.Writer, r *run.Report, o *Options) {
	mode, useID := strings.CutSuffix(strings.ToLower(o.StateOutput), "_id")
	h := &highstate{w: w, o: o, mode: mode, useID: useID, paint: newPalette(o.Color)}
	h.nest = nested{w: w, paint: h.paint}
	h.line(h.header(r), o.host()+":")
	for _, res := range r.Results {
		h.result(res)
	}
	h.summary(r)
	h.ending(r)
}

func (h *highstate) line(p paint, text string) {
	h.w.WriteString(p(text))
	h.w.WriteByte('\n')
}

// header is the colour of the host's name: that of the last result which is not plain success.
func (h *highstate) header(r *run.Report) paint {
	p := h.paint.green
	for _, res := range r.Results {
		switch res.Outcome {
		case state.Failed:
			p = h.paint.red
		case state.Pending:
			p = h.paint.lightYellow
		}
	}
	return p
}

func (h *highstate) color(r *state.Result) paint {
	switch {
	case r.Outcome == state.Failed:
		return h.paint.red
	case r.Outcome == state.Pending:
		return h.paint.lightYellow
	case r.Changed():
		return h.paint.cyan
	}
	return h.paint.green
}

func (h *highstate) result(r *state.Result) {
	clean := r.Outcome == state.Succeeded && !r.Changed()
	if clean && !h.o.Verbose {
		return
	}
	word := outcomeWord(r.Outcome)
	switch h.mode {
	case "terse":
		h.terse(r)
		return
	case "mixed":
		if r.Outcome != state.Failed {
			h.terse(r)
			return
		}
	case "changes":
		if clean {
			h.terse(r)
			return
		}
	case "filter":
		if slices.Contains(h.o.Terse, word) {
			h.terse(r)
			return
		}
		if slices.Contains(h.o.Exclude, word) {
			return
		}
	}
	h.full(r)
}

func (h *highstate) full(r *state.Result) {
	p := h.color(r)
	h.line(p, "----------")
	h.field(p, "      ID: ", r.ID)
	h.field(p, "Function: ", r.Low.Module+"."+r.Func)
	if r.ID != r.Low.Name && !h.useID {
		h.field(p, "    Name: ", r.Low.Name)
	}
	h.field(p, "  Result: ", outcomeWord(r.Outcome))
	h.field(p, " Comment: ", indented(r.Comment))
	if !h.o.NoProfile {
		h.field(p, " Started: ", clock(r.Start, h.o))
		h.field(p, "Duration: ", value.Repr(value.Float(millis(r.Duration)))+" ms")
	}
	h.line(p, "     Changes:   ")
	switch all := machinesOf(r.Changes); {
	case len(all) > 0:
		h.machines(all)
	case r.Changed():
		h.nest.show(r.Changes, 14, "")
	}
	if len(r.Warnings) > 0 {
		text := strings.TrimLeft(wrap(strings.Join(r.Warnings, "\n"), 80, 14), " ")
		h.line(h.paint.lightRed, "    Warnings: "+Visible(text))
	}
}

func (h *highstate) field(p paint, name, text string) {
	h.w.WriteString("    ")
	h.line(p, name+Visible(text))
}

// indented puts the lines of a comment after the first below it.
func indented(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+strings.Repeat(" ", 14))
}

func (h *highstate) terse(r *state.Result) {
	word := "Clean"
	switch {
	case r.Outcome == state.Failed:
		word = "Failed"
	case r.Outcome == state.Pending:
		word = "Differs"
	case r.Changed():
		word = "Changed"
	}
	name := r.Low.Name
	if h.useID {
		name = r.ID
	}
	if len(r.Warnings) > 0 {
		h.w.WriteString(h.paint.lightRed("Warnings:\n" + Visible(strings.Join(r.Warnings, "\n"))))
		h.w.WriteByte('\n')
	}
	h.line(h.color(r), Visible(h.terseLine(r, name, word)))
}

func (h *highstate) terseLine(r *state.Result, name, word string) string {
	start, took := clock(r.Start, h.o), value.Repr(value.Float(millis(r.Duration)))
	if h.o.Tabular {
		line := fmt.Sprintf("%10s.%-10s %-7s   Name: %s", r.Low.Module, r.Func, word, name)
		if h.o.NoProfile {
			return line
		}
		return fmt.Sprintf("%s [%7s ms] %s", start, took, line)
	}
	line := fmt.Sprintf("  Name: %s - Function: %s.%s - Result: %s", name, r.Low.Module, r.Func, word)
	if h.o.NoProfile {
		return line
	}
	return line + " - Started: " + start + " - Duration: " + took + " ms"
}

func outcomeWord(o state.Outcome) string {
	return [...]string{state.Succeeded: "True", state.Failed: "False", state.Pending: "None"}[o]
}

// wrap fills paragraphs to a width as Python's textwrap does, each line indented.
func wrap(text string, width, indent int) string {
	pad := strings.Repeat(" ", indent)
	var lines []string
	line := pad
	for _, word := range strings.Fields(text) {
		switch {
		case line == pad:
			line += word
		case len([]rune(line))+1+len([]rune(word)) > width:
			lines = append(lines, line)
			line = pad + word
		default:
			line += " " + word
		}
	}
	return strings.Join(append(lines, line), "\n")
}
