package operate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

// A Driver drives a roll-out: it gives the release to a batch, waits until the gate lets it go on, and gives it to the
// whole environment at the end.
type Driver struct {
	At      release.Stage
	Reports Reports
	By      string // who drives
	Now     func() time.Time
	// Poll is how often reports are looked at, Patience how long a check may take to hold.
	Poll, Patience time.Duration
	// Wake wakes machines, with none of them the whole environment; nil waits until they look.
	Wake func(ctx context.Context, env string, nodes []string)
	// Told is told what goes on, a line at a time.
	Told func(string)

	token   string
	plan    *Plan
	payload release.Digest
	cursor  *Cursor
	was     []byte // the cursor as it was left
}

// Begin begins a roll-out: the release is brought there, but to no machine yet. One that is under way is not begun
// again, and one that was stopped is followed by a higher release only.
func (d *Driver) Begin(ctx context.Context, from release.Source, p *Plan, signed func(*Plan) ([]byte, error)) error {
	d.token = token()
	there, was, err := ReadCursor(ctx, d.At, p.Env)
	if err != nil {
		return err
	}
	if there != nil && there.State == running || there != nil && there.State == stopped && there.Sequence >= p.Sequence {
		return diag.Errorf(diag.Pos{}, "a roll-out of %s is not done: %s", p.Env, there).
			WithHint("--resume goes on with it, --stop ends it, and a release packed on top of it may follow one that was " +
				"stopped")
	}
	if d.payload, err = p.payload(); err != nil {
		return fmt.Errorf("the release: %w", err)
	}
	if _, _, err := release.Prepare(ctx, from, d.At, p.Env); err != nil {
		return err
	}
	data, err := signed(p)
	if err != nil {
		return err
	}
	blob := release.BlobOf(data)
	err = d.At.PutBlobs(ctx, []release.Blob{blob}, func(release.Blob) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	})
	if err != nil {
		return err
	}
	d.plan, d.was = p, was
	d.cursor = &Cursor{Format: 1, Plan: blob, ID: p.ID, Env: p.Env, Sequence: p.Sequence, Of: len(p.Batches),
		State: running, MaxFail: p.Gate.MaxFail}
	return d.move(ctx, func(*Cursor) {})
}

// Resume takes a roll-out over, whoever drove it: that one stops. How many machines may fail can be another number than
// its plan's; with nil it stays.
func (d *Driver) Resume(ctx context.Context, env string, keys []release.PublicKey,
	maxFail func(machines int) (int, error),
) error {
	d.token = token()
	if err := d.open(ctx, env, keys); err != nil {
		return err
	}
	if d.cursor.State == done {
		return diag.Errorf(diag.Pos{}, "the roll-out of %s %d is done: there is nothing to go on with", env,
			d.cursor.Sequence)
	}
	most := d.cursor.MaxFail
	if maxFail != nil {
		n := 0
		for _, ids := range d.plan.Batches {
			n += len(ids)
		}
		var err error
		if most, err = maxFail(n); err != nil {
			return diag.Errorf(diag.Pos{}, "--max-fail: %v", err)
		}
	}
	return d.move(ctx, func(c *Cursor) { c.State, c.Why, c.MaxFail = running, "", most })
}

// open reads the cursor and its plan.
func (d *Driver) open(ctx context.Context, env string, keys []release.PublicKey) (err error) {
	if d.cursor, d.was, err = ReadCursor(ctx, d.At, env); err != nil {
		return err
	}
	if d.cursor == nil {
		return diag.Errorf(diag.Pos{}, "there is no roll-out of %s", env).
			WithHint("gostate-hub push %s DIR PLACE --batch 5%% begins one", env)
	}
	data, err := release.ReadBlob(ctx, d.At, d.cursor.Plan, release.MaxIndex)
	if err != nil {
		return fmt.Errorf("read the plan of the roll-out: %w", err)
	}
	if d.plan, err = openPlan(data, keys); err != nil {
		return fmt.Errorf("the plan of the roll-out: %w", err)
	}
	if d.plan.Env != env || d.plan.ID != d.cursor.ID {
		return fmt.Errorf("the plan of the roll-out is another: %s of %s", d.plan.ID, d.plan.Env)
	}
	d.payload, err = d.plan.payload()
	return err
}

// Stop says that a roll-out goes no further; whoever drives it stops. What machines have, they keep.
func (d *Driver) Stop(ctx context.Context, env, why string) (*Cursor, error) {
	d.token = token()
	var err error
	if d.cursor, d.was, err = ReadCursor(ctx, d.At, env); err != nil {
		return nil, err
	}
	if d.cursor == nil || d.cursor.State != running {
		return d.cursor, diag.Errorf(diag.Pos{}, "no roll-out of %s is under way", env)
	}
	err = d.move(ctx, func(c *Cursor) { c.State, c.Why = stopped, why })
	return d.cursor, err
}

// Drive goes on to the end, and says what became of the machines of the batches that it saw. A roll-out that its gate
// stopped is no error: the cursor's state says so.
func (d *Driver) Drive(ctx context.Context) (all []Fate, c *Cursor, err error) {
	for d.cursor.State == running && d.cursor.Batch < len(d.plan.Batches) {
		fates, why, err := d.batch(ctx, d.plan.Batches[d.cursor.Batch])
		all = append(all, fates...)
		if err != nil {
			return all, d.cursor, err
		}
		err = d.move(ctx, func(c *Cursor) {
			if why != "" {
				c.State, c.Why = stopped, why
				return
			}
			c.Batch++
			c.Failed = append(c.Failed, badOnes(fates)...)
		})
		if err != nil {
			return all, d.cursor, err
		}
	}
	if d.cursor.State == running {
		err = d.finish(ctx)
	}
	return all, d.cursor, err
}

