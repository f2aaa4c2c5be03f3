package release

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeSSH puts a program ssh into the path that runs the command here.
func fakeSSH(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\n[ \"$2\" = gone ] && { echo no route >&2; exit 255; " +
		"}\nshift 2\nexec sh -c \"$*\"\n"
	if err := os.WriteFile(filepath.Join(bin, "ssh"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
}

// TestStores: what every store does: it takes releases in order, twice is nothing, conflicts are told, and a machine
// finds there what was pushed.
func TestStores(t *testing.T) {
	fakeSSH(t)
	for name, open := range map[string]func(t *testing.T) Store{
		"directory": func(t *testing.T) Store { return Dir{t.TempDir()} },
		"ssh": func(t *testing.T) Store {
			s, err := OpenSSH("ssh://op@www:2222" + filepath.Join(t.TempDir(), "it's new"))
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
	} {
		t.Run(name, func(t *testing.T) { checkStore(t, open(t)) })
	}
	if s, err := OpenSSH("ssh://gone/x"); err != nil {
		t.Error(err)
	} else if _, err := s.Pointer(context.Background(), "prod"); err == nil || !strings.Contains(err.Error(), "no route") {
		t.Errorf("a machine that is not there: %v", err)
	}
	for _, bad := range []string{"ssh://", "ssh://host", "ssh://-oProxyCommand=x/dir"} {
		if _, err := OpenSSH(bad); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func checkStore(t *testing.T, s Store) {
	ctx := context.Background()
	if _, err := s.Pointer(ctx, "prod"); !errors.Is(err, ErrNone) {
		t.Errorf("nothing is there: %v", err)
	}
	first, r, _ := aLayout(t, 7)
	for range 2 {
		if _, err := Transfer(ctx, first, s, "prod"); err != nil {
			t.Fatal(err)
		}
	}
	second, newer, _ := aLayout(t, 8)
	if _, err := Transfer(ctx, second, s, "prod"); err != nil {
		t.Fatal(err)
	}
	if _, err := Transfer(ctx, first, s, "prod"); err == nil || !strings.Contains(err.Error(), "the sequence 7") {
		t.Errorf("an older one: %v", err)
	}
	signed, err := s.Pointer(ctx, "prod")
	if got, peek := Peek(signed); err != nil || peek != nil || got.Sequence != 8 {
		t.Errorf("the pointer is %v, %v", got, err)
	}
	p := Push{Release: newer, Signed: signed, Manifest: []byte("{}")}
	if err := s.PutPointer(ctx, p, []byte("what was not")); !errors.Is(err, ErrConflict) {
		t.Errorf("a conflict: %v", err)
	}
	for _, b := range []Blob{r.Tree, newer.Pillars} {
		if _, err := ReadBlob(ctx, s, b, MaxIndex); err != nil {
			t.Error(err)
		}
	}
	rest, err := s.Blob(ctx, r.Tree, r.Tree.Size-3)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(rest); err != nil || len(data) != 3 {
		t.Errorf("the end of a blob: %q, %v", data, err)
	}
	short := BlobOf([]byte("whole"))
	err = s.PutBlobs(ctx, []Blob{short}, func(Blob) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("who")), nil
	})
	if _, there := s.Blob(ctx, short, 0); err == nil || !errors.Is(there, ErrNone) {
		t.Errorf("a blob that is cut short: %v, %v", err, there)
	}
}

// TestManifest: what a registry keeps gives the pointer back.
func TestManifest(t *testing.T) {
	d, r, _ := aLayout(t, 7)
	signed, err := d.Pointer(context.Background(), "prod")
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewManifest(r, signed, nil)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ManifestPointer(m); err != nil || !bytes.Equal(back, signed) {
		t.Errorf("%s, %v", back, err)
	}
	for _, bad := range []string{"", "<html>", "{}", `{"artifactType":"` + ArtifactType + `"}`} {
		if _, err := ManifestPointer([]byte(bad)); err == nil {
			t.Errorf("%q is a manifest", bad)
		}
	}
}

// TestHTTP: a server of files, one that cannot resume, and those that answer something else.
func TestHTTP(t *testing.T) {
	d, r, _ := aLayout(t, 7)
	files := http.FileServer(http.Dir(d.Path))
	mux := http.NewServeMux()
	mux.Handle("/", files)
	mux.HandleFunc("/plain/", func(w http.ResponseWriter, req *http.Request) {
		req.Header.Del("Range")
		http.StripPrefix("/plain", files).ServeHTTP(w, req)
	})
	mux.HandleFunc("/login/", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>sign in</html>") })
	mux.HandleFunc("/broken/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	mux.HandleFunc("/endless/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(make([]byte, MaxPointer+10))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	ctx := context.Background()
	for path, want := range map[string]string{"": "", "/plain": "", "/login": "a page of HTML came",
		"/broken": "502 Bad Gateway", "/endless": "more than", "/missing": "there is none"} {
		h, err := OpenSource(server.URL+path, true)
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.Pointer(ctx, "prod")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", path, err, want)
		}
		if want != "" {
			continue
		}
		file := filepath.Join(t.TempDir(), "tree")
		whole, _ := ReadBlob(ctx, d, r.Tree, MaxTree)
		os.WriteFile(file+".part", whole[:5], 0o600)
		if err := Fetch(ctx, h, r.Tree, file); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for text, want := range map[string]string{"": "no source", "http://x/": "not encrypted", "ftp://x/": "cannot pull"} {
		if _, err := OpenSource(text, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestArchiveHoldsBlobs: what is sent to another machine is held to its digest on the way.
func TestArchiveHoldsBlobs(t *testing.T) {
	b := BlobOf([]byte("right"))
	err := archive(io.Discard, []Blob{b}, func(Blob) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("wrong")), nil
	})
	if err == nil {
		t.Error("a blob with another content was sent")
	}
}
