package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers says what each package may import of this module. The first pattern that matches a package counts; a pattern
// ending in /* matches the packages right below. What is not named is refused.
var layers = []struct {
	pkg  string
	deps []string
}{
	{"cmd/*", []string{"*", "*/*", "*/*/*", "*/*/*/*"}},
	{"cmd/*/*", []string{"*", "*/*", "*/*/*", "*/*/*/*"}},
	{"state/value", []string{"state/value/*"}},
	{"state/value/*", []string{"state/value"}},
	{"state/diag", nil},
	{"state/fnmatch", nil},
	{"state/pyre", []string{"state/value"}},
	{"state/host", nil},
	{"state/host/*", []string{"state/host"}},
	{"state/run", []string{"requisite", "modules", "state", "state/*"}},
	{"state/report", []string{"state", "state/*", "state/value/*"}},
	{"state", []string{"state/value", "state/value/*", "state/diag", "state/host", "state/fnmatch"}},
	{"requisite", []string{"state", "state/value", "state/diag", "state/fnmatch"}},
	{"requisite/draw", []string{"requisite", "state", "state/value", "state/diag"}},
	{"modules/all", []string{"modules", "modules/*"}},
	{"modules/*", []string{"modules", "state", "state/*", "state/value/*"}},
	{"modules", []string{"state", "state/*"}},
	{"sls", []string{"sls/*", "state", "state/*", "state/value/*"}},
	{"sls/jinja", []string{"state/value", "state/value/*", "state/diag"}},
	{"sls/yaml", []string{"state/value", "state/value/*", "state/diag"}},
	{"sls/*", []string{"sls/*", "state", "state/*", "state/value/*"}},
}

const module = "github.com/gostate/gostate/"

// TestLayers holds the packages apart: imports go one way.
func TestLayers(t *testing.T) {
	root := filepath.Join("..", "..")
	var seen int
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		if d.IsDir() && (d.Name() == "testdata" || (strings.HasPrefix(d.Name(), ".") && rel != ".")) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		seen++
		checkImports(t, p, filepath.ToSlash(filepath.Dir(rel)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 50 {
		t.Errorf("looked at %d files only: is this the root of the module?", seen)
	}
}

func checkImports(t *testing.T, file, pkg string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	for _, spec := range f.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		dep, ours := strings.CutPrefix(p, module)
		if ours && !mayImport(pkg, dep) {
			t.Errorf("%s: package %s may not import %s", file, pkg, dep)
		}
	}
}

func mayImport(pkg, dep string) bool {
	for _, l := range layers {
		if ok, _ := path.Match(l.pkg, pkg); ok {
			return slices.ContainsFunc(l.deps, func(pattern string) bool { m, _ := path.Match(pattern, dep); return m })
		}
	}
	return false
}

// TestLayersRefuse shows that the table can refuse.
func TestLayersRefuse(t *testing.T) {
	for _, c := range []struct{ pkg, dep string }{
		{"modules/file", "modules/pkg"}, {"modules/file", "sls/yaml"}, {"state", "requisite"}, {"sls", "modules"},
		{"sls/render", "modules"}, {"state/host", "state"}, {"state/report", "modules"}, {"sls/jinja", "sls/render"}, {"unknown", "state"},
	} {
		if mayImport(c.pkg, c.dep) {
			t.Errorf("%s may import %s", c.pkg, c.dep)
		}
	}
}