func badOnes(fates []Fate) (ids []string) {
	for _, f := range fates {
		if f.End != EndOK {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// batch gives a batch the release, and waits for it; why says why the roll-out is to stop.
func (d *Driver) batch(ctx context.Context, ids []string) (fates []Fate, why string, err error) {
	head := fmt.Sprintf("batch %d of %d", d.cursor.Batch+1, d.cursor.Of)
	d.tell("%s: %s: %s", head, diag.Count(len(ids), "machine"), some(ids))
	before, err := d.look(ctx, ids)
	if err != nil {
		return nil, "", err
	}
	if err := d.At.Pin(ctx, d.plan.Env, ids, d.plan.Release); err != nil {
		return nil, "", fmt.Errorf("give the release to the batch: %w", err)
	}
	if d.Wake != nil {
		d.Wake(ctx, d.plan.Env, ids)
	}
	fates, why, err = d.wait(ctx, head, ids, before)
	for _, f := range fates {
		if f.End != EndOK && f.End != Waiting {
			d.tell("  %s", f)
		}
	}
	if err != nil || why != "" {
		return fates, why, err
	}
	checks, err := parseChecks(d.plan.Gate.Checks)
	if err != nil {
		return fates, "", err
	}
	for _, c := range checks {
		if err := c.hold(ctx, d.Patience, d.Poll); err != nil {
			if ctx.Err() != nil {
				return fates, "", ctx.Err()
			}
			return fates, err.Error(), nil
		}
		d.tell("  %s", c.text)
	}
	return fates, "", nil
}

// wait looks at the reports until each machine has come to its end, or more failed than may.
func (d *Driver) wait(ctx context.Context, head string, ids []string, before []Fate) (fates []Fate, why string,
	err error,
) {
	end := d.Now().Add(time.Duration(d.plan.Gate.Seconds) * time.Second)
	for said := ""; ; {
		if fates, err = d.look(ctx, ids); err != nil {
			return fates, "", err
		}
		over := !d.Now().Before(end)
		n := map[End]int{}
		for i := range fates {
			if over {
				fates[i] = fates[i].timeout(before[i].Run, d.Now())
			}
			n[fates[i].End]++
		}
		if text := tally(n); text != said {
			said = text
			d.tell("%s: %s", head, text)
		}
		failed := len(d.cursor.Failed) + len(ids) - n[EndOK] - n[Waiting]
		switch {
		case failed > d.cursor.MaxFail:
			return fates, fmt.Sprintf("%d failed, and %d may", failed, d.cursor.MaxFail), nil
		case n[Waiting] == 0:
			return fates, "", nil
		}
		select {
		case <-ctx.Done():
			return fates, "", ctx.Err()
		case <-time.After(d.Poll):
		}
		if err := d.mine(ctx); err != nil {
			return fates, "", err
		}
	}
}

// many is from how many machines on the newest reports of all are read at once.
const many = 50

func (d *Driver) look(ctx context.Context, ids []string) ([]Fate, error) {
	last := map[string]Entry{}
	if len(ids) > many {
		err := d.Reports.Last(ctx, func(e Entry) error {
			if e.Damaged == nil {
				last[e.Node] = e
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read the reports: %w", err)
		}
	}
	fates := make([]Fate, len(ids))
	for i, id := range ids {
		if len(ids) <= many {
			e, err := d.Reports.LastOf(ctx, id)
			if err != nil && !errors.Is(err, ErrNoReport) {
				return nil, fmt.Errorf("read the reports of %s: %w", id, err)
			}
			last[id] = e
		}
		fates[i] = fate(id, last[id], d.plan.Sequence, d.payload)
	}
	return fates, nil
}

// finish gives the release to the whole environment, and takes back what single machines had.
func (d *Driver) finish(ctx context.Context) error {
	from := known{d.At, d.plan.Release}
	push, was, err := release.Prepare(ctx, from, d.At, d.plan.Env)
	if err == nil {
		err = release.Publish(ctx, d.At, push, was)
	}
	if err != nil {
		return err
	}
	for _, ids := range d.plan.Batches {
		if err := d.At.Pin(ctx, d.plan.Env, ids, nil); err != nil {
			return err
		}
	}
	if d.Wake != nil {
		d.Wake(ctx, d.plan.Env, nil)
	}
	return d.move(ctx, func(c *Cursor) { c.State = done })
}

// known is a source whose pointer is known.
type known struct {
	release.Source
	signed []byte
}

func (k known) Pointer(context.Context, string) ([]byte, error) { return k.signed, nil }

func (d *Driver) tell(format string, args ...any) {
	if d.Told != nil {
		d.Told(fmt.Sprintf(format, args...))
	}
}

func tally(n map[End]int) string {
	var words []string
	for _, e := range []End{EndOK, EndFailed, EndCompile, EndRefused, EndSilent, Waiting} {
		if n[e] > 0 {
			words = append(words, fmt.Sprintf("%d %s", n[e], e))
		}
	}
	return strings.Join(words, ", ")
}

// some names a few of many.
func some(ids []string) string {
	return strings.Join(ids[:min(len(ids), named)], ", ") + more(len(ids))
}
