package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
)

// WriteJUnit writes a run as the XML that CI systems read as the result of tests: a suite for each SLS, a case for each
// state. What failed is a failure, or an error where it is only so because something else failed; what did not run was
// skipped; what changed, or would, is said as the output of its case.
func WriteJUnit(w io.Writer, r *run.Report, o Options) error {
	r = hidden(r, o.Secrets)
	b := bufio.NewWriter(w)
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	all := suite{}
	var suites []*suite
	bySLS := map[string]*suite{}
	for _, res := range r.Results {
		s := bySLS[res.Low.SLS]
		if s == nil {
			s = &suite{name: res.Low.SLS}
			bySLS[res.Low.SLS], suites = s, append(suites, s)
		}
		s.add(res, r.Handled[res])
		all.add(res, r.Handled[res])
	}
	fmt.Fprintf(b, "<testsuites name=\"gostate\"%s>\n", all.attributes())
	for _, s := range suites {
		fmt.Fprintf(b, "  <testsuite name=\"%s\"%s>\n", xmlText(orWord(s.name, "command line")), s.attributes())
		for _, res := range s.results {
			writeCase(b, res, r)
		}
		b.WriteString("  </testsuite>\n")
	}
	b.WriteString("</testsuites>\n")
	return b.Flush()
}

// A suite is the states of an SLS, and how many of them failed.
type suite struct {
	name                      string
	results                   []*state.Result
	failures, errors, skipped int
	seconds                   float64
}

func (s *suite) add(res *state.Result, handled bool) {
	s.results = append(s.results, res)
	s.seconds += res.Duration.Seconds()
	switch verdictOf(res, handled) {
	case "failure":
		s.failures++
	case "error":
		s.errors++
	case "skipped":
		s.skipped++
	}
}

func (s *suite) attributes() string {
	return fmt.Sprintf(" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\"", len(s.results),
		s.failures, s.errors, s.skipped, s.seconds)
}

// verdictOf is the element that says how a case ended, "" for one that passed.
func verdictOf(res *state.Result, handled bool) string {
	switch {
	case res.Outcome == state.Failed && handled:
		return "skipped"
	case res.Outcome == state.Failed && res.How == state.RequireFail:
		return "error"
	case res.Outcome == state.Failed:
		return "failure"
	}
	switch res.How {
	case state.Called, state.Watched, state.Listened:
		return ""
	}
	return "skipped"
}

func writeCase(b *bufio.Writer, res *state.Result, r *run.Report) {
	name := res.Low.Module + "." + res.Func + " " + res.ID
	if res.Low.Name != res.ID {
		name += " (" + res.Low.Name + ")"
	}
	fmt.Fprintf(b, "    <testcase classname=\"%s\" name=\"%s\" file=\"%s\" time=\"%.3f\"", xmlText(orWord(res.Low.SLS,
		"command line")), xmlText(name), xmlText(res.Low.Pos.File), res.Duration.Seconds())
	verdict, out := verdictOf(res, r.Handled[res]), changesText(res)
	if verdict == "" && out == "" {
		b.WriteString("/>\n")
		return
	}
	b.WriteString(">\n")
	if verdict != "" {
		first, _, _ := strings.Cut(res.Comment, "\n")
		fmt.Fprintf(b, "      <%s message=\"%s\">%s</%s>\n", verdict, xmlText(first), xmlText(res.Comment), verdict)
	}
	if out != "" {
		fmt.Fprintf(b, "      <system-out>%s</system-out>\n", xmlText(out))
	}
	b.WriteString("    </testcase>\n")
}

// changesText is what a state changed, or would.
func changesText(res *state.Result) string {
	if !res.Changed() && res.Outcome != state.Pending {
		return ""
	}
	var b strings.Builder
	w := bufio.NewWriter(&b)
	if res.Outcome == state.Pending {
		w.WriteString("would change\n")
	}
	if res.Changed() {
		n := nested{w: w, paint: newPalette(false)}
		n.show(res.Changes, 0, "")
	}
	w.Flush()
	return b.String()
}

func orWord(text, word string) string {
	if text == "" {
		return word
	}
	return text
}

// xmlText is a text within XML, in which control characters cannot stand at all.
func xmlText(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`,
		"&quot;").Replace(strings.Map(func(c rune) rune {
		if c == '\t' || c == '\n' || c >= ' ' && c != 0x7f && c != 0xfffe && c != 0xffff {
			return c
		}
		return '\ufffd'
	}, strings.ToValidUTF8(text, "\ufffd")))
}
