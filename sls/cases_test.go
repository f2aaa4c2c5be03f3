package sls

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// templated are the cases whose SLS files need a template engine, a pillar, a config or a top file; the command's tests
// run them.
func templated(files map[string]string) bool {
	for name, text := range files {
		if name == "top.sls" || strings.Contains(text, "{{") || strings.Contains(text, "{%") ||
			strings.HasPrefix(text, "#!") {
			return true
		}
	}
	return false
}

type expectation struct {
	Steps []struct {
		Cmd      string
		Errors   []string
		Lowstate []struct {
			ID, Fun, SLS string
			Name         any
			Order        float64
			Args         map[string]any
		}
	}
}

func TestCases(t *testing.T) {
	root := "../testdata/conformance/states/cases"
	dirs, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		dir := filepath.Join(root, d.Name())
		files := map[string]string{}
		err := fs.WalkDir(os.DirFS(filepath.Join(dir, "salt")), ".", func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(dir, "salt", p))
			files[p] = string(text)
			return err
		})
		if err != nil || templated(files) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
		if err != nil {
			t.Fatal(err)
		}
		var want expectation
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "pillar")); err == nil {
			continue
		}
		minion, _ := os.ReadFile(filepath.Join(dir, "minion"))
		cfg := tree(t, files)
		cfg.NoAutoOrder = strings.Contains(string(minion), "state_auto_order: False")
		for _, s := range want.Steps {
			words := strings.Fields(s.Cmd)
			if len(words) < 2 || words[0] != "state.apply" || strings.Contains(words[1], "=") {
				continue
			}
			t.Run(d.Name()+"/"+words[1], func(t *testing.T) {
				low, _, compileErr, planErr := compile(t, cfg, strings.Split(words[1], ",")...)
				if s.Errors != nil {
					if !compileErr.HasErrors() && !planErr.HasErrors() {
						t.Errorf("no error, Salt says %q", s.Errors)
					}
					return
				}
				if compileErr.HasErrors() {
					known := d.Name() == "064-require-null" || d.Name() == "020-name-nonstring" // Salt crashes, Salt differs
					if s.Lowstate != nil && !known {
						t.Errorf("errors: %v", compileErr.Err())
					}
					return
				}
				if s.Lowstate == nil {
					return
				}
				if len(low) != len(s.Lowstate) {
					t.Fatalf("%d low states, want %d", len(low), len(s.Lowstate))
				}
				for i, w := range s.Lowstate {
					l := low[i]
					got := fmt.Sprint(l.ID, " ", l.Fun(), " ", l.Name, " ", l.SLS)
					if want := fmt.Sprint(w.ID, " ", w.Fun, " ", w.Name, " ", w.SLS); got != want || l.Order-w.Order > 1e-6 ||
						w.Order-l.Order > 1e-6 {
						t.Errorf("low state %d is %s %v, want %s %v", i, got, l.Order, want, w.Order)
					}
					if diff := cmp.Diff(w.Args, chunkArgs(l), cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("arguments of %s (-want +got):\n%s", got, diff)
					}
				}
			})
		}
	}
}

// chunkArgs are the arguments of Chunk as JSON has them.
func chunkArgs(l *state.Low) map[string]any {
	out := map[string]any{}
	for k, v := range l.Chunk().All() {
		switch value.String(k) {
		case "state", "name", "fun", "order", "__id__", "__sls__", "__env__", "comment": // comments were not recorded
		default:
			out[value.String(k)] = plain(v)
		}
	}
	return out
}

func plain(v value.Value) any {
	switch v := v.(type) {
	case *value.Dict:
		out := map[string]any{}
		for k, x := range v.All() {
			out[value.String(k)] = plain(x)
		}
		return out
	case *value.List:
		out := []any{}
		for _, x := range v.Items {
			out = append(out, plain(x))
		}
		return out
	case value.Int:
		return float64(v)
	case value.Float:
		return float64(v)
	case value.Bool:
		return bool(v)
	case value.NoneType:
		return nil
	}
	return value.String(v)
}
