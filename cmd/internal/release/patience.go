package release

import (
	"context"
	"fmt"
	"io"
	"time"
)

// patience is how long nothing may come of a download. How long all of it takes is not bounded: lines are slow.
const patience = time.Minute

// watched opens a blob, and ends its reading when nothing comes for the time.
func watched(ctx context.Context, from Source, b Blob, offset int64, most time.Duration) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{most: most, cancel: cancel, ctx: ctx}
	w.timer = time.AfterFunc(most, func() { cancel(fmt.Errorf("nothing came for %s: %w", most, io.ErrUnexpectedEOF)) })
	var err error
	if w.r, err = from.Blob(ctx, b, offset); err != nil {
		w.timer.Stop()
		err = w.cause(err)
		cancel(nil)
		return nil, err
	}
	return w, nil
}

type watch struct {
	r      io.ReadCloser
	ctx    context.Context
	timer  *time.Timer
	most   time.Duration
	cancel context.CancelCauseFunc
}

func (w *watch) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if w.timer.Reset(w.most); err != nil && err != io.EOF {
		err = w.cause(err)
	}
	return n, err
}

// cause is why the reading was ended, where it was.
func (w *watch) cause(err error) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	return err
}

func (w *watch) Close() error {
	w.timer.Stop()
	w.cancel(nil)
	return w.r.Close()
}
