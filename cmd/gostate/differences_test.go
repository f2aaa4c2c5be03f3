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
// that its row names, every file with such a mark is named in a row, and the tests that a row names are there.
func TestDifferences(t *testing.T) {
	root := filepath.Join("..", "..")
	listed, said := map[string]bool{}, map[string]bool{}
	for _, row := range tableRows(t, filepath.Join(root, "docs", "salt-differences.md")) {
		if said[row[0]] {
			t.Errorf("two rows say what becomes of %q", row[0])
		}
		said[row[0]] = true
		if len(row) < 5 {
			t.Errorf("the row of %q has %d columns", row[0], len(row))
			continue
		}
		for _, fault := range missingTests(root, strings.Join(row[5:], "")) {
			t.Errorf("the row of %q: %s", row[0], fault)
		}
		files := regexp.MustCompile("`([\\w/]+\\.go)`").FindAllStringSubmatch(row[4], -1)
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

// missingTests says what is wrong with the cell of a row that names its tests: `modules/file TestLine`,
// `modules/file TestLine/words` or `testdata/script/name.txtar`, where the words stand in a test file of the folder.
func missingTests(root, cell string) []string {
	var out []string
	names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1)
	if len(names) == 0 {
		return []string{"no test is named"}
	}
	for _, n := range names {
		place, test, _ := strings.Cut(n[1], " ")
		if strings.HasSuffix(place, ".txtar") {
			if _, err := os.Stat(filepath.Join(root, place)); err != nil {
				out = append(out, err.Error())
			}
			continue
		}
		name, words, _ := strings.Cut(test, "/")
		text := testsOf(filepath.Join(root, place))
		if !strings.Contains(text, "\nfunc "+name+"(") || !strings.Contains(text, words) {
			out = append(out, n[1]+" is not there")
		}
	}
	return out
}

// testsOf is the text of the tests in a folder.
func testsOf(dir string) string {
	var out strings.Builder
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, f := range files {
		text, _ := os.ReadFile(f)
		out.Write(text)
	}
	return out.String()
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
		cells := strings.Split(strings.Trim(line, "|"), " |")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		out = append(out, cells)
	}
	if len(out) < 2 {
		t.Fatalf("%s holds no table", page)
	}
	return out[1:]
}
