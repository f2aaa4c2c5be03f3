//go:build linux

package view

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"github.com/gostate/gostate/state/host"
)

// A wire carries questions to the server in the view and its answers back, a JSON value each.
type wire struct {
	file *os.File
	in   *json.Decoder
	out  *json.Encoder
}

// A question is a command to run, one to start that runs on beside others, a line for one that was started, its end, or
// changes to apply.
type question struct {
	Cmd      *host.Cmd     `json:",omitempty"`
	Start    *host.Cmd     `json:",omitempty"`
	Child    int           `json:",omitempty"` // that Line is for; without a line it is to end
	Line     []byte        `json:",omitempty"`
	Changes  []host.Change `json:",omitempty"`
	Accounts Accounts
}

// An answer says how it went. The first one, which nobody asked for, says that the view is there.
type answer struct {
	Out     *host.Output
	Child   int    // the number of the command that was started, from 1
	Line    []byte // what it answered
	Reached string // what a command wanted outside
	Err     string
	Missing bool         // Err is fs.ErrNotExist
	Refused *Unavailable // there is no view
}

func newWire(f *os.File) *wire {
	return &wire{file: f, in: json.NewDecoder(f), out: json.NewEncoder(f)}
}

func (w *wire) ask(q question) (*answer, error) {
	if err := w.out.Encode(q); err != nil {
		return nil, err
	}
	a := &answer{}
	return a, w.in.Decode(a)
}

// ready waits for the first answer.
func (w *wire) ready() error {
	a := &answer{}
	if err := w.in.Decode(a); err != nil {
		return &Unavailable{Step: "start the view's first process", Err: "it ended at once: " + err.Error()}
	}
	if a.Refused != nil {
		return a.Refused
	}
	return nil
}

func answerOf(err error) *answer {
	if err == nil {
		return &answer{}
	}
	return &answer{Err: err.Error(), Missing: errors.Is(err, fs.ErrNotExist)}
}

// told is an error with the text that it had in the view.
type told struct {
	text string
	is   error
}

func (t *told) Error() string { return t.text }
func (t *told) Unwrap() error { return t.is }

func (a *answer) error() error {
	switch {
	case a.Err == "":
		return nil
	case a.Missing:
		return &told{a.Err, fs.ErrNotExist}
	}
	return errors.New(a.Err)
}
