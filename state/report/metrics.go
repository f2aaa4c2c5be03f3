package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Metrics are what a monitoring system is told of a run.
type Metrics struct {
	Version                             string
	Succeeded, Failed, Pending, Skipped int // states; the skipped are among the others
	Intentional, Corrective             int // changes
	Owed, Never                         int
	Took                                time.Duration
	// End is when the run ended; Success is when the last one did in which nothing failed, zero where nobody knows.
	End, Success time.Time
	Exit         int
}

const lastSuccess = "gostate_last_success_timestamp_seconds"

// WriteMetrics writes metrics in the text format of Prometheus, for the textfile collector of its node exporter.
func WriteMetrics(w io.Writer, m *Metrics) error {
	b := bufio.NewWriter(w)
	gauge := func(name, help string, samples ...sample) {
		fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
		for _, s := range samples {
			b.WriteString(name)
			if s.label != "" {
				fmt.Fprintf(b, "{%s=\"%s\"}", s.label, labelText(s.value))
			}
			b.WriteString(" " + strconv.FormatFloat(s.number, 'f', -1, 64) + "\n")
		}
	}
	gauge("gostate_info", "The version of gostate that ran last.", sample{"version", m.Version, 1})
	gauge("gostate_states", "States of the last run by their outcome.",
		sample{"outcome", "succeeded", float64(m.Succeeded)},
		sample{"outcome", "failed", float64(m.Failed)}, sample{"outcome", "pending", float64(m.Pending)})
	gauge("gostate_states_skipped", "States of the last run that did not run, by their requisites or conditions.",
		plainly(m.Skipped))
	gauge("gostate_changes", "States of the last run that changed something, by whose doing that was.",
		sample{"class", "intentional", float64(m.Intentional)}, sample{"class", "corrective", float64(m.Corrective)})
	gauge("gostate_never_converging_states", "States that three runs running or more have corrected.", plainly(m.Never))
	gauge("gostate_owed_reactions", "Reactions to changes that are still to come.", plainly(m.Owed))
	gauge("gostate_run_duration_seconds", "How long the last run took.", sample{"", "", m.Took.Seconds()})
	gauge("gostate_exit_code", "The exit code of the last run.", plainly(m.Exit))
	gauge("gostate_last_run_timestamp_seconds", "When the last run ended.", sample{"", "", seconds(m.End)})
	if !m.Success.IsZero() {
		gauge(lastSuccess, "When the last run ended in which nothing failed.", sample{"", "", seconds(m.Success)})
	}
	return b.Flush()
}

// A sample is one value of a metric, with a label unless that is "".
type sample struct {
	label, value string
	number       float64
}

func plainly(n int) sample { return sample{"", "", float64(n)} }

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

func labelText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text)
}

// LastSuccess is when the last run without a failure ended, by the metrics of an earlier run; zero where they do not
// say.
func LastSuccess(metrics string) time.Time {
	for line := range strings.Lines(metrics) {
		if text, ok := strings.CutPrefix(line, lastSuccess+" "); ok {
			if s, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && s > 0 && s < 1e12 {
				return time.UnixMilli(int64(s * 1000))
			}
		}
	}
	return time.Time{}
}
