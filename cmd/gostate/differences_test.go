package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDifferences: every departure from Salt that docs/salt-differences.md lists is marked `Salt differs:` in the files
// that its row names, and every file with such a mark is named in a row.
func TestDifferences(t *testing.T) {
	root := filepath.Join("..", "..")
	listed := map[string]bool{}
	for _, row := range tableRows(t, filepath.Join(root, "docs", "salt-differences.md")) {
		files := regexp.MustCompile("`([\\w/]+\\.go)`").FindAllStringSubmatch(row[len(row)-1], -1)
		if len(files) == 0 {
			t.Errorf("the row of %q names no file with the mark", row[0])
		}
		for _, f := range files {
			listed[f[1]] = true
		}
	}
	marked := map[string]bool{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		text, err := os.ReadFile(p)
		if rel, _ := filepath.Rel(root, p); strings.Contains(string(text), "Salt differs:") {
			marked[filepath.ToSlash(rel)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range slices.Sorted(maps.Keys(marked)) {
		if !listed[f] {
			t.Errorf("%s departs from Salt, and no row of docs/salt-differences.md names it", f)
		}
	}
	for _, f := range slices.Sorted(maps.Keys(listed)) {
		if !marked[f] {
			t.Errorf("docs/salt-differences.md names %s, which has no mark", f)
		}
	}
}

// tableRows are the rows of the table in a page, without its head.
func tableRows(t *testing.T, page string) [][]string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "|---") {
			continue
		}
		out = append(out, strings.Split(strings.Trim(line, "|"), " | "))
	}
	if len(out) < 2 {
		t.Fatalf("%s holds no table", page)
	}
	return out[1:]
}
