package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gostate/gostate/cmd/internal/disk"
)

// A Pause holds the agent off: it looks and applies nothing.
type Pause struct {
	Until  time.Time `json:"until"`
	Reason string    `json:"reason,omitempty"`
}

const pauseFile = "pause.json"

func (p *Pause) String() string {
	text := "paused until " + p.Until.Format(time.RFC3339)
	if p.Reason != "" {
		text += ": " + p.Reason
	}
	return text
}

// SetPause pauses the agent whose files are in dir.
func SetPause(dir string, p Pause) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return disk.WriteFile(filepath.Join(dir, pauseFile), data, 0o600)
}

// ReadPause is the pause that was set, nil where there is none. One that cannot be read lasts: who set it meant
// something.
func ReadPause(dir string) *Pause {
	file := filepath.Join(dir, pauseFile)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	p := &Pause{}
	if err == nil {
		err = json.Unmarshal(data, p)
	}
	if err != nil {
		return &Pause{Until: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
			Reason: fmt.Sprintf("%s cannot be read: %v", file, err)}
	}
	return p
}

// Resume ends a pause, and says whether there was one.
func Resume(dir string) (bool, error) {
	err := os.Remove(filepath.Join(dir, pauseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
