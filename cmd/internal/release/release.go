// Package release is what an operator packs and machines pull: a tree of states, the pillar of each machine encrypted
// for it, and a signed document that names both by their digests. It holds the format, the signature, and the places
// where releases are kept. It promises that what Judge and Fetch let through is what a trusted key signed for this
// environment, byte for byte. It compiles and runs nothing.
package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Format is the version of the format that this program writes, and the only one that it reads.
const Format = 1

// The largest sizes that are read. Who signs is trusted; who serves is not.
const (
	MaxPointer = 64 << 10
	MaxIndex   = 64 << 20
	MaxTree    = 4 << 30
)

// A Release is the document that is signed.
type Release struct {
	Format int    `json:"format"`
	Env    string `json:"env"`
	// Sequence only ever rises: going back is a new release with an old tree. Machines refuse a lower one.
	Sequence uint64    `json:"sequence"`
	Created  time.Time `json:"created"`
	NotAfter time.Time `json:"not_after"`
	Tree     Blob      `json:"tree"`    // see WriteTree
	Pillars  Blob      `json:"pillars"` // see Pillars
	// MinVersion is the lowest version of gostate that understands the tree; "" for any.
	MinVersion string `json:"min_version,omitempty"`
	// Comment is the operator's: a commit, a ticket.
	Comment string `json:"comment,omitempty"`
}

// A Digest is sha256: and 64 digits.
type Digest string

// A Blob is content by its digest.
type Blob struct {
	Digest Digest `json:"digest"`
	Size   int64  `json:"size"`
}

// DigestOf is the digest of data.
func DigestOf(data []byte) Digest {
	sum := sha256.Sum256(data)
	return digestText(sum[:])
}

func digestText(sum []byte) Digest { return Digest("sha256:" + hex.EncodeToString(sum)) }

// BlobOf is data as a blob.
func BlobOf(data []byte) Blob { return Blob{DigestOf(data), int64(len(data))} }

// Hex are the digits of a digest, which name its file; "" where it is none.
func (d Digest) Hex() string {
	digits, ok := strings.CutPrefix(string(d), "sha256:")
	if raw, err := hex.DecodeString(digits); !ok || err != nil || len(raw) != sha256.Size ||
		digits != strings.ToLower(digits) {
		return ""
	}
	return digits
}

func (b Blob) check(what string, most int64) error {
	switch {
	case b.Digest.Hex() == "":
		return fmt.Errorf("the digest of %s is %q, not sha256: and 64 digits", what, b.Digest)
	case b.Size < 0 || b.Size > most:
		return fmt.Errorf("the size of %s is %d, and at most %d is read", what, b.Size, most)
	}
	return nil
}

// Encode is the document, the same bytes for the same release.
func (r *Release) Encode() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

// decode reads a document. A key that this program does not know may be a condition that it would not heed: refused.
func decode(data []byte) (*Release, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	r := &Release{}
	if err := d.Decode(r); err != nil {
		var version struct{ Format int }
		if json.Unmarshal(data, &version) == nil && version.Format > Format {
			return nil, fmt.Errorf("it has format %d, and this gostate reads %d", version.Format, Format)
		}
		return nil, fmt.Errorf("it is no release: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more behind the release")
	}
	return r, r.check()
}

func (r *Release) check() error {
	switch {
	case r.Format != Format:
		return fmt.Errorf("it has format %d, and this gostate reads %d", r.Format, Format)
	case !GoodName(r.Env):
		return fmt.Errorf("%q is no name of an environment", r.Env)
	case r.Sequence == 0:
		return errors.New("it has no sequence")
	case !r.NotAfter.After(r.Created):
		return errors.New("it ends before it begins: not_after is not after created")
	}
	return errors.Join(r.Tree.check("the tree", MaxTree), r.Pillars.check("the pillars", MaxIndex))
}

// GoodName says whether a word can name an environment or a machine wherever releases are kept: in paths, addresses
// and tags.
func GoodName(name string) bool {
	for i, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', i > 0 && strings.ContainsRune("._-", c):
		default:
			return false
		}
	}
	return name != "" && len(name) <= 128
}
