package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSessions runs every command of the README and of docs/start.md as a person types them: in one shell, one after
// the other, in a scratch folder. `make` is left to CI, which runs it on a fresh clone; the binary that it makes is in
// bin of the folder.
func TestSessions(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "gostate")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	for _, page := range []string{"README.md", "docs/start.md"} {
		t.Run(page, func(t *testing.T) { runSession(t, bin, filepath.Join("..", "..", page)) })
	}
}

func runSession(t *testing.T, bin, page string) {
	dir := t.TempDir()
	for _, d := range []string{"bin", "etc"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "etc", "minion"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(bin, filepath.Join(dir, "bin", "gostate")); err != nil {
		t.Fatal(err)
	}
	steps := sessionSteps(readText(t, page))
	if len(steps) < 10 {
		t.Fatalf("only %d commands found", len(steps))
	}
	var script bytes.Buffer
	for i, s := range steps {
		fmt.Fprintf(&script, "{ %s\n} >%s/%d.out 2>&1 </dev/null; echo $? >%s/%d.code\n", s.command, dir, i, dir, i)
	}
	cmd := exec.Command("sh", "-c", script.String())
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(bin)+":"+os.Getenv("PATH"), "HOME="+dir, "NO_COLOR=1",
		"GOSTATE_CONFIG_DIR="+filepath.Join(dir, "etc"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, s := range steps {
		out := readText(t, filepath.Join(dir, fmt.Sprintf("%d.out", i)))
		failed := readText(t, filepath.Join(dir, fmt.Sprintf("%d.code", i))) != "0\n"
		if failed != s.fails || !regexp.MustCompile(s.prints).MatchString(out) {
			t.Errorf("$ %s\n%s(failed: %t) does not print %q", s.command, out, failed, s.prints)
		}
	}
}

// sessionSteps are the steps of all console blocks of a page.
func sessionSteps(text string) (steps []docStep) {
	blocks := strings.Split("\n"+text, "\n```")
	for i := 1; i < len(blocks); i += 2 {
		if kind, body, _ := strings.Cut(blocks[i], "\n"); kind == "console" {
			for _, s := range docSteps(body) {
				if !strings.HasPrefix(s.command, "make ") {
					steps = append(steps, s)
				}
			}
		}
	}
	return steps
}
