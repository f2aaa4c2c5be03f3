package main

import (
	"go/ast"
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
	{"cmd/fleet/bus", []string{"cmd/internal/*", "state/*"}},
	{"cmd/fleet/bus/*", []string{"cmd/fleet/*", "cmd/internal/*", "state/*"}},
	{"cmd/*", []string{"*", "*/*", "*/*/*", "*/*/*/*"}},
	{"cmd/*/*", []string{"*", "*/*", "*/*/*", "*/*/*/*"}},
	{"cmd/*/*/*", []string{"*", "*/*", "*/*/*", "*/*/*/*"}},
	{"state/value", []string{"state/value/*"}},
	{"state/value/*", []string{"state/value"}},
	{"state/diag", nil},
	{"state/fnmatch", nil},
	{"state/pyre", []string{"state/value"}},
	{"state/pyrandom", []string{"state/value"}},
	{"state/web", nil},
	{"state/schedule", []string{"state/value", "state/diag"}},
	{"state/secret", []string{"state/value", "state/fnmatch"}},
	{"state/host", nil},
	{"state/host/*", []string{"state/host"}},
	{"state/history", []string{"state/value", "state/host"}},
	{"state/run", []string{"requisite", "modules", "state", "state/*"}},
	{"state/report", []string{"state", "state/*", "state/value/*"}},
	{"state", []string{"state/value", "state/value/*", "state/diag", "state/host", "state/fnmatch"}},
	{"requisite", []string{"state", "state/value", "state/diag", "state/fnmatch"}},
	{"requisite/draw", []string{"requisite", "state", "state/value", "state/diag"}},
	{"modules/all", []string{"modules", "modules/*"}},
	{"modules/modtest", []string{"modules", "state", "state/*", "state/value/*", "state/host/hosttest"}},
	{"modules/*", []string{"modules", "state", "state/*", "state/value/*"}},
	{"modules", []string{"state", "state/*", "state/value/*"}},
	{"sls", []string{"sls/*", "state", "state/*", "state/value/*"}},
	{"sls/jinja", []string{"state/value", "state/value/*", "state/diag", "state/secret"}},
	{"sls/yaml", []string{"state/value", "state/value/*", "state/diag"}},
	{"sls/puppet/syntax", nil},
	{"sls/puppet/types", nil},
	{"sls/puppet/erb", []string{"sls/puppet/types"}},
	{"sls/puppet/catalog", []string{"state", "state/value", "state/diag"}},
	{"sls/puppet/*", []string{"sls/puppet/*", "sls/yaml", "sls/serial", "state/value", "state/diag"}},
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

// TestStartUp: expressions are compiled, and addresses read, where they are used; every start of the program would pay
// for those of a package.
func TestStartUp(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") ||
			strings.Contains(p, "testdata") {
			return err
		}
		seen++
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, call := range madeAtStart(f) {
			t.Errorf("%s: %s is called when the program starts", p, call)
		}
		return nil
	})
	if err != nil || seen < 200 {
		t.Fatalf("%d files, %v", seen, err)
	}
}

// madeAtStart are the calls of functions named Must... in the variables of a package.
func madeAtStart(f *ast.File) (calls []string) {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			ast.Inspect(g, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(s.Sel.Name, "Must") {
					calls = append(calls, s.Sel.Name)
				}
				_, inFunc := n.(*ast.FuncLit)
				return !inFunc
			})
		}
	}
	return calls
}

// TestLayersRefuse shows that the table can refuse.
func TestLayersRefuse(t *testing.T) {
	for _, c := range []struct{ pkg, dep string }{
		{"modules/file", "modules/pkg"}, {"modules/file", "sls/yaml"}, {"state", "requisite"}, {"sls", "modules"},
		{"sls/render", "modules"}, {"state/host", "state"}, {"state/report", "modules"}, {"sls/jinja", "sls/render"},
		{"unknown", "state"},
	} {
		if mayImport(c.pkg, c.dep) {
			t.Errorf("%s may import %s", c.pkg, c.dep)
		}
	}
}

// doors are what modules and filters may not reach the machine by, with the packages that hold them: files, commands,
// the network, the environment and the clock come from the host, or from what the caller gives.
var doors = []string{"os", "os/exec", "os/user", "net", "time.Now"}

// exceptions are the files that may use a door, and why.
var exceptions = map[string]string{
	"modules/file/rename.go":      "os",       // os.Expand, of text
	"sls/render/render.go":        "time.Now", // the clock of a renderer that is given none
	"modules/file/types.go":       "os",       // ~ is the home of who typed it, wherever the tree is
	"modules/pkg/apt.go":          "os",       // DPKG_ADMINDIR, as dpkg itself reads it
	"modules/network/bonds.go":    "net",      // addresses, of text
	"modules/network/settings.go": "net",      // the same
	"modules/pkg/lock.go":         "time.Now", // how long it waited for another's apt
	"sls/render/entry.go":         "os",       // `gostate render FILE`: a file of the command line's
}

// TestDoors holds modules and filters to the host.
func TestDoors(t *testing.T) {
	root, used := filepath.Join("..", ".."), map[string]bool{}
	for _, pattern := range []string{"modules/*/*.go", "sls/render/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(files) < 20 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			rel, _ := filepath.Rel(root, file)
			if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(rel, "modules/modtest/") {
				continue
			}
			for _, door := range doorsOf(t, file) {
				if exceptions[rel] == door {
					used[rel] = true
					continue
				}
				t.Errorf("%s uses %s: go through the host, or Env", rel, door)
			}
		}
	}
	for file, door := range exceptions {
		if !used[file] {
			t.Errorf("%s does not use %s: it needs no exception", file, door)
		}
	}
}

func doorsOf(t *testing.T, file string) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range f.Imports {
		if p, _ := strconv.Unquote(spec.Path.Value); slices.Contains(doors, p) {
			out = append(out, p)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Now" {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" && !slices.Contains(out, "time.Now") {
				out = append(out, "time.Now")
			}
		}
		return true
	})
	return out
}
