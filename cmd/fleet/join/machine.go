package join

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/internal/disk"
)

// A Member is what a machine keeps of its hub, in a directory that its owner alone reads: its key, which never leaves
// it, and hub.json.
type Member struct {
	Hub    []string `json:"hub"`
	CA     string   `json:"ca"` // as PEM
	ID     string   `json:"id"`
	JWT    string   `json:"jwt"`
	Issuer string   `json:"issuer"` // the key that makes machines of this fleet
	seed   []byte
}

const (
	keyFile = "machine.nk"
	hubFile = "hub.json"
)

// Key is the machine's key, which is made where there is none.
func Key(dir string) (nkeys.KeyPair, error) {
	seed, err := os.ReadFile(filepath.Join(dir, keyFile))
	if errors.Is(err, fs.ErrNotExist) {
		seed, err = newKey(dir)
	}
	if err != nil {
		return nil, err
	}
	key, err := nkeys.FromSeed(seed)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", filepath.Join(dir, keyFile), err)
	}
	return key, nil
}

func newKey(dir string) ([]byte, error) {
	key, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	seed, err := key.Seed()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return seed, disk.WriteFile(filepath.Join(dir, keyFile), seed, 0o600)
}

// Save keeps what the hub has answered, when it is for this machine and key.
func Save(dir string, m Member, key nkeys.KeyPair) error {
	public, err := key.PublicKey()
	if err != nil {
		return err
	}
	claims, err := jwt.DecodeUserClaims(m.JWT)
	if err != nil {
		return fmt.Errorf("the hub's answer: %w", err)
	}
	if claims.Subject != public || claims.Name != bus.Token(m.ID) {
		return errors.New("the hub's answer is for another machine")
	}
	m.Issuer = claims.Issuer
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return disk.WriteFile(filepath.Join(dir, hubFile), append(data, '\n'), 0o600)
}

// Read is what a machine knows of its hub; nil where it has none.
func Read(dir string) (*Member, error) {
	data, err := os.ReadFile(filepath.Join(dir, hubFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := &Member{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", filepath.Join(dir, hubFile), err)
	}
	m.seed, err = os.ReadFile(filepath.Join(dir, keyFile))
	return m, err
}

// Options are how the machine connects.
func (m *Member) Options() bus.Options {
	return bus.Options{URLs: m.Hub, CA: []byte(m.CA), User: bus.Token(m.ID), JWT: m.JWT, Seed: m.seed, Patient: true,
		Jitter: 8 * time.Second}
}
