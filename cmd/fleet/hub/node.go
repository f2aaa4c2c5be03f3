package hub

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nkeys"

	"github.com/gostate/gostate/cmd/fleet/bus"
)

// readKey reads a key of the operator's.
func readKey(dir, name string) (nkeys.KeyPair, error) {
	seed, err := os.ReadFile(filepath.Join(dir, "operator", name+".nk"))
	if err != nil {
		return nil, err
	}
	return nkeys.FromSeed([]byte(strings.TrimSpace(string(seed))))
}

// NodeJWT is the claim of a machine with the public key.
func NodeJWT(dir, id, public string) (string, error) {
	site, err := ReadSite(filepath.Join(dir, "operator"))
	if err != nil {
		return "", err
	}
	role, err := readKey(dir, "node")
	if err != nil {
		return "", err
	}
	return newUser(role, site.Account, public, bus.Token(id), time.Time{})
}

// NewNode makes a machine's key here and now: for trials, whose machines are no machines.
func NewNode(dir, id string) (*bus.Options, error) {
	user, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	public, err := user.PublicKey()
	if err != nil {
		return nil, err
	}
	text, err := NodeJWT(dir, id, public)
	if err != nil {
		return nil, err
	}
	o, err := OptionsOf(filepath.Join(dir, "operator"), "operator.creds")
	if err != nil {
		return nil, err
	}
	o.User, o.JWT = bus.Token(id), text
	o.Seed, err = user.Seed()
	return o, err
}
