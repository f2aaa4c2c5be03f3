package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// FuzzExtract: whatever an archive holds, reading it ends, and nothing of it lands outside of its folder.
func FuzzExtract(f *testing.F) {
	plain := raw(f, tar.Header{Name: "a/", Typeflag: tar.TypeDir, Mode: 0o755}, tar.Header{Name: "a/f", Size: 3},
		tar.Header{Name: "a/l", Typeflag: tar.TypeSymlink, Linkname: "../.."},
		tar.Header{Name: "a/h", Typeflag: tar.TypeLink, Linkname: "a/f"})
	up := raw(f, tar.Header{Name: "a/../../x", Size: 1}, tar.Header{Name: "/etc/x", Size: 1})
	var gz, zipped bytes.Buffer
	g := gzip.NewWriter(&gz)
	_, _ = g.Write(plain)
	g.Close()
	z := zip.NewWriter(&zipped)
	for _, name := range []string{"a/", "a/f", "a/../../y", "/z"} {
		w, err := z.Create(name)
		if err != nil {
			f.Fatal(err)
		}
		if !strings.HasSuffix(name, "/") {
			_, _ = w.Write([]byte("text"))
		}
	}
	z.Close()
	for _, seed := range [][]byte{plain, up, gz.Bytes(), zipped.Bytes(), nil, []byte("PK\x05\x06")} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, asZip bool) {
		source := "salt://a.tar"
		if asZip {
			source = "salt://a.zip"
		}
		h := hosttest.NewMemory()
		h.MustMkdir("/opt/x/a")
		if err := h.Symlink("/etc", "/opt/x/a/out"); err != nil {
			t.Fatal(err)
		}
		h.ClearJournal()
		run(t, h, files{m: map[string][]byte{source: data}}, "source", value.Str(source), "enforce_toplevel",
			value.Bool(false), "max_size", value.Int(1<<20), "max_files", value.Int(1000))
		for _, e := range h.Journal() {
			if !strings.HasPrefix(e.Path, "/opt/x/") {
				t.Errorf("%s %s", e.Op, e.Path)
			}
		}
	})
}
