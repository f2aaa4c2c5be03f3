package pkgrepo

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// launch makes of an archive of Launchpad ("ppa:user/name", or the argument ppa) the source that it is, on the systems
// that have such.
func (m *Managed) launch(ctx context.Context, env *modules.Env) error {
	if m.PPA != "" && launchpad(env) {
		m.Name = "ppa:" + strings.TrimPrefix(m.PPA, "ppa:")
	}
	path, ok := strings.CutPrefix(m.Name, "ppa:")
	if !ok {
		return nil
	}
	dist := grain(env, "oscodename")
	line, err := archive(env, m.Name, m.PPAAuth)
	if err != nil {
		return err
	}
	owner, name, _ := strings.Cut(path, "/")
	m.Name, m.File = line, cmp.Or(m.File, fmt.Sprintf("%s/%s-%s-%s.list", parts, owner, name, dist))
	if m.KeyID == "" && m.KeyURL == "" && m.KeyText == "" {
		if m.KeyID, err = fingerprint(ctx, env, owner, name); err != nil {
			return err
		}
	}
	m.KeyServer = cmp.Or(m.KeyServer, "keyserver.ubuntu.com")
	return nil
}

func launchpad(env *modules.Env) bool {
	return slices.Contains([]string{"Ubuntu", "Mint", "neon"}, grain(env, "os"))
}

// archive is the source of "ppa:user/name".
func archive(env *modules.Env, ppa, auth string) (string, error) {
	path := strings.TrimPrefix(ppa, "ppa:")
	if owner, name, ok := strings.Cut(path, "/"); !launchpad(env) || !ok || owner == "" || name == "" {
		return "", host.Sure(fmt.Errorf("cannot parse \"ppa:\" style repo definitions: %s", ppa))
	}
	place := "http://ppa.launchpad.net/"
	if auth != "" {
		place = "https://" + auth + "@private-ppa.launchpad.net/"
	}
	return fmt.Sprintf("deb %s%s/ubuntu %s main", place, path, grain(env, "oscodename")), nil
}

// fingerprint asks Launchpad for the key of an archive.
func fingerprint(ctx context.Context, env *modules.Env, owner, name string) (string, error) {
	data, err := env.Files.Fetch(ctx, fmt.Sprintf("https://launchpad.net/api/1.0/~%s/+archive/%s", owner, name),
		env.Low.SourceEnv())
	if err != nil {
		return "", fmt.Errorf("ask Launchpad for the key of %s/%s: %w", owner, name, err)
	}
	var known struct {
		Key string `json:"signing_key_fingerprint"`
	}
	if err := json.Unmarshal(data, &known); err != nil || known.Key == "" {
		return "", fmt.Errorf("Launchpad knows about %s/%s but did not return a fingerprint: set keyid", owner, name) //nolint:staticcheck // a name
	}
	return known.Key, nil
}
