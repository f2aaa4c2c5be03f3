//go:build page

package page

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A browser is a headless Chromium that is steered through its pipe.
type browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	last    int
	faults  []string // what the page's console told
}

// start starts one with an empty page.
func start(t *testing.T) *browser {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium")
	}
	hisIn, ourOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ourIn, hisOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{hisIn, hisOut}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hisIn.Close()
	hisOut.Close()
	b := &browser{t: t, to: ourOut, from: bufio.NewReader(ourIn)}
	timeout := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		timeout.Stop()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		ourOut.Close()
		ourIn.Close()
	})
	var target struct{ TargetId string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionId string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetId, "flatten": true}, &session)
	b.session = session.SessionId
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// call calls a method and waits for its answer.
func (b *browser) call(method string, params, answer any) {
	b.t.Helper()
	b.last++
	msg := map[string]any{"id": b.last, "method": method}
	if params != nil {
		msg["params"] = params
	}
	if b.session != "" {
		msg["sessionId"] = b.session
	}
	text, _ := json.Marshal(msg)
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		m := b.next()
		if m.ID != b.last {
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error)
		}
		if answer != nil {
			if err := json.Unmarshal(m.Result, answer); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

type message struct {
	ID                    int
	Method                string
	Params, Result, Error json.RawMessage
}

// next is the next message. Faults that the page tells of are kept.
func (b *browser) next() (m message) {
	b.t.Helper()
	text, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
	if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	switch m.Method {
	case "Runtime.exceptionThrown", "Log.entryAdded":
		b.faults = append(b.faults, string(m.Params))
	}
	return m
}

// open opens a page in a window of a width, in a colour scheme.
func (b *browser) open(path string, width int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1,
		"mobile": false}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme",
		"value": scheme}}}, nil)
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	for m := b.next(); m.Method != "Page.loadEventFired"; m = b.next() {
	}
}

// eval is the value of an expression.
func (b *browser) eval(expr string) any {
	b.t.Helper()
	var out struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expr, "returnByValue": true, "awaitPromise": true}, &out)
	if out.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expr, out.ExceptionDetails)
	}
	return out.Result.Value
}

// want compares the value of an expression, and waits for it as long as a filter may take.
func (b *browser) want(what, expr string, want any) {
	b.t.Helper()
	var got any
	for range 100 {
		if got = b.eval(expr); fmt.Sprint(got) == fmt.Sprint(want) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Errorf("%s: %v, want %v", what, got, want)
}

// press presses a key; text is what it writes.
func (b *browser) press(key, text string) {
	b.t.Helper()
	code := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}[key]
	down := map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code}
	if text != "" {
		down["text"] = text
	}
	b.call("Input.dispatchKeyEvent", down, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}, nil)
}

