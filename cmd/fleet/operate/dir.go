package operate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

// A Dir is a directory of reports, as agents deliver them to one or put them to a server of files: NODE/RUN.json.
type Dir struct{ Path string }

// OpenDir opens a directory of reports.
func OpenDir(path string) (Dir, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Dir{}, diag.Errorf(diag.Pos{}, "the reports cannot be read: %v", err).
			WithHint("--reports DIR is where agents deliver them (agent: {reports: DIR})")
	case !info.IsDir():
		return Dir{}, diag.Errorf(diag.Pos{File: path}, "it is no directory of reports").
			WithHint("--reports names the directory that has one of each machine")
	}
	return Dir{path}, nil
}

func (d Dir) String() string { return d.Path }

// nodes are the machines that have reported.
func (d Dir) nodes() (out []string, err error) {
	all, err := os.ReadDir(d.Path)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if e.IsDir() && release.GoodName(e.Name()) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

// Last tells the newest report of each machine. Behind a damaged one stands the newest that can be read.
func (d Dir) Last(ctx context.Context, each func(Entry) error) error {
	nodes, err := d.nodes()
	if err != nil {
		return err
	}
	for _, node := range nodes {
		if err := d.newest(ctx, node, each); err != nil {
			return err
		}
	}
	return nil
}

// newest tells the newest report of a machine, and those before it as long as what was told is damaged.
func (d Dir) newest(ctx context.Context, node string, each func(Entry) error) error {
	runs, err := d.Runs(ctx, node)
	if err != nil {
		return err
	}
	for _, run := range runs {
		e, err := d.Run(ctx, node, run)
		if errors.Is(err, ErrNoReport) {
			continue // it was removed at this moment
		}
		if err == nil {
			err = each(e)
		}
		if err != nil || e.Damaged == nil {
			return err
		}
	}
	return ctx.Err()
}

// LastOf is the newest report of a machine.
func (d Dir) LastOf(ctx context.Context, node string) (Entry, error) {
	found := Entry{}
	err := d.newest(ctx, node, func(e Entry) error {
		if e.Damaged == nil {
			found = e
		}
		return nil
	})
	if err == nil && found.Report == nil {
		err = ErrNoReport
	}
	return found, err
}

// Runs are the names of its files.
func (d Dir) Runs(_ context.Context, node string) (out []string, err error) {
	if !release.GoodName(node) {
		return nil, nil
	}
	all, err := os.ReadDir(filepath.Join(d.Path, node))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range all {
		if run, ok := strings.CutSuffix(e.Name(), ".json"); ok && release.GoodName(run) && !e.IsDir() {
			out = append(out, run)
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out, err
}

// Run reads a file.
func (d Dir) Run(_ context.Context, node, run string) (Entry, error) {
	if !release.GoodName(node) || !release.GoodName(run) {
		return Entry{}, ErrNoReport
	}
	f, err := os.Open(filepath.Join(d.Path, node, run+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return Entry{}, ErrNoReport
	}
	if err != nil {
		return Entry{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Entry{}, err
	}
	if !info.Mode().IsRegular() {
		return Entry{Node: node, Run: run, Received: info.ModTime(), Damaged: errors.New("it is no file")}, nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxReport+1))
	if err != nil {
		return Entry{}, fmt.Errorf("read the report %s of %s: %w", run, node, err)
	}
	if len(data) > maxReport {
		return Entry{Node: node, Run: run, Received: info.ModTime(),
			Damaged: fmt.Errorf("it has more than %d bytes", maxReport)}, nil
	}
	return newEntry(node, run, info.ModTime(), data), nil
}

// ErrEnough ends a walk over reports.
var ErrEnough = errors.New("enough")

// Names tells all reports by name, those of a machine the oldest first, until ErrEnough.
func (d Dir) Names(ctx context.Context, each func(node, run string) error) error {
	nodes, err := d.nodes()
	if err != nil {
		return err
	}
	for _, node := range nodes {
		runs, err := d.Runs(ctx, node)
		if err != nil {
			return err
		}
		for _, run := range slices.Backward(runs) {
			if err := each(node, run); errors.Is(err, ErrEnough) {
				return nil
			} else if err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
