package roots

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/state/web"
)

const (
	httpTimeout = 5 * time.Minute
	// httpLimit bounds a download that is held in memory, spoolLimit one that goes to a file.
	httpLimit  = 1 << 30
	spoolLimit = 64 << 30
)

// body is what a server sends, until it is closed or the time is over.
type body struct {
	io.ReadCloser
	cancel func()
}

func (b body) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

func httpGet(ctx context.Context, url string) (io.ReadCloser, error) {
	ctx, cancel := context.WithTimeout(ctx, httpTimeout)
	resp, err := get(ctx, url)
	if err != nil {
		cancel()
		return nil, err
	}
	return body{resp.Body, cancel}, nil
}

func get(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", url, err)
	}
	resp, err := web.Client(ctx).Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", url, err)
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, fmt.Errorf("fetch %s: the server answers %s", url, resp.Status)
	}
	return resp, nil
}

// fetch copies what a URL leads to, up to a limit.
func (s *FileServer) fetch(ctx context.Context, url string, to io.Writer, limit int64) error {
	if s.Get == nil {
		return fmt.Errorf("fetch %s: URLs are switched off", url)
	}
	defer s.roots.tell(url)()
	from, err := s.Get(ctx, url)
	if err != nil {
		return err
	}
	defer from.Close()
	n, err := io.Copy(to, io.LimitReader(from, limit+1))
	switch {
	case err != nil:
		return fmt.Errorf("fetch %s: %w", url, err)
	case n > limit:
		return fmt.Errorf("fetch %s: more than %d bytes", url, limit)
	}
	return nil
}

func (r *Roots) hash(abs string) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, ok := r.hashes[abs]
	return h, ok
}

func (r *Roots) keepHash(abs, h string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hashes[abs] = h
}

func sortSources(s []SourceFile) {
	slices.SortFunc(s, func(a, b SourceFile) int { return strings.Compare(a.Path, b.Path) })
}
