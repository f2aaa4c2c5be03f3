// Package ui is the page of a fleet: how its machines are, a machine, a run, and what two runs did otherwise.
//
// It only looks. It is behind a token, works without scripts and on narrow screens, loads nothing from elsewhere, and
// takes all that machines report as hostile.
package ui

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/internal/page"
	"github.com/gostate/gostate/state/report"
)

//go:embed ui.html ui.css
var files embed.FS

// A UI shows a fleet.
type UI struct {
	Look    func(context.Context) (*operate.Fleet, error)
	Reports operate.Reports
	Token   string
	// Secure says that it is reached by https.
	Secure bool

	pages *template.Template
	gate  gate
	// mu guards fleet and at: what was looked at is shown for a moment.
	mu    sync.Mutex
	fleet *operate.Fleet
	at    time.Time
}

// fresh is how long a look at the fleet is shown again.
const fresh = 5 * time.Second

// policy is what a browser may do: no script but that of a run's page, nothing from elsewhere, no frames.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; " +
	"form-action 'self'; frame-ancestors 'none'"

// Handler answers for the whole server.
func (u *UI) Handler() (http.Handler, error) {
	t, err := template.New("").Funcs(template.FuncMap{"see": report.Visible, "path": path}).ParseFS(files, "ui.html")
	if err != nil {
		return nil, err
	}
	u.pages = t
	u.gate = gate{token: u.Token, secure: u.Secure, sessions: map[string]time.Time{}}
	mux := http.NewServeMux()
	for pattern, show := range map[string]func(http.ResponseWriter, *http.Request) error{
		"GET /{$}": u.overview, "GET /machine/{id}": u.machine, "GET /machine/{id}/run/{run}": u.run,
		"GET /machine/{id}/diff": u.diff,
	} {
		mux.HandleFunc(pattern, u.inside(show))
	}
	mux.HandleFunc("GET /page.css", asset("text/css", page.Asset("page.css")))
	mux.HandleFunc("GET /page.js", asset("text/javascript", page.Asset("page.js")))
	css, err := files.ReadFile("ui.css")
	if err != nil {
		return nil, err
	}
	mux.HandleFunc("GET /ui.css", asset("text/css", string(css)))
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /login", u.login)
	mux.HandleFunc("POST /login", u.enter)
	mux.HandleFunc("POST /logout", u.leave)
	return http.NewCrossOriginProtection().Handler(safe(mux)), nil
}

// safe sets what holds for every answer.
func safe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		r.Body = http.MaxBytesReader(w, r.Body, 4096)
		next.ServeHTTP(w, r)
	})
}

func asset(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		_, _ = w.Write([]byte(text))
	}
}

// inside shows a page to who has the token, and leads all others to where it is asked for.
func (u *UI) inside(show func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !u.gate.open(r) {
			http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
			return
		}
		if err := show(w, r); err != nil {
			u.fault(w, err)
		}
	}
}

// fault tells what went wrong; what there is not is no fault of ours.
func (u *UI) fault(w http.ResponseWriter, err error) {
	code := http.StatusInternalServerError
	var none *missing
	if errors.As(err, &none) {
		code = http.StatusNotFound
	}
	_ = u.write(w, code, "fault", err.Error())
}

// A missing is what was asked for and is not there.
type missing struct{ error }

// write writes a page when it is whole.
func (u *UI) write(w http.ResponseWriter, code int, name string, data any) error {
	var b bytes.Buffer
	if err := u.pages.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_, err := w.Write(b.Bytes())
	return err
}

// look is the fleet as it was a moment ago.
func (u *UI) look(ctx context.Context) (*operate.Fleet, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.fleet != nil && time.Since(u.at) < fresh {
		return u.fleet, nil
	}
	f, err := u.Look(ctx)
	if err == nil {
		u.fleet, u.at = f, time.Now()
	}
	return f, err
}

// path is an address of this server, of words that may hold anything.
func path(words ...string) string {
	out := ""
	for _, w := range words {
		out += "/" + url.PathEscape(w)
	}
	return out
}
