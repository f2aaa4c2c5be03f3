package history

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/host"
)

const (
	suffix    = ".jsonl"
	newSuffix = ".new"
	stamp     = "20060102T150405.000Z"
)

// A Dir holds the reports of one machine.
type Dir struct {
	path string
	root *os.Root // nil where there is no report yet
}

// Place is where the reports of a machine are, below the state directory.
func Place(stateDir, id, root string) string {
	sum := sha256.Sum256([]byte(id + "\x00" + root))
	return filepath.Join(stateDir, "reports", hex.EncodeToString(sum[:12]))
}

// Open opens the reports of a machine to be read. There may be none.
func Open(stateDir, id, root string) (*Dir, error) {
	d := &Dir{path: Place(stateDir, id, root)}
	var err error
	if d.root, err = os.OpenRoot(d.path); errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	return d, err
}

// Make is Open for who writes: the directory is made, and refused where it is somebody else's.
func Make(stateDir, id, root string) (*Dir, error) {
	d := &Dir{path: Place(stateDir, id, root)}
	for _, p := range []string{filepath.Dir(d.path), d.path} {
		f, err := host.OpenState(p)
		if err != nil {
			return nil, err
		}
		f.Close()
	}
	var err error
	d.root, err = os.OpenRoot(d.path)
	return d, err
}

// Close lets the directory go.
func (d *Dir) Close() error {
	if d.root == nil {
		return nil
	}
	return d.root.Close()
}

func (d *Dir) pathOf(id string) string { return filepath.Join(d.path, id+suffix) }

func (d *Dir) open(id string) (*os.File, error) {
	if d.root == nil {
		return nil, &fs.PathError{Op: "open", Path: d.pathOf(id), Err: fs.ErrNotExist}
	}
	f, err := d.root.OpenFile(id+suffix, os.O_RDONLY|unix.O_NONBLOCK, 0) // a FIFO is not waited for
	if err != nil {
		return nil, err
	}
	if i, err := f.Stat(); err != nil || !i.Mode().IsRegular() {
		f.Close()
		return nil, errors.Join(err, fmt.Errorf("report %s is no file", id))
	}
	return f, nil
}

// IDs are the runs that left a report, oldest first.
func (d *Dir) IDs() ([]string, error) {
	if d.root == nil {
		return nil, nil
	}
	dir, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	var ids []string
	for _, n := range names {
		if id := strings.TrimSuffix(n, suffix); id != n && len(id) > len(stamp) && id[len(stamp)] == '-' {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, err
}

// timeOf is the time in an ID, zero for what is none.
func timeOf(id string) time.Time {
	text, _, _ := strings.Cut(id, "-")
	t, err := time.Parse(stamp, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// newID is the name of a run that begins now. It sorts behind all others, where the clock was set back as well.
func newID(now time.Time, last string) string {
	now = now.UTC().Truncate(time.Millisecond)
	if t := timeOf(last); !now.After(t) {
		now = t.Add(time.Millisecond)
	}
	var random [3]byte
	_, _ = rand.Read(random[:]) // which does not fail
	return now.Format(stamp) + "-" + hex.EncodeToString(random[:])
}

// Begin starts the report of a run. The header is completed with what only this package knows; warn is told what goes
// wrong from then on.
func (d *Dir) Begin(h *Header, warn func(error)) (*Writer, error) {
	ids, err := d.IDs()
	if err != nil {
		return nil, err
	}
	last := ""
	if len(ids) > 0 {
		last = ids[len(ids)-1]
	}
	h.Format, h.Version, h.ID = format, version, newID(h.Time, last)
	f, err := d.root.OpenFile(h.ID+suffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return newWriter(d, f, h, warn)
}

// Prune removes the oldest reports, so that no more than keep are left, and no more than so many bytes. The newest
// stays.
func (d *Dir) Prune(keep int, bytes int64) error {
	ids, err := d.IDs()
	if err != nil || len(ids) == 0 {
		return err
	}
	var sum int64
	for i, id := range slices.Backward(ids) {
		if info, err := d.root.Lstat(id + suffix); err == nil {
			sum += info.Size()
		}
		if i < len(ids)-1 && (len(ids)-i > keep || sum > bytes) {
			return d.remove(ids[:i+1])
		}
	}
	return nil
}

func (d *Dir) remove(ids []string) error {
	for _, id := range ids {
		if err := d.root.Remove(id + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove an old report: %w", err)
		}
	}
	return nil
}
