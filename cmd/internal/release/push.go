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
	p, was, err := Prepare(ctx, from, to, env)
	if err != nil {
		return nil, err
	}
	return p.Release, Publish(ctx, to, p, was)
}

// Prepare brings all of a release but its pointer to a place, and gives that with the pointer which it is to replace:
// nil for none, its own where it is there already.
func Prepare(ctx context.Context, from Source, to Store, env string) (p *Push, was []byte, err error) {
	p = &Push{}
	if p.Signed, err = from.Pointer(ctx, env); err != nil {
		return nil, nil, err
	}
	if p.Release, err = Peek(p.Signed); err != nil {
		return nil, nil, err
	}
	was, err = to.Pointer(ctx, env)
	switch {
	case errors.Is(err, ErrNone):
		was = nil
	case err != nil:
		return nil, nil, fmt.Errorf("look what is there: %w", err)
	case bytes.Equal(was, p.Signed):
		return p, was, nil
	default:
		if err := follows(p.Release, was); err != nil {
			return nil, nil, err
		}
	}
	shards, err := Shards(ctx, from, p.Release)
	if err != nil {
		return nil, nil, err
	}
	blobs := append([]Blob{p.Release.Tree, p.Release.Pillars}, shards...)
	open := func(b Blob) (io.ReadCloser, error) { return from.Blob(ctx, b, 0) }
	if err := to.PutBlobs(ctx, blobs, open); err != nil {
		return nil, nil, err
	}
	p.Manifest, err = NewManifest(p.Release, p.Signed, shards)
	return p, was, err
}

// Publish makes a release that was prepared the newest one of its environment.
func Publish(ctx context.Context, to Store, p *Push, was []byte) error {
	if bytes.Equal(was, p.Signed) {
		return nil
	}
	err := to.PutPointer(ctx, *p, was)
	if errors.Is(err, ErrConflict) {
		err = &conflict{diag.Errorf(diag.Pos{}, "another release of %s was pushed at the same time", p.Release.Env).
			WithHint("push again: it says what is there")}
	}
	return err
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
