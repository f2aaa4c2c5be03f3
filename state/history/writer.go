package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// lag is how late a line of a state that changed nothing may be: they are many, and a call of the system for each
	// would cost more than all else.
	lag = 100 * time.Millisecond
	// enough is how much is kept for that.
	enough = 32 << 10
	// most is how much is kept for a disk that is full: there may be room later.
	most = 8 << 20
)

// A Writer writes the report of the run that is under way. Its methods may be called from one goroutine.
type Writer struct {
	dir  *Dir
	name string
	warn func(error)

	mu      sync.Mutex // guards all below
	file    *os.File
	buf     []byte // not written yet
	timer   *time.Timer
	failed  bool // which was told
	altered bool // the file says of changes, and is worth a wait for the disk
	sets    map[int]bool
}

func newWriter(dir *Dir, file *os.File, h *Header, warn func(error)) (*Writer, error) {
	w := &Writer{dir: dir, name: h.ID, file: file, warn: warn, sets: map[int]bool{}}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	w.buf = append(text, '\n')
	w.flush()
	return w, nil
}

// Set writes the states that edges of the number mean, once.
func (w *Writer) Set(number int, to []int) {
	if w.sets[number] {
		return
	}
	w.sets[number] = true
	b := append([]byte(`{"set":`), fmt.Sprint(number)...)
	b = append(appendInts(append(b, `,"to":`...), to), "}\n"...)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf = append(w.buf, b...)
}

// State writes what became of a state.
func (w *Writer) State(s *State) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf = appendState(w.buf, s)
	switch {
	case s.Result != True || s.Changed():
		w.altered = true
		w.flush()
	case len(w.buf) > enough:
		w.flush()
	case w.timer == nil:
		w.timer = time.AfterFunc(lag, w.late)
	}
}

func (w *Writer) late() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = nil
	w.flush()
}

// flush writes what is not written yet; the caller holds the lock. What the disk does not take is kept for later.
func (w *Writer) flush() {
	if w.file == nil || len(w.buf) == 0 || w.failed && len(w.buf) < most {
		return
	}
	if w.failed { // it is too much to keep
		w.drop()
		return
	}
	w.write()
}

func (w *Writer) write() {
	n, err := w.file.Write(w.buf)
	w.buf = w.buf[:copy(w.buf, w.buf[n:])]
	if err != nil && !w.failed {
		w.warn(err)
	}
	w.failed = err != nil
}

// drop gives the report up.
func (w *Writer) drop() {
	w.file.Close()
	w.file, w.buf = nil, nil
}

// Finish writes the footer. Hide is called with every state that was written, where what is to be hidden became known
// only later; nil where nothing is.
func (w *Writer) Finish(f *Footer, hide func(*State)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.file == nil {
		return
	}
	w.buf = append(appendAny(append(w.buf, `{"footer":`...), f), "}\n"...)
	w.write()
	err := w.end()
	if err == nil && hide != nil {
		err = w.dir.rewrite(w.name, hide)
	}
	if err != nil && !w.failed {
		w.warn(err)
	}
	w.drop()
}

// end has what tells of changes on the disk before the run ends. What says that nothing changed is not waited for.
func (w *Writer) end() error {
	if !w.altered || w.failed {
		return nil
	}
	return unix.Fdatasync(int(w.file.Fd()))
}

// rewrite puts a report, with something hidden in it, in the place of itself.
func (d *Dir) rewrite(name string, hide func(*State)) error {
	run, err := d.Read(name)
	if err != nil {
		return err
	}
	tmp, err := d.root.OpenFile(name+newSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	b := append(appendAny(nil, run.Header), '\n')
	for i := range run.States {
		s := &run.States[i]
		hide(s)
		b = appendState(b, s)
	}
	b = append(appendAny(append(b, `{"footer":`...), run.Footer), "}\n"...)
	_, err = tmp.Write(b)
	if err = errors.Join(err, tmp.Close()); err == nil {
		return d.root.Rename(name+newSuffix, name+suffix)
	}
	_ = d.root.Remove(name + newSuffix)
	return err
}
