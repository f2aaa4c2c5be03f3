package main

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"fmt"
	"os"
	"os/user"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/cmd/internal/ssh"
	"github.com/gostate/gostate/state/diag"
)

const rolloutText = `With --batch it is a roll-out: so many machines get the release, and the others when those have reported it with the
result ok and each --check holds. It stops where more than --max-fail have not: failed, do not compile, do not apply
it, or give no answer within --timeout. At the end the whole environment has it.

gostate-hub push prod releases --batch 5% --max-fail 2% --check 'http 200 https://www.example.com/health'
gostate-hub push prod --resume`

// rolloutFlags are those of a push that goes by batches.
func rolloutFlags() []cli.Flag {
	return append(lookFlags(),
		&cli.PathFlag{Name: "to", Usage: "the releases that machines pull are in `DIR` (default: in the hub)"},
		&cli.StringFlag{Name: "batch", Usage: "roll out to `N` machines, or a share such as 5%, before the next"},
		&cli.StringFlag{Name: "target", Usage: "only the machines of `TARGET` are in the batches; at the end all have it"},
		&cli.StringFlag{Name: "wait", Value: "ok", Usage: "go on when every machine of the batch has reported `RESULT`: ok"},
		&cli.StringFlag{Name: "max-fail", Usage: "go on although up to `N` machines, or a share such as 2%, have failed " +
			"(default: 0)"},
		&cli.DurationFlag{Name: "timeout", Value: time.Hour,
			Usage: "a machine that has not reported within `TIME` has failed"},
		&cli.StringSliceFlag{Name: "check", Usage: "go on when `CHECK` holds, too: 'http 200 URL' (repeatable)"},
		&cli.BoolFlag{Name: "resume", Usage: "go on with a roll-out that was stopped or whose operator is gone"},
		&cli.BoolFlag{Name: "stop", Usage: "stop a roll-out, whoever drives it; machines keep what they have"},
		&cli.BoolFlag{Name: "dry-run", Usage: "say what the batches would be"},
		keyFlag(),
		&cli.DurationFlag{Name: "poll", Value: 5 * time.Second, Usage: "look at the reports every `TIME`"},
	)
}

// rollsOut says whether a push goes by batches.
func rollsOut(c *cli.Context) bool {
	return c.IsSet("batch") || c.IsSet("check") || c.Bool("resume") || c.Bool("stop") || c.Bool("dry-run") || c.IsSet("to")
}

// stageOf opens where machines pull from.
func stageOf(c *cli.Context) (release.Stage, *bus.Bus, error) {
	if dir := c.Path("to"); dir != "" {
		return release.Dir{Path: dir}, nil, os.MkdirAll(dir, 0o755)
	}
	b, err := operator(c)
	return b, b, err
}

// rollOut brings a release to machines by batches.
func rollOut(c *cli.Context) error {
	env := c.Args().First()
	switch {
	case c.NArg() < 1 || c.NArg() > 2:
		return tool.Usagef("push what?\nhint: gostate-hub push prod releases --batch 5%%")
	case !release.GoodName(env):
		return tool.Usagef("%q is no name of an environment", env)
	case c.String("wait") != "ok":
		return tool.Usagef("--wait is %q\nhint: --wait ok, all machines of a batch but --max-fail", c.String("wait"))
	case c.Duration("timeout") < time.Second || c.Duration("poll") <= 0:
		return tool.Usagef("--timeout and --poll are times from a second on")
	}
	at, b, err := stageOf(c)
	if err != nil {
		return err
	}
	if b != nil {
		defer b.Close()
	}
	d := &operate.Driver{At: at, By: operatorName(), Now: time.Now, Poll: c.Duration("poll"), Patience: time.Minute,
		Told: func(line string) { fmt.Fprintln(c.App.ErrWriter, line) }}
	if b != nil {
		d.Wake = func(_ context.Context, env string, nodes []string) { wake(c, b, env, nodes) }
	}
	if c.Bool("stop") {
		cursor, err := d.Stop(c.Context, env, "an operator said so")
		if err != nil {
			return err
		}
		return show(c, cursor.String()+"\n", cursor)
	}
	if b != nil && c.Path("reports") == "" {
		d.Reports = operate.Hub{Bus: b}
	} else if c.Path("reports") == "" {
		return tool.Usagef("where do the machines report to?\nhint: --reports DIR")
	} else if d.Reports, err = operate.OpenDir(c.Path("reports")); err != nil {
		return err
	}
	return drive(c, d, env)
}

