package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A pack is an archive as it is read: bit by bit, as often as it takes, and never held in memory.
type pack struct {
	io.ReadSeeker
	again  func() (io.ReadSeekCloser, error) // opens it anew, when it is closed
	close  func() error
	size   int64
	format string
	rules  rules
	h      host.Reader // has the tools for some compressions
}

// inMemory is a pack of what was fetched.
func inMemory(data []byte) *pack {
	again := func() (io.ReadSeekCloser, error) { return memory{bytes.NewReader(data)}, nil }
	return &pack{ReadSeeker: bytes.NewReader(data), again: again, close: func() error { return nil },
		size: int64(len(data))}
}

type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// packOf is a pack of what was opened, of which open gives the same again.
func packOf(r io.ReadCloser, open func() (io.ReadCloser, error)) (*pack, error) {
	if s, ok := r.(host.Source); ok { // stays the same, whatever comes to its path
		open = s.Open
	}
	s, ok := r.(io.ReadSeeker)
	if !ok {
		defer r.Close()
		data, err := host.ReadAll(r, host.MaxText)
		return inMemory(data), err
	}
	size, err := s.Seek(0, io.SeekEnd)
	again := func() (io.ReadSeekCloser, error) {
		r, err := open()
		if err != nil {
			return nil, err
		}
		if s, ok := r.(io.ReadSeekCloser); ok {
			return s, nil
		}
		r.Close()
		return nil, errors.New("the archive cannot be read again")
	}
	return &pack{ReadSeeker: s, again: again, close: r.Close, size: size}, err
}

// load opens an archive: one of the machine, or a source. What is fetched from the network is fetched once in an
// attempt, to a file of its own.
func load(ctx context.Context, env *modules.Env, h host.Reader, source, saltenv string) (*pack, error) {
	var open func() (io.ReadCloser, error)
	if local := strings.TrimPrefix(source, "file://"); path.IsAbs(local) {
		open = func() (io.ReadCloser, error) { return h.Open(local) }
	} else if o, ok := env.Files.(modules.Opener); !ok {
		data, err := env.Files.Fetch(ctx, source, saltenv)
		return inMemory(data), err
	} else if open = (func() (io.ReadCloser, error) { return o.Open(ctx, source, saltenv) }); !strings.HasPrefix(source,
		"salt://") {
		open = once(env, source, open)
	}
	r, err := open()
	if err != nil {
		return nil, err
	}
	p, err := packOf(r, open)
	if err != nil {
		r.Close()
	}
	return p, err
}

// once opens what is fetched for the first time only, and gives what came then again.
func once(env *modules.Env, source string, open func() (io.ReadCloser, error)) func() (io.ReadCloser, error) {
	type fetched struct {
		r   io.ReadCloser
		err error
	}
	type key string
	return func() (io.ReadCloser, error) {
		if env.Kept == nil {
			return open()
		}
		f := modules.Get(env.Kept, key(source), func() fetched { r, err := open(); return fetched{r, err} })
		if s, ok := f.r.(host.Source); ok && f.err == nil {
			return s.Open()
		}
		return f.r, f.err
	}
}

// rewound is the pack from its beginning.
func (p *pack) rewound() (io.Reader, error) {
	_, err := p.Seek(0, io.SeekStart)
	return p.ReadSeeker, err
}

// text is the whole of it.
func (p *pack) text() ([]byte, error) {
	r, err := p.rewound()
	if err != nil {
		return nil, err
	}
	return host.ReadAll(r, host.MaxText)
}

// members are all members.
func (p *pack) members(ctx context.Context) (out []member, err error) {
	err = p.each(ctx, func(m member, _ io.Reader) error { out = append(out, m); return nil })
	return out, err
}

// each visits the members in their order, each with its content, which is there during the visit only.
func (p *pack) each(ctx context.Context, visit func(m member, content io.Reader) error) error {
	if _, err := p.rewound(); err != nil {
		return err
	}
	return p.eachOf(ctx, p.ReadSeeker, visit)
}

func (p *pack) eachOf(ctx context.Context, r io.ReadSeeker, visit func(m member, content io.Reader) error) error {
	t := newTidy(p.rules, p.size)
	one := func(m member, content io.Reader) error {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		keep, err := t.tidy(&m)
		if err == nil && keep {
			err = visit(m, content)
		}
		return err
	}
	switch p.format {
	case "zip":
		return eachZip(r, p.size, one)
	case "tar":
		return p.eachTar(ctx, r, t, one)
	case "rar":
		return errors.New("rar archives are not offered")
	}
	return fmt.Errorf("the format %q is none of tar, zip", p.format)
}

