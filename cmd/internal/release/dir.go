package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/cmd/internal/disk"
)

// A Dir is an OCI image layout with releases: blobs by digest, index.json for OCI's tools, and env/NAME.json, the
// pointer of each environment, which machines read. Any server of files can serve it.
type Dir struct{ Path string }

// PointerPath is where the pointer of an environment is, in a directory and below the address of a server.
func PointerPath(env string) string { return "env/" + env + ".json" }

// BlobPath is where a blob is.
func BlobPath(d Digest) string { return "blobs/sha256/" + d.Hex() }

func (d Dir) at(rel string) string { return filepath.Join(d.Path, filepath.FromSlash(rel)) }

// Pointer reads env/NAME.json.
func (d Dir) Pointer(_ context.Context, env string) ([]byte, error) {
	f, err := os.Open(d.at(PointerPath(env)))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(d.Path); err != nil {
			return nil, err // a disk that is not mounted is no empty one
		}
		return nil, fmt.Errorf("%s: %w", d.at(PointerPath(env)), ErrNone)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAtMost(f, MaxPointer, "the pointer")
}

func readAtMost(r io.Reader, most int64, what string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", what, most)
	}
	return data, err
}

// Blob opens a blob.
func (d Dir) Blob(_ context.Context, b Blob, offset int64) (io.ReadCloser, error) {
	f, err := os.Open(d.at(BlobPath(b.Digest)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", b.Digest, ErrNone)
	}
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// has says whether the blob is there. One of another size was damaged.
func (d Dir) has(b Blob) bool {
	info, err := os.Stat(d.at(BlobPath(b.Digest)))
	return err == nil && info.Size() == b.Size
}

// PutBlobs writes what is missing, each under its name only when it is whole.
func (d Dir) PutBlobs(ctx context.Context, blobs []Blob, open func(Blob) (io.ReadCloser, error)) error {
	if err := d.make(); err != nil {
		return err
	}
	for _, b := range blobs {
		now := time.Now()
		_ = os.Chtimes(d.at(BlobPath(b.Digest)), now, now) // it is needed: Prune leaves young ones
		if d.has(b) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := d.putBlob(b, open); err != nil {
			return fmt.Errorf("put %s: %w", b.Digest, err)
		}
	}
	return nil
}

func (d Dir) putBlob(b Blob, open func(Blob) (io.ReadCloser, error)) error {
	r, err := open(b)
	if err != nil {
		return err
	}
	defer r.Close()
	return disk.Write(d.at(BlobPath(b.Digest)), 0o644, func(w io.Writer) error { return CopyBlob(w, r, b) })
}

// make makes the directories. What they hold is for servers to read: nothing in it is secret.
func (d Dir) make() error {
	for _, sub := range []string{"blobs/sha256", "env"} {
		if err := os.MkdirAll(d.at(sub), 0o755); err != nil {
			return err
		}
	}
	if _, err := os.Stat(d.at("oci-layout")); err == nil {
		return nil
	}
	return disk.WriteFile(d.at("oci-layout"), layoutFile(), 0o644)
}

// PutPointer writes the manifest, the pointer and index.json, under a lock of the directory.
func (d Dir) PutPointer(ctx context.Context, p Push, was []byte) error {
	if err := d.make(); err != nil {
		return err
	}
	unlock, err := d.lock()
	if err != nil {
		return err
	}
	defer unlock()
	now, err := d.Pointer(ctx, p.Release.Env)
	if err != nil && !errors.Is(err, ErrNone) {
		return err
	}
	if !bytes.Equal(now, was) {
		return ErrConflict
	}
	whole := BlobOf(p.Manifest)
	err = d.PutBlobs(ctx, []Blob{whole, BlobOf(emptyConfig()), BlobOf(p.Signed)},
		func(b Blob) (io.ReadCloser, error) {
			data := map[Digest][]byte{whole.Digest: p.Manifest, BlobOf(p.Signed).Digest: p.Signed}[b.Digest]
			if data == nil {
				data = emptyConfig()
			}
			return io.NopCloser(bytes.NewReader(data)), nil
		})
	if err != nil {
		return err
	}
	if err := d.whole(p.Manifest); err != nil {
		return err
	}
	index, err := d.index(p, whole)
	if err != nil {
		return err
	}
	if err := disk.WriteFile(d.at(PointerPath(p.Release.Env)), p.Signed, 0o644); err != nil {
		return err
	}
	return disk.WriteFile(d.at("index.json"), index, 0o644)
}

func (d Dir) lock() (func(), error) {
	f, err := os.OpenFile(d.at(".lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
