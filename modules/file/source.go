package file

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Sources are where a file may come from: the first that exists is taken, or the only one.
type Sources struct{ list []sourceRef }

// A sourceRef is a source with a hash of its own, "" for none.
type sourceRef struct{ url, hash string }

// ArgType names the type in documentation.
func (*Sources) ArgType() string { return "source or list of sources" }

// BindValue reads one source, a list of them, or a list of one-key maps of source and hash.
func (s *Sources) BindValue(v value.Value) error {
	list, isList := v.(*value.List)
	if !isList {
		text, err := modules.Text(v)
		if err != nil {
			return fmt.Errorf("takes a source or a list of sources, not %s", modules.Describe(v))
		}
		if text != "" {
			s.list = []sourceRef{{url: text}}
		}
		return nil
	}
	for i, it := range list.Items {
		if d, ok := it.(*value.Dict); ok && d.Len() == 1 {
			s.list = append(s.list, sourceRef{value.String(d.At(0).Key), value.String(d.At(0).Val)})
			continue
		}
		text, err := modules.Text(it)
		if err != nil {
			return fmt.Errorf("takes a list of sources, but item %d is %s", i+1, modules.Describe(it))
		}
		s.list = append(s.list, sourceRef{url: text})
	}
	return nil
}

func (s Sources) given() bool { return len(s.list) > 0 }

// choose gives the only source, or the first of several that exists.
func (s Sources) choose(ctx context.Context, env *modules.Env, h host.Reader) (sourceRef, error) {
	if len(s.list) == 1 {
		return s.list[0], nil
	}
	for _, r := range s.list {
		if sourceExists(ctx, env, h, r.url) {
			return r, nil
		}
	}
	return sourceRef{}, errors.New("Unable to manage file: none of the specified sources were found")
}

func sourceExists(ctx context.Context, env *modules.Env, h host.Reader, source string) bool {
	if local, ok := localPath(source); ok {
		return exists(h, local)
	}
	if strings.HasPrefix(source, "salt://") {
		f, d := env.Files.Exists(source, envOf(env))
		return f || d
	}
	_, err := env.Files.Fetch(ctx, source, envOf(env))
	return err == nil
}

// localPath is the path of a source that lies on the machine: an absolute path or a file:// URL.
func localPath(source string) (string, bool) {
	if rest, ok := strings.CutPrefix(source, "file://"); ok {
		return "/" + strings.TrimLeft(rest, "/"), true
	}
	return source, strings.HasPrefix(source, "/")
}

// isRemote says whether a source is fetched over the network, so that its content has to be verified.
func isRemote(source string) bool {
	_, local := localPath(source)
	return !local && !strings.HasPrefix(source, "salt://")
}

// A wanted content: data, or a way to read it. What is fetched over the network has a hash that tells it without being
// read.
type wanted struct {
	data   []byte
	loaded bool
	sum    digest
	open   func(ctx context.Context) (io.ReadCloser, error)
}

// reader opens the content.
func (w *wanted) reader(ctx context.Context) (io.ReadCloser, error) {
	if w.loaded {
		return newReader(w.data), nil
	}
	return w.open(ctx)
}

// differs says whether a file of about the size has another content.
func (w *wanted) differs(ctx context.Context, env *modules.Env, h host.Reader, name string, size int64) (bool, error) {
	switch {
	case w.sum.hex != "":
		env.Meant.Note(name, crc32.ChecksumIEEE([]byte(w.sum.hex)))
		sum, err := hashSized(h, name, w.sum.kind, size)
		return !strings.EqualFold(sum, w.sum.hex), err
	case w.loaded && int64(len(w.data)) != size:
		return true, nil // what is written is compared once more
	}
	a, err := w.reader(ctx)
	if err != nil {
		return false, err
	}
	defer a.Close()
	b, err := h.Open(name)
	if err != nil {
		return false, err
	}
	defer b.Close()
	if env.Meant == nil {
		return unlike(env, a, b)
	}
	all := summed{Reader: a}
	other, err := unlike(env, &all, b)
	if err == nil && !other {
		env.Meant.Note(name, all.sum)
	}
	return other, err
}

// A summed reader sums up what is read.
type summed struct {
	io.Reader
	sum uint32
}

func (s *summed) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	s.sum = crc32.Update(s.sum, crc32.IEEETable, b[:n])
	return n, err
}

func wantedData(data []byte) *wanted { return &wanted{data: data, loaded: true} }

