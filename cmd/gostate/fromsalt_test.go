package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gostate/gostate/cmd/internal/config"
)

// TestFromSalt holds docs/from-salt.md to the program: its keys are those that the program warns of, and each command
// line of its table is one of the script that runs them.
func TestFromSalt(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "from-salt.md")
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	var keys strings.Builder
	keys.WriteString("| key | why |\n|---|---|\n")
	for _, k := range config.UnheededKeys() {
		fmt.Fprintf(&keys, "| `%s` | %s |\n", k.Key, k.Why)
	}
	head, rest, _ := strings.Cut(text, "<!-- keys -->\n")
	_, tail, ok := strings.Cut(rest, "<!-- end -->")
	if !ok {
		t.Fatal("the page has no place for the keys")
	}
	want := head + "<!-- keys -->\n" + keys.String() + "<!-- end -->" + tail
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		text = want
	}
	if text != want {
		t.Error("the keys are not the program's: make docs")
	}
	script, err := os.ReadFile(filepath.Join("..", "..", "testdata", "script", "from-salt.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([a-z]+\\.[a-z].*?)` \\|").FindAllStringSubmatch(head, -1)
	if len(rows) < 30 {
		t.Fatalf("%d command lines", len(rows))
	}
	for _, row := range rows {
		if line := "exec gostate " + row[1] + "\n"; !strings.Contains(string(script), line) {
			t.Errorf("no script runs: %s", row[1])
		}
	}
}
