// Package join is how a machine comes to a hub: it makes its keys, asks with a token that lets it do nothing else, and
// an operator who knows the fingerprint of its key accepts it. The list of machines, nodes.yaml, is the truth: what it
// says of a machine's key is not changed by a request.
package join

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/internal/release"
)

// A Token lets machines ask to join, and nothing else, until it ends. It knows the hub, and that it is the right one.
type Token struct {
	Hub []string `json:"hub"`
	CA  string   `json:"ca"`  // the fingerprint of the hub's authority
	JWT string   `json:"jwt"` // of a bearer
}

const tokenPrefix = "gostate-join."

// Encode is the token as one word.
func (t Token) Encode() string {
	data, _ := json.Marshal(t) // of texts alone
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(data)
}

// ParseToken reads the word.
func ParseToken(text string) (*Token, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), tokenPrefix)
	data, err := base64.RawURLEncoding.DecodeString(rest)
	t := &Token{}
	if !ok || err != nil || json.Unmarshal(data, t) != nil {
		return nil, errors.New("it is no token to join: gostate-hub fleet token prints one")
	}
	return t, nil
}

// A Request is what a machine says that wants to join. All of it is its own word: who it really is, an operator says
// who compares the fingerprint of its key.
type Request struct {
	ID     string                     `json:"id"`
	NKey   string                     `json:"nkey"`
	Age    []string                   `json:"age"`
	Grains map[string]json.RawMessage `json:"grains,omitempty"`
	At     time.Time                  `json:"at"`
}

// A signedRequest proves that its sender has the key.
type signedRequest struct {
	Request   []byte `json:"request"`
	Signature []byte `json:"signature"`
}

// A Welcome is the answer to a request: the user's claim, which is of use with the key alone, or why there is none.
type Welcome struct {
	JWT     string `json:"jwt,omitempty"`
	Refused string `json:"refused,omitempty"`
}

// Ask puts a request there.
func Ask(ctx context.Context, b *bus.Bus, r Request, key nkeys.KeyPair) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s := signedRequest{Request: text}
	if s.Signature, err = key.Sign(text); err != nil {
		return err
	}
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = b.JS.Publish(ctx, "enrol."+bus.Token(r.ID)+"."+r.NKey, data)
	return err
}

// Answer is what the operator said to a request; nil while that is nothing.
func Answer(ctx context.Context, b *bus.Bus, id, nkey string) (*Welcome, error) {
	m, err := b.Last(ctx, bus.Welcome, welcomed(id, nkey))
	if errors.Is(err, release.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	w := &Welcome{}
	return w, json.Unmarshal(m.Data, w)
}

func welcomed(id, nkey string) string { return "welcome." + bus.Token(id) + "." + nkey }

// Reply puts an answer there.
func Reply(ctx context.Context, b *bus.Bus, r Request, w Welcome) error {
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	_, err = b.JS.Publish(ctx, welcomed(r.ID, r.NKey), data)
	return err
}

// Pending are the requests that nobody has answered, those that prove themselves; Odd counts the others.
func Pending(ctx context.Context, b *bus.Bus) (all []Request, odd int, err error) {
	err = b.Read(ctx, bus.Enrol, "enrol.*.*", true, func(m jetstream.Msg) error {
		r, err := open(m)
		if err != nil {
			odd++
			return nil
		}
		all = append(all, *r)
		return nil
	})
	return all, odd, err
}

// open reads a request that is for its subject, and that its key has signed.
func open(m jetstream.Msg) (*Request, error) {
	s, r := signedRequest{}, &Request{}
	if err := json.Unmarshal(m.Data(), &s); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(s.Request, r); err != nil {
		return nil, err
	}
	if !release.GoodName(r.ID) || m.Subject() != "enrol."+bus.Token(r.ID)+"."+r.NKey ||
		!nkeys.IsValidPublicUserKey(r.NKey) {
		return nil, errors.New("it is for another subject")
	}
	for _, a := range r.Age { // which become text of nodes.yaml
		if _, err := age.ParseX25519Recipient(a); err != nil {
			return nil, err
		}
	}
	key, err := nkeys.FromPublicKey(r.NKey)
	if err != nil {
		return nil, err
	}
	return r, key.Verify(s.Request, s.Signature)
}

// Forget removes a request that was answered.
func Forget(ctx context.Context, b *bus.Bus, r Request) error {
	s, err := b.JS.Stream(ctx, bus.Enrol)
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSubject("enrol."+bus.Token(r.ID)+"."+r.NKey))
}

// Fingerprint is that of a machine's key, for people to compare.
func Fingerprint(nkey string) string {
	sum := sha256.Sum256([]byte(nkey))
	text := hex.EncodeToString(sum[:10])
	var parts []string
	for ; len(text) > 0; text = text[4:] {
		parts = append(parts, text[:4])
	}
	return strings.Join(parts, "-")
}
