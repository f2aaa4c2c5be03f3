package roots

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/gostate/gostate/state/host"
)

// Open opens a source to be read bit by bit. A URL is fetched to a file first.
func (s *FileServer) Open(ctx context.Context, src, env string) (host.SourceReader, error) {
	p, err := parseSource(src, env)
	if err != nil {
		return nil, err
	}
	abs := p.local
	switch {
	case p.url != "":
		return s.spool(ctx, p.url)
	case abs == "":
		f, err := s.roots.Find(p.env, p.salt)
		if err != nil {
			return nil, sourceError(src, err)
		}
		abs = f.Abs
	}
	defer s.roots.tell(abs)()
	f, err := host.OpenRegular(abs)
	if err != nil {
		return nil, fmt.Errorf("read source %s: %w", src, err)
	}
	return again{f}, nil
}

// again is a file that an overlay of a machine can keep a reference to (host.Source).
type again struct{ *os.File }

// Open opens it anew.
func (s again) Open() (io.ReadCloser, error) { return host.OpenRegular(s.Name()) }

// Size is its size as long as nothing was read of it.
func (s again) Size() int64 {
	at, err := s.Seek(0, io.SeekCurrent)
	fi, err2 := s.Stat()
	if err != nil || err2 != nil || at != 0 || !fi.Mode().IsRegular() {
		return -1
	}
	return fi.Size()
}
