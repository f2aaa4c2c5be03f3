package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/requisite/draw"
	"github.com/gostate/gostate/sls/puppet/catalog"
	"github.com/gostate/gostate/sls/puppet/compile"
	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func puppetApplyCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "apply", Usage: "apply a manifest, or a catalog that a Puppet server compiled", ArgsUsage: "MANIFEST",
		UsageText: "gostate puppet apply site.pp [--noop] [--tags a,b]\n   gostate puppet apply -e CODE\n   " +
			"gostate puppet apply --catalog catalog.json",
		Flags: append(puppetFlags(),
			&cli.StringFlag{Name: "execute", Aliases: []string{"e"}, Usage: "apply the `CODE` itself"},
			&cli.StringFlag{Name: "catalog", Usage: "apply the compiled catalog in `FILE`, JSON; - is standard input"},
			&cli.BoolFlag{Name: "usecacheonfailure", Usage: "apply the last catalog that could be compiled where this one " +
				"cannot"},
			&cli.StringFlag{Name: "graph", Usage: "before the run, write what waits for what to `FILE`, as DOT"},
		),
		Action: func(c *cli.Context) error { return puppetApply(c, p) },
	}
}

// puppetApply applies a manifest, code or a catalog.
func puppetApply(c *cli.Context, p *program) error {
	n := c.NArg()
	for _, flag := range []string{"execute", "catalog"} {
		if c.IsSet(flag) {
			n++
		}
	}
	if n != 1 {
		return usagef("puppet apply needs one manifest, or code, or a catalog\nhint: gostate puppet apply site.pp; " +
			"-e CODE; --catalog FILE")
	}
	a := &puppetRun{c: c, p: p}
	o := optionsOf(c)
	for _, dir := range modulePath(c, c.Args().First()) {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		a.modules = append(a.modules, abs)
	}
	o.PuppetModules = a.modules
	s, err := session.Act(&p.Process, o)
	if err != nil {
		return err
	}
	a.s = s
	file, data, err := a.data()
	if err != nil {
		return err
	}
	cat, faults := catalog.Read(file, data)
	if err := faults.Err(); err != nil {
		return err
	}
	made, faults := cat.Compile(session.PuppetFiles(a.modules))
	if err := faults.Err(); err != nil {
		return err
	}
	return s.Catalog(c.Context, made, faults, "puppet apply", a.drawn)
}

// A puppetRun is one call of puppet apply.
type puppetRun struct {
	c       *cli.Context
	p       *program
	s       *session.Session
	modules []string
}

// drawn writes the graph of the run to a file, where that is asked for.
func (a *puppetRun) drawn(plan *requisite.Plan) error {
	file := a.c.String("graph")
	if file == "" {
		return nil
	}
	text, err := draw.Draw(plan, draw.Options{}).Format("dot")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(a.p.Hide(text)), 0o600); err != nil {
		return fmt.Errorf("write the graph: %w", err)
	}
	return nil
}

// data is the catalog as data, with the name of what it comes from.
func (a *puppetRun) data() (string, value.Value, error) {
	file := a.c.String("catalog")
	if file == "" {
		return a.compiled()
	}
	var text []byte
	var err error
	if file == "-" {
		text, err = io.ReadAll(io.LimitReader(a.p.In, host.MaxText))
	} else {
		text, err = os.ReadFile(file)
	}
	if err != nil {
		return "", nil, fmt.Errorf("read the catalog: %w", err)
	}
	v, err := serial.Deserialize("json", string(text))
	if err != nil {
		return "", nil, diag.Errorf(diag.Pos{File: file}, "the catalog is no JSON: %v", err).
			WithHint("puppet catalog compile --render-as json NODE writes one")
	}
	return file, v, nil
}

// compiled compiles the manifest. With --usecacheonfailure the catalog of the last success stands for one that cannot
// be compiled.
func (a *puppetRun) compiled() (string, value.Value, error) {
	o, err := a.options()
	if err != nil {
		return "", nil, err
	}
	cat, logs, err := compile.Compile(*o)
	cache := filepath.Join(a.s.StateDir(), "puppet-catalog.json")
	if err != nil {
		if old, ok := a.lastGood(cache); ok {
			a.s.Show(&diag.List{All: []*diag.Diagnostic{diag.Warnf(diag.Pos{},
				"the manifest cannot be compiled, and the last catalog that could be is applied in its place: %v", err)}})
			return cache, old, nil
		}
		return "", nil, compile.Faults(err)
	}
	a.s.Export(o.Node, cat.Exported)
	for _, l := range logs {
		fmt.Fprintf(a.p.Err, "%s: %s\n", l.Level, a.p.Hide(l.Message))
	}
	data := cat.Dict(nil)
	if a.c.Bool("usecacheonfailure") && !optionsOf(a.c).Test {
		if err := session.KeepData(cache, data); err != nil {
			return "", nil, err
		}
	}
	return o.Manifests[0].Path, data, nil
}

// options are those of the compiler, with the facts of this machine.
func (a *puppetRun) options() (*compile.Options, error) {
	file, code := "command line", a.c.String("execute")
	if !a.c.IsSet("execute") {
		file = a.c.Args().First()
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read the manifest: %w", err)
		}
		code = string(text)
	}
	o, err := puppetCompiler(a.c, file, code, func() (*value.Dict, error) { return a.s.Grains(), nil })
	if err == nil {
		o.Secret, o.Exports = a.p.Secrets.MarkText, a.s.Exports().Find
	}
	return o, err
}

func (a *puppetRun) lastGood(cache string) (value.Value, bool) {
	if !a.c.Bool("usecacheonfailure") {
		return nil, false
	}
	text, err := os.ReadFile(cache)
	if err != nil {
		return nil, false
	}
	v, err := serial.Deserialize("json", string(text))
	return v, err == nil
}
