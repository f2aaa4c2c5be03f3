package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurity: each line of the threat model in SECURITY.md is held by tests, and they are there.
func TestSecurity(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, row := range tableRows(t, filepath.Join(root, "SECURITY.md")) {
		if len(row) != 4 {
			t.Errorf("the row %q has %d columns", row, len(row))
			continue
		}
		for _, fault := range missingTests(root, row[3]) {
			t.Errorf("may not %q: %s", row[2], fault)
		}
	}
}

// TestThirdParty: docs/third-party.md lists what go.mod asks for, in its versions, and no more.
func TestThirdParty(t *testing.T) {
	root := filepath.Join("..", "..")
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`).FindAllStringSubmatch(string(mod), -1) {
		asked[m[1]] = m[2]
	}
	listed := map[string]bool{}
	for _, row := range tableRows(t, filepath.Join(root, "docs", "third-party.md")) {
		name, _, _ := strings.Cut(strings.TrimPrefix(row[0], "["), "]")
		listed[name] = true
		if len(row) != 3 || asked[name] != row[1] || row[2] == "" {
			t.Errorf("%q is listed with %q, and go.mod asks for %q: make licences", name, row, asked[name])
		}
	}
	// The binary has no others: these are for tests and for parts of the libraries that are not linked.
	for _, unused := range []string{"github.com/google/go-cmp",
		"github.com/rogpeppe/go-internal",
		"pgregory.net/rapid", "github.com/kr/text", "golang.org/x/tools", "github.com/cpuguy83/go-md2man/v2",
		"github.com/russross/blackfriday/v2"} {
		delete(asked, unused)
	}
	for name := range asked {
		if !listed[name] {
			t.Errorf("%s is not listed in docs/third-party.md: make licences", name)
		}
	}
}
