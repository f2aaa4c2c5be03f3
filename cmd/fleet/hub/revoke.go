package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/jwt/v2"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/internal/disk"
)

// Revoke takes a machine's key its rights: the account's claim says so from now on, at every server, and connections
// with it are ended. What the server reads at its next start says so, too, where it is below the same directory.
func Revoke(dir, nkey string) error {
	o, err := OptionsOf(filepath.Join(dir, "operator"), "system.creds")
	if err != nil {
		return err
	}
	system, err := bus.Connect(*o)
	if err != nil {
		return err
	}
	defer system.Close()
	claims, err := newest(dir, system)
	if err != nil {
		return err
	}
	claims.Revoke(nkey)
	root, err := readKey(dir, "root")
	if err != nil {
		return err
	}
	text, err := claims.Encode(root)
	if err != nil {
		return err
	}
	for _, sub := range []string{"operator", "server"} { // first what lasts
		file := filepath.Join(dir, sub, "account.jwt")
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := disk.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return update(system, text)
}

// newest is the account's claim as the servers have it, or as it is here, whichever was made later: another operator
// may have changed the one, and a server that lost its store has an old one.
func newest(dir string, system *bus.Bus) (*jwt.AccountClaims, error) {
	here, err := os.ReadFile(filepath.Join(dir, "operator", "account.jwt"))
	if err != nil {
		return nil, err
	}
	claims, err := jwt.DecodeAccountClaims(strings.TrimSpace(string(here)))
	if err != nil {
		return nil, err
	}
	m, err := system.Conn.Request("$SYS.REQ.ACCOUNT."+claims.Subject+".CLAIMS.LOOKUP", nil, 10*time.Second)
	if err != nil {
		return nil, fmt.Errorf("ask the hub for the account: %w", err)
	}
	there, err := jwt.DecodeAccountClaims(string(m.Data))
	if err != nil {
		return nil, fmt.Errorf("the hub's account: %w", err)
	}
	if there.IssuedAt > claims.IssuedAt {
		return there, nil
	}
	return claims, nil
}

func update(system *bus.Bus, text string) error {
	m, err := system.Conn.Request("$SYS.REQ.CLAIMS.UPDATE", []byte(text), 10*time.Second)
	if err != nil {
		return fmt.Errorf("tell the hub: %w", err)
	}
	var answer struct {
		Error *struct {
			Description string `json:"description"`
		} `json:"error"`
	}
	if err := json.Unmarshal(m.Data, &answer); err != nil {
		return fmt.Errorf("the hub's answer: %w", err)
	}
	if answer.Error != nil {
		return fmt.Errorf("the hub does not take it: %s", answer.Error.Description)
	}
	return nil
}
