package file

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// TestConformance plays the suite of all state functions.
func TestConformance(t *testing.T) {
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	modtest.Suite{Family: Family(), Situations: situations(), Deeds: deeds(), Env: honestEnv,
		Moment: regexp.MustCompile(`file_backup/d/(x|other)_\S+`)}.Run(t)
}

// honestEnv has the sources that the deeds name.
func honestEnv(*testing.T) *modules.Env {
	env := newEnv()
	env.Files = fakeFiles{"salt://f": "source\n", "salt://t": "hello {{ who }} {{ name }}\n",
		"salt://count":  "{{ count }}\n",
		"salt://tree/a": "A\n", "salt://tree/sub/b": "B\n",
		"salt://patch": "--- x\n+++ x\n@@ -1,2 +1,2 @@\n-old one\n+new one\n foo\n"}
	env.Exec = fakeExec{}
	return env
}

// deeds are states of every function of the family, on the path /d/x and what is around it.
func deeds() []modtest.Deed {
	const x = "/d/x"
	list := []modtest.Deed{
		modtest.State("file.managed", x, "contents", "hello"),
		modtest.State("file.managed", x, "contents", []string{"a", "b"}, "mode", "0640"),
		modtest.State("file.managed", x, "source", "salt://f", "mode", "keep"),
		modtest.State("file.managed", x, "source", "/d/other"),
		modtest.State("file.managed", x, "source", "salt://t", "template", "jinja", "context", dict("who", "you")),
		modtest.State("file.managed", x, "source", "salt://count", "template", "jinja"),
		modtest.State("file.managed", x, "contents", "hello", "follow_symlinks", false),
		modtest.State("file.managed", x, "contents", "hello", "backup", "minion", "makedirs", true),
		modtest.State("file.managed", x, "replace", false, "mode", "0600"),
		modtest.State("file.managed", x, "contents", "new", "create", false),
		modtest.State("file.managed", x, "contents", "", "mode", "4755"),
		modtest.State("file.managed", x+"/deep/er", "contents", "hello", "makedirs", true, "dir_mode", "0700"),
		modtest.State("file.managed", x+"/deep", "contents", "hello"),
		modtest.State("file.managed", x, "contents", "hello", "user", "me", "group", "me"),
		modtest.State("file.managed", x, "contents", "hello", "user", "nobody-here"),
		modtest.State("file.directory", x),
		modtest.State("file.directory", x+"/", "mode", "2750"),
		modtest.State("file.directory", x, "force", true),
		modtest.State("file.directory", x, "force", true, "allow_symlink", false),
		modtest.State("file.directory", x, "backupname", "/d/backup"),
		modtest.State("file.directory", x, "backupname", "backup"),
		modtest.State("file.managed", x, "contents", "hello", "check_cmd", "true", "tmp_dir", "tmp"),
		modtest.State("file.directory", x+"/a/b", "makedirs", true, "mode", "0711"),
		modtest.State("file.directory", x, "clean", true),
		modtest.State("file.directory", x, "clean", true, "exclude_pat", "k*"),
		modtest.State("file.directory", x, "dir_mode", "0755", "file_mode", "0600", "recurse", []string{"mode"}),
		modtest.State("file.directory", x, "mode", "0700", "recurse", []string{"mode", "ignore_files"}, "max_depth", 0),
		modtest.State("file.directory", x, "user", "me", "recurse", []string{"user", "silent"}, "follow_symlinks", true),
		modtest.State("file.symlink", x, "target", "other"),
		modtest.State("file.symlink", x, "target", "/d/nowhere", "force", true),
		modtest.State("file.symlink", x, "target", "other", "backupname", "x.bak"),
		modtest.State("file.symlink", x+"/l", "target", "y", "makedirs", true),
		modtest.State("file.hardlink", x, "target", "/d/other"),
		modtest.State("file.hardlink", x, "target", "/d/other", "force", true),
		modtest.State("file.absent", x),
		modtest.State("file.absent", x+"/kid"),
		modtest.State("file.append", x, "text", []string{"one", "two"}),
		modtest.State("file.append", x+"/deep", "text", "one", "makedirs", true),
		modtest.State("file.prepend", x, "text", "zero"),
		modtest.State("file.replace", x, "pattern", "o+", "repl", "0"),
		modtest.State("file.replace", x, "pattern", "^key=.*$", "repl", "key=v", "append_if_not_found", true, "backup",
			false),
		modtest.State("file.replace", x, "pattern", "z", "repl", "y", "ignore_if_missing", true),
		modtest.State("file.line", x, "content", "a line", "mode", "ensure", "after", "old.*"),
		modtest.State("file.line", x, "match", "old", "mode", "delete"),
		modtest.State("file.line", x, "content", "end", "mode", "insert", "location", "end"),
		modtest.State("file.comment", x, "regex", "^old"),
		modtest.State("file.uncomment", x, "regex", "off"),
		modtest.State("file.blockreplace", x, "content", "in block", "append_if_not_found", true),
		modtest.State("file.blockreplace", x, "content", "in block", "marker_start", "old", "marker_end", "#off"),
		modtest.State("file.keyvalue", x, "key", "old", "value", "v", "separator", " ", "append_if_not_found", true),
		modtest.State("file.touch", x),
		modtest.State("file.touch", x+"/t", "makedirs", true),
		modtest.State("file.touch", x, "mtime", 1000, "atime", 1000),
		modtest.State("file.copy", x, "source", "/d/other"),
		modtest.State("file.copy", x, "source", "/d/other", "force", true, "mode", "0604"),
		modtest.State("file.copy", "/d/copy", "source", x, "preserve", true),
		modtest.State("file.copy", x+"/in/it", "source", x, "makedirs", true),
		modtest.State("file.copy", x, "source", x, "force", true),
		modtest.State("file.copy", "/d", "source", x, "force", true),
		modtest.State("file.rename", x, "source", "/d/other"),
		modtest.State("file.rename", x, "source", "/d/other", "force", true),
		modtest.State("file.rename", "/d/moved/x", "source", x, "makedirs", true),
		modtest.State("file.rename", x+"/in/it", "source", x, "makedirs", true),
		modtest.State("file.rename", x, "source", x, "force", true),
		modtest.State("file.rename", "/d", "source", x, "force", true),
		modtest.State("file.recurse", x, "source", "salt://tree", "file_mode", "0640", "dir_mode", "0750"),
		modtest.State("file.recurse", x, "source", "salt://tree", "clean", true),
		modtest.State("file.decode", x, "encoded_data", "aGVsbG8="),
		modtest.State("file.mknod", x, "ntype", "p", "mode", "0620"),
		modtest.State("file.tidied", x, "matches", "k.*"),
		modtest.State("file.tidied", x, "rmdirs", true),
		modtest.State("file.tidied", x, "size", "2", "age_size_only", "size", "rmlinks", false),
		modtest.State("file.cached", "salt://f"),
		modtest.State("file.cached", x),
		modtest.State("file.not_cached", "salt://f"),
		modtest.State("file.pruned", x),
		modtest.State("file.pruned", x, "recurse", true),
		modtest.State("file.pruned", x, "ignore_errors", true, "older_than", 1),
		modtest.State("file.retention_schedule", x, "retain", dict("most_recent", 1)),
		modtest.State("file.patch", x, "source", "salt://patch"),
		modtest.State("file.exists", x),
		modtest.State("file.missing", x),
		modtest.State("file.accumulated", "list", "filename", x, "text", "a", "require_in", value.NewList(dict("file", x))),
		modtest.State("file.serialize", x, "dataset", dict("a", 1), "mode", "0600"),
	}
	if os.Geteuid() == 0 {
		list = append(list, modtest.State("file.managed", x, "contents", "hello", "user", "joe", "group", "joe", "mode",
			"4750"),
			modtest.State("file.managed", x, "replace", false, "user", "joe"),
			modtest.State("file.directory", x, "user", "joe", "group", "joe", "recurse", []string{"user", "group"}),
			modtest.State("file.symlink", x, "target", "other", "user", "joe"))
	}
	return list
}

