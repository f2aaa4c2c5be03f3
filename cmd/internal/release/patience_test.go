package release

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// stuck is a source from which nothing comes: not even an answer, or no more behind the first bytes.
type stuck struct {
	Dir
	answers bool
}

func (s stuck) Blob(ctx context.Context, _ Blob, _ int64) (io.ReadCloser, error) {
	if !s.answers {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	r, w := io.Pipe()
	go func() {
		w.Write([]byte("begin"))
		<-ctx.Done()
		w.CloseWithError(ctx.Err())
	}()
	return r, nil
}

// TestPatience: a server that says nothing more holds up no machine.
func TestPatience(t *testing.T) {
	for _, answers := range []bool{false, true} {
		r, err := watched(t.Context(), stuck{answers: answers}, Blob{}, 0, 20*time.Millisecond)
		if err == nil {
			_, err = io.ReadAll(r)
			r.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "nothing came for 20ms") || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("answers %v: %v", answers, err)
		}
	}
}
