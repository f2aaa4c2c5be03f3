package bus_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/cmd/fleet/bus/bustest"
	"github.com/gostate/gostate/cmd/internal/release"
)

// packed is a release with a tree of the size.
func packed(t *testing.T, sequence uint64, size int) (signed []byte, data [][]byte, r *release.Release) {
	t.Helper()
	tree := bytes.Repeat([]byte{byte(sequence), 1, 2, 3, 5}, size/5+1)[:size]
	index, shards, err := release.NewPillars(map[string][]byte{"web1": []byte("sealed")})
	if err != nil {
		t.Fatal(err)
	}
	data = append([][]byte{tree, index}, shards...)
	r = &release.Release{Format: 1, Env: "prod.eu", Sequence: sequence, Created: time.Unix(1, 0),
		NotAfter: time.Unix(2, 0), Tree: release.BlobOf(tree), Pillars: release.BlobOf(index)}
	if signed, err = release.Sign(r); err != nil {
		t.Fatal(err)
	}
	return signed, data, r
}

func TestStore(t *testing.T) {
	h := bustest.Start(t)
	ctx, op, node := t.Context(), h.Operator(), h.Node("web1")
	if _, err := node.Pointer(ctx, "prod.eu"); !errors.Is(err, release.ErrNone) {
		t.Fatalf("an environment without a release: %v", err)
	}
	const size = 3*(128<<10) + 77
	signed, data, r := packed(t, 1, size)
	if err := release.Write(ctx, op, signed, data); err != nil {
		t.Fatal(err)
	}
	got, err := node.Pointer(ctx, "prod.eu")
	if diff := cmp.Diff(string(signed), string(got)); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	for _, offset := range []int64{0, 1, 128 << 10, size - 1, size} {
		from, err := node.Blob(ctx, r.Tree, offset)
		if err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(from)
		if from.Close(); err != nil || !bytes.Equal(rest, data[0][offset:]) {
			t.Errorf("from %d on: %d bytes, %v", offset, len(rest), err)
		}
	}
	path := filepath.Join(t.TempDir(), "tree")
	if err := os.WriteFile(path+".part", data[0][:200000], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := release.Fetch(ctx, node, r.Tree, path); err != nil {
		t.Error(err)
	}
	if _, err := node.Blob(ctx, release.BlobOf([]byte("other")), 0); !errors.Is(err, release.ErrNone) {
		t.Errorf("a blob that is not there: %v", err)
	}
}

// TestTwoOperators: of two pushes on the same ground the second is refused.
func TestTwoOperators(t *testing.T) {
	h := bustest.Start(t)
	ctx, op := t.Context(), h.Operator()
	one, data, _ := packed(t, 1, 10)
	if err := release.Write(ctx, op, one, data); err != nil {
		t.Fatal(err)
	}
	for i, sequence := range []uint64{2, 3} {
		signed, _, r := packed(t, sequence, 10)
		err := op.PutPointer(ctx, release.Push{Release: r, Signed: signed}, one)
		if got, want := errors.Is(err, release.ErrConflict), i == 1; got != want {
			t.Errorf("push of %d: %v", sequence, err)
		}
	}
}

// TestDamagedBlob: a blob that is not what its digest says is not there afterwards, and the right one can be pushed.
func TestDamagedBlob(t *testing.T) {
	h := bustest.Start(t)
	ctx, op := t.Context(), h.Operator()
	good := bytes.Repeat([]byte("abc"), 100000)
	blob := release.BlobOf(good)
	put := func(data []byte) error {
		return op.PutBlobs(ctx, []release.Blob{blob}, func(release.Blob) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(data)), nil
		})
	}
	bad := bytes.Clone(good)
	bad[7] = 'X'
	if err := put(bad); err == nil {
		t.Error("it was put")
	}
	if err := put(good); err != nil {
		t.Error(err)
	}
	got, err := release.ReadBlob(context.Background(), op, blob, 1<<20)
	if err != nil || !bytes.Equal(got, good) {
		t.Error(len(got), err)
	}
}

// TestPins: a machine reads its own pointer, and no other machine's.
func TestPins(t *testing.T) {
	h := bustest.Start(t)
	ctx, op := t.Context(), h.Operator()
	signed, _, r := packed(t, 4, 10)
	if err := op.Pin(ctx, r.Env, []string{"web1.example.com"}, signed); err != nil {
		t.Fatal(err)
	}
	got, err := release.For(h.Node("web1.example.com"), "web1.example.com").Pointer(ctx, r.Env)
	if err != nil || !bytes.Equal(got, signed) {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := release.For(h.Node("web2"), "web2").Pointer(ctx, r.Env); !errors.Is(err, release.ErrNone) {
		t.Errorf("%s, %v", got, err)
	}
	if err := op.Pin(ctx, r.Env, []string{"web1.example.com"}, nil); err != nil {
		t.Fatal(err)
	}
	_, err = release.For(h.Node("web1.example.com"), "web1.example.com").Pointer(ctx, r.Env)
	if !errors.Is(err, release.ErrNone) {
		t.Errorf("taken back: %v", err)
	}
	was := []byte(nil)
	for _, text := range []string{"one", "two"} {
		if err := op.SwapNote(ctx, "prod.eu", []byte(text), was); err != nil {
			t.Fatal(err)
		}
		was = []byte(text)
	}
	if err := op.SwapNote(ctx, "prod.eu", []byte("three"), []byte("one")); !errors.Is(err, release.ErrConflict) {
		t.Error(err)
	}
}
