package host_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// uses are the places where the kinds of facts are promised, read, and what deeds are on.
type uses struct{ promised, read, deeds map[string]bool }

func kindOf(e ast.Expr) (string, bool) {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); !ok || x.Name != "host" {
			return "", false
		}
		e = s.Sel
	}
	id, ok := e.(*ast.Ident)
	return id.String(), ok && strings.HasPrefix(id.Name, "Fact") && id.Name != "Fact"
}

func (u uses) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		kind, ok := kindOf(n.Value)
		if key, is := n.Key.(*ast.Ident); ok && is {
			switch key.Name {
			case "Kind":
				u.promised[kind] = true
			case "On":
				u.deeds[kind] = true
			}
		}
	case *ast.CallExpr:
		fn, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || len(n.Args) == 0 {
			return true
		}
		switch kind, ok := kindOf(n.Args[0]); {
		case !ok:
		case fn.Sel.Name == "Fact" || fn.Sel.Name == "Facts":
			u.read[kind] = true
		}
	}
	return true
}

// Facts are a language: what reads a fact that nobody promises waits for ever, and what is promised to nobody is a line
// too much.
func TestFactsArePromisedAndRead(t *testing.T) {
	u := uses{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	// What an overlay itself answers: paths, accounts, commands.
	for _, own := range []string{"FactPath", "FactUser", "FactGroup", "FactCommand"} {
		u.read[own] = true
	}
	files := token.NewFileSet()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(files, p, nil, parser.SkipObjectResolution)
		if err == nil && f.Name.Name != "host" {
			ast.Inspect(f, u.visit)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	declared, err := parser.ParseFile(files, "facts.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(declared, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for _, name := range spec.Names {
			switch k := name.Name; {
			case !strings.HasPrefix(k, "Fact"):
			case u.read[k] && !u.promised[k]:
				t.Errorf("%s is read, and nobody promises it", k)
			case u.promised[k] && !u.read[k]:
				t.Errorf("%s is promised, and nobody reads it", k)
			case !u.promised[k] && !u.deeds[k]:
				t.Errorf("%s is used by nobody", k)
			}
		}
		return true
	})
}
