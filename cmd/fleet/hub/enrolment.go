package hub

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nkeys"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/join"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

// NewToken is a token to join with, for a time.
func NewToken(dir string, valid time.Duration, now time.Time) (*join.Token, error) {
	in := filepath.Join(dir, "operator")
	site, err := ReadSite(in)
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(filepath.Join(in, "ca.crt"))
	if err != nil {
		return nil, err
	}
	t := &join.Token{Hub: site.URLs}
	if t.CA, err = Fingerprint(ca); err != nil {
		return nil, err
	}
	role, err := readKey(dir, "join")
	if err != nil {
		return nil, err
	}
	user, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	public, err := user.PublicKey()
	if err != nil {
		return nil, err
	}
	var chance [8]byte
	_, _ = rand.Read(chance[:])
	t.JWT, err = newUser(role, site.Account, public, "=join-"+hex.EncodeToString(chance[:]), now.Add(valid))
	return t, err
}

// A Claim is a request with what the list of machines says of it.
type Claim struct {
	join.Request
	Fingerprint string
	// Conflict says why it cannot be accepted as it is; "" where it can.
	Conflict string
}

// Claims are the requests that wait, by id; nodes are those of nodes.yaml.
func Claims(all []join.Request, nodes []release.Node) []Claim {
	var out []Claim
	for _, r := range all {
		c := Claim{Request: r, Fingerprint: join.Fingerprint(r.NKey)}
		for _, n := range nodes {
			if n.ID == r.ID && n.NKey != "" && n.NKey != r.NKey {
				c.Conflict = "another key is in the list of machines: " + join.Fingerprint(n.NKey)
			}
		}
		twin := func(o join.Request) bool { return o.ID == r.ID && o.NKey != r.NKey }
		if c.Conflict == "" && slices.ContainsFunc(all, twin) {
			c.Conflict = "another key asks for the same id: compare the fingerprints"
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Claim) int { return strings.Compare(a.ID+" "+a.NKey, b.ID+" "+b.NKey) })
	return out
}

// find is the request that an operator means: the fingerprint is needed where there are several of the id.
func find(all []join.Request, id, fingerprint string) (*join.Request, error) {
	var found []join.Request
	for _, r := range all {
		if r.ID == id && (fingerprint == "" || join.Fingerprint(r.NKey) == fingerprint) {
			found = append(found, r)
		}
	}
	switch {
	case len(found) == 0 && fingerprint != "":
		return nil, diag.Errorf(diag.Pos{}, "no request of %s has the fingerprint %s", id, fingerprint).
			WithHint("gostate-hub fleet pending shows those that wait")
	case len(found) == 0:
		return nil, diag.Errorf(diag.Pos{}, "no request of %s waits", id).
			WithHint("gostate-hub fleet pending shows those that do")
	case len(found) > 1:
		return nil, diag.Errorf(diag.Pos{}, "%d keys ask for the id %s", len(found), id).
			WithHint("--fingerprint says which one is the machine's: gostate-agent enrol prints it there")
	}
	return &found[0], nil
}

// Accept makes a request a machine: first in the file of machines, then at the hub.
func Accept(ctx context.Context, b *bus.Bus, dir, file, id, fingerprint string) (*join.Request, error) {
	all, _, err := join.Pending(ctx, b)
	if err != nil {
		return nil, err
	}
	r, err := find(all, id, fingerprint)
	if err != nil {
		return nil, err
	}
	text, err := NodeJWT(dir, r.ID, r.NKey)
	if err != nil {
		return nil, err
	}
	if err := Pin(file, *r); err != nil {
		return nil, err
	}
	if err := join.Reply(ctx, b, *r, join.Welcome{JWT: text}); err != nil {
		return nil, err
	}
	return r, join.Forget(ctx, b, *r)
}

// Reject answers a request with a reason.
func Reject(ctx context.Context, b *bus.Bus, id, fingerprint, reason string) (*join.Request, error) {
	all, _, err := join.Pending(ctx, b)
	if err != nil {
		return nil, err
	}
	r, err := find(all, id, fingerprint)
	if err != nil {
		return nil, err
	}
	if err := join.Reply(ctx, b, *r, join.Welcome{Refused: reason}); err != nil {
		return nil, err
	}
	return r, join.Forget(ctx, b, *r)
}
