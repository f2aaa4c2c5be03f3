package roots

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

// Open opens a source to be read bit by bit. A URL is fetched first.
func (s *FileServer) Open(ctx context.Context, src, env string) (io.ReadCloser, error) {
	p, err := parseSource(src, env)
	if err != nil {
		return nil, err
	}
	abs := p.local
	switch {
	case p.url != "":
		b, err := s.Fetch(ctx, src, env)
		return io.NopCloser(bytes.NewReader(b)), err
	case abs == "":
		f, err := s.roots.Find(p.env, p.salt)
		if err != nil {
			return nil, sourceError(src, err)
		}
		abs = f.Abs
	}
	f, err := os.Open(abs)
	if err != nil {
		return nil, fmt.Errorf("read source %s: %w", src, err)
	}
	return f, nil
}
