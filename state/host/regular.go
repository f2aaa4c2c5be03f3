package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// MaxText is the size up to which a file is read whole. What may be larger is opened and read bit by bit.
const MaxText = 256 << 20

// largeFile is the size from which on a reading is stopped with the run.
const largeFile = 16 << 20

// quietTime is how long a file of the kernel's, such as /proc/kmsg, may have nothing to say.
const quietTime = 2 * time.Second

// errPipe is why a fifo is not read: nobody may ever write to it, and a run would wait for ever.
// Salt differs: it reads fifos, without end.
var errPipe = errors.New("is a fifo, which is never read")

// Until makes readings of large files end when the context is done.
func (o *OS) Until(ctx context.Context) { o.until = ctx }

// OpenRegular opens a file for reading, without waiting for anything: no fifo, no terminal, no socket. A file of the
// kernel's that has nothing to say is read for two seconds at most.
func OpenRegular(name string) (*os.File, error) {
	file, _, err := openRegular(name)
	return file, err
}

// openRegular gives what is known of the file, too.
func openRegular(name string) (*os.File, fs.FileInfo, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	fi, err := file.Stat()
	if err == nil {
		if why := readable(fi.Mode()); why != nil {
			err = &fs.PathError{Op: "read", Path: name, Err: why}
		}
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	if fi.Size() == 0 && fi.Mode().IsRegular() {
		_ = file.SetReadDeadline(time.Now().Add(quietTime)) // refused by file systems that never wait
	}
	return file, fi, nil
}

// readable says whether what is of a type ends, when it is read.
func readable(m fs.FileMode) error {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return errPipe
	case m&fs.ModeCharDevice != 0:
		return errors.New("is a character device, which is never read")
	}
	return nil
}

// ReadRegular reads a whole file of at most so many bytes.
func ReadRegular(name string, most int64) ([]byte, error) {
	file, fi, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	raw, err := readAll(file, fi.Size(), most)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errors.New("has nothing to read yet, and is not waited for")
	}
	return raw, err
}

// ReadAll reads what is left, of at most so many bytes.
func ReadAll(r io.Reader, most int64) ([]byte, error) { return readAll(r, -1, most) }

// readAll reads about size bytes, or more, but no more than so many.
func readAll(r io.Reader, size, most int64) ([]byte, error) {
	if size > most {
		return nil, tooLarge(most)
	}
	var b bytes.Buffer
	if size > 0 {
		b.Grow(int(size) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(r, most+1))
	if err == nil && n > most {
		err = tooLarge(most)
	}
	return b.Bytes(), err
}

func tooLarge(most int64) error {
	return fmt.Errorf("has more than the %d MiB that are read at once", most>>20)
}

// A stoppable is a large file whose reading ends with the run.
type stoppable struct {
	file *os.File
	ctx  context.Context
}

func (s stoppable) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.file.Read(p)
}

func (s stoppable) Seek(offset int64, whence int) (int64, error) { return s.file.Seek(offset, whence) }

func (s stoppable) Close() error { return s.file.Close() }
