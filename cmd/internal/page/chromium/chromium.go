//go:build page

package chromium

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A Browser is a headless Chromium that is steered through its pipe.
type Browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	last    int
	Faults  []string // what the page's console told
}

// Start starts one with an empty page.
func Start(t *testing.T) *Browser {
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
	b := &Browser{t: t, to: ourOut, from: bufio.NewReader(ourIn)}
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
func (b *Browser) call(method string, params, answer any) {
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
func (b *Browser) next() (m message) {
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
		b.Faults = append(b.Faults, string(m.Params))
	}
	return m
}

// Open opens a page in a window of a width, in a colour scheme.
func (b *Browser) Open(url string, width int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1,
		"mobile": false}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme",
		"value": scheme}}}, nil)
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	for m := b.next(); m.Method != "Page.loadEventFired"; m = b.next() {
	}
}

// Eval is the value of an expression.
func (b *Browser) Eval(expr string) any {
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

// Want compares the value of an expression, and waits for it as long as a filter may take.
func (b *Browser) Want(what, expr string, want any) {
	b.t.Helper()
	var got any
	for range 100 {
		if got = b.Eval(expr); fmt.Sprint(got) == fmt.Sprint(want) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Errorf("%s: %v, want %v", what, got, want)
}

// Press presses a key; text is what it writes.
func (b *Browser) Press(key, text string) {
	b.t.Helper()
	code := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}[key]
	down := map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code}
	if text != "" {
		down["text"] = text
	}
	b.call("Input.dispatchKeyEvent", down, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}, nil)
}

// Shot keeps a picture below the directory that PAGE_SHOTS names.
func (b *Browser) Shot(name string) {
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

// Reaches presses Tab until an element has the focus.
func (b *Browser) Reaches(id string) {
	b.t.Helper()
	for range 200 {
		b.Press("Tab", "")
		if b.Eval("document.activeElement.id") == id {
			return
		}
	}
	b.t.Errorf("Tab does not reach %s", id)
}
