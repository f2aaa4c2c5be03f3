package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/state/diag"
)

// jobCommands have machines do something now.
func jobCommands() []*cli.Command {
	return []*cli.Command{{
		Name: "run", Usage: "have machines run a command now, those that are away when they come back",
		ArgsUsage: "TARGET highstate|sls NAME...|single FUN KEY=VALUE... [--test]",
		Flags: append(lookFlags(),
			&cli.BoolFlag{Name: "test", Usage: "machines say what would change, and change nothing"},
			keyFlag(),
			&cli.DurationFlag{Name: "valid", Value: time.Hour, Usage: "who comes back after `TIME` does not run it"},
			&cli.DurationFlag{Name: "wait", Value: 10 * time.Minute, Usage: "wait up to `TIME` for the machines"},
		),
		Action: fleetRun,
	}}
}

func fleetRun(c *cli.Context) error {
	if c.NArg() < 2 {
		return tool.Usagef("run takes a target and a command\nhint: gostate-hub fleet run 'web*' highstate --test")
	}
	f, err := look(c)
	if err != nil {
		return err
	}
	machines, err := f.Select(c.Args().First())
	if err != nil {
		return err
	}
	job, signed, err := jobFor(c, machines)
	if err != nil {
		return err
	}
	b, err := operator(c)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := b.PutJob(c.Context, signed, job.Nodes); err != nil {
		return err
	}
	w := &waiting{job: job, ends: map[string]operate.Fate{}}
	if err := w.wait(c.Context, b, c.Duration("wait")); err != nil {
		return err
	}
	fates := w.fates(machines)
	text, bad := "", false
	for _, fate := range fates {
		text += fate.String() + "\n"
		bad = bad || fate.End != operate.EndOK
	}
	return failed(bad, show(c, text, fates))
}

// jobFor is a job for machines, which are written in it: what was looked at is what runs.
func jobFor(c *cli.Context, machines []*operate.Machine) (*bus.Job, []byte, error) {
	key, err := keyOf(c)
	if err != nil {
		return nil, nil, err
	}
	now := time.Now().UTC().Truncate(time.Second)
	job := &bus.Job{Format: 1, ID: operate.NewID(now), Words: c.Args().Tail(), Created: now,
		NotAfter: now.Add(c.Duration("valid"))}
	for _, m := range machines {
		job.Nodes = append(job.Nodes, m.ID)
	}
	if c.Bool("test") {
		job.Words = append(job.Words, "--test")
	}
	if len(job.Nodes) == 0 {
		return nil, nil, diag.Errorf(diag.Pos{}, "the target %q means nobody", c.Args().First())
	}
	signed, err := bus.SignJob(job, key)
	return job, signed, err
}

// waiting is a job whose machines have not all answered.
type waiting struct {
	job  *bus.Job
	ends map[string]operate.Fate
}

// wait reads reports until all machines have answered, or the time is over.
func (w *waiting) wait(ctx context.Context, b *bus.Bus, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	err := b.FollowReports(ctx, w.job.Created.Add(-time.Minute), func(r bus.Report) error {
		if fate, ours := operate.JobFate(r, w.job.ID); ours && slices.Contains(w.job.Nodes, r.Node) {
			w.ends[r.Node] = fate
		}
		if len(w.ends) == len(w.job.Nodes) {
			return errAll
		}
		return nil
	})
	if errors.Is(err, errAll) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

var errAll = errors.New("all have answered")

// fates are what became of each machine, one that has not answered with when it was seen.
func (w *waiting) fates(machines []*operate.Machine) (out []operate.Fate) {
	for _, m := range machines {
		fate, ok := w.ends[m.ID]
		if !ok {
			fate = operate.Fate{ID: m.ID, End: operate.EndSilent, Why: fmt.Sprintf("%s; it finds the job until %s",
				m.Silence(time.Now()), w.job.NotAfter.Format(time.RFC3339))}
		}
		out = append(out, fate)
	}
	return out
}
