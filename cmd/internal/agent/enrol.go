package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"filippo.io/age"

	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/state/diag"
)

// Enrol makes the file of the machine's age key, unless it is there, and gives the recipients of its keys.
func Enrol(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if data, err = newIdentity(file); err != nil {
			return nil, fmt.Errorf("make the key of this machine: %w", err)
		}
	}
	if err != nil {
		return nil, err
	}
	ids, err := age.ParseIdentities(bytes.NewReader(data))
	if err != nil {
		return nil, diag.Errorf(diag.Pos{File: file}, "it is no file of age keys").
			WithHint("an SSH key's recipient is in its .pub file")
	}
	var out []string
	for _, id := range ids {
		if x, ok := id.(*age.X25519Identity); ok {
			out = append(out, x.Recipient().String())
		}
	}
	return out, nil
}

func newIdentity(file string) ([]byte, error) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	data := fmt.Appendf(nil, "# public key: %s\n%s\n", id.Recipient(), id)
	return data, disk.WriteFile(file, data, 0o600)
}
