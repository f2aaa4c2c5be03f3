package bus

import (
	"context"
	"fmt"
	"io"

	"github.com/nats-io/nats.go"

	"github.com/gostate/gostate/cmd/internal/release"
)

// window is how many pieces are asked for before the first has come: a line may be long.
const window = 4

// Blob reads a blob from the offset on.
func (b *Bus) Blob(ctx context.Context, blob release.Blob, offset int64) (io.ReadCloser, error) {
	if blob.Digest.Hex() == "" {
		return nil, fmt.Errorf("%q is no digest", blob.Digest)
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &reader{bus: b, ctx: ctx, cancel: cancel, blob: blob, next: offset / chunk, skip: int(offset % chunk)}
	if err := r.fill(); err != nil && err != io.EOF { // so that a blob that is not there is told at once
		cancel()
		return nil, err
	}
	return r, nil
}

// A reader reads the pieces in order; asked are those on their way.
type reader struct {
	bus    *Bus
	ctx    context.Context
	cancel context.CancelFunc
	blob   release.Blob
	next   int64 // the piece to ask for
	skip   int   // of the first piece
	asked  []chan piece
	data   []byte
}

type piece struct {
	m   *nats.Msg
	err error
}

// fill waits for the next piece, and asks for others. io.EOF is the end.
func (r *reader) fill() error {
	for ; len(r.asked) < window && r.next < pieces(r.blob); r.next++ {
		to, subject := make(chan piece, 1), blobSubject(r.blob.Digest, r.next)
		r.asked = append(r.asked, to)
		go func() {
			m, err := r.bus.Last(r.ctx, Blobs, subject)
			to <- piece{m, err}
		}()
	}
	if len(r.asked) == 0 {
		return io.EOF
	}
	p := <-r.asked[0]
	if r.asked = r.asked[1:]; p.err != nil {
		return fmt.Errorf("%s: %w", r.blob.Digest, p.err)
	}
	r.data = p.m.Data[min(r.skip, len(p.m.Data)):]
	r.skip = 0
	return nil
}

func (r *reader) Read(p []byte) (int, error) {
	for len(r.data) == 0 {
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.data)
	r.data = r.data[n:]
	return n, nil
}

// Close ends what was asked for.
func (r *reader) Close() error {
	r.cancel()
	for _, to := range r.asked {
		<-to
	}
	return nil
}
