package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

// A Cursor says how far a roll-out came. It is replaced by compare-and-set: whoever drives it has to find it as they
// left it, so that of two the one who came first stops.
type Cursor struct {
	Format   int          `json:"format"`
	Plan     release.Blob `json:"plan"`
	ID       string       `json:"id"` // of the plan
	Env      string       `json:"env"`
	Sequence uint64       `json:"sequence"`
	Batch    int          `json:"batch"` // that is worked on, from 0
	Of       int          `json:"of"`
	State    string       `json:"state"` // running, stopped, done
	Why      string       `json:"why,omitempty"`
	By       string       `json:"by"`     // who drives
	Driver   string       `json:"driver"` // a word of chance: two drivers are never the same
	At       time.Time    `json:"at"`
	// Failed are machines of batches that are through, and MaxFail how many there may be: --resume may say another.
	Failed  []string `json:"failed,omitempty"`
	MaxFail int      `json:"max_fail"`
}

// The states of a roll-out.
const (
	running = "running"
	stopped = "stopped"
	done    = "done"
)

// String says where a roll-out is.
func (c *Cursor) String() string {
	text := fmt.Sprintf("%s %d: ", c.Env, c.Sequence)
	switch c.State {
	case done:
		return text + fmt.Sprintf("done, after batch %d of %[1]d", c.Of)
	case stopped:
		return text + fmt.Sprintf("stopped at batch %d of %d by %s: %s", c.Batch+1, c.Of, c.By, c.Why)
	}
	return text + fmt.Sprintf("at batch %d of %d, driven by %s since %s", c.Batch+1, c.Of, c.By,
		c.At.UTC().Format(time.DateTime+" MST"))
}

// ReadCursor reads where the roll-out of an environment is; nil where there never was one.
func ReadCursor(ctx context.Context, at release.Stage, env string) (*Cursor, []byte, error) {
	data, err := at.Note(ctx, env)
	if err != nil || data == nil {
		return nil, nil, err
	}
	c := &Cursor{}
	if err := json.Unmarshal(data, c); err != nil || c.Format != 1 {
		return nil, data, diag.Errorf(diag.Pos{}, "the note of the roll-out of %s cannot be read: %.60q", env, data).
			WithHint("a newer gostate-hub has written it, or it was damaged; take it away by hand")
	}
	return c, data, nil
}

// move replaces the cursor, which has to be as it was left.
func (d *Driver) move(ctx context.Context, change func(*Cursor)) error {
	next := *d.cursor
	change(&next)
	next.By, next.Driver, next.At = d.By, d.token, d.Now().UTC()
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	err = d.At.SwapNote(ctx, next.Env, data, d.was)
	if errors.Is(err, release.ErrConflict) {
		return d.lost(ctx)
	}
	if err == nil {
		d.cursor, d.was = &next, data
	}
	return err
}

// mine looks whether this is still the one who drives.
func (d *Driver) mine(ctx context.Context) error {
	now, _, err := ReadCursor(ctx, d.At, d.cursor.Env)
	if err == nil && (now == nil || now.Driver != d.token) {
		return d.lost(ctx)
	}
	return err
}

// lost says who drives the roll-out in the place of this driver.
func (d *Driver) lost(ctx context.Context) error {
	text := "another operator drives this roll-out now"
	if now, _, err := ReadCursor(ctx, d.At, d.cursor.Env); err == nil && now != nil {
		text += ": " + now.String()
	}
	return diag.Errorf(diag.Pos{}, "%s", text).WithHint("nothing more is done here")
}