// wake wakes machines, or with none the environment. Who does not hear it looks at its interval.
func wake(c *cli.Context, b *bus.Bus, env string, nodes []string) {
	if c.Bool("no-wake") {
		return
	}
	how := bus.Wake{Within: c.Duration("within")}
	if nodes == nil {
		_ = b.Wake(bus.WakeEnv(env), how)
	}
	for _, id := range nodes {
		_ = b.Wake(bus.WakeNode(id), how)
	}
}

// drive begins a roll-out or goes on with one, and tells how it ended.
func drive(c *cli.Context, d *operate.Driver, env string) error {
	key, err := keyOf(c)
	if err != nil {
		return err
	}
	if c.Bool("resume") {
		err = resume(c, d, env, key)
	} else {
		var plan *operate.Plan
		var source release.Source
		if plan, source, err = planOf(c, d, env); err != nil {
			return err
		}
		if c.Bool("dry-run") {
			return show(c, plan.String(), plan)
		}
		err = d.Begin(c.Context, source, plan, func(p *operate.Plan) ([]byte, error) { return p.Sign(key) })
	}
	if err != nil {
		return err
	}
	fates, cursor, err := d.Drive(c.Context)
	if err != nil {
		if c.Context.Err() != nil {
			return diag.Errorf(diag.Pos{}, "it was ended here at batch %d of %d", cursor.Batch+1, cursor.Of).
				WithHint("gostate-hub push %s --resume goes on", env)
		}
		return err
	}
	bad := cursor.State != "done" || len(cursor.Failed) > 0
	return failed(bad, show(c, cursor.String()+"\n", struct {
		*operate.Cursor
		Machines []operate.Fate `json:"machines"`
	}{cursor, fates}))
}

func resume(c *cli.Context, d *operate.Driver, env string, key ed25519.PrivateKey) error {
	if c.NArg() != 1 || c.IsSet("batch") || c.IsSet("check") {
		return tool.Usagef("--resume goes on with what was signed\nhint: gostate-hub push %s --resume; --max-fail may be "+
			"another",
			env)
	}
	var most func(machines int) (int, error)
	if text := c.String("max-fail"); text != "" {
		most = func(machines int) (int, error) { return ssh.Share(text, machines) }
	}
	return d.Resume(c.Context, env, []release.PublicKey{release.PublicKey(key.Public().(ed25519.PublicKey))}, most)
}

// planOf is the roll-out that the flags ask for.
func planOf(c *cli.Context, d *operate.Driver, env string) (*operate.Plan, release.Source, error) {
	source, err := release.OpenSource(cmp.Or(c.Args().Get(1), "releases"), false)
	if err != nil {
		return nil, nil, err
	}
	signed, err := source.Pointer(c.Context, env)
	if err != nil {
		return nil, nil, err
	}
	r, err := release.Peek(signed)
	if err != nil {
		return nil, nil, diag.Errorf(diag.Pos{}, "what %s has is no release: %v", cmp.Or(c.Args().Get(1), "releases"), err)
	}
	fleet, err := askOf(c, d.Reports).Look(c.Context)
	if err != nil {
		return nil, nil, err
	}
	machines, err := fleet.Select(c.String("target"))
	if err != nil {
		return nil, nil, err
	}
	if machines = fleet.In(machines, env); len(machines) == 0 {
		return nil, nil, diag.Errorf(diag.Pos{}, "there is no machine to roll out to: nodes.yaml has none in %s", env).
			WithHint("--nodes FILE names another list")
	}
	p := &operate.Plan{Format: 1, ID: operate.NewID(d.Now()), Env: env, Sequence: r.Sequence, Release: signed,
		Created: d.Now().UTC().Truncate(time.Second), By: d.By,
		Gate: operate.Gate{Wait: "ok", Seconds: int(c.Duration("timeout") / time.Second), Checks: c.StringSlice("check")}}
	if p.Batches, err = operate.Batches(machines, c.String("batch")); err != nil {
		return nil, nil, err
	}
	if p.Gate.MaxFail, err = ssh.Share(cmp.Or(c.String("max-fail"), "0"), len(machines)); err != nil {
		return nil, nil, tool.Usagef("--max-fail: %v", err)
	}
	return p, source, p.Gate.Check()
}

func operatorName() string {
	name, host := "someone", "somewhere"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if h, err := os.Hostname(); err == nil {
		host = h
	}
	return fmt.Sprintf("%s@%s (pid %d)", name, host, os.Getpid())
}
