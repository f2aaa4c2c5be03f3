package release

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// blobsOf are the names of the blobs of a directory.
func blobsOf(t *testing.T, d Dir) (out []string) {
	t.Helper()
	found, err := filepath.Glob(d.at("blobs/sha256/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		out = append(out, filepath.Base(f))
	}
	return out
}

// aged makes all blobs older than the grace.
func aged(t *testing.T, d Dir, now time.Time) {
	t.Helper()
	for _, b := range blobsOf(t, d) {
		if err := os.Chtimes(d.at("blobs/sha256/"+b), now, now.Add(-2*Grace)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPrune(t *testing.T) {
	ctx, now, to := t.Context(), time.Now(), Dir{t.TempDir()}
	first, _, _ := aLayout(t, 7)
	second, r, _ := aLayout(t, 8)
	for _, from := range []Dir{first, second} {
		if _, err := Transfer(ctx, from, to, "prod"); err != nil {
			t.Fatal(err)
		}
	}
	all := len(blobsOf(t, to))
	if gone, err := to.Prune(ctx, now); err != nil || gone.Blobs != 0 {
		t.Errorf("what is young: %+v, %v", gone, err)
	}
	aged(t, to, now)
	young := BlobOf([]byte("of a push that is under way"))
	if err := os.WriteFile(to.at(BlobPath(young.Digest)), []byte("of a push that is under way"), 0o644); err != nil {
		t.Fatal(err)
	}
	gone, err := to.Prune(ctx, now)
	if err != nil || gone.Blobs == 0 || gone.Bytes == 0 {
		t.Fatalf("%+v, %v", gone, err)
	}
	left := blobsOf(t, to)
	if len(left) != all+1-gone.Blobs || !slices.Contains(left, young.Digest.Hex()) {
		t.Errorf("%d blobs of %d, %d gone", len(left), all, gone.Blobs)
	}
	there, err := Transfer(ctx, to, Dir{t.TempDir()}, "prod") // all that the newest one has is there
	if err != nil || there.Sequence != r.Sequence {
		t.Errorf("the newest release: %v", err)
	}
	if gone, err := to.Prune(ctx, now); err != nil || gone.Blobs != 0 {
		t.Errorf("once more: %+v, %v", gone, err)
	}
}

// What a single machine is pinned to is needed, and where a pointer cannot be read nothing is removed.
func TestPruneKeeps(t *testing.T) {
	ctx, now, to := t.Context(), time.Now(), Dir{t.TempDir()}
	first, r, _ := aLayout(t, 7)
	second, _, _ := aLayout(t, 8)
	for _, from := range []Dir{first, second} {
		if _, err := Transfer(ctx, from, to, "prod"); err != nil {
			t.Fatal(err)
		}
	}
	signed, err := first.Pointer(ctx, "prod")
	if err == nil {
		err = to.Pin(ctx, "prod", []string{"web1"}, signed)
	}
	if err != nil {
		t.Fatal(err)
	}
	aged(t, to, now)
	if _, err := to.Prune(ctx, now); err != nil || !to.has(r.Pillars) {
		t.Errorf("the release of a machine: %v", err)
	}
	before := len(blobsOf(t, to))
	if err := os.WriteFile(to.at("env/other.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := to.Pin(ctx, "prod", []string{"web1"}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Prune(ctx, now); err == nil || !strings.Contains(err.Error(), "nothing is removed") ||
		len(blobsOf(t, to)) != before {
		t.Errorf("with a pointer that cannot be read: %v", err)
	}
}

// A blob that was pruned while a push went on is noticed before the pointer says that it is there; one that is pushed
// again counts as young.
func TestPruneBesidePush(t *testing.T) {
	ctx, now, to := t.Context(), time.Now(), Dir{t.TempDir()}
	from, r, _ := aLayout(t, 7)
	p, was, err := Prepare(ctx, from, to, "prod")
	if err != nil {
		t.Fatal(err)
	}
	aged(t, to, now)
	if _, _, err := Prepare(ctx, from, to, "prod"); err != nil {
		t.Fatal(err)
	}
	if gone, err := to.Prune(ctx, now.Add(time.Minute)); err != nil || gone.Blobs != 0 {
		t.Errorf("what was pushed again: %+v, %v", gone, err)
	}
	if err := os.Remove(to.at(BlobPath(r.Tree.Digest))); err != nil {
		t.Fatal(err)
	}
	if err := Publish(ctx, to, p, was); err == nil || !strings.Contains(err.Error(), "push again") {
		t.Errorf("a blob that is gone: %v", err)
	}
}