// load reads the content, once.
func (w *wanted) load(ctx context.Context) ([]byte, error) { return w.loadMost(ctx, host.MaxText) }

// loadMost is load of at most so many bytes.
func (w *wanted) loadMost(ctx context.Context, most int64) ([]byte, error) {
	if w.loaded {
		return w.data, nil
	}
	r, err := w.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if w.data, err = host.ReadAll(r, most); err != nil {
		return nil, err
	}
	w.loaded = true
	return w.data, nil
}

// upTo reads no more than a number of bytes of the content; more says that there are more.
func (w *wanted) upTo(ctx context.Context, limit int64) (data []byte, more bool, err error) {
	if w.loaded {
		return w.data, int64(len(w.data)) > limit, nil
	}
	r, err := w.open(ctx)
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	data, err = io.ReadAll(io.LimitReader(r, limit+1))
	return data, int64(len(data)) > limit, err
}

// sourceWanted is the content that a source gives, unrendered.
func sourceWanted(ctx context.Context, env *modules.Env, h host.Reader, ref sourceRef, hash digest,
	verify bool) (*wanted, error) {
	if local, ok := localPath(ref.url); ok {
		return localWanted(h, local, hash)
	}
	if strings.HasPrefix(ref.url, "salt://") {
		return rootWanted(ctx, env, ref.url)
	}
	if verify && hash.hex == "" {
		return nil, fmt.Errorf("Unable to verify upstream hash of source file %s, please set source_hash or set "+
			"skip_verify to True", redact(ref.url))
	}
	d := &download{env: env, url: ref.url}
	if verify {
		d.hash = hash
		return &wanted{sum: hash, open: d.open}, nil
	}
	_, err := d.open(ctx)
	return &wanted{open: d.open}, err
}

// A download is a source of the network: fetched once, to a file, and read as often as it takes.
type download struct {
	env  *modules.Env
	url  string
	hash digest // the zero digest for one that is taken as it comes
	got  host.Source
}

func (d *download) open(ctx context.Context) (io.ReadCloser, error) {
	if d.got != nil {
		return d.got.Open()
	}
	got, err := openSource(ctx, d.env, d.url)
	if err != nil {
		return nil, err
	}
	if d.hash.hex != "" {
		if err := d.hash.verify(d.url, got); err != nil {
			return nil, err
		}
	}
	d.got = got
	return got.Open()
}

// openSource opens a source to be read bit by bit.
func openSource(ctx context.Context, env *modules.Env, source string) (host.SourceReader, error) {
	if o, ok := env.Files.(modules.Opener); ok {
		return o.Open(ctx, source, envOf(env))
	}
	data, err := env.Files.Fetch(ctx, source, envOf(env))
	return newReader(data), err
}

// rootWanted is the content of a file in the file roots.
func rootWanted(ctx context.Context, env *modules.Env, source string) (*wanted, error) {
	open := func(ctx context.Context) (io.ReadCloser, error) { return openSource(ctx, env, source) }
	if file, _ := env.Files.Exists(source, envOf(env)); !file {
		if _, err := env.Files.Fetch(ctx, source, envOf(env)); err != nil {
			return nil, fmt.Errorf("Source file %s not found in saltenv '%s': %w", source, envOf(env), err)
		}
	}
	return &wanted{open: open}, nil
}

// localWanted is the content of a file of the machine.
func localWanted(h host.Reader, local string, hash digest) (*wanted, error) {
	i, err := h.Stat(local)
	switch {
	case err != nil:
		return nil, fmt.Errorf("Local file source %s does not exist", local)
	case !i.IsRegular():
		return nil, fmt.Errorf("Local file source %s is not a file", local)
	}
	if hash.hex != "" {
		actual, err := hashSized(h, local, hash.kind, i.Size)
		if err != nil {
			return nil, err
		}
		if !strings.EqualFold(actual, hash.hex) {
			return nil, hash.mismatch(local, actual)
		}
	}
	return &wanted{open: func(context.Context) (io.ReadCloser, error) { return h.Open(local) }}, nil
}

// redact hides a password in a URL.
func redact(source string) string {
	if u, err := url.Parse(source); err == nil && u.User != nil {
		return u.Redacted()
	}
	return source
}

// sourceName is the last part of a source's path.
func sourceName(source string) string {
	if u, err := url.Parse(source); err == nil && u.Path != "" {
		return path.Base(u.Path)
	}
	return path.Base(source)
}
