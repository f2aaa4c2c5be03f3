package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// files serves what it holds.
type files struct {
	modules.Files
	m map[string][]byte
}

func (f files) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	if d, ok := f.m[source]; ok {
		return d, nil
	}
	return nil, fmt.Errorf("no %s", source)
}

type entry struct{ name, text, link string }

func tarball(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o640, Size: int64(len(e.text)), Typeflag: tar.TypeReg}
		switch {
		case strings.HasSuffix(e.name, "/"):
			h.Typeflag, h.Mode = tar.TypeDir, 0o750
		case e.link != "":
			h.Typeflag, h.Linkname = tar.TypeSymlink, e.link
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(e.text))
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

func zipped(t *testing.T) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("app/z")
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("zip"))
	w.Close()
	return b.Bytes()
}

func run(t *testing.T, h *hosttest.Memory, fs files, args ...any) (changes, fault string) {
	t.Helper()
	spec := extractedSpec()
	fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: "/opt/x", Args: value.DictOf(args...)})
	if fn == nil {
		return "", diags[0].Msg
	}
	env := &modules.Env{Files: fs, Low: &state.Low{}, Progress: func(string) {}}
	ctx := context.Background()
	f, err := modtest.Of(fn).Check(ctx, env, h)
	if err != nil {
		return "", err.Error()
	}
	if !f.Pending {
		return "", ""
	}
	if _, err := modtest.Of(fn).Apply(ctx, env, h, f); err != nil {
		return "", err.Error()
	}
	if again, err := modtest.Of(fn).Check(ctx, env, h); err != nil || again.Pending {
		t.Errorf("does not converge: %+v %v", again, err)
	}
	return value.Repr(f.Changes), ""
}

