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
	// httpLimit bounds a download: a source is held in memory.
	httpLimit = 1 << 30
)

func httpGet(ctx context.Context, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, httpTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", url, err)
	}
	resp, err := web.Client(ctx).Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", url, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetch %s: the server answers %s", url, resp.Status)
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, httpLimit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("fetch %s: %w", url, err)
	case len(b) > httpLimit:
		return nil, fmt.Errorf("fetch %s: more than %d bytes", url, httpLimit)
	}
	return b, nil
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
