package oci

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/gostate/gostate/cmd/internal/release"
)

// serve is a registry of this process behind a handler of the test's, and a repository in it.
func serve(t *testing.T, around func(http.Handler) http.Handler) *Repo {
	t.Helper()
	var h http.Handler = registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	if around != nil {
		h = around(h)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return open(t, s)
}

func open(t *testing.T, s *httptest.Server) *Repo {
	t.Helper()
	r, err := Open(Scheme+strings.TrimPrefix(s.URL, "http://")+"/ops/releases", false)
	if err != nil {
		t.Fatal(err)
	}
	r.Settle = 0
	return r
}

// packed is a release whose tree begins with the word.
func packed(t *testing.T, sequence uint64, word string) (signed []byte, data [][]byte, r *release.Release) {
	t.Helper()
	tree := bytes.Repeat([]byte(word), 50000)
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
	repo, ctx := serve(t, nil), t.Context()
	if _, err := repo.Pointer(ctx, "prod.eu"); !errors.Is(err, release.ErrNone) {
		t.Fatalf("an environment without a release: %v", err)
	}
	if _, err := release.For(repo, "web1").Pointer(ctx, "prod.eu"); !errors.Is(err, release.ErrNone) {
		t.Errorf("as a machine sees it: %v", err)
	}
	if _, err := repo.Blob(ctx, release.BlobOf([]byte("x")), 0); !errors.Is(err, release.ErrNone) {
		t.Errorf("a blob that is not there: %v", err)
	}
	for n, word := range []string{"one", "two"} {
		signed, data, r := packed(t, uint64(n+1), word)
		if err := release.Write(ctx, repo, signed, data); err != nil {
			t.Fatal(err)
		}
		if err := release.Write(ctx, repo, signed, data); err != nil {
			t.Errorf("once more: %v", err)
		}
		got, err := repo.Pointer(ctx, "prod.eu")
		if err != nil || !bytes.Equal(got, signed) {
			t.Fatal(err, string(got))
		}
		part := filepath.Join(t.TempDir(), "tree")
		if err := os.WriteFile(part+".part", data[0][:1000], 0o600); err != nil { // an earlier try
			t.Fatal(err)
		}
		if err := release.Fetch(ctx, repo, r.Tree, part); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(part); !bytes.Equal(got, data[0]) {
			t.Error("another tree came")
		}
	}
	signed, data, _ := packed(t, 1, "old")
	if err := release.Write(ctx, repo, signed, data); err == nil || !strings.Contains(err.Error(), "not above 2") {
		t.Errorf("a lower sequence: %v", err)
	}
}

// Of two operators at once one is told so: the second where it looks, the first where it looks again.
func TestTwoOperators(t *testing.T) {
	repo, ctx := serve(t, nil), t.Context()
	signed, data, r := packed(t, 1, "one")
	if err := release.Write(ctx, repo, signed, data); err != nil {
		t.Fatal(err)
	}
	other, data, _ := packed(t, 2, "two")
	if err := release.Write(ctx, repo, other, data); err != nil {
		t.Fatal(err)
	}
	late := release.Push{Release: r, Signed: signed, Manifest: []byte("{}")}
	if err := repo.PutPointer(ctx, late, signed); !errors.Is(err, release.ErrConflict) {
		t.Errorf("who comes second: %v", err)
	}
	// The other one writes between the two looks of the first.
	third, data, r3 := packed(t, 3, "three")
	var meanwhile func()
	racing := serve(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			h.ServeHTTP(w, q)
			if f := meanwhile; f != nil && q.Method == http.MethodPut && strings.Contains(q.URL.Path, "/manifests/") {
				meanwhile = nil
				f()
			}
		})
	})
	fourth, _, _ := packed(t, 3, "another three")
	manifest, err := release.NewManifest(r3, fourth, nil)
	if err != nil {
		t.Fatal(err)
	}
	meanwhile = func() { put(t, racing, manifest) }
	if err := release.Write(ctx, racing, third, data); !errors.Is(err, release.ErrConflict) {
		t.Errorf("who was overtaken: %v", err)
	}
}

// put writes a manifest under the tag, whatever is there.
func put(t *testing.T, r *Repo, manifest []byte) {
	t.Helper()
	url := fmt.Sprintf("http://%s/v2/%s/manifests/prod.eu", r.repo.Reference.Host(), r.repo.Reference.Repository)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, bytes.NewReader(manifest))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
}

// A registry that answers with something else than was asked for is told from one that has nothing.
func TestWrongAnswers(t *testing.T) {
	ctx := t.Context()
	page := serve(t, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<html>Log in</html>")
		})
	})
	if _, err := page.Pointer(ctx, "prod.eu"); err == nil || !strings.Contains(err.Error(), "a page of HTML") {
		t.Errorf("a page: %v", err)
	}
	image := serve(t, nil)
	put(t, image, []byte(`{"schemaVersion": 2, "layers": []}`))
	if _, err := image.Pointer(ctx, "prod.eu"); err == nil || !strings.Contains(err.Error(), "it is no release") {
		t.Errorf("another image: %v", err)
	}
	cut := serve(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if q.Method == http.MethodGet && strings.Contains(q.URL.Path, "/blobs/") {
				w = &cutting{ResponseWriter: w}
			}
			h.ServeHTTP(w, q)
		})
	})
	signed, data, r := packed(t, 1, "one")
	if err := release.Write(ctx, cut, signed, data); err != nil {
		t.Fatal(err)
	}
	if err := release.Fetch(ctx, cut, r.Tree, filepath.Join(t.TempDir(), "tree")); err == nil {
		t.Error("a blob that was cut short is taken for whole")
	}
}

// A cutting answer ends after 100 bytes.
type cutting struct {
	http.ResponseWriter
	n int
}

func (c *cutting) Write(p []byte) (int, error) {
	rest := min(len(p), 100-c.n)
	if rest <= 0 {
		panic(http.ErrAbortHandler)
	}
	n, err := c.ResponseWriter.Write(p[:rest])
	c.n += n
	return n, err
}

// Credentials are those of docker's configuration; without them the hint says how to get some.
func TestCredentials(t *testing.T) {
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("ops:geheim"))
	guard := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if q.Header.Get("Authorization") != want {
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			h.ServeHTTP(w, q)
		})
	}
	s := httptest.NewServer(guard(registry.New(registry.Logger(log.New(io.Discard, "", 0)))))
	defer s.Close()
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	_, err := open(t, s).Pointer(t.Context(), "prod.eu")
	if err == nil || !strings.Contains(err.Error(), "lets nobody in") || strings.Contains(err.Error(), "geheim") {
		t.Errorf("without credentials: %v", err)
	}
	text := fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, strings.TrimPrefix(s.URL, "http://"),
		strings.TrimPrefix(want, "Basic "))
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, s).Pointer(t.Context(), "prod.eu"); !errors.Is(err, release.ErrNone) {
		t.Errorf("with credentials: %v", err)
	}
}

func TestOpen(t *testing.T) {
	for _, text := range []string{"oci://", "oci://host", "oci://host/repo:tag", "oci://host/UPPER", "https://host/repo"} {
		if _, err := Open(text, false); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
	for text, plain := range map[string]bool{"oci://localhost:5000/a/b": true, "oci://ghcr.io/a/b": false} {
		if r, err := Open(text, false); err != nil || r.repo.PlainHTTP != plain {
			t.Errorf("%s: %v", text, err)
		}
	}
}
