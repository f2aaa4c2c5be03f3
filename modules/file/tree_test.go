package file

import (
	"context"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

func TestRecurse(t *testing.T) {
	w := newWorld(t)
	w.env.Files = fakeFiles{"salt://tree/a": "A\n", "salt://tree/sub/b": "B\n", "salt://tree/sub/c.bak": "no\n"}
	args := []any{"source", "salt://tree", "file_mode", "0640", "dir_mode", "0750", "exclude_pat", "E@\\.bak$", "clean",
		true}
	w.h.MustWrite("/d/t/old", "", 0o644)
	w.h.MustWrite("/d/t/keep.bak", "", 0o644)
	got := w.run("file.recurse", "/d/t", args...)
	want := outcome{
		Foretold: "{'/d/t': {'/d/t': {'mode': '0750'}}, '/d/t/sub': {'/d/t/sub': {'directory': 'new'}}, '/d/t/a': " +
			"{'newfile': '/d/t/a'}, '/d/t/sub/b': {'newfile': '/d/t/sub/b'}, 'removed': ['/d/t/old']}",
		Changes: "{'/d/t': {'/d/t': {'mode': '0750'}, 'mode': '0750'}, '/d/t/sub': {'/d/t/sub': {'directory': 'new'}}, " +
			"'/d/t/a': {'diff': 'New file', 'mode': '0640'}, " +
			"'/d/t/sub/b': {'diff': 'New file', 'mode': '0640'}, 'removed': ['/d/t/old']}",
		Comment: "Recursively updated /d/t",
	}
	w.want(got, want)
	w.holds("/d/t/sub/b", "B\n", 0o640)
	w.want(w.run("file.recurse", "/d/t", args...), outcome{Foretold: "{}",
		Comment: "The directory /d/t is in the correct state"})
	if got := w.run("file.recurse", "/d/t", "source", "salt://none"); !strings.Contains(got.Err,
		"The directory 'none' does not exist on the salt fileserver in saltenv 'base'") {
		t.Errorf("got %q", got.Err)
	}
}

func TestMovingAndCopying(t *testing.T) {
	tests := []struct {
		name, fun, path string
		args            []any
		changes, err    string
	}{
		{"copy", "file.copy", "/d/new", []any{"source", "/d/f"}, "{'/d/new': '/d/f'}", ""},
		{"copy over", "file.copy", "/d/g", []any{"source", "/d/f"}, "", ""},
		{"copy over with force", "file.copy", "/d/g", []any{"source", "/d/f", "force", true}, "{'/d/g': '/d/f'}", ""},
		{"copy a tree", "file.copy", "/d/t2", []any{"source", "/d/t"}, "{'/d/t2': '/d/t'}", ""},
		{"copy nothing", "file.copy", "/d/new", []any{"source", "/d/none"}, "", `Source file "/d/none" is not present`},
		{"rename", "file.rename", "/d/new", []any{"source", "/d/f"}, "{'/d/new': '/d/f'}", ""},
		{"rename what is gone", "file.rename", "/d/new", []any{"source", "/d/none"}, "", ""},
		{"rename over", "file.rename", "/d/g", []any{"source", "/d/f"}, "", ""},
		{"touch", "file.touch", "/d/new", nil, "{'new': '/d/new'}", ""},
		{"touch again", "file.touch", "/d/f", nil, "{'touched': '/d/f'}", ""},
		{"exists", "file.exists", "/d/f", nil, "", ""},
		{"does not exist", "file.exists", "/d/none", nil, "", "Specified path /d/none does not exist"},
		{"missing", "file.missing", "/d/f", nil, "", "Specified path /d/f exists"},
		{"hard link", "file.hardlink", "/d/new", []any{"target", "/d/f"}, "{'new': '/d/new'}", ""},
		{"hard link over", "file.hardlink", "/d/g", []any{"target", "/d/f"}, "",
			"File exists where the hard link /d/g should be"},
		{"fifo", "file.mknod", "/d/fifo", []any{"ntype", "p"}, "{'new': 'Fifo pipe /d/fifo created.'}", ""},
		{"fifo over a file", "file.mknod", "/d/f", []any{"ntype", "p"}, "", "Refusing to continue"},
		{"decode", "file.decode", "/d/new", []any{"encoded_data", "eA=="},
			"{'old': None, 'new': '9dd4e461268c8034f5c8564e155c67a6'}", ""},
		{"tidied", "file.tidied", "/d/t", []any{"matches", "x"}, "{'removed': ['/d/t/x']}", ""},
		{"tidied by age alone", "file.tidied", "/d/t", []any{"age", 1, "age_size_only", "age"}, "", ""},
		{"tidied by size alone", "file.tidied", "/d/t", []any{"size", "1K", "age_size_only", "size"}, "", ""},
		{"tidied by age", "file.tidied", "/d/t", []any{"age", 1, "size", "1K"}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			for _, f := range []string{"/d/f", "/d/g", "/d/t/x", "/d/t/y"} {
				w.h.MustWrite(f, f, 0o644)
			}
			got := w.run(tt.fun, tt.path, tt.args...)
			if (tt.changes != "" && got.Changes != tt.changes) || !strings.Contains(got.Err, tt.err) ||
				(tt.err == "") != (got.Err == "") {
				t.Errorf("got %+v", got)
			}
			if tt.changes == "" && got.Changes != "" && got.Changes != "{}" {
				t.Errorf("changed %s", got.Changes)
			}
		})
	}
}

