package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gostate/gostate/state/diag"
)

// Transfer brings the newest release of an environment from one place to another: blobs first, the pointer last.
// It refuses to take the place of a release with the same sequence or a higher one.
func Transfer(ctx context.Context, from Source, to Store, env string) (*Release, error) {
	signed, err := from.Pointer(ctx, env)
	if err != nil {
		return nil, err
	}
	r, err := Peek(signed)
	if err != nil {
		return nil, err
	}
	was, err := to.Pointer(ctx, env)
	switch {
	case errors.Is(err, ErrNone):
		was = nil
	case err != nil:
		return nil, fmt.Errorf("look what is there: %w", err)
	case bytes.Equal(was, signed):
		return r, nil
	default:
		if err := follows(r, was); err != nil {
			return nil, err
		}
	}
	shards, err := Shards(ctx, from, r)
	if err != nil {
		return nil, err
	}
	blobs := append([]Blob{r.Tree, r.Pillars}, shards...)
	open := func(b Blob) (io.ReadCloser, error) { return from.Blob(ctx, b, 0) }
	if err := to.PutBlobs(ctx, blobs, open); err != nil {
		return nil, err
	}
	manifest, err := NewManifest(r, signed, shards)
	if err != nil {
		return nil, err
	}
	err = to.PutPointer(ctx, Push{Release: r, Signed: signed, Manifest: manifest}, was)
	if errors.Is(err, ErrConflict) {
		err = &conflict{diag.Errorf(diag.Pos{}, "another release of %s was pushed at the same time", env).
			WithHint("push again: it says what is there")}
	}
	return r, err
}

// conflict is ErrConflict for people.
type conflict struct{ *diag.Diagnostic }

func (c *conflict) Is(err error) bool { return err == ErrConflict }
func (c *conflict) Unwrap() error     { return c.Diagnostic }

func follows(r *Release, was []byte) error {
	there, err := Peek(was)
	if err != nil {
		return diag.Errorf(diag.Pos{}, "what is there is no release: %v", err).
			WithHint("push to another place, or remove that by hand")
	}
	if there.Sequence >= r.Sequence {
		return diag.Errorf(diag.Pos{}, "the sequence %d is not above %d, which was pushed at %s", r.Sequence,
			there.Sequence, there.Created.UTC().Format("2006-01-02 15:04:05 MST")).
			WithHint("another operator was first: pack again on top of that, with --sequence %d", there.Sequence+1)
	}
	return nil
}

// Write puts a new release with its blobs into a store; the blobs are the tree, the index of pillars and its shards.
func Write(ctx context.Context, to Store, signed []byte, data [][]byte) error {
	m := memory{signed: signed, blobs: map[Digest][]byte{}}
	for _, d := range data {
		m.blobs[DigestOf(d)] = d
	}
	r, err := Peek(signed)
	if err != nil {
		return err
	}
	_, err = Transfer(ctx, m, to, r.Env)
	return err
}

// memory is a release that is nowhere yet.
type memory struct {
	signed []byte
	blobs  map[Digest][]byte
}

func (m memory) Pointer(context.Context, string) ([]byte, error) { return m.signed, nil }

func (m memory) Blob(_ context.Context, b Blob, offset int64) (io.ReadCloser, error) {
	data, ok := m.blobs[b.Digest]
	if !ok {
		return nil, ErrNone
	}
	return io.NopCloser(bytes.NewReader(data[offset:])), nil
}
