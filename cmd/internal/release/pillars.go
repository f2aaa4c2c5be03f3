package release

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"filippo.io/age"
)

// Pillars is the index of the encrypted pillars. Each machine is in one shard, by a hash of its id, so that it reads
// the index and some pillars, not those of the whole fleet, and a registry holds hundreds of blobs, not thousands.
type Pillars struct {
	Shards []Blob `json:"shards"`
}

// A Shard holds the sealed pillars of some machines, by id: age files of a Sealed.
type Shard struct {
	Nodes map[string][]byte `json:"nodes"`
}

// A Sealed is what only its machine reads.
type Sealed struct {
	ID     string `json:"id"`
	Pillar string `json:"pillar"` // YAML, which keeps the types of keys
	// Secrets are patterns of keys whose values are not shown: what was encrypted in the operator's files, too.
	Secrets []string `json:"secrets,omitempty"`
	// Grains are those that the pillar was compiled for: all that its files asked for.
	Grains map[string]json.RawMessage `json:"grains,omitempty"`
}

// perShard is how many machines share a shard, more or less, and maxShard what one may take.
const (
	perShard = 16
	maxShard = 256 << 20
)

// shardOf is the place of a machine among n shards.
func shardOf(id string, n int) int {
	sum := sha256.Sum256([]byte(id))
	return int(binary.BigEndian.Uint64(sum[:8]) % uint64(n))
}

// Seal encrypts what is for one machine.
func Seal(s *Sealed, to ...age.Recipient) ([]byte, error) {
	plain, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w, err := age.Encrypt(&out, to...)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// NewPillars are the blobs of the sealed pillars: the index and the shards.
func NewPillars(sealed map[string][]byte) (index []byte, shards [][]byte, err error) {
	all := make([]Shard, len(sealed)/perShard+1)
	for i := range all {
		all[i].Nodes = map[string][]byte{}
	}
	for id, data := range sealed {
		all[shardOf(id, len(all))].Nodes[id] = data
	}
	p := Pillars{}
	for _, s := range all {
		data, err := json.Marshal(s)
		if err != nil {
			return nil, nil, err
		}
		shards = append(shards, data)
		p.Shards = append(p.Shards, BlobOf(data))
	}
	index, err = json.Marshal(p)
	return index, shards, err
}

func pillarsOf(ctx context.Context, from Source, r *Release) (*Pillars, error) {
	data, err := ReadBlob(ctx, from, r.Pillars, MaxIndex)
	if err != nil {
		return nil, fmt.Errorf("read the index of pillars: %w", err)
	}
	p := &Pillars{}
	if err := json.Unmarshal(data, p); err != nil || len(p.Shards) == 0 {
		return nil, fmt.Errorf("read the index of pillars: it is none: %.60q", data)
	}
	return p, nil
}

// Shards are the blobs that the index of pillars names.
func Shards(ctx context.Context, from Source, r *Release) ([]Blob, error) {
	p, err := pillarsOf(ctx, from, r)
	if err != nil {
		return nil, err
	}
	return p.Shards, nil
}

// SealedOf is the sealed pillar of a machine, ErrNone where the release has none for it.
func SealedOf(ctx context.Context, from Source, r *Release, id string) ([]byte, error) {
	p, err := pillarsOf(ctx, from, r)
	if err != nil {
		return nil, err
	}
	data, err := ReadBlob(ctx, from, p.Shards[shardOf(id, len(p.Shards))], maxShard)
	if err != nil {
		return nil, fmt.Errorf("read the pillar of %s: %w", id, err)
	}
	var s Shard
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("read the pillar of %s: %w", id, err)
	}
	sealed, ok := s.Nodes[id]
	if !ok {
		return nil, fmt.Errorf("the release has no machine %q: %w", id, ErrNone)
	}
	return sealed, nil
}

// Unseal opens a sealed pillar with the machine's keys.
func Unseal(data []byte, id string, keys ...age.Identity) (*Sealed, error) {
	r, err := age.Decrypt(bytes.NewReader(data), keys...)
	if err != nil {
		return nil, fmt.Errorf("the key of this machine does not open its pillar: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(r, maxShard))
	if err != nil {
		return nil, fmt.Errorf("the pillar of this machine is damaged: %w", err)
	}
	s := &Sealed{}
	if err := json.Unmarshal(plain, s); err != nil {
		return nil, fmt.Errorf("the pillar of this machine is damaged: it is no JSON")
	}
	if s.ID != id {
		return nil, fmt.Errorf("the pillar is that of %q, and this machine is %q", s.ID, id)
	}
	return s, nil
}