func TestExtracted(t *testing.T) {
	app := tarball(t, entry{name: "app/"}, entry{name: "app/bin/run", text: "go"},
		entry{name: "app/latest", link: "bin/run"})
	sum := sha256.Sum256(app)
	hash := hex.EncodeToString(sum[:])
	fs := files{m: map[string][]byte{
		"salt://app.tar.gz": app, "https://e.org/app.tgz": app,
		"https://e.org/sums": []byte("0000  other\n" + hash + "  app.tgz\n"), "salt://app.zip": zipped(t),
		"salt://two.tar.gz":  tarball(t, entry{name: "a", text: "1"}, entry{name: "b", text: "2"}),
		"salt://evil.tar.gz": tarball(t, entry{name: "../../etc/x", text: "1"}),
		"salt://link.tar.gz": tarball(t, entry{name: "d", link: "/etc"}, entry{name: "d/x", text: "1"}),
	}}
	no, yes := value.Bool(false), value.Bool(true)
	all := "{'directories_created': ['/opt/x/'], 'extracted_files': ['app', 'app/bin/run', 'app/latest']}"
	tests := []struct {
		name           string
		args           []any
		changes, fault string
	}{
		{"tar", []any{"source", value.Str("salt://app.tar.gz")}, all, ""},
		{"zip", []any{"source", value.Str("salt://app.zip")},
			"{'directories_created': ['/opt/x/'], 'extracted_files': ['app/z']}", ""},
		{"the first that is there", []any{"source", value.NewList(value.Str("salt://none.tar"),
			value.Str("salt://app.tar.gz"))}, all, ""},
		{"network needs a hash", []any{"source", value.Str("https://e.org/app.tgz")}, "",
			"Unable to verify upstream hash of source file https://e.org/app.tgz, please set source_hash or set skip_verify " +
				"to True"},
		{"hash", []any{"source", value.Str("https://e.org/app.tgz"), "source_hash", value.Str("sha256=" + hash)}, all, ""},
		{"file of hashes", []any{"source", value.Str("https://e.org/app.tgz"), "source_hash",
			value.Str("https://e.org/sums")}, all, ""},
		{"strip", []any{"source", value.Str("salt://app.tar.gz"), "options", value.Str("--strip-components=1"),
			"enforce_toplevel", no},
			"{'directories_created': ['/opt/x/'], 'extracted_files': ['app/bin/run', 'app/latest']}", ""},
		{"two tops", []any{"source", value.Str("salt://two.tar.gz")}, "",
			"Archive does not have a single top-level directory. To allow this archive to be extracted, set enforce_toplevel " +
				"to False. The top level has a, b"},
		{"outside", []any{"source", value.Str("salt://evil.tar.gz"), "enforce_toplevel", no}, "",
			`salt://evil.tar.gz: the archive holds "../../etc/x", which is outside of it`},
		{"through a link", []any{"source", value.Str("salt://link.tar.gz")}, "",
			`salt://link.tar.gz: the archive holds "d/x" below the link "d"`},
		{"there", []any{"source", value.Str("salt://none.tar"), "if_missing", value.Str("/etc/passwd")}, "", ""},
		{"limit", []any{"source", value.Str("salt://app.tar.gz"), "trim_output", value.Int(1)},
			"{'directories_created': ['/opt/x/'], 'extracted_files': ['app']}", ""},
	}
	_ = yes
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			changes, fault := run(t, h, fs, tt.args...)
			if d := cmp.Diff([]string{tt.changes, tt.fault}, []string{changes, fault}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestExtractedAgain(t *testing.T) {
	h := hosttest.NewMemory()
	h.AddUser("alice", 1000)
	h.Invalidate("accounts")
	fs := files{m: map[string][]byte{"salt://a.tgz": tarball(t, entry{name: "app/x", text: "one"})}}
	source := []any{"source", value.Str("salt://a.tgz")}
	run(t, h, fs, source...)
	if i, err := h.Stat("/opt/x/app/x"); err != nil || i.Perm() != 0o640 {
		t.Errorf("%+v %v", i, err)
	}
	fs.m["salt://a.tgz"] = tarball(t, entry{name: "app/x", text: "two"})
	if changes, _ := run(t, h, fs, source...); changes != "" {
		t.Errorf("what is there is extracted again: %s", changes)
	}
	if changes, _ := run(t, h, fs, append(source, "overwrite",
		value.Bool(true))...); changes != "{'extracted_files': ['app/x']}" {
		t.Errorf("overwrite: %q", changes)
	}
	if err := h.WriteFile("/opt/x/app/mine", strings.NewReader("mine"), host.KeepAttr()); err != nil {
		t.Fatal(err)
	}
	if changes, _ := run(t, h, fs, append(source, "user",
		value.Str("alice"))...); changes != "{'updated ownership': True}" {
		t.Errorf("owner: %q", changes)
	}
	if i, _ := h.Stat("/opt/x/app/mine"); i.UID != 1000 {
		t.Errorf("what else is in the folder of the archive belongs to %d", i.UID)
	}
}

// One missing member has the whole archive extracted, clean takes its top away before, as with Salt.
func TestExtractedWhole(t *testing.T) {
	h := hosttest.NewMemory()
	fs := files{m: map[string][]byte{"salt://a.tgz": tarball(t, entry{name: "app/"}, entry{name: "app/x", text: "one"},
		entry{name: "app/y", text: "y"})}}
	source := []any{"source", value.Str("salt://a.tgz")}
	run(t, h, fs, source...)
	lose := func() {
		h.MustWrite("/opt/x/app/x", "changed", 0o600)
		h.MustWrite("/opt/x/app/other", "", 0o600)
		if err := h.Remove("/opt/x/app/y"); err != nil {
			t.Fatal(err)
		}
	}
	lose()
	if changes, _ := run(t, h, fs, source...); changes != "{'extracted_files': ['app', 'app/x', 'app/y']}" {
		t.Errorf("one missing: %s", changes)
	}
	if data, _ := h.ReadFile("/opt/x/app/x"); string(data) != "one" {
		t.Errorf("x holds %q", data)
	}
	lose()
	want := "{'removed': ['/opt/x/app/'], 'extracted_files': ['app', 'app/x', 'app/y']}"
	if changes, _ := run(t, h, fs, append(source, "clean", value.Bool(true))...); changes != want {
		t.Errorf("clean: %s", changes)
	}
	if _, err := h.Stat("/opt/x/app/other"); err == nil {
		t.Error("clean left what was not in the archive")
	}
	lose()
	want = "{'removed': 'Directory /opt/x/ was removed prior to the extraction', 'directories_created': ['/opt/x/'], " +
		"'extracted_files': ['app', 'app/x', 'app/y']}"
	if changes, _ := run(t, h, fs, append(source, "clean_parent", value.Bool(true))...); changes != want {
		t.Errorf("clean_parent: %s", changes)
	}
}

func TestExtractedOwnerOfTheArchive(t *testing.T) {
	h := hosttest.NewMemory()
	h.AddUser("alice", 1000)
	ms := []member{{name: "a", own: owner{"alice", "nogroup-here", 5, 7}}}
	if uid, gid := ms[0].own.on(h); uid != 1000 || gid != 7 {
		t.Errorf("got %d:%d", uid, gid)
	}
}

// TestSkipFilesListVerify: what was extracted from an archive may go, until another archive comes.
func TestSkipFilesListVerify(t *testing.T) {
	h := hosttest.NewMemory()
	put := func(text string) (files, []any) {
		data := tarball(t, entry{name: "app/x", text: text})
		sum, err := modules.Digest("sha256", data)
		if err != nil {
			t.Fatal(err)
		}
		return files{m: map[string][]byte{"salt://a.tgz": data}}, []any{"source", value.Str("salt://a.tgz"), "source_hash",
			value.Str(sum), "source_hash_update", value.Bool(true), "skip_files_list_verify", value.Bool(true)}
	}
	there := func(want bool) {
		t.Helper()
		if _, err := h.Stat("/opt/x/app/x"); (err == nil) != want {
			t.Errorf("the file is there: %v, want %v", err == nil, want)
		}
	}
	fs, args := put("one")
	run(t, h, fs, args...)
	there(true)
	if err := h.RemoveAll("/opt/x/app"); err != nil {
		t.Fatal(err)
	}
	if changes, fault := run(t, h, fs, args...); changes+fault != "" {
		t.Errorf("again: %s%s", changes, fault)
	}
	there(false)
	fs, args = put("two")
	run(t, h, fs, args...)
	there(true)
	if changes, fault := run(t, h, fs, append(args, "skip_verify", value.Bool(true))...); fault == "" {
		t.Errorf("both ways: %s", changes)
	}
}
