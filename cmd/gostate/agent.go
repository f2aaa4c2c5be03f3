package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

func agentCommand(p *program) *cli.Command {
	once := &cli.BoolFlag{Name: "once", Usage: "look once, and end"}
	return &cli.Command{
		Name: "agent", Usage: "keep this machine at the newest release that its operators have pushed", Category: catFleet,
		ArgsUsage: "[--once | run | pause | resume | enrol]",
		UsageText: "gostate agent --once\n   gostate agent run\n   gostate agent pause --for 2h --reason TEXT\n   gostate " +
			"agent resume\n   gostate agent enrol\n\nThe key agent of the configuration says where releases come from, and " +
			"whose are trusted:\n  agent: {source: https://..., env: prod, keys: ['ed25519:...']}",
		Flags:  append(agentFlags(), once),
		Action: func(c *cli.Context) error { return agentOnce(c, p) },
		Subcommands: []*cli.Command{
			{Name: "run", Usage: "look at every interval, until the program is stopped; SIGUSR1 makes it look now",
				Flags: agentFlags(), Action: func(c *cli.Context) error { return agentRun(c, p) }},
			{Name: "pause", Usage: "apply nothing for a time", Flags: []cli.Flag{
				&cli.DurationFlag{Name: "for", Value: time.Hour, Usage: "how long, `TIME`: 30m, 2h"},
				&cli.StringFlag{Name: "reason", Usage: "`TEXT` that reports show"},
			}, Action: func(c *cli.Context) error { return agentPause(c, p) }},
			{Name: "resume", Usage: "end a pause", Action: func(c *cli.Context) error { return agentResume(c, p) }},
			{Name: "enrol", Usage: "make this machine's key, and print what nodes.yaml needs",
				Action: func(c *cli.Context) error { return agentEnrol(c, p) }},
		},
	}
}

func agentFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "source", Usage: "pull from `PLACE`: a directory, file://DIR, https://HOST/PATH"},
		&cli.StringFlag{Name: "env", Usage: "pull the releases of the `ENV`ironment"},
		&cli.StringSliceFlag{Name: "key", Usage: "trust `KEY`, the ed25519:... of gostate pack keygen (repeatable)"},
		&cli.StringFlag{Name: "reports", Usage: "deliver reports to `PLACE`: a directory, or https://... by PUT"},
		&cli.DurationFlag{Name: "interval", Usage: "look every `TIME`"},
		&cli.BoolFlag{Name: "allow-http", Usage: "allow a source and reports that are not encrypted"},
	}
}

// settingsOf are the settings of the configuration, and the flags over them.
func settingsOf(c *cli.Context, s *session.Session) (agent.Settings, error) {
	set := agent.Default()
	conf := s.Config()
	v, _ := conf.Opts.GetStr("agent")
	if err := set.Read(v, conf.Pos("agent")); err != nil {
		return set, err
	}
	for name, to := range map[string]*string{"source": &set.Source, "env": &set.Env, "reports": &set.Reports} {
		if c.IsSet(name) {
			*to = c.String(name)
		}
	}
	if c.IsSet("key") {
		set.Keys = c.StringSlice("key")
	}
	if c.IsSet("interval") {
		set.Interval = c.Duration("interval")
	}
	set.AllowHTTP = set.AllowHTTP || c.Bool("allow-http")
	return set, nil
}

// agentDir is where the agent's own files are.
func agentDir(s *session.Session) string { return filepath.Join(s.StateDir(), "agent") }

// newAgent is the agent of this machine.
func newAgent(c *cli.Context, p *program) (*agent.Agent, error) {
	o := optionsOf(c)
	s, err := session.Look(&p.Process, o)
	if err != nil {
		return nil, err
	}
	set, err := settingsOf(c, s)
	if err != nil {
		return nil, err
	}
	if !release.GoodName(s.ID()) {
		return nil, diag.Errorf(diag.Pos{}, "the id %q is no name for a machine that reports", s.ID()).
			WithHint("letters, digits and . _ - name one; --id or the key id of the configuration says it")
	}
	a := &agent.Agent{Config: agent.Config{ID: s.ID(), Dir: agentDir(s), Identities: s.Identities,
		Policy: release.Policy{Version: versionText()}}, Clock: agent.Wall{}}
	if err := set.Configure(&a.Config, s.Config().Schedules()); err != nil {
		return nil, err
	}
	source, err := release.OpenSource(set.Source, set.AllowHTTP)
	if err != nil {
		return nil, err
	}
	a.Source = release.For(source, s.ID())
	if a.Sink, err = agent.OpenSink(set.Reports, set.AllowHTTP); err != nil {
		return nil, err
	}
	a.Runner, err = childOf(o, s, a.Dir)
	return a, err
}

// childOf runs this program with the options that say which machine it is.
func childOf(o session.Options, s *session.Session, dir string) (*agent.Child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := &agent.Child{Program: self, Secrets: s.Config().Strings("secrets"), Wait: 30 * time.Minute,
		Dir: cmp.Or(os.Getenv("RUNTIME_DIRECTORY"), dir), Options: []string{"--id", s.ID(), "--root", o.Root}}
	if o.ConfigDirSet {
		child.Options = append(child.Options, "--config-dir", o.ConfigDir)
	}
	if o.StateDir != "" {
		child.Options = append(child.Options, "--state-dir", o.StateDir)
	}
	if o.GrainsFile != "" {
		child.Options = append(child.Options, "--grains-file", o.GrainsFile)
	}
	for _, g := range o.Grains {
		child.Options = append(child.Options, "--grain", g)
	}
	return child, nil
}

