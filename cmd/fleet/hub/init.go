package hub

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nkeys"

	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/state/diag"
)

// A Site is what those who connect to a hub know of it: operator/hub.json.
type Site struct {
	URLs    []string `json:"urls"`
	Account string   `json:"account"` // the public key of the fleet's account
	System  string   `json:"system"`
}

// Init makes a hub below a directory: operator/ with the keys, which need not be where the server is, and server/ with
// what the server reads. Names are those by which it is reached; the first one is told to machines, with the port.
func Init(dir string, names []string, port int) (*Site, error) {
	if len(names) == 0 {
		return nil, errors.New("a hub needs a name by which it is reached")
	}
	if _, err := os.Stat(filepath.Join(dir, "operator")); !errors.Is(err, fs.ErrNotExist) {
		return nil, diag.Errorf(diag.Pos{File: dir}, "there is a hub already").
			WithHint("its keys are those that machines trust: to make others, take another directory")
	}
	files, site, err := founded(names, port)
	if err != nil {
		return nil, err
	}
	for _, sub := range []string{"server", "operator.new"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, err
		}
	}
	for name, data := range files { // operator/ gets its name when all is there
		if rest, ok := strings.CutPrefix(name, "operator/"); ok {
			name = "operator.new/" + rest
		}
		if err := disk.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return nil, err
		}
	}
	if err := os.Rename(filepath.Join(dir, "operator.new"), filepath.Join(dir, "operator")); err != nil {
		return nil, err
	}
	return site, disk.SyncDir(dir)
}

// founded are the files of a new hub.
func founded(names []string, port int) (map[string][]byte, *Site, error) {
	k, err := newKeys()
	if err != nil {
		return nil, nil, err
	}
	files, err := k.documents()
	if err != nil {
		return nil, nil, err
	}
	c, err := newCertificates(names)
	if err != nil {
		return nil, nil, err
	}
	site := &Site{Account: k.public("account"), System: k.public("system")}
	site.URLs = []string{fmt.Sprintf("tls://%s:%d", names[0], port)}
	hub, err := json.MarshalIndent(site, "", "  ")
	if err != nil {
		return nil, nil, err
	}
	files["operator/hub.json"], files["server/hub.json"] = append(hub, '\n'), append(hub, '\n')
	files["operator/ca.key"], files["operator/ca.crt"], files["server/ca.crt"] = c.caKey, c.ca, c.ca
	files["server/server.key"], files["server/server.crt"] = c.key, c.cert
	return files, site, nil
}

// keys are those of the operator, by what they are for.
type keys map[string]nkeys.KeyPair

func newKeys() (keys, error) {
	k := keys{}
	for name, kind := range map[string]nkeys.PrefixByte{"root": nkeys.PrefixByteOperator,
		"system": nkeys.PrefixByteAccount, "account": nkeys.PrefixByteAccount, "node": nkeys.PrefixByteAccount,
		"join": nkeys.PrefixByteAccount} {
		pair, err := nkeys.CreatePairWithRand(kind, rand.Reader)
		if err != nil {
			return nil, err
		}
		k[name] = pair
	}
	return k, nil
}

// public is the public part of a key.
func (k keys) public(name string) string {
	text, err := k[name].PublicKey()
	if err != nil {
		panic(err) // of a key that was just made or read
	}
	return text
}