// shot keeps a picture below the directory that PAGE_SHOTS names.
func (b *browser) shot(name string) {
	b.t.Helper()
	dir := os.Getenv("PAGE_SHOTS")
	if dir == "" {
		return
	}
	var out struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &out)
	png, err := base64.StdEncoding.DecodeString(out.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// sample is a run as people have them: n states, some of which changed, failed or were skipped.
func sample(n int) *Page {
	p := &Page{Title: "gostate highstate on web1.example.com", Facts: []Fact{{"When", "2026-11-22 22:07:53 UTC"},
		{"Took", "12.4 s"}, {"By", "root (anna)"}, {"Tree", "f0af5e79377e36c76adf4443dfa58ae79bf707a6"}},
		Notes: []string{"never converging: file.managed /etc/motd was corrected in 4 runs running"}, Took: int64(n) * 10000}
	words := []string{"/etc/nginx/conf.d/a-rather-long-name-of-a-site-that-does-not-end.example.com.conf", "nginx",
		"users",
		"/etc/ssh/sshd_config", "backup-timer"}
	for i := range n {
		s := State{ID: fmt.Sprintf("%s-%d", words[i%5], i), Fun: []string{"file.managed", "service.running", "user.present",
			"file.line", "cmd.run"}[i%5], SLS: "web.server", Place: fmt.Sprintf("/srv/salt/web/server.sls:%d:1", i*4+1),
			Comment: "The state is as wanted.", Start: int64(i) * 10000, Took: 9000, Cause: -1, Kind: InOrder}
		s.Name = s.ID
		switch {
		case i%10 == 3:
			s.Kind, s.Comment = Changed, "File updated"
			s.Properties = []Property{{"mode", "0600", "0644"},
				{"diff", "", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-worker_processes 1;\n" +
					"+worker_processes 8; # " + strings.Repeat("long ", 40) + "\n events {}"}}
		case i%97 == 12:
			s.Kind, s.Comment = Failed, "Command failed: exit code 1"
		}
		if i > 0 {
			s.Waits = []Wait{{"require", i - 1}}
		}
		p.States = append(p.States, s)
	}
	return p
}

// loud counts the states that something became of.
func loud(p *Page) (n int) {
	for _, s := range p.States {
		if s.Kind != InOrder {
			n++
		}
	}
	return n
}

func saved(t *testing.T, p *Page) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(write(t, p)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// shown counts the states that are seen.
const shown = `[...document.querySelectorAll("#list > details")].filter((d) => d.offsetHeight > 0).length`

// TestInChromium: search, filters, links, keys and colours do in a browser what they are for, at any width.
func TestInChromium(t *testing.T) {
	b := start(t)
	run := sample(300)
	path := saved(t, run)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int{1280, 320} { // of which 320 is a window of 40 columns
			b.open(path, width, scheme)
			what := fmt.Sprintf("%s, %d wide: ", scheme, width)
			b.want(what+"the page is no wider than the window", "document.documentElement.scrollWidth <= innerWidth", true)
			b.want(what+"only what became something is shown at first", shown, loud(run))
			back := `getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, c) => a + +c, 0) < 380`
			b.want(what+"it is dark", back, scheme == "dark")
			b.shot(fmt.Sprintf("%s-%d", scheme, width))
			b.eval(`document.querySelector("#list > details:not([hidden])").open = true`)
			b.want(what+"an open state is no wider than the window", "document.documentElement.scrollWidth <= innerWidth", true)
			b.eval(`document.querySelector("#list > details:not([hidden])").scrollIntoView()`)
			b.shot(fmt.Sprintf("%s-%d-open", scheme, width))
		}
	}
	b.open(path, 1280, "light")
	b.press("/", "/")
	b.want("/ goes to the search", "document.activeElement.id", "q")
	for _, c := range "sshd" {
		b.press(string(c), string(c))
	}
	b.want("the search has its words", `document.getElementById("q").value`, "sshd")
	b.want("what is found is shown, with what waits for it", shown, 31)
	b.eval(`document.querySelectorAll("#filter input[type=checkbox]").forEach((c) => { if (!c.checked) c.click(); })`)
	b.want("and of all kinds", shown, 120)
	b.want("how many there are is said", `document.getElementById("shown").value`, "120 of 300 shown")
	b.eval(`location.hash = "#s1"`)
	b.want("a link opens its state", `document.getElementById("s1").open && document.activeElement.closest("details").id`,
		"s1")
	b.press("Enter", "\r")
	b.want("Enter closes it", `document.getElementById("s1").open`, false)
	b.eval(`document.activeElement.blur(); window.scrollTo(0, 0); location.hash = ""`)
	b.reaches("theme")
	b.press(" ", " ")
	b.want("the button makes it dark", `document.documentElement.dataset.theme`, "dark")
	b.want("the button says so", `document.getElementById("theme").getAttribute("aria-pressed")`, "true")
	b.want("the focus is seen", `getComputedStyle(document.activeElement).outlineStyle !== "none"`, true)
	b.shot("dark-by-hand")
	b.reaches("graph")
	b.shot("graph")
	box := `document.querySelector("#graph svg").getAttribute("viewBox")`
	before := b.eval(box)
	b.press("+", "+")
	if after := b.eval(box); after == before {
		t.Error("+ does not draw the graph larger")
	}
	b.press("0", "0")
	if after := b.eval(box); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("0 draws the graph as %v, which was %v", after, before)
	}
	if len(b.faults) > 0 {
		t.Errorf("the page tells of %s", b.faults)
	}
}

// TestPictures takes pictures of the page that PAGE_FILE names.
func TestPictures(t *testing.T) {
	path := os.Getenv("PAGE_FILE")
	if path == "" {
		t.Skip("PAGE_FILE names no page")
	}
	b := start(t)
	for _, scheme := range []string{"light", "dark"} {
		b.open(path, 1000, scheme)
		b.eval(`document.querySelector("#list > details:not([hidden])").open = true`)
		b.shot("first-hour-page-" + scheme)
	}
	b.eval(`document.querySelectorAll("#list > details[open]").forEach((d) => { d.open = false; })`)
	b.reaches("graph")
	b.shot("first-hour-page-graph")
	if len(b.faults) > 0 {
		t.Errorf("the page tells of %s", b.faults)
	}
}

// reaches presses Tab until an element has the focus.
func (b *browser) reaches(id string) {
	b.t.Helper()
	for range 200 {
		b.press("Tab", "")
		if b.eval("document.activeElement.id") == id {
			return
		}
	}
	b.t.Errorf("Tab does not reach %s", id)
}

// TestManyInChromium: ten thousand states are searched without a wait that is felt.
func TestManyInChromium(t *testing.T) {
	b := start(t)
	run := sample(10000)
	b.open(saved(t, run), 1280, "light")
	b.want("what became something is shown", shown, loud(run))
	took := b.eval(`new Promise((done) => {
		const begin = performance.now(), q = document.getElementById("q"), shown = document.getElementById("shown");
		const was = shown.value;
		q.value = "sshd_config-9993"; q.dispatchEvent(new Event("input", { bubbles: true }));
		(function wait() { shown.value === was ? setTimeout(wait, 5) : done(performance.now() - begin); })();
	})`)
	t.Logf("a search took %.0f ms", took)
	if ms, ok := took.(float64); !ok || ms > 5000 {
		t.Errorf("a search took %v ms", took)
	}
	b.want("the one that was searched is shown", shown, 1)
	b.shot("many")
	if len(b.faults) > 0 {
		t.Errorf("the page tells of %s", b.faults)
	}
}