// TestTouchedAlready: times that the file has are not set again.
func TestTouchedAlready(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "x", 0o640)
	for _, want := range []string{"{'touched': '/d/f'}", ""} {
		if got := w.run("file.touch", "/d/f", "atime", 1000, "mtime", 1000); got.Changes != want {
			t.Errorf("got %+v, want %s", got, want)
		}
	}
}

// TestCopyPreserves the owner as well as the mode.
func TestCopyPreserves(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "x", 0o640)
	_ = w.h.Chown("/d/f", 1000, 1000)
	w.run("file.copy", "/d/new", "source", "/d/f", "preserve", true)
	if i, err := w.h.Stat("/d/new"); err != nil || i.UID != 1000 || i.GID != 1000 || i.Perm() != 0o640 {
		t.Errorf("%+v %v", i, err)
	}
}

// fakeExec serializes data as its repr.
type fakeExec struct{}

func (fakeExec) Has(string) bool { return true }

func (fakeExec) Call(_ context.Context, name string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	if name == "slsutil.deserialize" {
		return dict("old", 1), nil
	}
	return value.Str(value.Repr(args[0]) + value.Repr(args[1]) + value.Repr(kwargs)), nil
}

func TestSerialize(t *testing.T) {
	w := newWorld(t)
	w.env.Exec = fakeExec{}
	got := w.run("file.serialize", "/d/f", "dataset", dict("a", 1), "formatter", "json", "serializer_opts",
		value.NewList(dict("indent", 4)))
	w.want(got, outcome{Foretold: "{'newfile': '/d/f'}", Changes: "{'diff': 'New file'}", Comment: "File /d/f updated"})
	w.holds("/d/f", "'json'{'a': 1}{'indent': 4, 'separators': (',', ': '), 'sort_keys': True}\n", 0)
	w.run("file.serialize", "/d/f", "dataset", dict("a", 1), "merge_if_exists", true)
	w.holds("/d/f", "'yaml'{'old': 1, 'a': 1}{'default_flow_style': False}\n", 0)
}

func TestEverySpecIsDocumented(t *testing.T) {
	for _, s := range Family().States {
		if s.Doc == "" || !strings.Contains(s.Example, s.Name) {
			t.Errorf("%s has no documentation, or its example does not use it", s.Name)
		}
		for _, a := range s.Arguments() {
			if a.Doc == "" {
				t.Errorf("the argument %s of %s has no documentation", a.Name, s.Name)
			}
		}
		// Without arguments: no function may panic.
		modules.Bind(&s, &state.Low{Name: "/d/f"})
	}
}
