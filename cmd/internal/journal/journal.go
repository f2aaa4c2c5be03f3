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
// A line that a crash cut short at the end is passed over: what it would have announced was not begun. Any other that
// cannot be read is lost, and it alone: the next run that may write puts it aside, in a file beside this one that ends
// in .damaged. When nothing is owed any more the file is removed.
package journal

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
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
)

const (
	format  = "gostate-journal"
	version = 1

	// newSuffix is what the name of a journal ends in until it is whole, damagedSuffix that of what could not be read.
	newSuffix     = ".new"
	damagedSuffix = ".damaged"
)

// A File is the journal of one machine. It belongs to one goroutine at a time, and is written by whoever holds the run
// lock.
type File struct {
	path  string
	head  header
	warn  func(error)
	slots []slot // in the order in which they came to owe
	debts map[run.Debtor]int
	file  *os.File // nil until something is written
	// damaged are the lines that could not be read and are not put aside yet.
	damaged []byte
	// stale says that the file on the disk lacks something, as it could not be written, which was told.
	stale bool
	// The last time that was read, as text and as what it is: debts come in droves.
	text string
	time time.Time
}

// A slot holds a debt as long as it is owed.
type slot struct {
	run.Debt
	owed bool
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
	State  string `json:"state"`
	Listen bool   `json:"listen,omitempty"`
	// Onchanges says that it is to run at all.
	Onchanges bool   `json:"onchanges,omitempty"`
	Cause     string `json:"cause,omitempty"`
	Since     string `json:"since,omitempty"`
	Tries     int    `json:"tries,omitempty"`
	Tried     string `json:"tried,omitempty"`
}

func entryOf(d run.Debtor) entry {
	return entry{State: d.Tag, Listen: d.Kind == state.Listen, Onchanges: d.Kind == state.Onchanges}
}

func (e *entry) debtor() run.Debtor {
	switch {
	case e.Listen:
		return run.Debtor{Tag: e.State, Kind: state.Listen}
	case e.Onchanges:
		return run.Debtor{Tag: e.State, Kind: state.Onchanges}
	}
	return run.Debtor{Tag: e.State, Kind: state.Watch}
}

// Open reads what is owed by the machine of the id whose tree is at root. warn is told what goes wrong, now and later.
func Open(stateDir, id, root string, warn func(error)) *File {
	sum := sha256.Sum256([]byte(id + "\x00" + root))
	f := &File{
		path: filepath.Join(stateDir, "owed", hex.EncodeToString(sum[:12])+".json"),
		head: header{format, version, id, root}, warn: warn, debts: map[run.Debtor]int{},
	}
	if err := f.read(); err != nil {
		warn(fmt.Errorf("the journal %s cannot be read, what earlier runs left undone is not known: %w", f.path, err))
	} else if n := bytes.Count(f.damaged, []byte("\n")); n > 0 {
		warn(fmt.Errorf("the journal %s has damaged lines (%d): what they tell of is not known, a run puts them into %s",
			f.path, n, f.path+damagedSuffix))
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
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	var h header
	if err := json.Unmarshal(first, &h); err != nil {
		f.damaged = append(bytes.Clone(first), '\n')
	} else if h != f.head {
		return fmt.Errorf("it is of format %q, version %d, of the machine %q at %s", h.Format, h.Version, h.ID, h.Root)
	}
	n := bytes.Count(rest, []byte("\n"))
	f.slots, f.debts = make([]slot, 0, n), make(map[run.Debtor]int, n)
	for l := range strings.Lines(string(rest)) {
		if strings.HasSuffix(l, "\n") && !f.readLine(l) { // else it was cut short, and never acted upon
			f.damaged = append(f.damaged, l...)
		}
	}
	return nil
}

func (f *File) readLine(text string) bool {
	l := line{Owe: make([]entry, 1)}
	if !plain(text, &l.Owe[0]) {
		l = line{}
		if json.Unmarshal([]byte(text), &l) != nil {
			return false
		}
	}
	return f.note(l)
}

// plain reads the line of a debt that was not tried yet, unless something is escaped in it. Most are such, and the
// decoder takes a second for 200,000 of them.
func plain(text string, e *entry) bool {
	rest, ok := strings.CutPrefix(text, `{"owe":[{"state":"`)
	if !ok || strings.Contains(rest, `\`) {
		return false
	}
	e.State, rest, _ = strings.Cut(rest, `"`)
	rest, e.Listen = strings.CutPrefix(rest, `,"listen":true`)
	rest, e.Onchanges = strings.CutPrefix(rest, `,"onchanges":true`)
	rest, ok = strings.CutPrefix(rest, `,"cause":"`)
	e.Cause, rest, _ = strings.Cut(rest, `"`)
	e.Since, rest, _ = strings.Cut(strings.TrimPrefix(rest, `,"since":"`), `"`)
	return ok && rest == "}]}\n"
}

// note does in memory what a line says. It is false for one that says nothing which could be.
func (f *File) note(l line) bool {
	for _, e := range l.Owe {
		d := run.Debt{Debtor: e.debtor(), Cause: e.Cause, Tries: e.Tries}
		var ok bool
		if d.Since, ok = f.when(e.Since); !ok {
			return false
		}
		if d.Tried, ok = f.when(e.Tried); !ok {
			return false
		}
		f.add(d)
	}
	for _, e := range l.Settle {
		f.strike(e.debtor())
	}
	return true
}

func (f *File) when(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, true
	}
	if text != f.text {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return t, false
		}
		f.text, f.time = text, t.Local()
	}
	return f.time, true
}

