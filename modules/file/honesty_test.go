package file

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A deed is a state of a function of the family.
type deed struct {
	fun, path string
	args      []any
}

func (d deed) String() string {
	var b strings.Builder
	b.WriteString(d.fun + " " + d.path)
	for _, a := range d.args {
		if v, ok := a.(value.Value); ok {
			a = value.Repr(v)
		}
		fmt.Fprintf(&b, " %v", a)
	}
	return b.String()
}

// deeds are states of every function of the family that changes something, on the path /d/x and what is around it.
func deeds() []deed {
	const x = "/d/x"
	list := []deed{
		{"file.managed", x, []any{"contents", "hello"}},
		{"file.managed", x, []any{"contents", []string{"a", "b"}, "mode", "0640"}},
		{"file.managed", x, []any{"source", "salt://f", "mode", "keep"}},
		{"file.managed", x, []any{"source", "/d/other"}},
		{"file.managed", x, []any{"source", "salt://t", "template", "jinja", "context", dict("who", "you")}},
		{"file.managed", x, []any{"source", "salt://count", "template", "jinja"}},
		{"file.managed", x, []any{"contents", "hello", "follow_symlinks", false}},
		{"file.managed", x, []any{"contents", "hello", "backup", "minion", "makedirs", true}},
		{"file.managed", x, []any{"replace", false, "mode", "0600"}},
		{"file.managed", x, []any{"contents", "new", "create", false}},
		{"file.managed", x, []any{"contents", "", "mode", "4755"}},
		{"file.managed", x + "/deep/er", []any{"contents", "hello", "makedirs", true, "dir_mode", "0700"}},
		{"file.managed", x + "/deep", []any{"contents", "hello"}},
		{"file.managed", x, []any{"contents", "hello", "user", "me", "group", "me"}},
		{"file.managed", x, []any{"contents", "hello", "user", "nobody-here"}},
		{"file.directory", x, nil},
		{"file.directory", x + "/", []any{"mode", "2750"}},
		{"file.directory", x, []any{"force", true}},
		{"file.directory", x, []any{"force", true, "allow_symlink", false}},
		{"file.directory", x, []any{"backupname", "/d/backup"}},
		{"file.directory", x + "/a/b", []any{"makedirs", true, "mode", "0711"}},
		{"file.directory", x, []any{"clean", true}},
		{"file.directory", x, []any{"clean", true, "exclude_pat", "k*"}},
		{"file.directory", x, []any{"dir_mode", "0755", "file_mode", "0600", "recurse", []string{"mode"}}},
		{"file.directory", x, []any{"mode", "0700", "recurse", []string{"mode", "ignore_files"}, "max_depth", 0}},
		{"file.directory", x, []any{"user", "me", "recurse", []string{"user", "silent"}, "follow_symlinks", true}},
		{"file.symlink", x, []any{"target", "other"}},
		{"file.symlink", x, []any{"target", "/d/nowhere", "force", true}},
		{"file.symlink", x, []any{"target", "other", "backupname", "x.bak"}},
		{"file.symlink", x + "/l", []any{"target", "y", "makedirs", true}},
		{"file.hardlink", x, []any{"target", "/d/other"}},
		{"file.hardlink", x, []any{"target", "/d/other", "force", true}},
		{"file.absent", x, nil},
		{"file.absent", x + "/kid", nil},
		{"file.append", x, []any{"text", []string{"one", "two"}}},
		{"file.append", x + "/deep", []any{"text", "one", "makedirs", true}},
		{"file.prepend", x, []any{"text", "zero"}},
		{"file.replace", x, []any{"pattern", "o+", "repl", "0"}},
		{"file.replace", x, []any{"pattern", "^key=.*$", "repl", "key=v", "append_if_not_found", true, "backup", false}},
		{"file.replace", x, []any{"pattern", "z", "repl", "y", "ignore_if_missing", true}},
		{"file.line", x, []any{"content", "a line", "mode", "ensure", "after", "old.*"}},
		{"file.line", x, []any{"match", "old", "mode", "delete"}},
		{"file.line", x, []any{"content", "end", "mode", "insert", "location", "end"}},
		{"file.comment", x, []any{"regex", "^old"}},
		{"file.uncomment", x, []any{"regex", "off"}},
		{"file.blockreplace", x, []any{"content", "in block", "append_if_not_found", true}},
		{"file.blockreplace", x, []any{"content", "in block", "marker_start", "old", "marker_end", "#off"}},
		{"file.keyvalue", x, []any{"key", "old", "value", "v", "separator", " ", "append_if_not_found", true}},
		{"file.touch", x, nil},
		{"file.touch", x + "/t", []any{"makedirs", true}},
		{"file.touch", x, []any{"mtime", 1000, "atime", 1000}},
		{"file.copy", x, []any{"source", "/d/other"}},
		{"file.copy", x, []any{"source", "/d/other", "force", true, "mode", "0604"}},
		{"file.copy", "/d/copy", []any{"source", x, "preserve", true}},
		{"file.copy", x + "/in/it", []any{"source", x, "makedirs", true}},
		{"file.copy", x, []any{"source", x, "force", true}},
		{"file.copy", "/d", []any{"source", x, "force", true}},
		{"file.rename", x, []any{"source", "/d/other"}},
		{"file.rename", x, []any{"source", "/d/other", "force", true}},
		{"file.rename", "/d/moved/x", []any{"source", x, "makedirs", true}},
		{"file.rename", x + "/in/it", []any{"source", x, "makedirs", true}},
		{"file.rename", x, []any{"source", x, "force", true}},
		{"file.rename", "/d", []any{"source", x, "force", true}},
		{"file.recurse", x, []any{"source", "salt://tree", "file_mode", "0640", "dir_mode", "0750"}},
		{"file.recurse", x, []any{"source", "salt://tree", "clean", true}},
		{"file.decode", x, []any{"encoded_data", "aGVsbG8="}},
		{"file.mknod", x, []any{"ntype", "p", "mode", "0620"}},
		{"file.tidied", x, []any{"matches", "k.*"}},
		{"file.tidied", x, []any{"rmdirs", true}},
		{"file.retention_schedule", x, []any{"retain", dict("most_recent", 1)}},
		{"file.patch", x, []any{"source", "salt://patch"}},
		{"file.exists", x, nil},
		{"file.missing", x, nil},
		{"file.serialize", x, []any{"dataset", dict("a", 1), "mode", "0600"}},
	}
	if os.Geteuid() == 0 {
		list = append(list, deed{"file.managed", x, []any{"contents", "hello", "user", "joe", "group", "joe", "mode", "4750"}},
			deed{"file.managed", x, []any{"replace", false, "user", "joe"}},
			deed{"file.directory", x, []any{"user", "joe", "group", "joe", "recurse", []string{"user", "group"}}},
			deed{"file.symlink", x, []any{"target", "other", "user", "joe"}})
	}
	return list
}

