package run_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/cmd"
	"github.com/gostate/gostate/modules/file"
	testmod "github.com/gostate/gostate/modules/test"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// drawWork makes a state that works on few paths, so that states meet often.
func drawWork(t *rapid.T, i int) *state.Low {
	name := rapid.SampledFrom([]string{"ROOT/a", "ROOT/b", "ROOT/d", "ROOT/d/x", "ROOT/d/e/y", "ROOT/l"})
	l := &state.Low{ID: fmt.Sprintf("s%d", i), Name: name.Draw(t, "name"), Module: "file", SLS: "a", Env: "base",
		Order: float64(i), Index: i}
	args := value.NewDict(0)
	switch l.Func = rapid.SampledFrom([]string{"managed", "managed", "directory", "absent", "symlink", "copy", "append",
		"touch", "exists", "run", "nop",
		"fail_with_changes"}).Draw(t, "fun"); l.Func {
	case "managed":
		args = value.DictOf("contents", value.Str(rapid.SampledFrom([]string{"one", "two"}).Draw(t, "contents")), "makedirs",
			value.Bool(rapid.Bool().Draw(t, "makedirs")))
	case "directory":
		args = value.DictOf("makedirs", value.Bool(rapid.Bool().Draw(t, "makedirs")))
	case "symlink":
		args = value.DictOf("target", value.Str(name.Draw(t, "target")), "force", value.Bool(rapid.Bool().Draw(t, "force")))
	case "copy":
		args = value.DictOf("source", value.Str(name.Draw(t, "source")), "makedirs", value.Bool(true), "force",
			value.Bool(true))
	case "append":
		args = value.DictOf("text", value.Str(l.ID))
	case "run":
		l.Module, l.Name = "cmd", fmt.Sprintf("cat %s > %s", l.Name, name.Draw(t, "to"))
		if rapid.Bool().Draw(t, "unless") {
			l.SetOpts().Unless = []state.Condition{{Command: "test -e " + name.Draw(t, "there")}}
		}
	case "nop", "fail_with_changes":
		l.Module = "test"
	}
	if l.Module == "file" && rapid.IntRange(0, 4).Draw(t, "creates") == 0 {
		l.SetOpts().Creates = []string{name.Draw(t, "path")}
	}
	l.Args = args
	return l
}

// at puts the tree below a directory.
func at(root string, low []*state.Low) []*state.Low {
	var out []*state.Low
	put := func(s string) string { return strings.ReplaceAll(s, "ROOT", root) }
	for _, l := range low {
		c := &state.Low{ID: l.ID, Name: put(l.Name), Module: l.Module, Func: l.Func, SLS: l.SLS, Env: l.Env, Order: l.Order,
			Reqs: l.Reqs, Index: l.Index, Args: value.NewDict(0)}
		for k, v := range l.Args.All() {
			if s, ok := v.(value.Str); ok {
				v = value.Str(put(string(s)))
			}
			c.Args.SetStr(value.String(k), v)
		}
		opts := c.SetOpts()
		for _, p := range l.Opts().Creates {
			opts.Creates = append(opts.Creates, put(p))
		}
		for _, u := range l.Opts().Unless {
			opts.Unless = append(opts.Unless, state.Condition{Command: put(u.Command)})
		}
		out = append(out, c)
	}
	return out
}

// found is what is below a directory: paths with their types, modes, links and contents.
func found(t *testing.T, root string) []string {
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := d.Info()
		text, _ := os.ReadFile(path)
		link, _ := os.Readlink(path)
		out = append(out, fmt.Sprintf("%s %s %s %q", strings.TrimPrefix(path, root), i.Mode(),
			strings.ReplaceAll(link, root, ""), text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPropertyTogether: a tree of states that work on the same files has the same results, and leaves the same files,
// however many may run at once.
func TestPropertyTogether(t *testing.T) {
	reg, err := modules.New(file.Family(), cmd.Family(), testmod.Family())
	if err != nil {
		t.Fatal(err)
	}
	h := machine(t)
	rapid.Check(t, func(rt *rapid.T) {
		var low []*state.Low
		for i := range rapid.IntRange(2, 10).Draw(rt, "n") {
			low = append(low, drawWork(rt, i))
		}
		var results, files []string
		for _, jobs := range []int{1, 4, 16} {
			root := t.TempDir()
			mine := at(root, low)
			bound := make([]modules.StateFunc, len(mine))
			for i, l := range mine {
				spec, _ := reg.Lookup(l.Module, l.Func)
				if bound[i], _ = modules.Bind(spec, l); bound[i] == nil {
					rt.Fatalf("%s cannot be bound", l.Fun())
				}
			}
			plan, _ := requisite.Resolve(mine, requisite.Options{})
			var got []string
			for _, r := range run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: h, Env: noEnv,
				Jobs: jobs}).Results {
				changes := "{}"
				if r.Changes != nil {
					r.Changes.Delete(value.Str("pid"))
					changes = value.Repr(r.Changes)
				}
				got = append(got, strings.ReplaceAll(fmt.Sprintf("%s %s %d %s %s", r.Low.Fun(), r.Low.Name, r.Outcome, r.Comment,
					changes), root, ""))
			}
			if jobs == 1 {
				results, files = got, found(t, root)
				continue
			}
			if d := cmp.Diff(results, got); d != "" {
				rt.Fatalf("results with %d jobs (-one +many):\n%s", jobs, d)
			}
			if d := cmp.Diff(files, found(t, root)); d != "" {
				rt.Fatalf("files with %d jobs (-one +many):\n%s", jobs, d)
			}
		}
	})
}
