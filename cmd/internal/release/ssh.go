package release

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// An SSH is a Dir on another machine, reached by the system's ssh with all that its user has configured. There it
// needs sh, tar, sha256sum and flock.
type SSH struct {
	target []string // of the ssh command: options and the host
	dir    string
}

// OpenSSH reads ssh://[USER@]HOST[:PORT]/DIR.
func OpenSSH(text string) (*SSH, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Path == "" || strings.HasPrefix(u.Hostname(), "-") {
		return nil, diag.Errorf(diag.Pos{}, "%q names no directory on another machine", text).
			WithHint("ssh://[USER@]HOST[:PORT]/DIR")
	}
	s := &SSH{dir: u.Path}
	if p := u.Port(); p != "" {
		s.target = append(s.target, "-p", p)
	}
	if name := u.User.Username(); name != "" {
		s.target = append(s.target, "-l", name)
	}
	s.target = append(s.target, "--", u.Hostname())
	return s, nil
}

// The exit codes of the scripts.
const (
	exitNone     = 44
	exitConflict = 46
)

// run runs a script in the directory.
func (s *SSH) run(ctx context.Context, script string, in io.Reader) ([]byte, error) {
	var out, said bytes.Buffer
	script = "set -e; mkdir -p " + value.ShellQuote(s.dir) + "; cd " + value.ShellQuote(s.dir) + "; " + script
	cmd := exec.CommandContext(ctx, "ssh", append(append([]string{}, s.target...), "sh -c "+value.ShellQuote(script))...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &said
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out.Bytes(), nil
	case errors.As(err, &exit) && exit.ExitCode() == exitNone:
		return nil, ErrNone
	case errors.As(err, &exit) && exit.ExitCode() == exitConflict:
		return nil, ErrConflict
	}
	// Not wrapped: to the program an exec.ExitError is a wish for an exit code.
	return nil, fmt.Errorf("ssh %s: %v: %s", s.target[len(s.target)-1], err, strings.TrimSpace(said.String()))
}

// read reads a file of the directory.
func (s *SSH) read(ctx context.Context, file string, offset int64) ([]byte, error) {
	return s.run(ctx, fmt.Sprintf("[ -e %s ] || exit %d; tail -c +%d %s", value.ShellQuote(file), exitNone, offset+1,
		value.ShellQuote(file)),
		nil)
}

// Pointer reads env/NAME.json.
func (s *SSH) Pointer(ctx context.Context, env string) ([]byte, error) {
	return s.read(ctx, PointerPath(env), 0)
}

// Blob reads a blob.
func (s *SSH) Blob(ctx context.Context, b Blob, offset int64) (io.ReadCloser, error) {
	data, err := s.read(ctx, BlobPath(b.Digest), offset)
	return io.NopCloser(bytes.NewReader(data)), err
}

// PutBlobs sends what is missing as one archive; the blobs have their names when all of it is there.
func (s *SSH) PutBlobs(ctx context.Context, blobs []Blob, open func(Blob) (io.ReadCloser, error)) error {
	there, err := s.run(ctx, "mkdir -p blobs/sha256 env; ls blobs/sha256", nil)
	if err != nil {
		return err
	}
	has := map[string]bool{}
	for _, name := range strings.Fields(string(there)) {
		has[name] = true
	}
	var missing []Blob
	for _, b := range blobs {
		if !has[b.Digest.Hex()] {
			has[b.Digest.Hex()] = true
			missing = append(missing, b)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(archive(w, missing, open)) }()
	_, err = s.run(ctx, `in=.in-$$; trap 'rm -rf $in' EXIT; mkdir $in; tar -xf - -C $in; sync; mv $in/* blobs/sha256/`, r)
	r.CloseWithError(err) // which ends the archive where ssh ended first
	return err
}

// archive writes blobs as a tar, each held to its digest.
func archive(w io.Writer, blobs []Blob, open func(Blob) (io.ReadCloser, error)) error {
	out := tar.NewWriter(w)
	for _, b := range blobs {
		r, err := open(b)
		if err != nil {
			return err
		}
		if err = out.WriteHeader(&tar.Header{Name: b.Digest.Hex(), Mode: 0o644, Size: b.Size}); err == nil {
			err = CopyBlob(out, r, b)
		}
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	return out.Close()
}

// PutPointer writes the pointer and the index under the directory's lock, where both are still what they were.
func (s *SSH) PutPointer(ctx context.Context, p Push, was []byte) error {
	old, err := s.read(ctx, "index.json", 0)
	if err != nil && !errors.Is(err, ErrNone) {
		return err
	}
	manifest := BlobOf(p.Manifest)
	index, err := indexWith(old, p, manifest)
	if err != nil {
		return err
	}
	var in bytes.Buffer
	out := tar.NewWriter(&in)
	for name, data := range map[string][]byte{"pointer": p.Signed, "index": index,
		"layout": layoutFile(), manifest.Digest.Hex(): p.Manifest, BlobOf(p.Signed).Digest.Hex(): p.Signed,
		BlobOf(emptyConfig()).Digest.Hex(): emptyConfig()} {
		if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data))}); err != nil {
			return err
		}
		if _, err := out.Write(data); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	pointer := value.ShellQuote(PointerPath(p.Release.Env))
	_, err = s.run(ctx, fmt.Sprintf(`exec 9>.lock; flock 9; in=.in-$$; trap 'rm -rf $in' EXIT
sum() { if [ -e "$1" ]; then sha256sum <"$1" | cut -c1-64; else echo none; fi; }
[ "$(sum %s)" = %s ] && [ "$(sum index.json)" = %s ] || exit %d
mkdir $in; tar -xf - -C $in; sync; mv $in/layout oci-layout; mv $in/pointer pointer.new; mv $in/index index.new
mv $in/* blobs/sha256/; mv pointer.new %s; mv index.new index.json; sync`,
		pointer, sumOf(was), sumOf(old), exitConflict, pointer), &in)
	return err
}

// sumOf is what the script finds of a file with the content; nil is no file.
func sumOf(data []byte) string {
	if data == nil {
		return "none"
	}
	return DigestOf(data).Hex()
}
