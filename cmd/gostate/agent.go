package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/machine"
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
		Flags:  append(machine.Flags(), once),
		Action: func(c *cli.Context) error { return agentOnce(c, p) },
		Subcommands: []*cli.Command{
			{Name: "run", Usage: "look at every interval, until the program is stopped; SIGUSR1 makes it look now",
				Flags: machine.Flags(), Action: func(c *cli.Context) error { return agentRun(c, p) }},
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

// newAgent is the agent of this machine.
func newAgent(c *cli.Context, p *program) (*agent.Agent, error) {
	o := optionsOf(c)
	s, err := session.Look(&p.Process, o)
	if err != nil {
		return nil, err
	}
	set, err := machine.Settings(c, s)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	a, err := machine.New(s, o, set, versionText(), self)
	if err != nil {
		return nil, err
	}
	source, err := release.OpenSource(set.Source, set.AllowHTTP)
	if err != nil {
		return nil, err
	}
	a.Source = release.For(source, s.ID())
	a.Sink, err = agent.OpenSink(set.Reports, set.AllowHTTP)
	return a, err
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
	go machine.Signals(c.Context, wake)
	a.Run(c.Context, wake, func(err error) {
		p.Diagnose(&diag.List{All: []*diag.Diagnostic{{Severity: diag.Warning, Msg: err.Error()}}})
	})
	return nil
}

// tellTurn shows what came of a turn.
func (p *program) tellTurn(c *cli.Context, r *agent.Report) error {
	return p.printEither(c, r.Text(), turnValue(r))
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
	if err := agent.SetPause(machine.Dir(s), pause); err != nil {
		return err
	}
	return p.printText(c, pause.String()+"\n")
}

func agentResume(c *cli.Context, p *program) error {
	s, err := session.Look(&p.Process, optionsOf(c))
	if err != nil {
		return err
	}
	was, err := agent.Resume(machine.Dir(s))
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
