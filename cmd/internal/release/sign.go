package release

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gostate/gostate/state/diag"
)

// PayloadType is what a signed release says that it is.
const PayloadType = "application/vnd.gostate.release.v1+json"

// An envelope is a document with its signatures in one file, as DSSE has it (github.com/secure-systems-lab/dsse): what
// replaces the file replaces both at once, and several keys may sign while one takes the place of another.
type envelope struct {
	PayloadType string      `json:"payloadType"`
	Payload     []byte      `json:"payload"`
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   []byte `json:"sig"`
}

// signedText is what is signed: DSSE's pre-authentication encoding.
func signedText(kind string, payload []byte) []byte {
	return append(fmt.Appendf(nil, "DSSEv1 %d %s %d ", len(kind), kind, len(payload)), payload...)
}

// Sign is the pointer of a release: its document, signed with the keys.
func Sign(r *Release, keys ...ed25519.PrivateKey) ([]byte, error) {
	payload, err := r.Encode()
	if err != nil {
		return nil, err
	}
	return SignDocument(PayloadType, payload, keys...)
}

// SignDocument signs any document of the kind.
func SignDocument(kind string, payload []byte, keys ...ed25519.PrivateKey) ([]byte, error) {
	e := envelope{PayloadType: kind, Payload: payload}
	for _, k := range keys {
		public := PublicKey(k.Public().(ed25519.PublicKey))
		e.Signatures = append(e.Signatures, signature{public.ID(), ed25519.Sign(k, signedText(kind, payload))})
	}
	return json.Marshal(e)
}

// OpenDocument gives the document of the kind that one of the keys has signed.
func OpenDocument(kind string, signed []byte, keys []PublicKey) ([]byte, error) {
	e, err := unwrap(kind, signed)
	if err != nil {
		return nil, err
	}
	for _, s := range e.Signatures {
		for _, k := range keys {
			if len(k) == ed25519.PublicKeySize && ed25519.Verify(ed25519.PublicKey(k), signedText(kind, e.Payload), s.Sig) {
				return e.Payload, nil
			}
		}
	}
	return nil, &Fault{Kind: BadSignature, Msg: "none of the keys that this machine trusts has signed it" + signers(e)}
}

func signers(e *envelope) string {
	if len(e.Signatures) == 0 {
		return ": it is not signed"
	}
	text := ": it is signed by"
	for i, s := range e.Signatures {
		if i == 3 {
			return text + " ..."
		}
		text += fmt.Sprintf(" %.16q", s.KeyID)
	}
	return text
}

func unwrap(kind string, signed []byte) (*envelope, error) {
	e := &envelope{}
	switch start := bytes.TrimSpace(signed); {
	case len(start) == 0:
		return nil, &Fault{Kind: NoRelease, Msg: "it is empty"}
	case start[0] == '<':
		return nil, &Fault{Kind: NoRelease, Msg: fmt.Sprintf("it is a page of HTML or XML: %.60q", start)}
	}
	if err := json.Unmarshal(signed, e); err != nil || len(e.Payload) == 0 {
		return nil, &Fault{Kind: NoRelease, Msg: fmt.Sprintf("it is no signed document: %.60q", signed)}
	}
	if e.PayloadType != kind {
		return nil, &Fault{Kind: NoRelease, Msg: fmt.Sprintf("it is %q, not %q", e.PayloadType, kind)}
	}
	return e, nil
}

// Peek reads a release whose signature is not looked at: for those who sign and push.
func Peek(signed []byte) (*Release, error) {
	e, err := unwrap(PayloadType, signed)
	if err != nil {
		return nil, err
	}
	return decode(e.Payload)
}

// A Kind is what is wrong with a release.
type Kind string

// What may be wrong with a release.
const (
	NoRelease    Kind = "no_release"
	BadSignature Kind = "bad_signature"
	OtherEnv     Kind = "other_environment"
	Expired      Kind = "expired"
	Older        Kind = "older"
	Twin         Kind = "two_of_one_sequence"
	TooNew       Kind = "needs_newer_gostate"
)

// A Fault is why a release is refused.
type Fault struct {
	Kind Kind
	Msg  string
	Hint string
}

func (f *Fault) Error() string { return f.Msg }

// Diagnostic is the fault for people.
func (f *Fault) Diagnostic() *diag.Diagnostic {
	d := diag.Errorf(diag.Pos{}, "%s", f.Msg)
	if f.Hint != "" {
		d.WithHint("%s", f.Hint)
	}
	return d
}

// A Policy is what a machine accepts.
type Policy struct {
	Env     string
	Keys    []PublicKey
	Skew    time.Duration // how wrong the machine's clock may be
	Version string        // of this gostate; "" for one that is not known
	// Seen is the highest sequence that this machine has accepted, and Payload the digest of its document.
	Seen    uint64
	Payload Digest
}

// An Accepted is a release that a policy lets through.
type Accepted struct {
	*Release
	Payload Digest // of the document
	Signed  []byte // the pointer
	Note    string // what is odd, and no reason to refuse it
}

// Judge gives the release of a pointer when it may run now; the error is a *Fault.
func (p *Policy) Judge(signed []byte, now time.Time) (*Accepted, error) {
	payload, err := OpenDocument(PayloadType, signed, p.Keys)
	if err != nil {
		return nil, err
	}
	r, err := decode(payload)
	if err != nil {
		return nil, &Fault{Kind: NoRelease, Msg: err.Error()}
	}
	a := &Accepted{Release: r, Payload: DigestOf(payload), Signed: signed}
	if behind := r.Created.Sub(now); behind > p.Skew {
		a.Note = fmt.Sprintf("the clock of this machine is behind: the release was made %s from now",
			behind.Round(time.Second))
	}
	if f := p.fault(a, now); f != nil {
		return nil, f
	}
	return a, nil
}

func (p *Policy) fault(a *Accepted, now time.Time) *Fault {
	switch {
	case a.Env != p.Env:
		return &Fault{OtherEnv, fmt.Sprintf("it is for the environment %q, and this machine is in %q", a.Env, p.Env),
			"the environment of this machine is agent:env of its configuration"}
	case a.Sequence < p.Seen:
		return &Fault{Older, fmt.Sprintf("it has the sequence %d, and this machine has seen %d", a.Sequence, p.Seen),
			"to go back, pack the old tree again: a release has a higher sequence than the one before"}
	case a.Sequence == p.Seen && p.Payload != "" && a.Payload != p.Payload:
		return &Fault{Twin, fmt.Sprintf("this machine has seen another release of the sequence %d", a.Sequence),
			"two operators signed at once: pack again, with a higher sequence"}
	case now.After(a.NotAfter.Add(p.Skew)):
		return &Fault{Expired, "it ended at " + a.NotAfter.UTC().Format(time.RFC3339), "pack and push a new one"}
	case lower(p.Version, a.MinVersion):
		return &Fault{TooNew, fmt.Sprintf("it needs gostate %s, and this is %s", a.MinVersion, p.Version),
			"install the newer gostate"}
	}
	return nil
}

// FaultOf is the fault that an error holds; nil where it is another error.
func FaultOf(err error) *Fault {
	var f *Fault
	errors.As(err, &f)
	return f
}
