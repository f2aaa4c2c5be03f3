package roots

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/gostate/gostate/state/host"
)

// spooled is a download in a file that has no name any more, so that nothing is left of it whatever ends the run. It is
// there until nobody reads it.
type spooled struct {
	*io.SectionReader
	file *os.File
}

// spool fetches a URL to a file.
func (s *FileServer) spool(ctx context.Context, url string) (host.SourceReader, error) {
	f, err := os.CreateTemp(spoolDir(), "gostate-fetch-")
	if err != nil { // it cannot be written to
		f, err = os.CreateTemp("", "gostate-fetch-")
	}
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", url, err)
	}
	err = os.Remove(f.Name())
	if err == nil {
		err = s.fetch(ctx, url, f, spoolLimit)
	}
	size, err2 := f.Seek(0, io.SeekCurrent)
	if err == nil {
		err = err2
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return spooled{io.NewSectionReader(f, 0, size), f}, nil
}

// spoolDir is where large files go: /tmp is memory on many machines.
func spoolDir() string {
	if i, err := os.Stat("/var/tmp"); os.Getenv("TMPDIR") == "" && err == nil && i.IsDir() {
		return "/var/tmp"
	}
	return os.TempDir()
}

// Open gives another reader of it, from its beginning (host.Source).
func (s spooled) Open() (io.ReadCloser, error) {
	return spooled{io.NewSectionReader(s.file, 0, s.SectionReader.Size()), s.file}, nil
}

// Size is its size as long as nothing was read of it.
func (s spooled) Size() int64 {
	if at, err := s.Seek(0, io.SeekCurrent); err != nil || at != 0 {
		return -1
	}
	return s.SectionReader.Size()
}

// Close leaves the file to those who still read it; it ends with the last of them.
func (spooled) Close() error { return nil }
