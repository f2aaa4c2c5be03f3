package main

import (
	"os"
	"strconv"
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
