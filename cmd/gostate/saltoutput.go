package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/value"
)

// forever is how long queue=True waits for another run.
const forever = 365 * 24 * time.Hour

func checkIndent(_ *cli.Context, word string) error {
	if _, err := strconv.Atoi(word); err != nil {
		return usagef("--out-indent is %q, not a number\nhint: --out-indent=2, or --out-indent=-1 for one line", word)
	}
	return nil
}

// output has results and log go where the flags say.
func (p *program) output(c *cli.Context) error {
	form := c.String("out")
	if slices.Contains(report.LintForms(), form) && c.Args().First() != "lint" {
		return usagef("--out=%s is of lint only\nhint: gostate lint --out=%s", form, form)
	}
	p.passthrough = c.Bool("retcode-passthrough")
	if c.Bool("metadata") {
		p.Metadata = p.metadata
	}
	if name := c.String("out-file"); name != "" {
		flag := os.O_TRUNC
		if c.Bool("out-file-append") {
			flag = os.O_APPEND
		}
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|flag, 0o666)
		if err != nil {
			return diag.Errorf(diag.Pos{File: name}, "cannot write the results: %v", err)
		}
		p.file, p.Out = file, report.NewScreen(file)
	}
	return nil
}

// saltOptionsOf are the options that saltFlags set.
func saltOptionsOf(c *cli.Context, o *session.Options) {
	if n, err := strconv.Atoi(c.String("out-indent")); err == nil {
		o.OutIndent = &n
	}
	isTrue := func(flag string) bool { return boolWord("test", c.String(flag)) == "true" }
	if isTrue("queue") && o.Wait == 0 {
		o.Wait = forever
	}
	o.Concurrent, o.Mock, o.OutputDiff = isTrue("concurrent"), isTrue("mock"), c.Bool("output-diff")
	o.LocalConfig, o.TopFile = c.String("local-config"), c.String("top-file")
	o.ModuleDirs, o.StatesDir = c.StringSlice("module-dirs"), c.String("states-dir")
	o.LogFile, o.LogFileLevel = c.String("log-file"), c.String("log-file-level")
}

// metadata is a result below the keys that salt-call's --metadata shows.
func (p *program) metadata(id string) func(v value.Value, states bool, code int) value.Value {
	return func(v value.Value, states bool, code int) value.Value {
		args := value.NewList()
		for _, a := range p.args {
			args.Items = append(args.Items, value.Str(a))
		}
		now := time.Now()
		d := value.DictOf("jid", value.Str(now.Format("20060102150405")+now.Format(".000000")[1:]), "return", v,
			"retcode", value.Int(code))
		if states {
			d.SetStr("out", value.Str("highstate"))
		}
		d.Update(value.DictOf("id", value.Str(id), "fun", value.Str(p.fun), "fun_args", args))
		return d
	}
}

// printErrors gives programs the errors that ended a command, as a list in the place of the result: with all that is
// known of each, or under the name salt-call as texts, as Salt does. People read them on standard error.
func (p *program) printErrors(l *diag.List) {
	form := outForm(p.words)
	switch {
	case form == "json" || form == "yaml":
	case p.salt && p.fun != "" && strings.HasPrefix(p.fun, "state.") && form != "quiet" && p.Show != nil:
		fmt.Fprintln(p.Out, "local:\n    Data failed to compile:")
		for _, d := range l.All {
			if d.Severity == diag.Error {
				fmt.Fprintf(p.Out, "----------\n    %s\n", p.Hide(d.Error()))
			}
		}
		return
	default:
		return
	}
	errs := report.Diagnostics(l, p.DiagnosticOptions(false))
	if p.salt {
		errs = value.NewList()
		for _, d := range l.All {
			if d.Severity == diag.Error {
				errs.Items = append(errs.Items, value.Str(p.Hide(d.Error())))
			}
		}
	}
	_ = report.WriteValue(p.Out, errs, report.Options{Format: form, YAML: session.ToYAML})
}

// outForm is the form that a command line asks for, as far as it can be read.
func outForm(words []string) string {
	form := ""
	for i, w := range words {
		name, val, has := strings.Cut(w, "=")
		if name != "--out" && name != "--output" {
			continue
		}
		if !has && i+1 < len(words) {
			val = words[i+1]
		}
		form = val
	}
	return form
}
