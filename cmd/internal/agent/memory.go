package agent

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/cmd/internal/release"
)

// memory is what the agent knows of earlier turns. It is made of signed pointers: what is on the disk proves itself,
// and what was damaged is not believed.
type memory struct {
	dir    string
	newest []byte // the release of the highest sequence that was accepted
	good   []byte // the last one that compiled
	// damaged says which file could not be read; "" where all is well.
	damaged string
}

const (
	newestFile = "newest.json"
	goodFile   = "good.json"
)

func readMemory(dir string) (*memory, error) {
	m := &memory{dir: dir}
	for name, to := range map[string]*[]byte{newestFile: &m.newest, goodFile: &m.good} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err != nil {
			continue
		}
		if _, err := release.Peek(data); err != nil {
			m.damaged = filepath.Join(dir, name)
			continue
		}
		*to = data
	}
	if m.seen().Sequence < sequenceOf(m.good) {
		m.newest = m.good
	}
	return m, nil
}

func sequenceOf(signed []byte) uint64 {
	r, err := release.Peek(signed)
	if err != nil {
		return 0
	}
	return r.Sequence
}

// A seen is the highest sequence that was accepted, and the digest of its document.
type seen struct {
	Sequence uint64
	Payload  release.Digest
}

func (m *memory) seen() seen {
	r, err := release.Peek(m.newest)
	if err != nil {
		return seen{}
	}
	data, err := r.Encode()
	if err != nil {
		return seen{}
	}
	return seen{r.Sequence, release.DigestOf(data)}
}

// accept notes a release, before anything is done with it.
func (m *memory) accept(signed []byte) error {
	if string(signed) == string(m.newest) {
		return nil
	}
	m.newest = signed
	return disk.WriteFile(filepath.Join(m.dir, newestFile), signed, 0o600)
}

// compiled notes a release that is good.
func (m *memory) compiled(signed []byte) error {
	if string(signed) == string(m.good) {
		return nil
	}
	m.good = signed
	return disk.WriteFile(filepath.Join(m.dir, goodFile), signed, 0o600)
}
