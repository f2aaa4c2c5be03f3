package release

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/gostate/gostate/state/diag"
)

// An HTTP is a server of files that serves a Dir.
type HTTP struct {
	URL    string
	Client *http.Client
}

// Pointer gets env/NAME.json.
func (h HTTP) Pointer(ctx context.Context, env string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	res, err := h.get(ctx, PointerPath(env), 0)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return readAtMost(res.Body, MaxPointer, "the pointer")
}

// Blob gets a blob, from the offset on where the server can.
func (h HTTP) Blob(ctx context.Context, b Blob, offset int64) (io.ReadCloser, error) {
	res, err := h.get(ctx, BlobPath(b.Digest), offset)
	if err != nil {
		return nil, err
	}
	if offset > 0 && !strings.HasPrefix(res.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", offset)) {
		res.Body.Close()
		return nil, ErrNoResume
	}
	return res.Body, nil
}

func (h HTTP) get(ctx context.Context, path string, offset int64) (*http.Response, error) {
	at := strings.TrimSuffix(h.URL, "/") + "/" + path
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	if offset > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	res, err := h.Client.Do(req)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case res.StatusCode == http.StatusNotFound:
		err = fmt.Errorf("GET %s: %w", at, ErrNone)
	case res.StatusCode != http.StatusOK && res.StatusCode != http.StatusPartialContent:
		err = fmt.Errorf("GET %s: %s", at, res.Status)
	case kind == "text/html":
		err = fmt.Errorf("GET %s: a page of HTML came, not a release: is this the address of the releases?", at)
	}
	if err != nil {
		res.Body.Close()
		return nil, err
	}
	return res, nil
}

// OpenSource is the source that a text names: a directory, file://, https://, and http:// where that is allowed: what
// comes is verified, but who listens learns which machine has which release.
func OpenSource(text string, plain bool) (Source, error) {
	scheme, rest, ok := strings.Cut(text, "://")
	switch {
	case text == "":
		return nil, diag.Errorf(diag.Pos{}, "there is no source of releases").
			WithHint("name it in the configuration (agent: {source: https://...}), or with --source")
	case !ok:
		return Dir{text}, nil
	case scheme == "file":
		return Dir{rest}, nil
	case scheme == "s3":
		return OpenS3(text, os.Getenv)
	case scheme == "https", scheme == "http" && plain:
		return HTTP{text, http.DefaultClient}, nil
	case scheme == "http":
		return nil, diag.Errorf(diag.Pos{}, "%s is not encrypted", text).
			WithHint("take https, or allow it: agent: {allow_http: true}, or --allow-http")
	}
	return nil, diag.Errorf(diag.Pos{}, "this gostate cannot pull from %s://", scheme).
		WithHint("it pulls from a directory, file://, https:// and s3://, gostate-agent also from oci://")
}
