package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gostate/gostate/cmd/internal/release"
)

// chunk is how much of a blob is one message.
const chunk = 128 << 10

func blobSubject(d release.Digest, n int64) string {
	return "blob." + d.Hex() + "." + strconv.FormatInt(n, 10)
}

func pieces(b release.Blob) int64 { return max(1, (b.Size+chunk-1)/chunk) }

// pointerKey is the key of a pointer: that of an environment, or of one machine in it (release.PinKey).
func pointerKey(env string) string {
	name, node, pinned := strings.Cut(env, "/")
	if !pinned {
		return Token(name)
	}
	return Token(name) + "." + Token(node)
}

func keySubject(bucket, key string) string { return "$KV." + bucket + "." + key }

// value reads a key of a bucket, and its revision; nil and 0 where it is not there.
func (b *Bus) value(ctx context.Context, bucket, key string) (data []byte, revision uint64, err error) {
	m, err := b.Last(ctx, "KV_"+bucket, keySubject(bucket, key))
	if m != nil && (err == nil || none(err)) {
		revision, _ = strconv.ParseUint(m.Header.Get("Nats-Sequence"), 10, 64)
	}
	switch {
	case none(err):
		return nil, revision, nil
	case err != nil:
		return nil, 0, err
	}
	return m.Data, revision, nil
}

// swap writes a key where its revision is still the one that was read.
func (b *Bus) swap(ctx context.Context, bucket, key string, data []byte, revision uint64) error {
	m := &nats.Msg{Subject: keySubject(bucket, key), Data: data, Header: nats.Header{}}
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(revision, 10))
	_, err := b.JS.PublishMsg(ctx, m)
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
		return release.ErrConflict
	}
	return err
}

// swapValue writes a key where its value is still what it was; nil is for none.
func (b *Bus) swapValue(ctx context.Context, bucket, key string, data, was []byte) error {
	now, revision, err := b.value(ctx, bucket, key)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, was) {
		return release.ErrConflict
	}
	return b.swap(ctx, bucket, key, data, revision)
}

// Pointer reads the newest signed release.
func (b *Bus) Pointer(ctx context.Context, env string) ([]byte, error) {
	data, _, err := b.value(ctx, Releases, pointerKey(env))
	if err == nil && data == nil {
		err = fmt.Errorf("the environment %s at the hub: %w", env, release.ErrNone)
	}
	return data, err
}

// PutPointer makes a release the newest one.
func (b *Bus) PutPointer(ctx context.Context, p release.Push, was []byte) error {
	return b.swapValue(ctx, Releases, pointerKey(p.Release.Env), p.Signed, was)
}

// Pin gives single machines a release of their own; nil takes it back.
func (b *Bus) Pin(ctx context.Context, env string, nodes []string, signed []byte) error {
	for _, node := range nodes {
		m := &nats.Msg{Subject: keySubject(Releases, pointerKey(release.PinKey(env, node))), Data: signed,
			Header: nats.Header{}}
		if signed == nil {
			m.Header.Set("KV-Operation", "DEL")
		}
		if _, err := b.JS.PublishMsg(ctx, m); err != nil {
			return fmt.Errorf("give %s its release: %w", node, err)
		}
	}
	return nil
}

// Note reads how far a roll-out is.
func (b *Bus) Note(ctx context.Context, name string) ([]byte, error) {
	data, _, err := b.value(ctx, Cursors, Token(name))
	return data, err
}

// SwapNote replaces it at once.
func (b *Bus) SwapNote(ctx context.Context, name string, data, was []byte) error {
	return b.swapValue(ctx, Cursors, Token(name), data, was)
}

// PutBlobs puts those there that are missing.
func (b *Bus) PutBlobs(ctx context.Context, blobs []release.Blob,
	open func(release.Blob) (io.ReadCloser, error),
) error {
	for _, blob := range blobs {
		there, err := b.has(ctx, blob)
		if err == nil && !there {
			err = b.putBlob(ctx, blob, open)
		}
		if err != nil {
			return fmt.Errorf("put %s: %w", blob.Digest, err)
		}
	}
	return nil
}

// has says whether every piece of a blob is there.
func (b *Bus) has(ctx context.Context, blob release.Blob) (bool, error) {
	s, err := b.JS.Stream(ctx, Blobs)
	if err != nil {
		return false, err
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter("blob."+blob.Digest.Hex()+".*"))
	if err != nil {
		return false, err
	}
	return int64(len(info.State.Subjects)) == pieces(blob), nil
}

// putBlob writes a blob. Its last piece comes when its digest was right: what is not whole is not taken for there.
func (b *Bus) putBlob(ctx context.Context, blob release.Blob, open func(release.Blob) (io.ReadCloser, error)) error {
	r, err := open(blob)
	if err != nil {
		return err
	}
	defer r.Close()
	w := &cutter{ctx: ctx, bus: b, blob: blob}
	if err := release.CopyBlob(w, r, blob); err != nil {
		return err
	}
	return w.flush()
}

// cutter publishes what is written to it in pieces, and holds the last one back.
type cutter struct {
	ctx  context.Context
	bus  *Bus
	blob release.Blob
	n    int64
	data []byte
}

func (c *cutter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		if len(c.data) == chunk {
			if err := c.flush(); err != nil {
				return 0, err
			}
		}
		n := min(len(rest), chunk-len(c.data))
		c.data, rest = append(c.data, rest[:n]...), rest[n:]
	}
	return len(p), nil
}

func (c *cutter) flush() error {
	_, err := c.bus.JS.Publish(c.ctx, blobSubject(c.blob.Digest, c.n), c.data)
	c.n, c.data = c.n+1, c.data[:0]
	return err
}

var _ release.Stage = (*Bus)(nil)
