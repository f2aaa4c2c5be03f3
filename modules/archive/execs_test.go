package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// toolbox is a machine whose tools say what they were called with; unzip fails on bad.zip.
func toolbox() *hosttest.Memory {
	m := hosttest.NewMemory()
	for _, name := range []string{"tar", "gzip", "gunzip", "zip", "unzip", "rar"} {
		m.MustWrite("/usr/bin/"+name, "", 0o755)
	}
	m.MustWrite("/d/a.txt", "a", 0o644)
	m.MustWrite("/d/b.txt", "b", 0o640)
	m.MustWrite("/d/sub/c", "c", 0o644)
	m.Script = func(c host.Cmd) (*host.Output, error) {
		out := &host.Output{Stdout: []byte(strings.Join(c.Args, " ") + "\n")}
		if c.Dir+c.RunAs != "" {
			out.Stdout = append(out.Stdout, c.RunAs+" in "+c.Dir+"\n"...)
		}
		if strings.Contains(c.Args[1], "bad") {
			out.Code = 9
		}
		return out, nil
	}
	return m
}

var tools = [][4]string{
	{"archive.tar", `["-c -vf", "/x.tar", "/d/*.txt", "/to"]`, `{"cwd": "/d", "runas": "web"}`,
		"['tar -c -vf /x.tar /d/a.txt /d/b.txt -C /to', 'web in /d']"},
	{"archive.tar", `["cf", "/x.tar", ["*.txt", "sub"]]`, `{"cwd": "/d"}`, "['tar cf /x.tar a.txt b.txt sub', ' in /d']"},
	{"archive.gzip", `["/f"]`, `{"options": "-v"}`, "['gzip -v /f']"},
	{"archive.gunzip", `["/f.gz"]`, ``, "['gunzip /f.gz']"},
	{"archive.cmd_zip", `["/x.zip", "/a, /b"]`, ``, "['zip -r /x.zip /a /b']"},
	{"archive.zip", `["/x.zip", "/a"]`, `{"runas": "web"}`, "['zip -r /x.zip /a', 'web in']"},
	{"archive.cmd_unzip", `["/x.zip", "/to"]`, `{"excludes": "a, b", "options": "-o -q", "password": "p"}`,
		"['unzip -P p -o -q /x.zip -d /to -x a b']"},
	{"archive.rar", `["/x.rar", "/a"]`, ``, "['rar a -idp /x.rar /a']"},
	{"archive.unrar", `["/x.rar", "/to"]`, `{"excludes": "a"}`, "['rar x -idp /x.rar -x a /to']"},
}

func TestTools(t *testing.T) {
	x := modtest.Execs{Family: Family(), Host: toolbox()}
	x.Table(t, append(tools,
		[4]string{"archive.tar", `["", "/x.tar"]`, ``, "error: Tar options can not be empty"},
		[4]string{"archive.tar", `["cf", "/x.tar", "--checkpoint=1,--checkpoint-action=exec=id"]`, ``,
			"error: 'sources' argument '--checkpoint=1' would be read as an option; ./ before it makes it a path"},
		[4]string{"archive.cmd_unzip", `["bad.zip", "/to"]`, ``, "error: unzip bad.zip -d /to"},
		[4]string{"archive.cmd_unzip", `["/x.zip", "/to"]`, `{"trim_output": 5}`, "['unzip /x.zip -d /to']"}))
	none := modtest.Execs{Family: Family(), Host: hosttest.NewMemory()}
	none.Table(t, [][4]string{{"archive.gzip", `["/f"]`, ``, "error: The 'gzip' binary was not found in $PATH."}})
}

// TestToolsInAPreview: nobody can foretell what they leave.
func TestToolsInAPreview(t *testing.T) {
	x := modtest.Execs{Family: Family(), Host: host.NewOverlay(toolbox())}
	for _, r := range tools {
		kwargs := value.NewDict(0)
		if r[2] != "" {
			kwargs = modtest.JSON(t, r[2]).(*value.Dict)
		}
		if _, err := x.Value(t, r[0], modtest.JSON(t, r[1]).(*value.List).Items, kwargs); !errors.Is(err, host.ErrPreview) {
			t.Errorf("%s in a preview: %v", r[0], err)
		}
	}
}

