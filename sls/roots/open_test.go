package roots

import (
	"io"
	"testing"

	"github.com/gostate/gostate/state/host"
)

// An overlay keeps a reference to a source in place of its text.
func TestASourceCanBeOpenedAgain(t *testing.T) {
	s := NewFileServer(New([]EnvDirs{{"base", []string{plant(t, map[string]string{"f": "text"})}}}))
	r, err := s.Open(t.Context(), "salt://f", "base")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	src, ok := r.(host.Source)
	if !ok || src.Size() != 4 {
		t.Fatalf("got %T", r)
	}
	if _, err := r.Read(make([]byte, 2)); err != nil || src.Size() != -1 {
		t.Errorf("after reading: %v, size %d", err, src.Size())
	}
	again, err := src.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if raw, err := io.ReadAll(again); string(raw) != "text" || err != nil {
		t.Errorf("got %q, %v", raw, err)
	}
}
