package release

import (
	"context"
	"errors"
	"io"
)

// A Source is where a machine gets releases from. What it gives is not trusted.
type Source interface {
	// Pointer is the newest signed release of an environment, at most MaxPointer bytes; ErrNone where there is none.
	Pointer(ctx context.Context, env string) ([]byte, error)
	// Blob reads a blob from the offset on. ErrNone says that there is none, and ErrNoResume that it reads from the
	// beginning only.
	Blob(ctx context.Context, b Blob, offset int64) (io.ReadCloser, error)
}

// A Store is where an operator pushes to.
type Store interface {
	Source
	// PutBlobs puts those there that are missing; open reads one from the beginning. When it returns, all are there.
	PutBlobs(ctx context.Context, blobs []Blob, open func(Blob) (io.ReadCloser, error)) error
	// PutPointer makes a release the newest one of its environment, at once. It fails with ErrConflict where another
	// pointer is there than was (nil for none).
	PutPointer(ctx context.Context, p Push, was []byte) error
}

// A Push is what comes last: a signed release, and its manifest for stores that keep OCI images.
type Push struct {
	Release  *Release
	Signed   []byte
	Manifest []byte
}

// What a source or store may say.
var (
	ErrNone     = errors.New("there is none")
	ErrNoResume = errors.New("it can only be read from its beginning")
	ErrConflict = errors.New("another release was pushed at the same time")
)
