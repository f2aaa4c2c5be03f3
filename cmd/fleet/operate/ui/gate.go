package ui

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A gate lets in who has shown the token. The browser keeps a word of chance in its place.
type gate struct {
	token  string
	secure bool

	mu       sync.Mutex // guards sessions
	sessions map[string]time.Time
}

const (
	cookie      = "gostate_session"
	lasts       = 12 * time.Hour
	maxSessions = 1000
	// slow is how long the answer to a wrong token takes.
	slow = 500 * time.Millisecond
)

// right compares a word with the token, in the same time whatever it is.
func (g *gate) right(word string) bool {
	a, b := sha256.Sum256([]byte(word)), sha256.Sum256([]byte(g.token))
	return g.token != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// open says whether a request may pass: with a cookie of a session, or as "Authorization: Bearer TOKEN".
func (g *gate) open(r *http.Request) bool {
	if word, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return g.right(word)
	}
	c, err := r.Cookie(cookie)
	if err != nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	until, ok := g.sessions[c.Value]
	return ok && time.Now().Before(until)
}

// begin begins a session.
func (g *gate) begin(w http.ResponseWriter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for word, until := range g.sessions {
		if len(g.sessions) >= maxSessions || time.Now().After(until) {
			delete(g.sessions, word)
		}
	}
	word := rand.Text()
	g.sessions[word] = time.Now().Add(lasts)
	g.set(w, word, int(lasts/time.Second))
}

func (g *gate) set(w http.ResponseWriter, word string, age int) {
	http.SetCookie(w, &http.Cookie{Name: cookie, Value: word, Path: "/", HttpOnly: true, Secure: g.secure,
		SameSite: http.SameSiteStrictMode, MaxAge: age})
}

// here is a path of this server to go on to; whatever else is asked for is its first page.
func here(next string) string {
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}

type loginPage struct {
	Next  string
	Wrong bool
}

func (u *UI) login(w http.ResponseWriter, r *http.Request) {
	_ = u.write(w, http.StatusOK, "login", loginPage{Next: here(r.URL.Query().Get("next"))})
}

func (u *UI) enter(w http.ResponseWriter, r *http.Request) {
	next := here(r.PostFormValue("next"))
	if !u.gate.right(strings.TrimSpace(r.PostFormValue("token"))) {
		select {
		case <-r.Context().Done():
		case <-time.After(slow):
		}
		_ = u.write(w, http.StatusUnauthorized, "login", loginPage{next, true})
		return
	}
	u.gate.begin(w)
	http.Redirect(w, r, next, http.StatusSeeOther)
}

func (u *UI) leave(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(cookie); err == nil {
		u.gate.mu.Lock()
		delete(u.gate.sessions, c.Value)
		u.gate.mu.Unlock()
	}
	u.gate.set(w, "", -1)
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}
