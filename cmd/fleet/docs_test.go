// Package fleet_test runs the examples of docs/hub.md with the real programs, as they stand there.
package fleet_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// step is a command of the page, and the beginnings of lines that it prints.
type step struct {
	command string
	wants   []string
	fails   bool
}

func steps(text string) (out []step) {
	block := regexp.MustCompile("(?ms)^```console\n(.*?)^```")
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(m[1]) {
			line = strings.TrimRight(line, "\n")
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				command, fails := strings.CutSuffix(command, " # fails")
				out = append(out, step{command: command, fails: fails})
			} else {
				last := &out[len(out)-1]
				last.wants = append(last.wants, line)
			}
		}
	}
	return out
}

func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for module, programs := range map[string]string{".": "./gostate-hub ./gostate-agent", "../..": "./cmd/gostate"} {
		cmd := exec.Command("go", append([]string{"build", "-tags", "urfave_cli_no_docs", "-o", dir + "/"},
			strings.Fields(programs)...)...)
		cmd.Dir = module
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return dir
}

func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the programs")
	}
	text, err := os.ReadFile("../../docs/hub.md")
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
	l.Close()
	p := &page{t: t, dir: t.TempDir(), programs: build(t)}
	if err := os.Mkdir(filepath.Join(p.dir, "machine"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, s := range steps(strings.ReplaceAll(string(text), "4222", port)) {
		p.run(s)
	}
}

// page is a shell in which the page's commands are typed.
type page struct {
	t             *testing.T
	dir, programs string
	exported      []string
}

func (p *page) run(s step) {
	p.t.Helper()
	if name, ok := strings.CutPrefix(s.command, "export "); ok {
		p.exported = append(p.exported, name)
		return
	}
	if command, ok := strings.CutSuffix(s.command, " &"); ok {
		p.behind(step{command: command, wants: s.wants})
		return
	}
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute)
	defer cancel()
	out, err := p.command(ctx, s.command).CombinedOutput()
	if (err != nil) != s.fails {
		p.t.Fatalf("$ %s\n%s%v", s.command, out, err)
	}
	in := bufio.NewScanner(bytes.NewReader(out))
	if missing := find(in, s.wants); missing != "" {
		p.t.Fatalf("$ %s\n%swant a line that begins with %q", s.command, out, missing)
	}
}

// find looks for lines with the beginnings, in order, and gives the first that does not come.
func find(in *bufio.Scanner, wants []string) string {
	for _, want := range wants {
		found := false
		for !found && in.Scan() {
			found = strings.HasPrefix(in.Text(), want)
		}
		if !found {
			return want
		}
	}
	return ""
}

func (p *page) command(ctx context.Context, text string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "bash", "-c", "exec 2>&1; "+text)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PATH="+p.programs+":"+os.Getenv("PATH"), "HOME="+p.dir)
	cmd.Env = append(cmd.Env, p.exported...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// behind starts a command that goes on until the test ends, and waits for what it says first.
func (p *page) behind(s step) {
	p.t.Helper()
	cmd := p.command(context.Background(), "exec "+s.command)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	all := &bytes.Buffer{}
	in := bufio.NewScanner(&tee{in: out, to: all})
	stuck := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	missing := find(in, s.wants)
	stuck.Stop()
	if missing != "" {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		p.t.Fatalf("$ %s &\n%swant a line that begins with %q", s.command, all, missing)
	}
	var rest sync.WaitGroup
	rest.Go(func() {
		for in.Scan() {
		}
	})
	p.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		rest.Wait()
		if err := cmd.Wait(); err != nil || p.t.Failed() {
			p.t.Logf("$ %s &: %v\n%s", s.command, err, all)
		}
	})
}

// tee keeps what is read.
type tee struct {
	in interface{ Read([]byte) (int, error) }
	to *bytes.Buffer
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	t.to.Write(p[:n])
	return n, err
}
