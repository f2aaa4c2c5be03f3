package roots

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host"
)

// TestDownloadsAreNotHeld: what is opened by a URL goes to a file, which has no name; two who read it do not meet.
func TestDownloadsAreNotHeld(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	const blocks = 300
	block := []byte(strings.Repeat("0123456789abcdef", 1<<16))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range blocks {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}))
	defer srv.Close()
	s := NewFileServer(New(nil))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := s.Open(t.Context(), srv.URL+"/large", "base")
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
		t.Errorf("%d MiB were taken for %d", took>>20, blocks)
	}
	if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
	if _, err := io.CopyN(io.Discard, r, 5); err != nil {
		t.Fatal(err)
	}
	second, err := r.(host.Source).Open()
	if err != nil {
		t.Fatal(err)
	}
	for what, r := range map[string]io.Reader{"56789": r, "01234": second} {
		head := make([]byte, 5)
		if _, err := io.ReadFull(r, head); err != nil || string(head) != what {
			t.Errorf("got %q, %v, want %s", head, err, what)
		}
	}
	r.Close()
	if n, err := io.Copy(io.Discard, second); n != blocks<<20-5 || err != nil {
		t.Errorf("%d bytes are left, %v", n, err)
	}
	s.Get = nil
	if _, err := s.Open(t.Context(), srv.URL+"/large", "base"); err == nil {
		t.Error("a URL was opened though URLs are switched off")
	}
}