func (p *pack) eachTar(ctx context.Context, r io.Reader, ty *tidier,
	one func(m member, content io.Reader) error) error {
	plain, err := unpack(ctx, p.h, r)
	if err != nil {
		return err
	}
	defer plain.Close()
	t := tar.NewReader(&bounded{Reader: plain, t: ty})
	for {
		hd, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the archive: %w", err)
		}
		m := member{name: hd.Name, mode: hd.FileInfo().Mode(), own: owner{hd.Uname, hd.Gname, hd.Uid, hd.Gid}}
		switch hd.Typeflag {
		case tar.TypeReg:
			m.size = hd.Size
		case tar.TypeSymlink:
			m.link = hd.Linkname
		case tar.TypeLink:
			m.hard = hd.Linkname
		case tar.TypeChar, tar.TypeBlock:
			m.device = [2]uint32{uint32(hd.Devmajor), uint32(hd.Devminor)}
		case tar.TypeDir, tar.TypeFifo:
		default: // what tar notes for itself
			continue
		}
		if err := one(m, t); err != nil {
			return err
		}
	}
}

// zipOf reads the list of a zip archive.
func zipOf(r io.ReadSeeker, size int64) (*zip.Reader, error) {
	at, ok := r.(io.ReaderAt)
	if !ok {
		at = seeking{r}
	}
	return zip.NewReader(at, size)
}

// seeking reads at offsets by seeking. One reads at a time.
type seeking struct{ io.ReadSeeker }

func (s seeking) ReadAt(p []byte, offset int64) (int, error) {
	if _, err := s.Seek(offset, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(s.ReadSeeker, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

func eachZip(r io.ReadSeeker, size int64, one func(m member, content io.Reader) error) error {
	z, err := zipOf(r, size)
	if err != nil {
		return fmt.Errorf("read the archive: %w", err)
	}
	for _, f := range z.File {
		if err := zipMember(f, one); err != nil {
			return err
		}
	}
	return nil
}

func zipMember(f *zip.File, one func(m member, content io.Reader) error) error {
	m := member{name: f.Name, mode: f.Mode(), size: int64(f.UncompressedSize64)}
	switch {
	case m.mode.Perm() != 0:
	case m.isDir():
		m.mode |= 0o755
	default:
		m.mode |= 0o644
	}
	if m.isDir() {
		return one(m, nil)
	}
	c := &content{f: f}
	defer c.Close()
	if m.mode&fs.ModeSymlink != 0 {
		target, err := host.ReadAll(c, 64<<10)
		if err != nil {
			return fmt.Errorf("read %s in the archive: %w", f.Name, err)
		}
		m.link, m.size = string(target), 0
	}
	return one(m, c)
}

// content is that of a file in a zip archive, which is opened when it is read, and no longer than the archive says.
type content struct {
	f    *zip.File
	r    io.ReadCloser
	read uint64
}

func (c *content) Read(p []byte) (n int, err error) {
	if c.r == nil {
		if c.r, err = c.f.Open(); err != nil {
			return 0, err
		}
	}
	n, err = c.r.Read(p)
	if c.read += uint64(n); c.read > c.f.UncompressedSize64 {
		return 0, fmt.Errorf("%s is larger than the archive says", c.f.Name)
	}
	return n, err
}

func (c *content) Close() error {
	if c.r == nil {
		return nil
	}
	return c.r.Close()
}

// stored is the content of a member while the archive is read. An overlay keeps it as a reference (host.Source).
type stored struct {
	io.Reader
	p *pack
	m member
}

func (s stored) Size() int64 { return s.m.size }

// Open reads the archive anew, up to the member.
func (s stored) Open() (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(context.Background())
	return &late{stored: s, ctx: ctx, cancel: cancel}, nil
}

// late begins to read when it is asked to: who opens it may hold a lock of the machine that the archive is on.
type late struct {
	stored
	ctx    context.Context
	cancel func()
	pipe   *io.PipeReader
}

var errFound = errors.New("found")

func (l *late) Read(p []byte) (int, error) {
	if l.pipe == nil {
		r, w := io.Pipe()
		l.pipe = r
		go func() { w.CloseWithError(l.copyTo(w)) }()
	}
	return l.pipe.Read(p)
}

func (l *late) copyTo(w io.Writer) error {
	r, err := l.p.again()
	if err != nil {
		return err
	}
	defer r.Close()
	err = l.p.eachOf(l.ctx, r, func(m member, content io.Reader) error {
		if m.index != l.m.index {
			return nil
		}
		_, err := io.Copy(w, content)
		if err == nil {
			err = errFound
		}
		return err
	})
	if err == errFound {
		err = nil
	}
	return err
}

func (l *late) Close() error {
	l.cancel()
	if l.pipe == nil {
		return nil
	}
	return l.pipe.Close()
}
