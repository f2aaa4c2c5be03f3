package hub

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/nats-io/jwt/v2"

	"github.com/gostate/gostate/cmd/fleet/bus"
)

// OptionsOf says how the hub is reached with a file of credentials of the directory operator/ or server/.
func OptionsOf(dir, creds string) (*bus.Options, error) {
	site, err := ReadSite(dir)
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		return nil, err
	}
	file, err := os.ReadFile(filepath.Join(dir, creds))
	if err != nil {
		return nil, err
	}
	text, err := jwt.ParseDecoratedJWT(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", creds, err)
	}
	claims, err := jwt.DecodeUserClaims(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", creds, err)
	}
	key, err := jwt.ParseDecoratedUserNKey(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", creds, err)
	}
	seed, err := key.Seed()
	return &bus.Options{URLs: site.URLs, CA: ca, User: claims.Name, JWT: text, Seed: seed}, err
}

// Operator connects as the operator of the hub whose keys are in dir/operator.
func Operator(dir string) (*bus.Bus, error) {
	o, err := OptionsOf(filepath.Join(dir, "operator"), "operator.creds")
	if err != nil {
		return nil, err
	}
	return bus.Connect(*o)
}
