package agent

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/cmd/internal/release"
)

// A DirSink puts reports into a directory: DIR/NODE/RUN.json.
type DirSink struct{ Path string }

// Deliver writes a report.
func (d DirSink) Deliver(_ context.Context, r Delivery) error {
	if !release.GoodName(r.Node) || !release.GoodName(r.Run) {
		return fmt.Errorf("a report cannot be named %q of %q", r.Run, r.Node)
	}
	dir := filepath.Join(d.Path, r.Node)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	return disk.WriteFile(filepath.Join(dir, r.Run+".json"), r.Data, 0o640)
}

// An HTTPSink puts reports to URL/NODE/RUN.json by PUT.
type HTTPSink struct {
	URL    string
	Client *http.Client
}

// Deliver puts a report. Any answer of the 200s is an acknowledgement.
func (h HTTPSink) Deliver(ctx context.Context, r Delivery) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	to := strings.TrimSuffix(h.URL, "/") + "/" + url.PathEscape(r.Node) + "/" + url.PathEscape(r.Run) + ".json"
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, to, bytes.NewReader(r.Data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := h.Client.Do(req)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("PUT %s: %s", to, res.Status)
	}
	return nil
}

// OpenSink is the sink that a text names; nil keeps the reports in the spool.
func OpenSink(text string, plain bool) (Sink, error) {
	scheme, rest, ok := strings.Cut(text, "://")
	switch {
	case text == "":
		return nil, nil
	case !ok:
		return DirSink{text}, nil
	case scheme == "file":
		return DirSink{rest}, nil
	case scheme == "https", scheme == "http" && plain:
		return HTTPSink{text, http.DefaultClient}, nil
	}
	return nil, fmt.Errorf("reports cannot be delivered to %s://", scheme)
}