func agentOnce(c *cli.Context, p *program) error {
	if !c.Bool("once") {
		return usagef("agent what?\nhint: gostate agent --once looks once; run, pause, resume and enrol are its commands")
	}
	a, done, err := startAgent(c, p)
	if err != nil {
		return err
	}
	defer done()
	r, err := a.Turn(c.Context, "once")
	if r == nil {
		return err
	}
	p.Code = codeOf(r)
	if err != nil {
		p.Diagnose(&diag.List{All: []*diag.Diagnostic{{Severity: diag.Warning, Msg: err.Error()}}})
	}
	return p.tellTurn(c, r)
}

func startAgent(c *cli.Context, p *program) (*agent.Agent, func(), error) {
	a, err := newAgent(c, p)
	if err != nil {
		return nil, nil, err
	}
	done, err := a.Open()
	if err != nil {
		return nil, nil, err
	}
	return a, done, p.Begin()
}

// codeOf is the exit code for what came of a turn.
func codeOf(r *agent.Report) int {
	switch r.Status {
	case agent.OK, agent.Paused, agent.Blackout:
		return exitOK
	case agent.Failed, agent.RunError:
		return exitFailed
	}
	return exitInput
}

func agentRun(c *cli.Context, p *program) error {
	a, done, err := startAgent(c, p)
	if err != nil {
		return err
	}
	defer done()
	a.Told = func(r *agent.Report) { _ = p.tellTurn(c, r) }
	wake := make(chan string)
	go usr1(c.Context, wake)
	a.Run(c.Context, wake, func(err error) {
		p.Diagnose(&diag.List{All: []*diag.Diagnostic{{Severity: diag.Warning, Msg: err.Error()}}})
	})
	return nil
}

// usr1 wakes at each SIGUSR1.
func usr1(ctx context.Context, wake chan<- string) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
		}
		select {
		case <-ctx.Done():
			return
		case wake <- "wake":
		}
	}
}

// tellTurn shows what came of a turn.
func (p *program) tellTurn(c *cli.Context, r *agent.Report) error {
	return p.printEither(c, turnText(r), turnValue(r))
}

func turnText(r *agent.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", r.Env, r.Status)
	if a := r.Applied; a != nil {
		fmt.Fprintf(&b, ", release %d", a.Sequence)
		if a.LastGood {
			fmt.Fprintf(&b, " (the last good one; the newest is %d)", r.Newest)
		}
		fmt.Fprintf(&b, ": %s, %d changed, %d failed", diag.Count(a.Counts.Total, "state"), a.Counts.Changed, a.Counts.Failed)
	}
	b.WriteString("\n")
	for _, problem := range r.Problems {
		fmt.Fprintf(&b, "  %s: %s\n", problem.Kind, problem.Message)
		for line := range strings.Lines(problem.Detail) {
			b.WriteString("    " + line)
		}
		if problem.Hint != "" {
			fmt.Fprintf(&b, "    hint: %s\n", problem.Hint)
		}
	}
	if len(r.OtherGrains) > 0 {
		fmt.Fprintf(&b, "  the pillar was compiled for other grains: %s\n", strings.Join(r.OtherGrains, ", "))
	}
	return b.String()
}

func turnValue(r *agent.Report) value.Value {
	var problems []value.Value
	for _, problem := range r.Problems {
		problems = append(problems, value.DictOf("kind", value.Str(problem.Kind), "message", value.Str(problem.Message),
			"hint", value.Str(problem.Hint)))
	}
	d := value.DictOf("run", value.Str(r.Run), "env", value.Str(r.Env), "status", value.Str(r.Status),
		"newest", value.Int(r.Newest), "problems", value.NewList(problems...))
	if a := r.Applied; a != nil {
		d.SetStr("applied", value.DictOf("sequence", value.Int(a.Sequence), "last_good", value.Bool(a.LastGood), "exit",
			value.Int(a.Exit), "total", value.Int(a.Counts.Total), "changed", value.Int(a.Counts.Changed), "failed",
			value.Int(a.Counts.Failed)))
	}
	return d
}

func agentPause(c *cli.Context, p *program) error {
	s, err := session.Look(&p.Process, optionsOf(c))
	if err != nil {
		return err
	}
	if c.Duration("for") <= 0 {
		return usagef("--for is no time\nhint: gostate agent pause --for 2h --reason 'moving the database'")
	}
	pause := agent.Pause{Until: time.Now().Add(c.Duration("for")).Truncate(time.Second), Reason: c.String("reason")}
	if err := agent.SetPause(agentDir(s), pause); err != nil {
		return err
	}
	return p.printText(c, pause.String()+"\n")
}

func agentResume(c *cli.Context, p *program) error {
	s, err := session.Look(&p.Process, optionsOf(c))
	if err != nil {
		return err
	}
	was, err := agent.Resume(agentDir(s))
	switch {
	case err != nil:
		return err
	case !was:
		return p.printText(c, "it was not paused\n")
	}
	return p.printText(c, "resumed\n")
}

// agentEnrol makes the key that the pillar is encrypted for, unless there is one.
func agentEnrol(c *cli.Context, p *program) error {
	s, err := session.Look(&p.Process, optionsOf(c))
	if err != nil {
		return err
	}
	files := s.AgeFiles()
	recipients, err := agent.Enrol(files[0])
	if err != nil {
		return err
	}
	text := fmt.Sprintf("nodes:\n  %s:\n    age: %s\n", s.ID(), strings.Join(recipients, " "))
	fmt.Fprintf(p.Err, "The key is in %s. Put this into the operator's nodes.yaml:\n\n", files[0])
	return p.printText(c, text)
}
