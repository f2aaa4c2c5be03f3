package host

import (
	"bytes"
	"errors"
	"io"
)

// A Source is content that can be opened again from its beginning for as long as the run lasts. An overlay that is
// given one to write keeps it in place of the text, so that a large file is never held in memory: give WriteFile the
// reader as it was opened, not one around it. What Open of an overlay gives is one.
type Source interface {
	io.Reader
	// Open opens it anew, whatever was read of it so far.
	Open() (io.ReadCloser, error)
	// Size is how many bytes there are; -1 where it is not known, or where reading has begun: then it is read and held.
	Size() int64
}

// A SourceReader is a Source that was opened.
type SourceReader interface {
	Source
	io.Closer
}

// content is the content of a file of an overlay.
type content interface {
	Open() (io.ReadCloser, error)
	Size() int64
}

// contentOf is the content that a reader gives, and its size: a reference where it is a Source.
func contentOf(r io.Reader) (content, int64, error) {
	if s, ok := r.(Source); ok {
		if size := s.Size(); size >= 0 {
			if again, ok := r.(*reading); ok {
				return again.content, size, nil
			}
			return s, size, nil
		}
	}
	data, err := io.ReadAll(r)
	return text(data), int64(len(data)), err
}

// text is content in memory.
type text []byte

func (t text) Open() (io.ReadCloser, error) { return closing{bytes.NewReader(t)}, nil }
func (t text) Size() int64                  { return int64(len(t)) }

// closing is a reader of memory. It can seek, as an os.File can.
type closing struct{ *bytes.Reader }

func (closing) Close() error { return nil }

// A baseFile is the content of a file of an overlay's base, which never changes.
type baseFile struct {
	base Reader
	path string
}

func (b baseFile) Open() (io.ReadCloser, error) { return b.base.Open(b.path) }

func (b baseFile) Size() int64 {
	if i, err := b.base.Stat(b.path); err == nil && i.IsRegular() {
		return i.Size
	}
	return -1
}

// reading is content that is being read.
type reading struct {
	io.ReadCloser
	content
	begun bool
}

// read opens content.
func read(c content) (io.ReadCloser, error) {
	r, err := c.Open()
	if err != nil {
		return nil, err
	}
	if _, ok := r.(*reading); ok {
		return r, nil
	}
	return &reading{ReadCloser: r, content: c}, nil
}

func (r *reading) Open() (io.ReadCloser, error) { return r.content.Open() }

func (r *reading) Read(p []byte) (int, error) {
	r.begun = true
	return r.ReadCloser.Read(p)
}

func (r *reading) Seek(offset int64, whence int) (int64, error) {
	s, ok := r.ReadCloser.(io.Seeker)
	if !ok {
		return 0, errors.New("cannot seek here")
	}
	r.begun = true
	return s.Seek(offset, whence)
}

// Size is -1 once reading has begun: what follows is not the whole.
func (r *reading) Size() int64 {
	if r.begun {
		return -1
	}
	return r.content.Size()
}
