package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gostate/gostate/state/web"
)

func TestUnverified(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	if r, err := web.Client(t.Context()).Get(s.URL); err == nil {
		r.Body.Close()
		t.Error("a certificate that nobody knows was taken")
	}
	r, err := web.Client(web.Unverified(context.Background())).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
}
