package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A NewerError says that a report is of a later version of gostate.
type NewerError struct {
	ID      string
	Version int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("report %s is of version %d, and this gostate reads version %d: it was written by a later one",
		e.ID, e.Version, version)
}

// begin is how each report begins.
const begin = `{"format":"` + format + `"`

// line is any line but the first.
type line struct {
	State
	To     []int   `json:"to"`
	Set    *int    `json:"set"`
	Footer *Footer `json:"footer"`
}

// Read reads a report.
func (d *Dir) Read(id string) (*Run, error) {
	f, err := d.open(id)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("read report %s: %w", id, err)
	}
	run, err := parse(id, text)
	if run != nil {
		run.Path = d.pathOf(id)
	}
	return run, err
}

// parse reads a report from its text, which may have been cut anywhere.
func parse(id string, text []byte) (*Run, error) {
	first, rest, whole := bytes.Cut(text, []byte("\n"))
	run := &Run{}
	if whole {
		if err := run.header(first); err != nil {
			return nil, err
		}
	} else if n := min(len(first), len(begin)); string(first[:n]) != begin[:n] {
		run.Damaged++
	}
	if run.ID == "" {
		run.ID, run.Time = id, timeOf(id)
	}
	sets := map[int][]int{}
	for len(rest) > 0 {
		text, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole { // it was cut short by the end of the run
			break
		}
		if rest = after; !run.line(text, sets) {
			run.Damaged++
		}
	}
	run.resolve(sets)
	return run, nil
}

func (r *Run) header(text []byte) error {
	var h Header
	if json.Unmarshal(text, &h) != nil || h.Format != format {
		r.Damaged++
		return nil
	}
	if h.Version > version {
		return &NewerError{h.ID, h.Version}
	}
	r.Header = h
	return nil
}

// line takes one line. It is false for one that says nothing.
func (r *Run) line(text []byte, sets map[int][]int) bool {
	var l line
	if json.Unmarshal(text, &l) != nil {
		return false
	}
	switch {
	case l.Footer != nil:
		r.Footer = l.Footer
	case l.Set != nil:
		sets[*l.Set] = l.To
	case l.Fun != "" && l.Result != "":
		if l.Name == "" {
			l.Name = l.ID
		}
		r.States = append(r.States, l.State)
	default:
		return false
	}
	return true
}

// resolve puts the states in the place of the sets that edges name.
func (r *Run) resolve(sets map[int][]int) {
	for i := range r.States {
		for j := range r.States[i].Requires {
			if e := &r.States[i].Requires[j]; e.Set != nil {
				e.To, e.Set = sets[*e.Set], nil
			}
		}
	}
}

// tail is how much is read of the end of a report for its footer.
const tail = 64 << 10

// Summary reads the header and the footer of a report and none of its states.
func (d *Dir) Summary(id string) (*Run, error) {
	f, err := d.open(id)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, min(info.Size(), tail))
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, fmt.Errorf("read report %s: %w", id, err)
	}
	end := make([]byte, len(head))
	if _, err := f.ReadAt(end, info.Size()-int64(len(end))); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read report %s: %w", id, err)
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	last := lastLine(end)
	if len(first) == len(head) || !bytes.HasPrefix(last, []byte(`{"footer":`)) && info.Size() > tail && len(last) == 0 {
		return d.Read(id) // a line of it is very long
	}
	run, err := parse(id, append(append(bytes.Clone(first), '\n'), footer(last)...))
	if err == nil && run.Format == "" {
		return d.Read(id) // its beginning is lost: is it a report at all?
	}
	if run != nil {
		run.Path = d.pathOf(id)
	}
	return run, err
}

// lastLine is the last line with its end; what is cut short is none.
func lastLine(text []byte) []byte {
	end := bytes.LastIndexByte(text, '\n') + 1
	if end == 0 {
		return nil
	}
	return text[bytes.LastIndexByte(text[:end-1], '\n')+1 : end]
}

func footer(line []byte) []byte {
	if bytes.HasPrefix(line, []byte(`{"footer":`)) {
		return line
	}
	return nil
}
