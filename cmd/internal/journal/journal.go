// Package journal keeps on disk which states owe a reaction (see run.Journal): one file for each machine, in the state
// directory.
//
// It promises that a debt is on the disk before Owe returns, that a run in which nothing is owed and nothing changes
// writes nothing, that what cannot be read is told and then passed over, and that no debt of one minion id or --root is
// seen by another.
//
// The file is a line of JSON that says what it is and whose, and then one line for each thing noted, oldest first:
//
//	{"format":"gostate-journal","version":1,"id":"web1","root":"/"}
//	{"owe":[{"state":"service_|-nginx_|-nginx_|-running","cause":"file: /etc/nginx.conf","since":"2026-11-21T03:00:00Z"}]}
//	{"settle":[{"state":"service_|-nginx_|-nginx_|-running"}]}
//
// A line that a crash cut short at the end is passed over: what it would have announced was not begun. When nothing is
// owed any more the file is removed.
package journal

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/run"
)

const (
	format  = "gostate-journal"
	version = 1
)

// A File is the journal of one machine. It belongs to one goroutine at a time, and is written by whoever holds the run
// lock.
type File struct {
	path  string
	head  header
	warn  func(error)
	order []run.Debtor // in which they came to owe
	debts map[run.Debtor]run.Debt
	file  *os.File // nil until something is written
	mute  bool     // it cannot be written, and that was told
}

type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	ID      string `json:"id"`
	Root    string `json:"root"`
}

type line struct {
	Owe    []entry `json:"owe,omitempty"`
	Settle []entry `json:"settle,omitempty"`
}

type entry struct {
	State  string     `json:"state"`
	Listen bool       `json:"listen,omitempty"`
	Cause  string     `json:"cause,omitempty"`
	Since  *time.Time `json:"since,omitempty"`
	Tries  int        `json:"tries,omitempty"`
	Tried  *time.Time `json:"tried,omitempty"`
}

// Open reads what is owed by the machine of the id whose tree is at root. warn is told what goes wrong, now and later.
func Open(stateDir, id, root string, warn func(error)) *File {
	sum := sha256.Sum256([]byte(id + "\x00" + root))
	f := &File{
		path: filepath.Join(stateDir, "owed", hex.EncodeToString(sum[:12])+".json"),
		head: header{format, version, id, root}, warn: warn, debts: map[run.Debtor]run.Debt{},
	}
	if err := f.read(); err != nil {
		warn(fmt.Errorf("the journal %s cannot be read, what earlier runs left undone is not known: %w", f.path, err))
	}
	return f
}

func (f *File) read() error {
	text, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	var h header
	if err := json.Unmarshal(lines[0], &h); err != nil {
		return err
	}
	if h != f.head {
		return fmt.Errorf("it is of format %q, version %d, of the machine %q at %s", h.Format, h.Version, h.ID, h.Root)
	}
	for i, l := range lines[1:] {
		if !bytes.HasSuffix(l, []byte("\n")) {
			continue // cut short: it was never acted upon
		}
		var note line
		if err := json.Unmarshal(l, &note); err != nil {
			return fmt.Errorf("line %d: %w", i+2, err)
		}
		f.note(note)
	}
	return nil
}

// note does in memory what a line says.
func (f *File) note(l line) {
	for _, e := range l.Owe {
		d := run.Debt{Debtor: run.Debtor{Tag: e.State, Listen: e.Listen}, Cause: e.Cause, Tries: e.Tries}
		if e.Since != nil {
			d.Since = e.Since.Local()
		}
		if e.Tried != nil {
			d.Tried = e.Tried.Local()
		}
		if old, ok := f.debts[d.Debtor]; !ok {
			f.order = append(f.order, d.Debtor)
		} else if d.Tries == 0 {
			d = old
		}
		f.debts[d.Debtor] = d
	}
	for _, e := range l.Settle {
		delete(f.debts, run.Debtor{Tag: e.State, Listen: e.Listen})
	}
}

// Debts are what is owed, oldest first.
func (f *File) Debts() []run.Debt {
	out := make([]run.Debt, 0, len(f.debts))
	seen := make(map[run.Debtor]bool, len(f.debts))
	for _, d := range f.order {
		if debt, ok := f.debts[d]; ok && !seen[d] {
			seen[d] = true
			out = append(out, debt)
		}
	}
	return out
}

// Owe adds debts; they are on the disk when it returns.
func (f *File) Owe(debts []run.Debt) {
	l := line{Owe: make([]entry, len(debts))}
	for i, d := range debts {
		l.Owe[i] = entryOf(d)
	}
	f.add(l, true)
}

// Settle strikes out. It does not wait for the disk: a reaction that is shown twice after a loss of power does no harm.
func (f *File) Settle(debtors []run.Debtor) {
	l := line{Settle: make([]entry, len(debtors))}
	for i, d := range debtors {
		l.Settle[i] = entry{State: d.Tag, Listen: d.Listen}
	}
	f.add(l, false)
}

func entryOf(d run.Debt) entry {
	since := d.Since.UTC().Truncate(time.Second)
	e := entry{State: d.Tag, Listen: d.Listen, Cause: d.Cause, Since: &since, Tries: d.Tries}
	if tried := d.Tried.UTC().Truncate(time.Second); d.Tries > 0 {
		e.Tried = &tried
	}
	return e
}

func (f *File) add(l line, sync bool) {
	f.note(l)
	if f.mute {
		return
	}
	if err := f.write(l, sync); err != nil {
		f.mute = true
		f.warn(fmt.Errorf("the journal %s cannot be written, a run that is killed now may leave a restart undone: %w", f.path,
			err))
	}
}

// write appends a line. The first of a run puts a new file, without what is settled, in the place of the old one.
func (f *File) write(l line, sync bool) error {
	if f.file == nil {
		return f.rewrite()
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if _, err := f.file.Write(append(text, '\n')); err != nil || !sync {
		return err
	}
	return unix.Fdatasync(int(f.file.Fd()))
}

// rewrite writes what is owed now to a new file and renames it.
func (f *File) rewrite() error {
	dir := filepath.Dir(f.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.OpenFile(f.path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(tmp)
	enc := json.NewEncoder(w)
	err = enc.Encode(f.head)
	if debts := f.Debts(); len(debts) > 0 && err == nil {
		l := line{}
		for _, d := range debts {
			l.Owe = append(l.Owe, entryOf(d))
		}
		err = enc.Encode(l)
	}
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = tmp.Sync()
	}
	if err == nil {
		err = os.Rename(tmp.Name(), f.path)
	}
	if err != nil {
		tmp.Close()
		return err
	}
	f.file = tmp
	return syncDir(dir)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Close ends the run's use of the journal. When nothing is owed no file is left.
func (f *File) Close() {
	if f.file == nil {
		return
	}
	f.file.Close()
	f.file = nil
	if len(f.debts) > 0 {
		return
	}
	if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.warn(fmt.Errorf("the journal %s cannot be removed: %w", f.path, err))
	}
}
