package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// consoleCommands are the commands of the ```console blocks of a Markdown file: lines behind "$ ", each with the lines
// of its here-document.
func consoleCommands(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	inside, here := false, false
	for line := range strings.SplitSeq(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case here:
			out[len(out)-1] += "\n" + line
			here = line != "EOF"
		case inside && strings.HasPrefix(line, "$ "):
			out = append(out, line[2:])
			here = strings.HasSuffix(line, "<<'EOF'")
		}
	}
	return out
}

// TestReadme runs every command of the README in one scratch folder, the machine being a folder in it. `make` is left
// to CI, which runs both of its commands on a fresh clone.
func TestReadme(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	for _, d := range []string{bin, filepath.Join(dir, "root"), filepath.Join(dir, "etc"), filepath.Join(dir, "work")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "gostate"), ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	ran := 0
	for _, c := range consoleCommands(t, filepath.Join("..", "..", "README.md")) {
		if strings.HasPrefix(c, "make ") {
			continue
		}
		cmd := exec.Command("sh", "-ec", c)
		cmd.Dir = filepath.Join(dir, "work")
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "GOSTATE_ROOT="+filepath.Join(dir, "root"),
			"GOSTATE_CONFIG_DIR="+filepath.Join(dir, "etc"), "GOSTATE_STATE_DIR="+filepath.Join(dir, "state"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("$ %s\n%s%v", c, out, err)
		}
		ran++
	}
	if ran < 10 {
		t.Errorf("only %d commands found", ran)
	}
}