// situations are what /d/x is at first.
func situations() map[string]func(t *testing.T, d string) {
	text := "old one\nfoo\n#off\n"
	write := func(t *testing.T, name, text string, mode fs.FileMode) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	tree := func(t *testing.T, d string) {
		must(t, os.Mkdir(d, 0o755))
		must(t, os.Mkdir(d+"/sub", 0o700))
		write(t, d+"/kid", "kid", 0o644)
		write(t, d+"/a", "A\n", 0o644)
		write(t, d+"/sub/kin", "kin", 0o600)
		must(t, os.Symlink("../other", d+"/link"))
		must(t, os.Symlink("sub", d+"/dirlink"))
	}
	return map[string]func(t *testing.T, d string){
		"nothing":     func(*testing.T, string) {},
		"a file":      func(t *testing.T, d string) { write(t, d+"/x", text, 0o644) },
		"setuid":      func(t *testing.T, d string) { write(t, d+"/x", "hello\n", 0o644|fs.ModeSetuid) },
		"empty":       func(t *testing.T, d string) { write(t, d+"/x", "", 0o600) },
		"no newline":  func(t *testing.T, d string) { write(t, d+"/x", "old", 0o640) },
		"CRLF":        func(t *testing.T, d string) { write(t, d+"/x", "old one\r\nfoo\r\n", 0o640) },
		"binary":      func(t *testing.T, d string) { write(t, d+"/x", "old\x00\xff\n", 0o640) },
		"a directory": func(t *testing.T, d string) { must(t, os.Mkdir(d+"/x", 0o755)) },
		"a tree":      func(t *testing.T, d string) { tree(t, d+"/x") },
		"a setgid directory": func(t *testing.T, d string) {
			must(t, os.Mkdir(d+"/x", 0o755))
			must(t, os.Chmod(d+"/x", 0o755|fs.ModeSetgid))
		},
		"a link to a file":      func(t *testing.T, d string) { must(t, os.Symlink("other", d+"/x")) },
		"an absolute link":      func(t *testing.T, d string) { must(t, os.Symlink("/d/other", d+"/x")) },
		"a dangling link":       func(t *testing.T, d string) { must(t, os.Symlink("nowhere", d+"/x")) },
		"a link to a directory": func(t *testing.T, d string) { tree(t, d+"/real"); must(t, os.Symlink("real", d+"/x")) },
		"a loop":                func(t *testing.T, d string) { must(t, os.Symlink("x", d+"/x")) },
		"a hard link":           func(t *testing.T, d string) { must(t, os.Link(d+"/other", d+"/x")) },
		"a fifo":                func(t *testing.T, d string) { must(t, syscall.Mkfifo(d+"/x", 0o600)) },
	}
}

