package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocs runs the commands of docs/fleet-operate.md one after the other: they print what the page says.
func TestDocs(t *testing.T) {
	s := newSite(t, "web1", "web2", "db1")
	motd := "/etc/motd:\n  file.managed:\n    - contents: hello\n    - makedirs: true\n"
	s.pack(motd)
	s.run(0, s.gostate, "push", "prod", "releases", "www")
	s.turn(0, "web1", "web2")
	s.pack(motd + "two:\n  test.nop: []\n")
	s.write("bin/gostate-hub", "#!/bin/sh\nexec '"+os.Args[0]+"' \"$@\"\n")
	if err := os.Chmod(s.at("bin/gostate-hub"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", s.at("bin")+":"+os.Getenv("PATH"))
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "fleet-operate.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, block := range strings.Split(string(page), "```console\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		for _, step := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, prints, _ := strings.Cut(step, "\n")
			command, fails := strings.CutSuffix(command, " # fails")
			commands++
			out, err := s.wait(s.start("sh", "-c", "exec 2>&1; "+command))
			if code := exitOf(err); !fails && code != 0 && code != 2 || fails && code != 2 {
				t.Errorf("%s: exits with %d", command, code)
			}
			at := 0
			for line := range strings.Lines(prints) {
				want := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(line, "\n")), `\.\.\.`, ".*")
				found := regexp.MustCompile("(?m)^" + want + "$").FindStringIndex(out[at:])
				if found == nil {
					t.Errorf("%s: no line %q in\n%s", command, line, out)
					break
				}
				at += found[1]
			}
		}
	}
	if commands < 5 {
		t.Errorf("the page has %d commands", commands)
	}
}
