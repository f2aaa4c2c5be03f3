package release

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSigV4: the examples of AWS's documentation.
func TestSigV4(t *testing.T) {
	c := Credentials{ID: "AKIAIOSFODNN7EXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", Region: "us-east-1"}
	for _, e := range []struct {
		method, url, body, want string
		header                  map[string]string
	}{
		{"GET", "https://examplebucket.s3.amazonaws.com/test.txt", "",
			"f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41", map[string]string{"Range": "bytes=0-9"}},
		{"PUT", "https://examplebucket.s3.amazonaws.com/test$file.text", "Welcome to Amazon S3.",
			"98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
			map[string]string{"Date": "Fri, 24 May 2013 00:00:00 GMT", "X-Amz-Storage-Class": "REDUCED_REDUNDANCY"}},
	} {
		req, err := http.NewRequest(e.method, e.url, strings.NewReader(e.body))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range e.header {
			req.Header.Set(k, v)
		}
		c.sign(req, DigestOf([]byte(e.body)), time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC))
		if _, got, _ := strings.Cut(req.Header.Get("Authorization"), "Signature="); got != e.want {
			t.Errorf("%s: %s, not %s", e.method, got, e.want)
		}
	}
}

// bucket is a store with conditional writes, which checks digests.
type bucket struct {
	mu   sync.Mutex // guards data
	data map[string][]byte
}

func tagOf(data []byte) string {
	sum := sha256.Sum256(data)
	return `"` + hex.EncodeToString(sum[:4]) + `"`
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old, there := b.data[r.URL.Path]
	body, _ := io.ReadAll(r.Body)
	match, none := r.Header.Get("If-Match"), r.Header.Get("If-None-Match")
	switch {
	case !strings.HasPrefix(r.URL.Path, "/bucket/fleet/") || r.Header.Get("Authorization") == "":
		w.WriteHeader(http.StatusForbidden)
	case r.Method == http.MethodPut && (none == "*" && there || match != "" && (!there || match != tagOf(old))):
		w.WriteHeader(http.StatusPreconditionFailed)
	case r.Method == http.MethodPut && DigestOf(body).Hex() != r.Header.Get("X-Amz-Content-Sha256"):
		w.WriteHeader(http.StatusBadRequest)
	case r.Method == http.MethodPut:
		b.data[r.URL.Path] = body
	case !there:
		w.WriteHeader(http.StatusNotFound)
	default:
		w.Header().Set("ETag", tagOf(old))
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(old)))
	}
}

// TestS3: a bucket is a store like the others.
func TestS3(t *testing.T) {
	server := httptest.NewServer(&bucket{data: map[string][]byte{}})
	defer server.Close()
	env := map[string]string{"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_ENDPOINT_URL": server.URL}
	s, err := OpenS3("s3://bucket/fleet/", func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	checkStore(t, s)
	other, _ := OpenS3("s3://other", func(name string) string { return env[name] })
	if _, err := other.Pointer(t.Context(), "prod"); err == nil || !strings.Contains(err.Error(), "403 Forbidden") {
		t.Errorf("another bucket: %v", err)
	}
	for text, want := range map[string]string{"s3://": "no bucket", "s3://b": "no credentials"} {
		if _, err := OpenS3(text, func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
