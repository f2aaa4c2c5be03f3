package roots

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestFetchURL(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/there" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte("text"))
	}))
	defer srv.Close()
	s := NewFileServer(New(nil))
	b, err := s.Fetch(context.Background(), srv.URL+"/there", "base")
	if err != nil || string(b) != "text" {
		t.Errorf("got %q, %v", b, err)
	}
	if _, err := s.Fetch(context.Background(), srv.URL+"/gone", "base"); err == nil ||
		!strings.Contains(err.Error(), "404") {
		t.Errorf("a missing page gives %v", err)
	}
	if f, d := s.Exists(srv.URL+"/there", "base"); f || d {
		t.Error("a URL is a file before it is fetched")
	}
	s.Get = nil
	if _, err := s.Fetch(context.Background(), srv.URL+"/there", "base"); err == nil {
		t.Error("a URL was fetched though URLs are switched off")
	}
}
