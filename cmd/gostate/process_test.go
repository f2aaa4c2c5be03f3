package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gostate/gostate/state/host/view"
)

// A box is a state tree, a configuration and a state directory for real processes of gostate.
type box struct {
	t   *testing.T
	dir string
}

func newBox(t *testing.T, sls string) *box {
	t.Helper()
	b := &box{t, t.TempDir()}
	sls = strings.ReplaceAll(sls, "DIR", b.dir)
	for name, text := range map[string]string{"etc/minion": "id: web1\nfile_roots: {base: [" + b.dir + "/salt]}\n",
		"salt/top.sls": "base: {'*': [a]}\n", "salt/a.sls": sls} {
		path := filepath.Join(b.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// A running process of gostate.
type running struct {
	*exec.Cmd
	box *box
	out bytes.Buffer
	err heard
}

func (b *box) start(words ...string) *running {
	b.t.Helper()
	r := &running{box: b, Cmd: exec.Command("gostate",
		append([]string{"-c", b.dir + "/etc", "--state-dir", b.dir + "/state", "--no-color"}, words...)...)}
	r.Stdout, r.Stderr = &r.out, &r.err
	if err := r.Start(); err != nil {
		b.t.Fatal(err)
	}
	return r
}

// end waits for the process and gives its exit code, -1 when a signal ended it.
func (r *running) end() int {
	r.box.t.Helper()
	timer := time.AfterFunc(2*time.Minute, func() { _ = r.Process.Kill() })
	defer timer.Stop()
	_ = r.Wait()
	return r.ProcessState.ExitCode()
}

func (r *running) signal(s syscall.Signal) {
	r.box.t.Helper()
	if err := r.Process.Signal(s); err != nil {
		r.box.t.Fatal(err)
	}
}

// heard is what a process has said so far.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// hears waits until the process has said something on its standard error.
func (r *running) hears(word string) {
	r.box.t.Helper()
	for range 2400 {
		if strings.Contains(r.err.String(), word) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	r.box.t.Fatalf("it does not say %q:\n%s", word, &r.err)
}

// await waits until the file is there.
func (b *box) await(name string) {
	b.t.Helper()
	for range 2400 {
		if _, err := os.Stat(filepath.Join(b.dir, name)); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("%s did not come", name)
}

func (b *box) lines(name string) int {
	text, _ := os.ReadFile(filepath.Join(b.dir, name))
	return strings.Count(string(text), "\n")
}

// results are id, result and comment of each state of a run's JSON.
func (r *running) results() map[string]string {
	r.box.t.Helper()
	var all struct {
		Local map[string]struct {
			ID      string `json:"__id__"`
			Result  *bool  `json:"result"`
			Comment string `json:"comment"`
		} `json:"local"`
	}
	if err := json.Unmarshal(r.out.Bytes(), &all); err != nil {
		r.box.t.Fatalf("%v\n%s%s", err, &r.out, &r.err)
	}
	out := map[string]string{}
	for _, v := range all.Local {
		word := "null"
		if v.Result != nil {
			word = map[bool]string{true: "true", false: "false"}[*v.Result]
		}
		out[v.ID] = word + " " + v.Comment
	}
	return out
}

const killed = `
change:
  cmd.run:
    - name: touch DIR/changed
    - creates: DIR/changed
hang:
  cmd.run:
    - name: echo $$ > DIR/pid; touch DIR/hangs; exec sleep 60
    - onlyif: test ! -e DIR/go
    - require: [{cmd: change}]
react:
  cmd.wait:
    - name: echo x >> DIR/reacted
    - watch: [{cmd: change}]
    - require: [{cmd: hang}]
late:
  cmd.wait:
    - name: echo x >> DIR/listened
    - listen: [{cmd: change}]
`

// TestKilledRunIsMended kills a run between a change and what watches and listens to it: the next run reacts, once.
func TestKilledRunIsMended(t *testing.T) {
	b := newBox(t, killed)
	r := b.start("highstate")
	b.await("hangs")
	r.signal(syscall.SIGKILL)
	if code := r.end(); code != -1 || b.lines("reacted")+b.lines("listened") != 0 {
		t.Fatalf("code %d, %d reactions\n%s", code, b.lines("reacted"), &r.err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var left int // the command that the run has left behind: no other begins beside it
	if text, err := os.ReadFile(filepath.Join(b.dir, "pid")); err != nil {
		t.Fatal(err)
	} else if _, err := fmt.Sscan(string(text), &left); err != nil {
		t.Fatal(err)
	}
	if r := b.start("highstate"); r.end() != 1 || !strings.Contains(r.err.String(),
		fmt.Sprintf("pid %d: sleep 60", left)) {
		t.Errorf("beside the command: %s", &r.err)
	}
	if err := syscall.Kill(-left, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	const why = ", when cmd: touch "
	for i, run := range []struct {
		words []string
		owed  bool
		lines int
	}{{[]string{"--test", "highstate"}, true, 0}, {[]string{"highstate"}, true, 1}, {[]string{"highstate"}, false, 1},
		{[]string{"--test", "highstate"}, false, 1}} {
		r := b.start(append(run.words, "--out", "json")...)
		if code := r.end(); code != 0 {
			t.Errorf("run %d: code %d\n%s%s", i, code, &r.out, &r.err)
		}
		got := r.results()
		for id, file := range map[string]string{"react": "reacted", "listener_late": "listened"} {
			if strings.Contains(got[id], why) != run.owed || b.lines(file) != run.lines {
				t.Errorf("run %d: %s is %q, %d lines", i, id, got[id], b.lines(file))
			}
		}
	}
	if left, _ := os.ReadDir(filepath.Join(b.dir, "state", "owed")); len(left) > 0 {
		t.Errorf("nothing is owed, but there is %v", left)
	}
}

const three = `
first:
  cmd.run:
    - name: touch DIR/runs; while test ! -e DIR/go; do sleep 0.05; done; touch DIR/finished
second:
  cmd.run:
    - name: touch DIR/second
`

// TestFirstSignalFinishesTheState lets what runs finish, starts nothing more and tells what did not run.
func TestFirstSignalFinishesTheState(t *testing.T) {
	b := newBox(t, three)
	r := b.start("highstate")
	b.await("runs")
	r.signal(syscall.SIGTERM)
	r.hears("nothing else is started")
	if err := os.WriteFile(filepath.Join(b.dir, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	code := r.end()
	if code != exitFailed || b.there("second") || !b.there("finished") ||
		!strings.Contains(r.out.String(), "Not run: 1 state (the run was interrupted)") {
		t.Errorf("code %d, second ran: %v\n%s%s", code, b.there("second"), &r.out, &r.err)
	}
}

// TestSecondSignalEndsTheCommand ends the running command's process group.
func TestSecondSignalEndsTheCommand(t *testing.T) {
	b := newBox(t, strings.Replace(three, "touch DIR/runs;", "trap 'touch DIR/termed; exit 9' TERM; touch DIR/runs;", 1))
	r := b.start("highstate")
	b.await("runs")
	r.signal(syscall.SIGINT)
	r.hears("once more ends its commands")
	r.signal(syscall.SIGINT)
	code := r.end()
	if code != exitFailed || !b.there("termed") || b.there("second") ||
		!strings.Contains(r.out.String(), "Not run: 1 state") {
		t.Errorf("code %d, termed %v\n%s%s", code, b.there("termed"), &r.out, &r.err)
	}
}

// TestThirdSignalEndsAtOnce does not wait for a command that does not heed SIGTERM.
func TestThirdSignalEndsAtOnce(t *testing.T) {
	b := newBox(t, strings.Replace(three, "touch DIR/runs;", "trap '' TERM; touch DIR/runs;", 1))
	r := b.start("highstate")
	b.await("runs")
	start := time.Now()
	for _, word := range []string{"once more ends its commands", "once more ends gostate", "ended at once"} {
		r.signal(syscall.SIGINT)
		r.hears(word)
	}
	code := r.end()
	_ = os.WriteFile(filepath.Join(b.dir, "go"), nil, 0o644)
	time.Sleep(300 * time.Millisecond) // in which the command would finish if it were there
	if b.there("finished") {
		t.Error("the command lived on")
	}
	if took := time.Since(start); code != exitFailed || took > 50*time.Second ||
		!strings.Contains(r.err.String(), "ended at once") {
		t.Errorf("code %d after %v\n%s%s", code, took, &r.out, &r.err)
	}
}

// TestSignalBeforeTheRun ends the program whatever a template waits for.
func TestSignalBeforeTheRun(t *testing.T) {
	for name, template := range map[string]string{
		"command": `{{ salt['cmd.shell']('touch DIR/runs; exec sleep 60') }}`,
		"loop":    `{{ salt['cmd.run']('touch DIR/runs') }}{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}`,
	} {
		b := newBox(t, template+"\nx:\n  cmd.run: [{name: touch DIR/second}]\n")
		r := b.start("highstate")
		b.await("runs")
		time.Sleep(50 * time.Millisecond)
		start := time.Now()
		r.signal(syscall.SIGTERM)
		code := r.end()
		want := "error: stopped before anything was touched: terminated\n"
		if took := time.Since(start); code != exitInput || took > 50*time.Second || r.err.String() != want ||
			b.there("second") {
			t.Errorf("%s: code %d after %v\n%s%s", name, code, took, &r.out, &r.err)
		}
	}
}

func (b *box) there(name string) bool {
	_, err := os.Stat(filepath.Join(b.dir, name))
	return err == nil
}

// TestRehearsalIsKilled: a rehearsal that is killed leaves no process, mount or file.
func TestRehearsalIsKilled(t *testing.T) {
	v, err := view.Open(t.Context())
	if err != nil {
		t.Skipf("there can be no view here: %v", err)
	}
	v.Close()
	long := fmt.Sprintf("47110815.%d", os.Getpid())
	b := newBox(t, "wait:\n  cmd.run: [{name: 'touch DIR/file; trap \"\" TERM HUP; sleep "+long+"'}]\n")
	before, _ := os.ReadFile("/proc/self/mountinfo")
	r := b.start("rehearse", "a")
	asleep := func() bool { return len(commandLines(t, "sleep\x00"+long)) > 0 }
	for range 6000 {
		if asleep() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !asleep() {
		t.Fatalf("the command never ran:\n%s%s", &r.out, &r.err)
	}
	_ = r.Process.Kill()
	_ = r.Wait()
	for range 6000 {
		if !asleep() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if left := append(commandLines(t, "sleep\x00"+long), commandLines(t, b.dir)...); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if after, _ := os.ReadFile("/proc/self/mountinfo"); !bytes.Equal(before, after) {
		t.Errorf("mounts were\n%s\nand are\n%s", before, after)
	}
	if _, err := os.Stat(b.dir + "/file"); err == nil {
		t.Error("a file came out of the rehearsal")
	}
}

// commandLines are the command lines of the processes, with NUL between words, that hold the text.
func commandLines(t *testing.T, text string) []string {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range paths {
		if raw, _ := os.ReadFile(p); bytes.Contains(raw, []byte(text)) {
			out = append(out, string(raw))
		}
	}
	return out
}
