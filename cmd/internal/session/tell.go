package session

import (
	"bytes"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
)

// tell writes what came of a run to the files that were asked for, for other programs. That one cannot be written is a
// warning: the exit code is that of the states.
func (s *Session) tell(r *run.Report, rec *record, owed int) {
	if s.opts.JUnit != "" {
		var b bytes.Buffer
		_ = report.WriteJUnit(&b, r, s.reportOptions()) // a buffer takes all
		s.put(s.opts.JUnit, b.Bytes())
	}
	if s.opts.Metrics != "" && !s.preview() {
		var b bytes.Buffer
		_ = report.WriteMetrics(&b, s.metricsOf(r, rec, owed))
		s.put(s.opts.Metrics, b.Bytes())
	}
}

func (s *Session) metricsOf(r *run.Report, rec *record, owed int) *report.Metrics {
	c := report.Count(r)
	m := &report.Metrics{Version: s.process.version(), Succeeded: c.Succeeded, Failed: c.Failed, Pending: c.Pending,
		Owed: owed, Took: r.Duration, End: time.Now(), Exit: s.process.Code}
	if rec != nil {
		m.Skipped, m.Intentional, m.Corrective = rec.counts.Skipped, rec.counts.Intentional, rec.counts.Corrective
		m.Never = len(rec.never)
	}
	if m.Success = m.End; report.ExitCode(r, false) != report.ExitOK {
		before, _ := os.ReadFile(s.opts.Metrics)
		m.Success = report.LastSuccess(string(before))
	}
	return m
}

// put puts a file in its place as a whole: who reads it meanwhile finds the old one or the new one.
func (s *Session) put(path string, text []byte) {
	part := path + ".new"
	_ = os.Remove(part) // what a killed run left
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o644)
	if err == nil {
		_, err = f.Write(text)
		if err = errors.Join(err, f.Close()); err == nil {
			err = os.Rename(part, path)
		}
		if err != nil {
			_ = os.Remove(part)
		}
	}
	if err != nil {
		s.warn("what came of the run cannot be written to "+path+": "+err.Error(), "")
	}
}
