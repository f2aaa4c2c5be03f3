package archive

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// unpack undoes the compression, which the first bytes tell. What Go cannot is left to the tools.
func unpack(ctx context.Context, h host.Reader, r io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReader(r)
	head, _ := b.Peek(6)
	has := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	switch {
	case has("\x1f\x8b"):
		return gzip.NewReader(b)
	case has("BZh"):
		return io.NopCloser(bzip2.NewReader(b)), nil
	case has("\xfd7zXZ\x00"):
		return filter(ctx, h, b, "xz", "-dc"), nil
	case has("\x28\xb5\x2f\xfd"):
		return filter(ctx, h, b, "zstd", "-dcq"), nil
	case has("\x5d\x00\x00"):
		return filter(ctx, h, b, "xz", "--format=lzma", "-dc"), nil
	}
	return io.NopCloser(b), nil
}

// A filtered reader is what a command makes of another one.
type filtered struct {
	*io.PipeReader
	cancel func()
	done   chan struct{}
}

func filter(ctx context.Context, h host.Reader, r io.Reader, args ...string) io.ReadCloser {
	ctx, cancel := context.WithCancel(ctx)
	out, w := io.Pipe()
	f := filtered{out, cancel, make(chan struct{})}
	go func() {
		defer close(f.done)
		w.CloseWithError(pass(ctx, h, r, w, args))
	}()
	return f
}

func pass(ctx context.Context, h host.Reader, r io.Reader, w io.Writer, args []string) error {
	out, err := h.Query(ctx, host.Cmd{Args: args, From: r, To: w})
	if err != nil {
		return fmt.Errorf("run %s: %w", args[0], err)
	}
	if out.Code != 0 {
		return fmt.Errorf("%s: %s", args[0], strings.TrimSpace(string(out.Stderr)))
	}
	_, err = w.Write(out.Stdout)
	return err
}

// Close ends the command, which reads what somebody else may read next.
func (f filtered) Close() error {
	f.PipeReader.CloseWithError(errors.New("the archive was read"))
	f.cancel()
	<-f.done
	return nil
}
