package ui

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/internal/agent"
)

// noon is when all of the tests are: before any clock that they may meet.
var noon = time.Date(2024, 11, 22, 12, 0, 0, 0, time.UTC)

const (
	hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"' {{.}} \x1b[2J\u202egnp"
	token   = "a-token-of-a-test"
)

func deliver(t *testing.T, dir, node string, n int, change func(*agent.Report)) string {
	t.Helper()
	at := noon.Add(time.Duration(n) * time.Minute)
	r := &agent.Report{Format: 1, Node: node, Run: at.Format("20060102T150405.000Z"), Env: "prod", Why: "schedule",
		Status: agent.OK, Started: at, Seconds: 1.5, Newest: 5, Version: "1.0.0",
		Applied: &agent.Applied{Sequence: 5, Counts: agent.Counts{Total: 3, Unchanged: 3}}}
	if change != nil {
		change(r)
	}
	data, err := json.Marshal(r)
	if err == nil {
		err = (agent.DirSink{Path: dir}).Deliver(t.Context(), agent.Delivery{Node: node, Run: r.Run, Data: data})
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.Run
}

// fails is a report whose every text is hostile.
func fails(r *agent.Report) {
	text, _ := json.Marshal(hostile)
	r.Status, r.Version, r.Why, r.Env = agent.Failed, hostile, hostile, hostile
	r.Applied.Counts = agent.Counts{Total: 3, Failed: 1, Changed: 1, Unchanged: 1}
	r.Problems = []agent.Problem{{Kind: hostile, Message: hostile, Hint: hostile, Detail: hostile}}
	r.Grains = map[string]json.RawMessage{"os": text, hostile: text}
	r.Applied.States = []json.RawMessage{
		[]byte(`{"tag": "cmd_|-bad_|-false_|-run", "__id__": ` + string(text) + `, "comment": ` + string(text) +
			`, "result": false}`),
		[]byte(`{"tag": "file_|-x_|-x_|-managed", "__id__": "x", "result": true, "changes": {"mode": {"old": "0600", "new": ` + string(text) + `}}}`)}
}

// serve is a server of a fleet of four: one well, one that failed, one whose report is damaged, one never seen.
func serve(t *testing.T) (*httptest.Server, map[string]string) {
	t.Helper()
	dir, nodes := t.TempDir(), filepath.Join(t.TempDir(), "nodes.yaml")
	if err := os.WriteFile(nodes, []byte("nodes: {web1: {env: prod}, bad1: {env: prod}, odd1: {}, db1: {}}"),
		0o600); err != nil {
		t.Fatal(err)
	}
	runs := map[string]string{"web1": deliver(t, dir, "web1", 1, nil), "old": deliver(t, dir, "bad1", 1, nil),
		"bad1": deliver(t, dir, "bad1", 2, fails)}
	err := (agent.DirSink{Path: dir}).Deliver(t.Context(), agent.Delivery{Node: "odd1", Run: "x", Data: []byte(hostile)})
	if err != nil {
		t.Fatal(err)
	}
	u := &UI{Reports: operate.Dir{Path: dir}, Token: token, Look: func(ctx context.Context) (*operate.Fleet, error) {
		return operate.Ask{Reports: operate.Dir{Path: dir}, Nodes: nodes, Since: time.Hour,
			Now: noon.Add(5 * time.Minute)}.Look(ctx)
	}}
	h, err := u.Handler()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s, runs
}

func get(t *testing.T, c *http.Client, address string) (int, string, http.Header) {
	t.Helper()
	res, err := c.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body), res.Header
}

func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

func enter(t *testing.T, c *http.Client, s *httptest.Server, word, next string) (int, string, *http.Response) {
	t.Helper()
	res, err := c.PostForm(s.URL+"/login", url.Values{"token": {word}, "next": {next}})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(body), res
}