func (f *File) add(d run.Debt) {
	i, ok := f.debts[d.Debtor]
	switch {
	case !ok:
		f.debts[d.Debtor] = len(f.slots)
		f.slots = append(f.slots, slot{d, true})
	case d.Tries > 0:
		f.slots[i].Debt = d
	}
}

func (f *File) strike(d run.Debtor) {
	if i, ok := f.debts[d]; ok {
		f.slots[i].owed = false
		delete(f.debts, d)
	}
}

// Debts are what is owed, oldest first.
func (f *File) Debts() []run.Debt {
	out := make([]run.Debt, 0, len(f.debts))
	for i := range f.slots {
		if f.slots[i].owed {
			out = append(out, f.slots[i].Debt)
		}
	}
	return out
}

// Mend is called once the file may be written: it puts aside what could not be read and removes what a killed run left.
func (f *File) Mend() {
	if err := os.Remove(f.path + newSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.stale = true
	}
	if len(f.damaged) > 0 {
		f.save(nil, true)
	}
}

// Owe adds debts; they are on the disk when it returns.
func (f *File) Owe(debts []run.Debt) {
	lines := make([]line, len(debts))
	for i, d := range debts {
		f.add(d)
		lines[i] = owe(d)
	}
	f.save(lines, true)
}

// Settle strikes out. It does not wait for the disk: a reaction that is shown twice after a loss of power does no harm.
func (f *File) Settle(debtors []run.Debtor) {
	l := line{Settle: make([]entry, len(debtors))}
	for i, d := range debtors {
		f.strike(d)
		l.Settle[i] = entryOf(d)
	}
	f.save([]line{l}, false)
}

// owe is the line of a debt. Each has one for itself, so that no damage loses two.
func owe(d run.Debt) line {
	e := entryOf(d.Debtor)
	e.Cause, e.Since, e.Tries = d.Cause, d.Since.UTC().Format(time.RFC3339), d.Tries
	if d.Tries > 0 {
		e.Tried = d.Tried.UTC().Format(time.RFC3339)
	}
	return line{Owe: []entry{e}}
}

// save brings the file up to date: it appends the lines. The first of a run puts a new file, without what is settled
// and with what an earlier save could not write, in the place of the old one.
func (f *File) save(lines []line, sync bool) {
	var err error
	if f.file == nil {
		err = f.rewrite()
	} else {
		err = f.append(lines, sync)
	}
	if err == nil {
		f.stale = false
		return
	}
	if !f.stale {
		f.warn(fmt.Errorf("the journal %s cannot be written, a run that is killed now may leave a restart undone: %w", f.path,
			err))
	}
	f.stale = true
	if f.file != nil {
		f.file.Close() // its last line may be half: it is written anew
		f.file = nil
	}
}

func (f *File) append(lines []line, sync bool) error {
	if err := encode(f.file, lines); err != nil || !sync {
		return err
	}
	return unix.Fdatasync(int(f.file.Fd()))
}

func encode(w io.Writer, lines []line) error {
	buf := bufio.NewWriter(w)
	enc := json.NewEncoder(buf)
	for i := range lines {
		if err := enc.Encode(&lines[i]); err != nil {
			return err
		}
	}
	return buf.Flush()
}

// rewrite writes what is owed now to a new file and renames it.
func (f *File) rewrite() error {
	dir := filepath.Dir(f.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := f.putAside(); err != nil {
		return err
	}
	tmp, err := os.OpenFile(f.path+newSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	if err = f.fill(tmp); err == nil {
		err = os.Rename(tmp.Name(), f.path)
	}
	if err != nil {
		tmp.Close()
		_ = os.Remove(tmp.Name())
		return err
	}
	f.file = tmp
	return syncDir(dir)
}

func (f *File) fill(tmp *os.File) error {
	if err := json.NewEncoder(tmp).Encode(f.head); err != nil {
		return err
	}
	var lines []line
	for _, d := range f.Debts() {
		lines = append(lines, owe(d))
	}
	if err := encode(tmp, lines); err != nil {
		return err
	}
	return tmp.Sync()
}

// putAside adds the damaged lines to the file that holds such, for a person who wants to know.
func (f *File) putAside() error {
	if len(f.damaged) == 0 {
		return nil
	}
	aside, err := os.OpenFile(f.path+damagedSuffix, os.O_WRONLY|os.O_CREATE|os.O_APPEND|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	_, err = aside.Write(f.damaged)
	if err := errors.Join(err, aside.Close()); err != nil {
		return err
	}
	f.damaged = nil
	return nil
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
	if f.file == nil && !f.stale {
		return
	}
	if f.stale && len(f.debts) > 0 {
		f.save(nil, true) // there may be room by now
	}
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
	if len(f.debts) > 0 {
		return
	}
	if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) && !f.stale {
		f.warn(fmt.Errorf("the journal %s cannot be removed: %w", f.path, err))
	}
}
