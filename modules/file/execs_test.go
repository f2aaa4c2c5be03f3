package file

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// TestFindExec: the path is one word of the command, whatever is in it.
func TestFindExec(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/a; b", "", 0o640)
	w.h.Script = func(c host.Cmd) (*host.Output, error) {
		return &host.Output{Stdout: []byte(strings.Join(c.Args, "|"))}, nil
	}
	modtest.Execs{Family: Family(), Host: w.h, Env: w.env}.Table(t, [][4]string{
		{"file.find", `["/d"]`, `{"type": "f", "exec": "echo {} x"}`, `['echo /d/a; b x:\necho|/d/a; b|x\n']`}})
}

func TestExecs(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "one two\nthree\n", 0o640)
	w.h.MustWrite("/d/sub/g.txt", "x", 0o644)
	_ = w.h.Symlink("f", "/d/l")
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		fun    string
		args   []any
		kwargs *value.Dict
		want   string
	}{
		{"file.file_exists", []any{"/d/f"}, nil, "True"},
		{"file.file_exists", []any{"/d"}, nil, "False"},
		{"file.contains", nil, dict("path", "/d/f", "text", "two"), "True"},
		{"file.directory_exists", []any{"/d"}, nil, "True"},
		{"file.path_exists_glob", []any{"/d/s*/*.txt"}, nil, "True"},
		{"file.dirname", []any{"/a/b/c"}, nil, "'/a/b'"},
		{"file.dirname", []any{"/a"}, nil, "'/'"},
		{"file.basename", []any{"/a/b"}, nil, "'b'"},
		{"file.join", []any{"/a", "b", "c"}, nil, "'/a/b/c'"},
		{"file.join", []any{"/a", "b", "/c"}, nil, "'/c'"},
		{"file.join", []any{"a", "", "b/"}, nil, "'a/b/'"},
		{"file.join", []any{"a/", "../b", ""}, nil, "'a/../b/'"},
		{"file.readlink", []any{"/d/l"}, nil, "'f'"},
		{"file.is_link", []any{"/d/l"}, nil, "True"},
		{"file.read", []any{"/d/f"}, nil, `'one two\nthree\n'`},
		{"file.search", []any{"/d/f", "^three$"}, nil, "True"},
		{"file.contains", []any{"/d/f", "wo"}, nil, "True"},
		{"file.contains_regex", []any{"/d/f", "^t"}, nil, "True"},
		{"file.get_mode", []any{"/d/f"}, nil, "'0640'"},
		{"file.get_user", []any{"/d/f"}, nil, "'root'"},
		{"file.user_to_uid", []any{"joe"}, nil, "1000"},
		{"file.user_to_uid", []any{"ann"}, nil, "''"},
		{"file.gid_to_group", []any{1000}, nil, "'joe'"},
		{"file.get_hash", []any{"/d/sub/g.txt", "md5"}, nil, "'9dd4e461268c8034f5c8564e155c67a6'"},
		{"file.check_hash", []any{"/d/sub/g.txt", "md5=9dd4e461268c8034f5c8564e155c67a6"}, nil, "True"},
		{"file.find", []any{"/d"}, dict("type", "f"), "['/d/f', '/d/l', '/d/sub/g.txt']"},
		{"file.find", []any{"/d"}, dict("name", "*.txt"), "['/d/sub/g.txt']"},
		{"file.find", []any{"/d"}, dict("type", "d", "mindepth", 1), "['/d/sub']"},
		{"file.find", []any{"/d"}, dict("maxdepth", 1, "mindepth", 1, "type", "d"), "['/d/sub']"},
		{"file.find", []any{"/d"}, dict("maxdepth", 1, "type", "f", "print", "name,size"), "[['f', 14], ['l', 14]]"},
		{"file.find", []any{"/d"}, dict("type", "fd", "regex", "g", "print", "name, type mode"), "[['g.txt', 'f', 420]]"},
		{"file.find", []any{"/d"}, dict("delete", true), `'error: invalid file type "T"'`},
		{"file.find", []any{"/d"}, dict("name", ""), `'error: missing value for "name" option'`},
		{"file.find", []any{"/d"}, dict("names", "x"), `'error: invalid option "names"'`},
		{"file.find", []any{"/d"}, dict("owner", "nobody-here"), `'error: no such user "nobody-here"'`},
		{"file.find", []any{"/d"}, dict("mtime", "x"), `"error: invalid time interval: 'x'"`},
		{"file.find", []any{"/d"}, dict("mtime", "-1d", "type", "d"), "['/d', '/d/sub']"},
		{"file.find", []any{"/d"}, dict("name", "g.t?", "exec", "echo {}"), "[]"},
		{"file.replace", []any{"/d/f", "one", "1"}, dict("dry_run", true),
			`'--- \n+++ \n@@ -1,2 +1,2 @@\n-one two\n+1 two\n three\n'`},
		{"file.replace", []any{"/d/f", "one", "1"}, dict("search_only", true), "True"},
		{"file.replace", []any{"/d/f", "nowhere", "1"}, dict("search_only", true), "False"},
		{"file.read", []any{"/d/f"}, nil, `'one two\nthree\n'`},
		{"file.rmdir", []any{"/d"}, dict("recurse", true), "False"},
		{"file.rmdir", []any{"/d/sub"}, dict("verbose", true),
			`{'deleted': [], 'errors': [['/d/sub', "[Errno 39] Directory not empty: '/d/sub'"]], 'result': False}`},
		{"file.write", []any{"/d/w", "a", "b"}, nil, `'Wrote 2 lines to "/d/w"'`},
		{"file.append", []any{"/d/w"}, dict("args", "c"), `'Wrote 1 lines to "/d/w"'`},
		{"file.read", []any{"/d/w"}, nil, `'a\nb\nc\n'`},
		{"file.replace", []any{"/d/w", "b", "B"}, dict("backup", false), `'--- \n+++ \n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'`},
		{"file.copy", []any{"/d/w", "/d/w2"}, nil, "True"},
		{"file.get_diff", []any{"/d/w", "/d/w2"}, nil, "''"},
		{"file.mkdir", []any{"/d/x/y"}, dict("mode", 700), "True"},
		{"file.set_mode", []any{"/d/x/y", "0711"}, nil, "'0711'"},
		{"file.remove", []any{"/d/x"}, nil, "True"},
		{"file.readdir", []any{"/d/sub"}, nil, "['.', '..', 'g.txt']"},
		{"file.stats", []any{"/d/none"}, nil, "error: Path not found: /d/none"},
		{"file.dirname", nil, nil, "error: dirname() missing 1 required positional argument: 'path'"},
	} {
		var args []value.Value
		for _, a := range tt.args {
			args = append(args, val(a))
		}
		v, err := reg.Call(t.Context(), w.env, w.h, tt.fun, args, tt.kwargs)
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = value.Repr(v)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s%v (-want +got):\n%s", tt.fun, tt.args, diff)
		}
	}
}