// TestGate: nothing is seen without the token, which is in no address, and the cookie is for this server alone.
func TestGate(t *testing.T) {
	s, runs := serve(t)
	bare := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, path := range []string{"/", "/machine/web1", "/machine/web1/run/" + runs["web1"],
		"/machine/bad1/diff?from=x&to=y",
		"/?target=*"} {
		code, body, head := get(t, bare, s.URL+path)
		if code != http.StatusSeeOther || !strings.HasPrefix(head.Get("Location"), "/login?next=") ||
			strings.Contains(body, "1.0.0") {
			t.Errorf("%s: %d, %s\n%s", path, code, head, body)
		}
	}
	c := browser(t)
	for _, word := range []string{"", "wrong", token + "x", token[1:]} {
		if code, body, _ := enter(t, c, s, word, "/"); code != http.StatusUnauthorized ||
			!strings.Contains(body, "not the token") {
			t.Errorf("%q: %d\n%s", word, code, body)
		}
	}
	c.CheckRedirect = bare.CheckRedirect
	for next, want := range map[string]string{"/machine/web1": "/machine/web1", "//evil.example": "/",
		"https://evil.example": "/",
		"/\\evil.example":      "/", "": "/"} {
		code, _, res := enter(t, c, s, token, next)
		set := res.Header.Get("Set-Cookie")
		if code != http.StatusSeeOther || res.Header.Get("Location") != want || !strings.Contains(set, "HttpOnly") ||
			!strings.Contains(set, "SameSite=Strict") || strings.Contains(set, token) {
			t.Errorf("%q: %d, %v", next, code, res.Header)
		}
	}
	if code, body, head := get(t, c, s.URL+"/"); code != http.StatusOK || !strings.Contains(body, "bad1") ||
		head.Get("Content-Security-Policy") != policy || strings.Contains(policy, "unsafe") ||
		head.Get("Cache-Control") != "no-store" {
		t.Error(code, head, body)
	}
	req, _ := http.NewRequest(http.MethodPost, s.URL+"/logout", nil)
	req.Header.Set("Origin", "https://evil.example")
	if res, err := c.Do(req); err != nil || res.StatusCode != http.StatusForbidden {
		t.Error("another site ends the session:", res.StatusCode, err)
	}
	if res, err := c.PostForm(s.URL+"/logout", nil); err != nil || res.StatusCode != http.StatusSeeOther {
		t.Error(res, err)
	}
	if code, _, _ := get(t, c, s.URL+"/"); code != http.StatusSeeOther {
		t.Error("who left is still inside:", code)
	}
	for word, want := range map[string]int{token: http.StatusOK, "wrong": http.StatusSeeOther} {
		req, _ := http.NewRequest(http.MethodGet, s.URL+"/", nil)
		req.Header.Set("Authorization", "Bearer "+word)
		if res, err := bare.Do(req); err != nil || res.StatusCode != want {
			t.Error(word, res.StatusCode, err)
		}
	}
}

// TestPages: every page is whole, and nothing that a machine says is markup.
func TestPages(t *testing.T) {
	s, runs := serve(t)
	c := browser(t)
	enter(t, c, s, token, "/")
	for _, p := range []struct {
		path string
		code int
		want []string
	}{
		{"/", 200, []string{"<b>1</b> failed", "<b>2</b> unreported", "<b>1</b> unchanged",
			`<a href="/machine/bad1">bad1</a>`,
			"no answer, never seen", "release 5: 2 of"}},
		{"/?class=unchanged", 200, []string{`href="/machine/web1"`, `aria-current="page"`}},
		{"/?class=nonsense", 200, []string{"None."}},
		{"/?target=web*", 200, []string{`href="/machine/web1"`, `value="web*"`}},
		{"/?target=" + url.QueryEscape(hostile), 200, []string{`role="alert"`}},
		{"/machine/web1", 200, []string{runs["web1"], "release 5"}},
		{"/machine/bad1", 200, []string{runs["bad1"], runs["old"], "what is otherwise than before"}},
		{"/machine/odd1", 200, []string{"it cannot be read"}},
		{"/machine/db1", 200, []string{"It has never reported."}},
		{"/machine/web9", 404, []string{"there is no machine"}},
		{"/machine/" + url.PathEscape(hostile), 404, []string{"there is no machine"}},
		{"/machine/bad1/run/" + runs["bad1"], 200, []string{"Root causes", `<a href="/machine/bad1">bad1</a>`, "/page.js"}},
		{"/machine/bad1/run/nope", 404, []string{"has no run"}},
		{"/machine/odd1/run/x", 404, []string{"cannot be read"}},
		{"/machine/web9/run/x", 404, []string{"no report of"}},
		{"/machine/bad1/diff?from=" + runs["old"] + "&to=" + runs["bad1"], 200,
			[]string{"nothing to tell → failed", "cmd.run"}},
		{"/machine/bad1/diff", 404, []string{"has no run"}},
		{"/nothing", 404, nil},
		{"/ui.css", 200, []string{".rows"}},
		{"/page.css", 200, []string{":root"}},
	} {
		code, body, head := get(t, c, s.URL+p.path)
		if code != p.code {
			t.Errorf("%s: %d, want %d\n%s", p.path, code, p.code, body)
		}
		for _, want := range p.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %q in\n%s", p.path, want, body)
			}
		}
		if !strings.HasPrefix(head.Get("Content-Type"), "text/html") {
			continue
		}
		low := strings.ToLower(body)
		if n := strings.Count(low, "<script"); n > 1 || n != strings.Count(low, `<script src="/page.js"></script>`) ||
			strings.Contains(low, "<img") {
			t.Errorf("%s: a text is markup:\n%s", p.path, body)
		}
		if at := regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u202a-\u202e]").FindStringIndex(body); at != nil {
			t.Errorf("%s: it has a control: %q", p.path, body[max(0, at[0]-80):at[1]+10])
		}
		if strings.Contains(strings.ReplaceAll(body, "http://www.w3.org/2000/svg", ""), "://") {
			t.Errorf("%s: it names an address", p.path)
		}
	}
}
