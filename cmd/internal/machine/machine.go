// Package machine makes the agent of this machine from its configuration and the flags of a command line. Where
// releases come from and where reports go is its callers'.
package machine

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/diag"
)

// Flags are those of the settings.
func Flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "source", Usage: "pull from `PLACE`: a directory, file://DIR, https://HOST/PATH"},
		&cli.StringFlag{Name: "env", Usage: "pull the releases of the `ENV`ironment"},
		&cli.StringSliceFlag{Name: "key", Usage: "trust `KEY`, the ed25519:... of gostate pack keygen (repeatable)"},
		&cli.StringFlag{Name: "reports", Usage: "deliver reports to `PLACE`: a directory, or https://... by PUT"},
		&cli.DurationFlag{Name: "interval", Usage: "look every `TIME`"},
		&cli.BoolFlag{Name: "allow-http", Usage: "allow a source and reports that are not encrypted"},
	}
}

// Settings are the settings of the configuration, and the flags over them.
func Settings(c *cli.Context, s *session.Session) (agent.Settings, error) {
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

// Dir is where the agent's own files are.
func Dir(s *session.Session) string { return filepath.Join(s.StateDir(), "agent") }

// New is the agent of the machine that a session looks at, whose runs are those of the program.
func New(s *session.Session, o session.Options, set agent.Settings, version, program string) (*agent.Agent, error) {
	if !release.GoodName(s.ID()) {
		return nil, diag.Errorf(diag.Pos{}, "the id %q is no name for a machine that reports", s.ID()).
			WithHint("letters, digits and . _ - name one; --id or the key id of the configuration says it")
	}
	a := &agent.Agent{Config: agent.Config{ID: s.ID(), Dir: Dir(s), Identities: s.Identities,
		Policy: release.Policy{Version: version}}, Clock: agent.Wall{}}
	if err := set.Configure(&a.Config, s.Config().Schedules()); err != nil {
		return nil, err
	}
	a.Runner = Child(s, o, program)
	return a, nil
}

// Child runs the program with the options that say which machine it is.
func Child(s *session.Session, o session.Options, program string) *agent.Child {
	child := &agent.Child{Program: program, Secrets: s.Config().Strings("secrets"), Wait: 30 * time.Minute,
		Dir: cmp.Or(os.Getenv("RUNTIME_DIRECTORY"), Dir(s)), Options: []string{"--id", s.ID(), "--root", o.Root}}
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
	return child
}

// Signals wakes at each SIGUSR1.
func Signals(ctx context.Context, wake chan<- string) {
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
