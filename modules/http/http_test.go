package http

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

func TestHTTP(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			http.NotFound(w, r)
			return
		}
		_ = r.ParseForm()
		user, _, _ := r.BasicAuth()
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"m": "` + r.Method + `", "q": "` + r.Form.Get("q") + `", "h": "` + r.Header.Get("X-A") +
			user + `"}`))
	}))
	defer s.Close()
	x := modtest.Execs{Family: Family(), Env: &modules.Env{
		Deserialize: func(_, text string) (value.Value, error) { return value.ParseJSON(text) },
	}}
	x.Table(t, [][4]string{
		{"http.query", `["` + s.URL + `"]`, "", `{'body': '{"m": "GET", "q": "", "h": ""}'}`},
		{"http.query", `["` + s.URL + `"]`, `{"decode": true, "status": true, "params": {"q": 1}, "header_dict": {"X-A": "b"}}`,
			`{'body': '{"m": "GET", "q": "1", "h": "b"}', 'status': 200, 'dict': {'m': 'GET', 'q': '1', 'h': 'b'}}`},
		{"http.query", `["` + s.URL + `", "post"]`, `{"data": {"q": "z"}, "username": "u", "password": "p"}`,
			`{'body': '{"m": "POST", "q": "z", "h": "u"}'}`},
		{"http.query", `["` + s.URL + `/missing"]`, "", `{'body': '404 page not found\n', 'status': 404, 'error': 'HTTP 404: Not Found'}`},
		{"http.query", `["ftp://x"]`, "", "error: http.query: 'ftp://x' is no http or https URL"},
	})
	s.Close()
	if got := x.Call(t, "http.query", `["`+s.URL+`"]`, ""); !strings.HasPrefix(got, "{'error': ") {
		t.Errorf("got %s", got)
	}
}
