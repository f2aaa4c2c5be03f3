package http

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// server answers "fine" with 200, on /late only from the third question on, and /teapot with 418.
func server(t *testing.T) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		switch {
		case r.URL.Path == "/late" && n < 3:
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/teapot":
			w.WriteHeader(http.StatusTeapot)
			_, _ = w.Write([]byte("short and stout"))
		default:
			_, _ = w.Write([]byte("all is fine " + r.Header.Get("X-A")))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func TestConformance(t *testing.T) {
	url, _ := server(t)
	const why = "nobody asks before the run"
	modtest.Suite{
		Family:     Family(),
		Situations: modtest.Situations{"a machine": modtest.Memory(nil, nil)},
		Deeds: []modtest.Deed{
			modtest.State("http.query", url, "status", 200),
			modtest.State("http.query", url, "match", "nonsense").Untold(why),
			modtest.State("http.query", "ftp://x", "status", 200).Untold(why),
			modtest.State("http.wait_for_successful_query", url, "status", 200),
		},
	}.Run(t)
}

func TestJudge(t *testing.T) {
	url, asked := server(t)
	for _, tt := range []struct {
		fun, path string
		args      []any
		want      string
	}{
		{"query", "", []any{"status", 200, "match", "fine"}, `Match text "fine" was found. Status 200 was found.`},
		{"query", "", []any{"status", []int{201, 200}, "status_type", "list"}, "Status 200 was found."},
		{"query", "", []any{"status", []int{201}, "status_type", "list"}, "error: Statuses [201] were not found."},
		{"query", "", []any{"status", "^2..", "status_type", "pcre"}, `Status pattern "^2.." was found.`},
		{"query", "", []any{"match", "f.ne$", "match_type", "pcre"}, `error: Match pattern "f.ne$" was not found.`},
		{"query", "", []any{"match", "fine b", "header_dict", map[string]string{"X-A": "b"}},
			`Match text "fine b" was found.`},
		{"query", "/teapot", []any{"match", "stout"}, `error: Match text "stout" was not found. (HTTP 418: I'm a teapot)`},
		{"query", "/teapot", []any{"match", "stout", "raise_error", false}, `Match text "stout" was found.`},
		{"query", "/teapot", []any{"status", 418}, "Status 418 was found."},
		{"query", "/late", []any{"status", 200, "wait_for", 5}, "Status 200 was found."},
		{"wait_for_successful_query", "/late", []any{"status", 200, "request_interval", 0.1}, "Status 200 was found."},
		{"wait_for_successful_query", "", []any{"status", 201, "wait_for", 0}, "error: Status 201 was not found."},
	} {
		asked.Store(0)
		suite, deed := modtest.Suite{Family: Family()}, modtest.State("http."+tt.fun, url+tt.path, tt.args...)
		m := hosttest.NewMemory()
		if e, err := suite.One(t, host.NewOverlay(m), deed); err != nil || !e.Pending || asked.Load() > 0 {
			t.Errorf("%s: the preview says %v %v, and asked %d times", tt.path, e, err, asked.Load())
		}
		e, err := suite.One(t, m, deed)
		got := e.Comment
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != tt.want {
			t.Errorf("%s %s %v: %s, want %s", tt.fun, tt.path, tt.args, got, tt.want)
		}
	}
}