// quickDir is a directory in memory where there is one: hundreds of machines need not reach a disk.
func quickDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "gostate-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// machine makes a tree with /d/other and the situation, and opens it as a machine of its own.
func machine(t *testing.T, set func(t *testing.T, d string)) *host.OS {
	t.Helper()
	root := quickDir(t)
	for _, d := range []string{"/d", "/etc", "/var", "/tmp"} {
		if err := os.Mkdir(root+d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	accounts := map[string]string{
		"passwd": fmt.Sprintf("me:x:%d:%d::/:/bin/sh\njoe:x:12345:12345::/:/bin/sh\n", os.Geteuid(), os.Getegid()),
		"group":  fmt.Sprintf("me:x:%d:\njoe:x:12345:\n", os.Getegid()),
	}
	for name, text := range accounts {
		if err := os.WriteFile(root+"/etc/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(root+"/d/other", []byte("other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	set(t, root+"/d")
	h, err := host.NewOS(root)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// snapshot is all of the tree below a directory of the machine, as the reader sees it: with times when it is the real one.
func snapshot(t *testing.T, h host.Reader, dir string, times bool) []string {
	t.Helper()
	infos, err := h.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range infos {
		name := filepath.Join(dir, i.Path)
		line := fmt.Sprintf("%s %v %d:%d", name, i.Mode, i.UID, i.GID)
		switch {
		case i.IsRegular():
			raw, err := h.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			line += fmt.Sprintf(" %q", raw)
		case i.IsSymlink():
			target, _ := h.Readlink(name)
			line += " -> " + target
		}
		if times {
			line += fmt.Sprintf(" %d %d", i.MTime.UnixNano(), i.Inode)
		}
		out = append(out, line)
		if i.IsDir() {
			out = append(out, snapshot(t, h, name, times)...)
		}
	}
	slices.Sort(out)
	return out
}

// backupTime hides the moment in the names of backups.
func backupTime(lines []string) []string {
	var out []string
	for _, l := range lines {
		if strings.HasPrefix(l, "/var/cache/gostate/file_backup/d/x_") || strings.HasPrefix(l, "/var/cache/gostate/file_backup/d/other_") {
			_, l, _ = strings.Cut(l, " ")
		}
		out = append(out, l)
	}
	return out
}

// verdict is what a state said of itself.
type verdict struct {
	Pending, Failed bool
}

// perform checks and applies a state.
func (w *world) perform(h host.Host, d deed) (v verdict, f state.Forecast, why error) {
	fn := w.bind(d.fun, d.path, d.args...)
	f, err := modtest.Of(fn).Check(w.t.Context(), w.env, h)
	if err == nil && f.Pending {
		v.Pending = true
		_, err = modtest.Of(fn).Apply(w.t.Context(), w.env, h, f)
	}
	v.Failed = err != nil
	return v, f, err
}

// honestWorld has the sources that the deeds name.
func honestWorld(t *testing.T) *world {
	w := newWorld(t)
	w.env.Files = fakeFiles{"salt://f": "source\n", "salt://t": "hello {{ who }} {{ name }}\n", "salt://count": "{{ count }}\n",
		"salt://tree/a": "A\n", "salt://tree/sub/b": "B\n", "salt://patch": "--- x\n+++ x\n@@ -1,2 +1,2 @@\n-old one\n+new one\n foo\n"}
	w.env.Exec = fakeExec{}
	return w
}

// TestPreviewIsWhatApplyDoes: in every situation, a check writes nothing, a preview leaves the tree as it is to the last
// mtime, and what the preview says and holds in its overlay is what the run then says and makes; and a second run changes
// nothing.
func TestPreviewIsWhatApplyDoes(t *testing.T) {
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	for name, set := range situations() {
		t.Run(name, func(t *testing.T) {
			for _, d := range deeds() {
				checkHonesty(t, set, d)
			}
		})
	}
}

func checkHonesty(t *testing.T, set func(t *testing.T, d string), d deed) {
	t.Helper()
	h, w := machine(t, set), honestWorld(t)
	before := snapshot(t, h, "/", true)
	_, _ = modtest.Of(w.bind(d.fun, d.path, d.args...)).Check(t.Context(), w.env, h)
	over := host.NewOverlay(h)
	said, _, _ := honestWorld(t).perform(over, d)
	if diff := cmp.Diff(before, snapshot(t, h, "/", true)); diff != "" {
		t.Errorf("%v: the preview wrote (-before +after):\n%s", d, diff)
		return
	}
	foreseen := snapshot(t, over, "/", false)
	w = honestWorld(t)
	did, f, why := w.perform(h, d)
	if diff := cmp.Diff(said, did); diff != "" {
		t.Errorf("%v: (-foreseen +done): %v\n%s", d, why, diff)
	}
	after := snapshot(t, h, "/", false)
	if !did.Failed {
		if diff := cmp.Diff(backupTime(foreseen), backupTime(after)); diff != "" {
			t.Errorf("%v: (-foreseen +done):\n%s", d, diff)
		}
	} else if did.Pending == false && len(before) != len(after) {
		t.Errorf("%v: failed in its check and changed the tree", d)
	}
	for _, l := range after {
		if strings.Contains(l, ".gostate-") {
			t.Errorf("%v: left %s", d, l)
		}
	}
	if did.Failed || f.Action {
		return
	}
	if again, f, why := honestWorld(t).perform(h, d); again.Pending && !strings.Contains(d.String(), "salt://count") {
		t.Errorf("%v: the second run wants %s, %v", d, repr(f.Changes), why)
	}
}

// TestEveryFunctionIsTried: a function that is added has to be tried above.
func TestEveryFunctionIsTried(t *testing.T) {
	tried := map[string]bool{"file.accumulated": true} // it touches no file
	for _, d := range deeds() {
		tried[d.fun] = true
	}
	for _, s := range Family().States {
		if !tried[s.Name] {
			t.Errorf("%s is in no deed", s.Name)
		}
	}
}