// TestZip makes and extracts an archive, on an overlay, too.
func TestZip(t *testing.T) {
	m := toolbox()
	over := host.NewOverlay(m)
	for _, h := range []host.Host{m, over} {
		x := modtest.Execs{Family: Family(), Env: &modules.Env{}, Host: h}
		x.Table(t, [][4]string{
			{"archive.zip", `["/x.zip", "a.txt,sub,none"]`, `{"cwd": "/d"}`, "['a.txt', 'sub/', 'sub/c']"},
			{"archive.zip", `["/y.zip", "/d/*.txt"]`, ``, "['d/a.txt', 'd/b.txt']"},
			{"archive.zip", `["/y.zip", "a"]`, ``, "error: Relative paths require the 'cwd' parameter"},
			{"archive.zip", `["/y.zip", "a"]`, `{"cwd": "d"}`, "error: cwd must be absolute"},
			{"archive.list", `["/x.zip"]`, ``, "['a.txt', 'sub/', 'sub/c']"},
			{"archive.is_encrypted", `["/x.zip"]`, ``, "False"},
			{"archive.unzip", `["/x.zip", "/to"]`, `{"excludes": "a.txt"}`, "['sub/', 'sub/c']"},
			{"archive.unzip", `["/y.zip", "/to"]`, `{"trim_output": 1}`, "['d/a.txt', 'List trimmed after 1 files.']"},
		})
		if b, err := h.ReadFile("/to/sub/c"); string(b) != "c" {
			t.Errorf("sub/c: %q, %v", b, err)
		}
		if i, _ := h.Stat("/to/d/b.txt"); i.Perm() != 0o640 {
			t.Errorf("b.txt has the mode %o", i.Perm())
		}
		if _, err := h.Stat("/to/a.txt"); err == nil {
			t.Error("what is excluded was extracted")
		}
	}
}

func TestList(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []tar.Header{{Name: "top/second/", Typeflag: tar.TypeDir}, {Name: "top/second/f", Size: 0},
		{Name: "top/l", Typeflag: tar.TypeSymlink, Linkname: "f"}} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	var locked bytes.Buffer
	z := zip.NewWriter(&locked)
	if _, err := z.CreateRaw(&zip.FileHeader{Name: "d/secret", Flags: 1}); err != nil {
		t.Fatal(err)
	}
	z.Close()
	m := toolbox()
	m.MustWrite("/x.tar", b.String(), 0o644)
	m.MustWrite("/x.zip", locked.String(), 0o644)
	x := modtest.Execs{Family: Family(), Env: &modules.Env{}, Host: m}
	x.Table(t, [][4]string{
		{"archive.list", `["/x.tar"]`, ``, "['top/l', 'top/second/', 'top/second/f']"},
		{"archive.list", `["/x.tar"]`, `{"verbose": true}`, "{'dirs': ['top/second/'], 'files': ['top/second/f'], " +
			"'links': ['top/l'], 'top_level_dirs': ['top/'], 'top_level_files': [], 'top_level_links': []}"},
		{"archive.list", `["/x.tar"]`, `{"strip_components": 1}`, "['l', 'second/', 'second/f']"},
		{"archive.list", `["/x.tar"]`, `{"strip_components": 0}`, "error: 'strip_components' must be a positive integer"},
		{"archive.list", `["/x.tar"]`, `{"archive_format": "zip"}`, "error: /x.tar is not a ZIP file"},
		{"archive.list", `["/x.tar"]`, `{"archive_format": "7z"}`, "error: Unsupported archive format '7z'"},
		{"archive.list", `["/x"]`, ``, "error: Unable to guess archive format, please pass an 'archive_format' argument."},
		{"archive.list", `["/none.tar"]`, ``, "error: Failed to cache /none.tar"},
		{"archive.list", `["/x.zip"]`, ``, "['d/', 'd/secret']"},
		{"archive.is_encrypted", `["/x.zip"]`, ``, "True"},
		{"archive.is_encrypted", `["/x.tar"]`, ``, "error: /x.tar is not a ZIP file"},
	})
	if got := x.Call(t, "archive.list", `["/x.tar"]`, `{"source_hash": "md5=00000000000000000000000000000000"}`); cmp.Diff(
		"error: /x.tar: what was fetched does not have the hash md5=00000000000000000000000000000000", got) != "" {
		t.Errorf("a wrong hash: %s", got)
	}
}
