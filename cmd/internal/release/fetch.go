package release

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
)

// CopyBlob copies a blob and holds it to its size and digest.
func CopyBlob(w io.Writer, r io.Reader, b Blob) error {
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(r, b.Size+1))
	if err != nil {
		return err
	}
	return b.verify(n, sum)
}

func (b Blob) verify(n int64, sum hash.Hash) error {
	switch {
	case n < b.Size:
		return fmt.Errorf("it is cut short: %d bytes of %d: %w", n, b.Size, io.ErrUnexpectedEOF)
	case n > b.Size:
		return fmt.Errorf("it is longer than the %d bytes that it should have", b.Size)
	case digestText(sum.Sum(nil)) != b.Digest:
		return errors.New("its content has another digest: it was damaged or exchanged")
	}
	return nil
}

// ReadBlob reads a small blob of at most limit bytes.
func ReadBlob(ctx context.Context, from Source, b Blob, limit int64) ([]byte, error) {
	if err := b.check("the blob", limit); err != nil {
		return nil, err
	}
	r, err := watched(ctx, from, b, 0, patience)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var out bytes.Buffer
	if err := CopyBlob(&out, r, b); err != nil {
		return nil, said(b, err, out.Bytes())
	}
	return out.Bytes(), nil
}

// said adds to an error what came in the place of the blob, where that was a page.
func said(b Blob, err error, got []byte) error {
	if got = bytes.TrimSpace(got); len(got) > 0 && got[0] == '<' {
		return fmt.Errorf("%s: a page of HTML or XML came in its place: %.60q", b.Digest, got)
	}
	return fmt.Errorf("%s: %w", b.Digest, err)
}

// rounds bounds how often a download that stops goes on.
const rounds = 5

// Fetch brings a blob to the path. What came of an earlier try, path.part, is gone on with; what turns out to be
// another content is thrown away. The file is there only when its digest is right.
func Fetch(ctx context.Context, from Source, b Blob, path string) error {
	if err := b.check("the blob", MaxTree); err != nil {
		return err
	}
	part, err := os.OpenFile(path+".part", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer part.Close()
	for try := 1; ; try++ {
		err = fetchRest(ctx, from, b, part)
		if err == nil {
			break
		}
		if try == rounds || !errors.Is(err, io.ErrUnexpectedEOF) || ctx.Err() != nil {
			return err
		}
	}
	if err := errors.Join(part.Sync(), part.Close()); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// fetchRest goes on where the file ends. What is wrong is emptied, so that the next try begins anew.
func fetchRest(ctx context.Context, from Source, b Blob, part *os.File) error {
	sum := sha256.New()
	have, err := rehash(part, b, sum)
	if err != nil {
		return err
	}
	if have < b.Size {
		more, err := download(ctx, from, b, part, sum, &have)
		if have += more; err != nil {
			return fmt.Errorf("%s: %w", b.Digest, err)
		}
	}
	err = b.verify(have, sum)
	if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	head := make([]byte, 64)
	n, _ := part.ReadAt(head, 0)
	return errors.Join(said(b, err, head[:n]), part.Truncate(0))
}

// rehash reads what is there already.
func rehash(part *os.File, b Blob, sum hash.Hash) (int64, error) {
	info, err := part.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() > b.Size {
		if err := part.Truncate(0); err != nil {
			return 0, err
		}
	}
	if _, err := part.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	return io.Copy(sum, part)
}

func download(ctx context.Context, from Source, b Blob, part *os.File, sum hash.Hash, have *int64) (int64, error) {
	r, err := watched(ctx, from, b, *have, patience)
	if *have > 0 && errors.Is(err, ErrNoResume) {
		sum.Reset()
		*have = 0
		if _, err := part.Seek(0, io.SeekStart); err != nil {
			return 0, err
		}
		if err := part.Truncate(0); err != nil {
			return 0, err
		}
		r, err = watched(ctx, from, b, 0, patience)
	}
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return io.Copy(io.MultiWriter(part, sum), io.LimitReader(r, b.Size-*have+1))
}
