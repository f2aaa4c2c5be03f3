// Package ssh applies a tree of SLS files to other machines over the system's OpenSSH.
//
// There is no server and nothing to install: of each machine is asked what it is, the program is sent once, under the
// name of its hash, and a run is carried out by that program there. It renders on that machine, whose grains are
// there, and asks for the files of the tree by their paths over the same connection; its pillar is rendered here and is
// all that it sees of the pillar. ssh is the user's: configuration, jump hosts, agents, tokens and known hosts work as
// ever.
//
// It promises: nothing stays on the machine but the program; a password is written to sudo alone, and stands in no
// command line and no environment; when the connection ends, the run over there ends as at a SIGTERM.
package ssh

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/history"
)

// Protocol is the number of what both sides say to each other; another one is not understood.
const Protocol = 1

// maxLine bounds a message, without the text of the file behind it.
const maxLine = 256 << 20

// A Work is what is to be done on a machine.
type Work struct {
	// Command names it in the report and to others who wait for it.
	Command string
	Options session.Options
	// Request says which states; nil for the one of Single, or for the function of Call.
	Request *session.Request `json:",omitempty"`
	Single  *Single          `json:",omitempty"`
	Call    *Call            `json:",omitempty"`
}

// A Call is an execution function; Args are a list and a map of its arguments, as YAML.
type Call struct{ Function, Args string }

// A Single is one state of the command line; Body is its function with its arguments, as YAML.
type Single struct{ Module, Name, Body string }

// A begin is the first message to the machine.
type begin struct {
	Protocol int
	Work     Work
	ID       string
	Config   string // YAML
	Envs     []string
	Files    []file // that are needed before anything is asked for
	Version  *history.Tree
}

// A file is one of the tree. Its text follows the message where Size is not 0.
type file struct {
	Env, Path string
	Kind      string // "file", "dir", or "" where there is nothing
	Link      string `json:",omitempty"`
	Mode      uint32 `json:",omitempty"`
	Size      int64  `json:",omitempty"`
	SHA256    string `json:",omitempty"`
	Error     string `json:",omitempty"`
}

// A pillar is that of the machine, as YAML, and which keys of it are secret.
type pillar struct {
	Data    string
	Secrets []string
	Error   string
}

// A toNode is a message to the machine: one of these.
type toNode struct {
	Begin  *begin  `json:"begin,omitempty"`
	File   *file   `json:"file,omitempty"`
	Names  *names  `json:"names,omitempty"`
	Pillar *pillar `json:"pillar,omitempty"`
	// Early says that the file was not asked for by itself: no answer is waited for. Through ends several of them.
	Early   bool `json:"early,omitempty"`
	Through bool `json:"through,omitempty"`
	// Stop ends the run as the next signal would.
	Stop bool `json:"stop,omitempty"`
}

// names are all of an environment.
type names struct {
	Env   string
	Files []file
}

// An ask is a question: for a file by its path, for several at once, for all names of an environment, or for the pillar
// of the grains.
type ask struct {
	Env  string `json:"env,omitempty"`
	Path string `json:"path,omitempty"`

	Paths  []string `json:"paths,omitempty"`
	Names  bool     `json:"names,omitempty"`
	Grains string   `json:"grains,omitempty"`
}

// A fromNode is a message of the machine: one of these.
type fromNode struct {
	Hello *hello `json:"hello,omitempty"`
	Ask   *ask   `json:"ask,omitempty"`
	Event *Event `json:"event,omitempty"`
	End   *End   `json:"end,omitempty"`
}

// A hello says where the tree will lie over there.
type hello struct {
	Protocol int
	Dir      string
}

// An Event is where a run is.
type Event struct {
	Done, Total int
	// State is the one that begins, or that has ended with Result: "ok", "changed", "failed", "pending".
	State  string
	Result string `json:",omitempty"`
}

// An End is what came of it.
type End struct {
	Code    int
	Text    string          // what people are shown
	Errors  string          // diagnostics, for people
	Return  json.RawMessage `json:",omitempty"` // in Salt's shape; nothing where neither state nor function ran
	Ran     bool            // states were run
	Called  bool            // a function was, and gave Return
	Counts  Counts
	Stopped bool // by a signal
}

// Counts are what came of the states.
type Counts struct {
	Total     int `json:"total"`
	Succeeded int `json:"succeeded"`
	Changed   int `json:"changed"`
	Failed    int `json:"failed"`
	Pending   int `json:"pending"`
}

// A sender writes messages; several goroutines may.
type sender struct {
	mu sync.Mutex // guards w
	w  *bufio.Writer
}

func newSender(w io.Writer) *sender { return &sender{w: bufio.NewWriterSize(w, 64<<10)} }

// send writes a message and the text that follows it, nil for none.
func (s *sender) send(m any, text io.Reader) error {
	line, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write a message: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.w.Write(append(line, '\n')) // its error stays, and comes out at the end
	if text != nil {
		if _, err := io.Copy(s.w, text); err != nil {
			return fmt.Errorf("send a file: %w", err)
		}
	}
	return s.w.Flush()
}

// text sends what belongs to a message that was sent.
func (s *sender) text(r io.Reader) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := io.Copy(s.w, r); err != nil {
		return fmt.Errorf("send a file: %w", err)
	}
	return s.w.Flush()
}

// receive reads one message.
func receive(r *bufio.Reader, m any) error {
	line, err := readLine(r)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(line, m); err != nil {
		return fmt.Errorf("a message cannot be read: %w", err)
	}
	return nil
}

// readLine reads up to the end of a line, which is not given.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxLine {
			return nil, errors.New("a message is longer than any may be")
		}
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
