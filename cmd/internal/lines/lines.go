// Package lines keeps records in a file of JSON lines, one for each machine (minion id and --root), in the state
// directory: first a line that says what it is and whose, then one for each thing that was noted, oldest first.
//
// It promises that what is saved with sync outlasts a loss of power, that a run which saves nothing writes nothing,
// that the file is its owner's alone, and that one of another machine, format or version is never read.
//
// A line that a crash cut short at the end is passed over. Any other that cannot be read is lost, and it alone: the
// next run that may write puts it aside, in a file beside this one that ends in .damaged. A file of another version, or
// one that cannot be read at all, is kept as one that ends in .other when a new one takes its place.
package lines

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/state/host"
)

const (
	// newSuffix is what the name of a file ends in until it is whole, damagedSuffix that of lines that could not be read,
	// otherSuffix that of a file of another version, or that could not be read at all.
	newSuffix     = ".new"
	damagedSuffix = ".damaged"
	otherSuffix   = ".other"
	// most is how much is read.
	most = 1 << 40
)

// A Kind says what is kept.
type Kind struct {
	Dir     string // below the state directory
	Format  string
	Version int
	// Name is what the file is called in warnings; Unread and Unwritten say what follows when it cannot be read or
	// written.
	Name, Unread, Unwritten string
}

// A Keeper holds the records in memory.
type Keeper interface {
	// Expect is told how many lines will come.
	Expect(n int)
	// ReadLine takes a line, in the order of the file, and is false for what it cannot read.
	ReadLine(text string) bool
	// Lines are those of a file that says all that is kept now.
	Lines() []any
}

// A Log is the file. It belongs to one goroutine at a time, and is written by whoever holds the run lock.
type Log struct {
	kind Kind
	path string
	head header
	keep Keeper
	warn func(error)
	file *os.File // nil until something is written
	// damaged are the lines that could not be read and are not put aside yet.
	damaged []byte
	// other says that what is there was not read, and is put aside before it is replaced.
	other bool
	// stale says that the file on the disk lacks something, as it could not be written, which was told.
	stale bool
}

type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	ID      string `json:"id"`
	Root    string `json:"root"`
}

// Open reads what is kept of the machine of the id whose tree is at root. warn is told what goes wrong, now and later.
func Open(kind Kind, stateDir, id, root string, keep Keeper, warn func(error)) *Log {
	sum := sha256.Sum256([]byte(id + "\x00" + root))
	l := &Log{kind: kind, path: filepath.Join(stateDir, kind.Dir, hex.EncodeToString(sum[:12])+".json"),
		head: header{kind.Format, kind.Version, id, root}, keep: keep, warn: warn}
	if err := l.read(); err != nil {
		l.other = true
		warn(fmt.Errorf("the %s %s cannot be read, %s; it is kept as %s when there is something to note: %w", kind.Name,
			l.path,
			kind.Unread, filepath.Base(l.path)+otherSuffix, err))
	} else if n := bytes.Count(l.damaged, []byte("\n")); n > 0 {
		warn(fmt.Errorf("the %s %s has damaged lines (%d): what they tell of is not known, a run puts them into %s",
			kind.Name,
			l.path, n, l.path+damagedSuffix))
	}
	return l
}

// Path is where the file is.
func (l *Log) Path() string { return l.path }

func (l *Log) read() error {
	text, err := host.ReadRegular(l.path, most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	var h header
	if err := json.Unmarshal(first, &h); err != nil {
		l.damaged = append(bytes.Clone(first), '\n')
	} else if h != l.head {
		return fmt.Errorf("it is of format %q, version %d, of the machine %q at %s", h.Format, h.Version, h.ID, h.Root)
	}
	l.keep.Expect(bytes.Count(rest, []byte("\n")))
	for line := range strings.Lines(string(rest)) {
		if strings.HasSuffix(line, "\n") && !l.keep.ReadLine(line) { // else it was cut short, and never acted upon
			l.damaged = append(l.damaged, line...)
		}
	}
	return nil
}

// Mend is called once the file may be written: it puts aside what could not be read and removes what a killed run left.
func (l *Log) Mend() {
	if err := os.Remove(l.path + newSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.stale = true
	}
	if len(l.damaged) > 0 {
		l.Save(true)
	}
}

// Save brings the file up to date: it appends the lines, which the Keeper knows already. The first of a run puts a new
// file, with what is kept now, in the place of the old one.
func (l *Log) Save(sync bool, add ...any) {
	var err error
	if l.file == nil {
		err = l.rewrite()
	} else {
		err = l.append(add, sync)
	}
	if err == nil {
		l.stale = false
		return
	}
	if !l.stale {
		l.warn(fmt.Errorf("the %s %s cannot be written, %s: %w", l.kind.Name, l.path, l.kind.Unwritten, err))
	}
	l.stale = true
	if l.file != nil {
		l.file.Close() // its last line may be half: it is written anew
		l.file = nil
	}
}

func (l *Log) append(add []any, sync bool) error {
	if err := encode(l.file, add); err != nil || !sync {
		return err
	}
	return unix.Fdatasync(int(l.file.Fd()))
}

func encode(w io.Writer, add []any) error {
	buf := bufio.NewWriter(w)
	enc := json.NewEncoder(buf)
	for _, line := range add {
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return buf.Flush()
}

// rewrite writes what is kept now to a new file and renames it.
func (l *Log) rewrite() error {
	dir := filepath.Dir(l.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := l.putAside(); err != nil {
		return err
	}
	tmp, err := os.OpenFile(l.path+newSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	if err = l.fill(tmp); err == nil {
		err = os.Rename(tmp.Name(), l.path)
	}
	if err != nil {
		tmp.Close()
		_ = os.Remove(tmp.Name())
		return err
	}
	l.file = tmp
	return disk.SyncDir(dir)
}

func (l *Log) fill(tmp *os.File) error {
	if err := encode(tmp, append([]any{l.head}, l.keep.Lines()...)); err != nil {
		return err
	}
	return tmp.Sync()
}

// putAside keeps what was not read, and adds the damaged lines to the file that holds such, for a person who wants to
// know.
func (l *Log) putAside() error {
	if l.other {
		if err := os.Rename(l.path, l.path+otherSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		l.other = false
	}
	if len(l.damaged) == 0 {
		return nil
	}
	aside, err := os.OpenFile(l.path+damagedSuffix, os.O_WRONLY|os.O_CREATE|os.O_APPEND|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	_, err = aside.Write(l.damaged)
	if err := errors.Join(err, aside.Close()); err != nil {
		return err
	}
	l.damaged = nil
	return nil
}

// Close ends the run's use of the file. Where nothing is kept any more none is left.
func (l *Log) Close(empty bool) {
	if l.file == nil && !l.stale {
		return
	}
	if l.stale && !empty {
		l.Save(true) // there may be room by now
	}
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
	if !empty {
		return
	}
	if err := os.Remove(l.path); err != nil && !errors.Is(err, fs.ErrNotExist) && !l.stale {
		l.warn(fmt.Errorf("the %s %s cannot be removed: %w", l.kind.Name, l.path, err))
	}
}
