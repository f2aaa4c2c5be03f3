package session

import (
	"fmt"
	"io"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host/view"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// reportRehearsal shows the results of a rehearsal as those of a run, then the files that it changed and what it did
// not do.
func (s *Session) reportRehearsal(r *run.Report) {
	dir := s.stateDir()
	files := s.process.Inside.Changed(func(p string) bool { return p == dir || strings.HasPrefix(p, dir+"/") })
	notes := s.process.Inside.Notes()
	o := s.reportOptions()
	o.Beside = value.DictOf("files", changesData(files), "not_rehearsed", modules.TextList(notes))
	s.process.Code = report.ExitCode(r, s.opts.Detailed)
	err := report.Write(s.process.Out, r, o)
	if err == nil && (o.Format == "" || o.Format == "highstate") {
		err = writeTree(s.process.Out, files, notes, s.process.Hide)
	}
	s.told(err)
}

func changesData(files []view.Change) *value.List {
	out := value.NewList()
	for _, f := range files {
		out.Items = append(out.Items, value.DictOf("path", value.Str(f.Path), "change", value.Str(f.How), "what",
			modules.TextList(f.What)))
	}
	return out
}

// writeTree shows the changed files. What is in a directory that is new is counted.
func writeTree(w io.Writer, files []view.Change, notes []string, hide func(string) string) error {
	var b strings.Builder
	b.WriteString("\nFiles:\n")
	for i := 0; i < len(files); i++ {
		f := files[i]
		below := 0
		if f.Dir && f.How == "added" {
			for i+1 < len(files) && strings.HasPrefix(files[i+1].Path, f.Path+"/") {
				i++
				below++
			}
		}
		b.WriteString(treeLine(f, below))
	}
	if len(files) == 0 {
		b.WriteString("  none changed\n")
	}
	if len(notes) > 0 {
		b.WriteString("\nNot rehearsed:\n")
	}
	for _, n := range notes {
		b.WriteString("  " + n + "\n")
	}
	_, err := io.WriteString(w, hide(b.String()))
	return err
}

func treeLine(f view.Change, below int) string {
	mark := map[string]string{"added": "+", "changed": "~", "removed": "-"}[f.How]
	line := "  " + mark + " " + f.Path
	switch {
	case below > 0:
		line += fmt.Sprintf("/ (with %d in it)", below)
	case f.Dir:
		line += "/"
	}
	if len(f.What) > 0 {
		line += "  " + strings.Join(f.What, ", ")
	}
	return line + "\n"
}
