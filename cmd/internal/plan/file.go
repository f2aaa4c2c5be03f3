package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
)

const (
	format  = "gostate-plan"
	version = 1
	maxFile = 1 << 30
)

// A head is the first line of the file; the second is the plan.
type head struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Sum     string `json:"sha256"` // of the second line
}

// Write puts the plan into a file that only its owner reads. A file that was there is replaced whole.
func (p *Plan) Write(path string) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	first, err := json.Marshal(head{format, version, sumOf(body)})
	if err != nil {
		return err
	}
	return disk.WriteFile(path, append(append(append(first, '\n'), body...), '\n'), 0o600)
}

func sumOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// Read reads a plan.
func Read(path string) (*Plan, error) {
	at := diag.Pos{File: path}
	text, err := readOwn(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, diag.Errorf(at, "no such plan").WithHint("make one: gostate plan -o %s", path)
	case err != nil:
		return nil, err
	}
	first, body, _ := bytes.Cut(text, []byte("\n"))
	body = bytes.TrimSuffix(body, []byte("\n"))
	var h head
	if json.Unmarshal(first, &h) != nil || h.Format != format {
		return nil, diag.Errorf(at, "is no plan").WithHint("gostate plan -o FILE makes one")
	}
	if h.Version != version {
		return nil, diag.Errorf(at, "is a plan of format version %d, and this gostate reads version %d", h.Version, version).
			WithHint("make the plan anew with this gostate")
	}
	p := &Plan{}
	if h.Sum != sumOf(body) || json.Unmarshal(body, p) != nil {
		return nil, diag.Errorf(at, "the plan is damaged, or was changed after it was made").WithHint("make it anew")
	}
	return p, nil
}

// readOwn reads a plan that nobody else can have changed: it was reviewed, and then waited.
func readOwn(path string) ([]byte, error) {
	file, err := host.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	owner := int(info.Sys().(*syscall.Stat_t).Uid)
	switch {
	case owner != 0 && owner != os.Geteuid():
		return nil, diag.Errorf(diag.Pos{File: path}, "the plan belongs to user %d, who may have changed it since it was made",
			owner).WithHint("make it anew")
	case info.IsDir():
		return nil, diag.Errorf(diag.Pos{File: path}, "is a directory, not a plan").WithHint("gostate plan -o FILE makes one")
	case info.Mode().Perm()&0o022 != 0:
		return nil, diag.Errorf(diag.Pos{File: path}, "others can write the plan, and may have changed it since it was made").
			WithHint("make it anew: gostate writes plans that only their owner can read and write")
	}
	return host.ReadAll(file, maxFile)
}

// Suits says what keeps a plan from being applied here, nil when nothing does.
func (p *Plan) Suits(gostate string, m Machine) error {
	no := func(format string, args ...any) error {
		return diag.Errorf(diag.Pos{}, format, args...).WithHint("a plan is applied where, and as who, it was made: make " +
			"it anew")
	}
	switch {
	case p.Gostate != gostate:
		return no("the plan was made by gostate %s, and this is %s", p.Gostate, gostate)
	case p.Machine.ID != m.ID:
		return no("the plan is for the minion %q, and this is %q", p.Machine.ID, m.ID)
	case p.Machine.Root != m.Root:
		return no("the plan is for the tree at %s, and this is %s", p.Machine.Root, m.Root)
	case p.Machine.Host != m.Host:
		return no("the plan was made on another machine, whose minion id is also %q", m.ID)
	case p.Machine.User != m.User:
		return no("the plan was made by user %d, and this is user %d", p.Machine.User, m.User)
	}
	return nil
}

// Age of a plan is told by who applies it.
func (p *Plan) Age() string {
	return fmt.Sprintf("made %s", p.Made.Local().Format("2006-01-02 15:04:05"))
}