// situations are what /d/x is at first.
func situations() modtest.Situations {
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
		// retention goes by their times
		for i, name := range []string{"/sub/kin", "/sub", "/kid", "/a", "/link", "/dirlink"} {
			when := unix.NsecToTimespec(int64(1e9 * (i + 1)))
			must(t, unix.UtimesNanoAt(unix.AT_FDCWD, d+name, []unix.Timespec{when, when}, unix.AT_SYMLINK_NOFOLLOW))
		}
	}
	sets := map[string]func(t *testing.T, d string){
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
	out := modtest.Situations{}
	for name, set := range sets {
		out[name] = machine(set)
	}
	return out
}

// machine is a tree with /d/other and the situation.
func machine(set func(t *testing.T, d string)) func(*testing.T) host.Host {
	return modtest.Tree(func(t *testing.T, root string) {
		files := map[string]string{
			"/etc/passwd": fmt.Sprintf("me:x:%d:%d::/:/bin/sh\njoe:x:12345:12345::/:/bin/sh\n", os.Geteuid(), os.Getegid()),
			"/etc/group":  fmt.Sprintf("me:x:%d:\njoe:x:12345:\n", os.Getegid()),
			"/d/other":    "other\n",
		}
		if err := os.Mkdir(root+"/d", 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(root+name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		set(t, root+"/d")
	})
}
