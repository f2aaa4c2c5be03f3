package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain is gostate-hub where a test starts it as that.
func TestMain(m *testing.M) {
	if os.Getenv("GOSTATE_HUB_TEST") != "" {
		main()
	}
	os.Exit(m.Run())
}

// A site is an operator's directory with a tree, machines that are roots below it, and what they pull from: real
// gostate packs, and applies.
type site struct {
	t       *testing.T
	dir     string
	gostate string
	key     string // that machines trust
}

// newSite makes one whose machines have enrolled.
func newSite(t *testing.T, machines ...string) *site {
	t.Helper()
	s := &site{t: t, dir: t.TempDir()}
	if s.gostate = os.Getenv("GOSTATE_BIN"); s.gostate == "" {
		s.build()
	}
	s.write("salt/top.sls", "base: {'*': [web]}\n")
	s.write("pillar/top.sls", "base: {}\n")
	s.write("etc/minion", fmt.Sprintf("file_roots: {base: [%s/salt]}\npillar_roots: {base: [%[1]s/pillar]}\n", s.dir))
	nodes := "nodes:\n"
	for _, id := range machines {
		s.write("conf/"+id+"/minion", "id: "+id+"\n")
		if err := os.MkdirAll(s.at("root", id), 0o755); err != nil {
			t.Fatal(err)
		}
		out := s.run(0, s.gostate, "--config-dir", s.at("conf", id), "--root", s.at("root", id), "--id", id, "agent", "enrol")
		_, age, _ := strings.Cut(out, "age: ")
		nodes += fmt.Sprintf("  %s: {env: prod, age: %s, grains: {os: Debian}}\n", id, strings.TrimSpace(age))
	}
	s.write("nodes.yaml", nodes)
	s.key = strings.TrimSpace(s.run(0, s.gostate, "pack", "keygen", "--key", s.at("release.key")))
	if err := os.Mkdir(s.at("reports"), 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

// build makes the program that is tested with; GOSTATE_BIN names one that is there.
func (s *site) build() {
	s.t.Helper()
	s.gostate = filepath.Join(s.dir, "gostate")
	build := exec.Command("go", "build", "-o", s.gostate, "./cmd/gostate")
	build.Dir = filepath.Join("..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		s.t.Fatalf("build gostate: %v\n%s", err, out)
	}
}

func (s *site) at(words ...string) string { return filepath.Join(append([]string{s.dir}, words...)...) }

func (s *site) write(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.at(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.at(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// run runs a program in the operator's directory to its end, and gives what it printed.
func (s *site) run(code int, program string, args ...string) string {
	s.t.Helper()
	p := s.start(program, args...)
	out, err := s.wait(p)
	if got := exitOf(err); got != code {
		s.t.Fatalf("%s %q exits with %d, want %d:\n%s%s", filepath.Base(program), args, got, code, out, p.errs)
	}
	return out
}

// A process is a program under way, with what it says.
type process struct {
	*exec.Cmd
	said, errs *bytes.Buffer // errs is of gostate alone
}

func (s *site) start(program string, args ...string) process {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), program, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "GOSTATE_HUB_TEST=1", "GOSTATE_REPORTS="+s.at("reports"), "HOME="+s.dir)
	said, errs := &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = said, said
	if program == s.gostate {
		cmd.Stderr = errs
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	return process{cmd, said, errs}
}

func (s *site) wait(p process) (string, error) {
	err := p.Wait()
	return p.said.String(), err
}

func exitOf(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -2
	}
	return 0
}

// hub runs gostate-hub.
func (s *site) hub(code int, args ...string) string {
	s.t.Helper()
	return s.run(code, os.Args[0], args...)
}

// pack makes a release of the SLS.
func (s *site) pack(sls string) {
	s.t.Helper()
	s.write("salt/web.sls", sls)
	s.run(0, s.gostate, "--config-dir", s.at("etc"), "pack", "--env", "prod", "-o", "releases", "--key", "release.key")
}

// turn lets machines look once, where releases lie in www; code is what their agents end with.
func (s *site) turn(code int, machines ...string) {
	s.t.Helper()
	for _, id := range machines {
		s.run(code, s.gostate, "--config-dir", s.at("conf", id), "--root", s.at("root", id), "--id", id, "agent", "--once",
			"--source", "www", "--env", "prod", "--key", s.key, "--reports", "reports")
	}
}

// appears waits for a file that holds a text.
func (s *site) appears(name, text string) {
	s.t.Helper()
	for range 6000 {
		if data, err := os.ReadFile(s.at(name)); err == nil && strings.Contains(string(data), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatalf("%s with %q does not appear", name, text)
}

// turnsUntil lets machines look, one after the other, until a program has ended.
func (s *site) turnsUntil(p process, machines ...string) {
	s.t.Helper()
	for range 100 {
		for _, id := range machines {
			s.turn(0, id)
			// A process that has ended and was not waited for is still there, as a zombie.
			if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid)); err != nil ||
				bytes.Contains(stat, []byte(") Z ")) {
				return
			}
		}
	}
}
