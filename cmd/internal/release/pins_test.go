package release

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/gostate/gostate/cmd/internal/disk"
)

// signedOf is a pointer of a release as Peek reads it.
func signedOf(t *testing.T, env string, sequence uint64) []byte {
	t.Helper()
	signed, err := Sign(&Release{Format: 1, Env: env, Sequence: sequence, Created: time.Unix(1, 0),
		NotAfter: time.Unix(2, 0),
		Tree:     BlobOf([]byte("t")), Pillars: BlobOf([]byte("p"))})
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// TestPins: a machine sees its own pointer while that is the newer one, and another's never.
func TestPins(t *testing.T) {
	ctx := context.Background()
	at := Dir{t.TempDir()}
	if err := at.make(); err != nil {
		t.Fatal(err)
	}
	sees := func(node string, want uint64) {
		t.Helper()
		signed, err := For(at, node).Pointer(ctx, "prod")
		if want == 0 {
			if !errors.Is(err, ErrNone) {
				t.Fatalf("%s sees %s, %v, want none", node, signed, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if r, err := Peek(signed); err != nil || r.Sequence != want {
			t.Fatalf("%s sees %+v, %v, want %d", node, r, err, want)
		}
	}
	put := func(key string, signed []byte) {
		t.Helper()
		if err := disk.WriteFile(at.at(PointerPath(key)), signed, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sees("web1", 0)
	if err := at.Pin(ctx, "prod", []string{"web1"}, signedOf(t, "prod", 1)); err != nil {
		t.Fatal(err)
	}
	sees("web1", 1) // of an environment that has none yet
	sees("web2", 0)
	put("prod", signedOf(t, "prod", 2))
	sees("web1", 2)
	if err := at.Pin(ctx, "prod", []string{"web1"}, signedOf(t, "prod", 3)); err != nil {
		t.Fatal(err)
	}
	sees("web1", 3)
	sees("web2", 2)
	put("prod", signedOf(t, "prod", 4))
	sees("web1", 4)
	for _, odd := range [][]byte{nil, []byte("<html>"), signedOf(t, "test", 9)} {
		put("prod/web1", odd)
		sees("web1", 4)
	}
	if err := os.WriteFile(at.at("env/prod/.new-123"), nil, 0o600); err != nil { // of a push that was killed
		t.Fatal(err)
	}
	if err := at.Pin(ctx, "prod", []string{"web1", "web2"}, nil); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(at.at("env/prod")); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
	sees("web1", 4)
	if err := at.Pin(ctx, "prod", []string{"../x"}, nil); err == nil {
		t.Error("a name that leads out of the directory was taken")
	}
}

// TestNotes: of two who replace a note, the second is told.
func TestNotes(t *testing.T) {
	ctx := context.Background()
	at := Dir{t.TempDir()}
	if got, err := at.Note(ctx, "prod"); got != nil || err != nil {
		t.Fatal(got, err)
	}
	if err := at.SwapNote(ctx, "prod", []byte("a"), nil); err != nil {
		t.Fatal(err)
	}
	if err := at.SwapNote(ctx, "prod", []byte("b"), nil); !errors.Is(err, ErrConflict) {
		t.Error("a note that is there was made:", err)
	}
	if err := at.SwapNote(ctx, "prod", []byte("b"), []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := at.SwapNote(ctx, "prod", []byte("c"), []byte("a")); !errors.Is(err, ErrConflict) {
		t.Error("a note that another has replaced was replaced:", err)
	}
}
