package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host/view"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

func rehearseCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "rehearse", Usage: "run the states in a throwaway view of this machine, and show what they changed", Category: catApply, ArgsUsage: "[NAME...]",
		UsageText: "gostate rehearse [NAME...] [exclude=SLS,...]\n\nWithout a name it is highstate. Packages are unpacked, commands run and files written in a view that is\n" +
			"gone afterwards; services, mounts and kernel settings are foretold.\n\nExamples:\n  gostate rehearse\n  gostate rehearse httpd\n  gostate rehearse httpd --out json",
		Action: func(c *cli.Context) error { return p.rehearse(c) },
	}
}

// rehearse opens the view in which this program runs again with the same words; there it runs the plan. Where there can be no view it
// is a preview.
func (p *program) rehearse(c *cli.Context) (err error) {
	exclude, mods := takeKeyword(c.Args().Slice(), "exclude")
	r := request{sls: splitCommas(mods), top: len(mods) == 0, exclude: exclude}
	o := optionsOf(c)
	if root, err := filepath.Abs(o.Root); err != nil || root != "/" {
		return usagef("rehearse works on this machine, not on the tree at %s\nhint: --test previews a run on another tree", o.Root)
	}
	if p.inside, err = view.Entered(); err != nil {
		return err
	}
	o.TestSet, o.Test = true, false
	if p.inside == nil {
		p.code, err = view.Rehearse(p.words)
		var none *view.Unavailable
		if !errors.As(err, &none) {
			return err
		}
		l := &diag.List{All: []*diag.Diagnostic{{Severity: diag.Warning, Msg: "there can be no rehearsal here, this is a preview: " + none.Error(), Hint: none.Hint}}}
		p.diagnose(l)
		o.Test = true
	}
	s, err := newRun(p, o)
	if err != nil {
		return err
	}
	return s.apply(c.Context, r, "rehearse "+strings.Join(mods, " "))
}

// reportRehearsal shows the results of a rehearsal as those of a run, then the files that it changed and what it did not do.
func (s *session) reportRehearsal(r *run.Report) error {
	dir := s.stateDir()
	files := s.program.inside.Changed(func(p string) bool { return p == dir || strings.HasPrefix(p, dir+"/") })
	notes := s.program.inside.Notes()
	o := s.reportOptions()
	o.Beside = value.DictOf("files", changesData(files), "not_rehearsed", texts(notes))
	s.program.code = report.ExitCode(r, s.opts.Detailed)
	if err := report.Write(s.program.out, r, o); err != nil || o.Format != "" && o.Format != "highstate" {
		return err
	}
	return writeTree(s.program.out, files, notes)
}

func texts(list []string) *value.List {
	out := value.NewList()
	for _, t := range list {
		out.Items = append(out.Items, value.Str(t))
	}
	return out
}

func changesData(files []view.Change) *value.List {
	out := value.NewList()
	for _, f := range files {
		out.Items = append(out.Items, value.DictOf("path", value.Str(f.Path), "change", value.Str(f.How), "what", texts(f.What)))
	}
	return out
}

// writeTree shows the changed files. What is in a directory that is new is counted.
func writeTree(w io.Writer, files []view.Change, notes []string) error {
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
	_, err := io.WriteString(w, b.String())
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
