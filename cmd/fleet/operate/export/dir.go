package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/state/report"
)

// atOnce is how many reports are moved together.
const atOnce = 100

// A DirFeed gives the reports of a directory. Its cursor is a file of the names that are done, a line each: names and
// times of files say nothing of when they came, since a machine whose reports waited delivers old ones.
type DirFeed struct {
	Dir    operate.Dir
	Cursor string
	done   map[string]bool
	given  []string
}

// Next gives reports whose names are not in the cursor.
func (f *DirFeed) Next(ctx context.Context) (out []operate.Entry, err error) {
	if f.done == nil {
		if err := f.read(); err != nil {
			return nil, err
		}
	}
	f.given = nil
	err = f.Dir.Names(ctx, func(node, run string) error {
		name := node + "/" + run
		if f.done[name] {
			return nil
		}
		e, err := f.Dir.Run(ctx, node, run)
		if errors.Is(err, operate.ErrNoReport) {
			return nil
		}
		if err != nil {
			return err
		}
		f.given, out = append(f.given, name), append(out, e)
		if len(out) == atOnce {
			return operate.ErrEnough
		}
		return nil
	})
	return out, err
}

// read reads the cursor; the end of a line that was cut off is no name, and its report comes again.
func (f *DirFeed) read() error {
	f.done = map[string]bool{}
	file, err := os.Open(f.Cursor)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan(); {
		f.done[s.Text()] = true
	}
	return nil
}

// Done writes the names behind the others.
func (f *DirFeed) Done(context.Context) error {
	file, err := os.OpenFile(f.Cursor, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("the cursor of the export: %w", err)
	}
	// The line break in front ends a line that was cut off.
	_, err = file.WriteString("\n" + strings.Join(f.given, "\n") + "\n")
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("the cursor of the export: %w", err)
	}
	for _, name := range f.given {
		f.done[name] = true
	}
	f.given = nil
	return nil
}

// Again leaves the cursor as it is.
func (f *DirFeed) Again() { f.given = nil }

// passedOver is what is told of a report that is not exported.
func passedOver(e operate.Entry, why error) error {
	return errors.New(report.Visible(fmt.Sprintf("the report %s of %s is passed over: %v", e.Run, e.Node, why)))
}
