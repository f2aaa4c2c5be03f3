package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/cmd/internal/release"
)

// done is what a machine knows of the jobs that it has seen. It is on the disk before a job is begun: none runs twice,
// and one at which the machine went down is told, not repeated.
type done struct {
	file string
	Next uint64               `json:"next"` // where to read on
	Jobs map[string]time.Time `json:"jobs"` // by id; when each ends, after which it need not be known any more
	// Begun is the job that runs; "" is none.
	Begun string `json:"begun,omitempty"`
}

func readDone(dir string) (*done, error) {
	d := &done{file: filepath.Join(dir, "jobs.json")}
	data, err := os.ReadFile(d.file)
	if err == nil {
		err = json.Unmarshal(data, d)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("what is known of earlier jobs cannot be read, so none is done: %w", err)
	}
	if d.Jobs == nil {
		d.Jobs = map[string]time.Time{}
	}
	return d, nil
}

func (d *done) write() error {
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return disk.WriteFile(d.file, data, 0o600)
}

// jobs does what is new for this machine, in order.
func (n *Node) jobs(ctx context.Context) error {
	d, err := readDone(n.Agent.Dir)
	if err != nil {
		return err
	}
	if d.Begun != "" {
		err := n.Agent.Refuse(ctx, d.Begun, "interrupted", "the machine went down while the job ran: what was done of it "+
			"is not known", "run it again, with --test first")
		if d.Begun = ""; err != nil {
			return err
		}
		if err := d.write(); err != nil {
			return err
		}
	}
	last, err := n.Bus.LastJob(ctx)
	if err != nil {
		return err
	}
	if d.Next > last+1 {
		d.Next = 0 // the hub has lost its store, and counts anew
	}
	for d.Next <= last && ctx.Err() == nil {
		signed, at, err := n.Bus.NextJob(ctx, d.Next)
		if errors.Is(err, release.ErrNone) {
			return nil
		}
		if err != nil {
			return err
		}
		d.Next = at + 1
		if err := n.job(ctx, d, signed); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// job does one, when it is for this machine and was not done before.
func (n *Node) job(ctx context.Context, d *done, signed []byte) error {
	j, err := bus.OpenJob(signed, n.Agent.Policy.Keys)
	if err != nil {
		return errors.Join(fmt.Errorf("a job is not done: %w", err), d.write())
	}
	_, known := d.Jobs[j.ID]
	if known || !slices.Contains(j.Nodes, n.Agent.ID) {
		return d.write()
	}
	now, skew := n.Agent.Clock.Now(), n.Agent.Policy.Skew
	for id, end := range d.Jobs {
		if now.After(end.Add(2 * skew)) {
			delete(d.Jobs, id)
		}
	}
	d.Jobs[j.ID], d.Begun = j.NotAfter, j.ID
	ended := now.After(j.NotAfter.Add(skew))
	if ended {
		d.Begun = ""
	}
	if err := d.write(); err != nil {
		return fmt.Errorf("a job is not done, since it cannot be remembered: %w", err)
	}
	if ended {
		return n.Agent.Refuse(ctx, j.ID, "expired", "the job ended at "+j.NotAfter.UTC().Format(time.RFC3339)+
			", before this machine saw it", "send it again, good for longer: --valid 24h")
	}
	_, err = n.Agent.Do(ctx, j.ID, j.Words)
	d.Begun = ""
	return errors.Join(err, d.write())
}
