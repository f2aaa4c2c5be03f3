package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func put(t *testing.T, dir, name, text string, mode os.FileMode) {
	t.Helper()
	p := filepath.Join(dir, name)
	if os.MkdirAll(filepath.Dir(p), 0o755) != nil || os.WriteFile(p, []byte(text), 0o600) != nil ||
		os.Chmod(p, mode) != nil {
		t.Fatal(p)
	}
}

// TestTree: the same files are the same bytes, whenever and wherever they lie, and come out as they went in.
func TestTree(t *testing.T) {
	var zips [2]bytes.Buffer
	for i := range zips {
		a, b := t.TempDir(), t.TempDir()
		put(t, a, "top.sls", "1", 0o644)
		put(t, a, "x/run.sh", "2", 0o755)
		put(t, a, ".git/config", "3", 0o644)
		put(t, b, "top.sls", "hidden by the first root", 0o644)
		put(t, b, "ümlaut/é", "4", 0o640)
		if err := os.Symlink("../top.sls", filepath.Join(a, "x", "link")); err != nil {
			t.Fatal(err)
		}
		os.Chtimes(filepath.Join(a, "top.sls"), day, day.Add(time.Duration(i)*time.Hour))
		tree, err := ReadTree([]Root{{"base", a}, {"base", b}, {"dev", b}, {"dev", filepath.Join(a, "missing")}})
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Write(&zips[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(zips[0].Bytes(), zips[1].Bytes()) {
		t.Error("the bytes differ")
	}
	dir := filepath.Join(t.TempDir(), "out")
	if err := Unpack(&zips[0], dir); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	filepath.WalkDir(dir, func(p string, d os.DirEntry, _ error) error {
		if d.IsDir() {
			return nil
		}
		info, _ := os.Stat(p)
		text, _ := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		got[rel] = info.Mode().String() + " " + string(text)
		return nil
	})
	want := map[string]string{"base/top.sls": "-rw-r--r-- 1", "base/x/run.sh": "-rwxr-xr-x 2",
		"base/x/link":   "-rw-r--r-- 1",
		"base/ümlaut/é": "-rw-r----- 4", "dev/top.sls": "-rw-r--r-- hidden by the first root", "dev/ümlaut/é": "-rw-r----- 4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLinksOut: a link that leads out of the tree is refused where it is packed.
func TestLinksOut(t *testing.T) {
	for _, to := range []string{"/etc/passwd", "../../x"} {
		dir := t.TempDir()
		os.Symlink(to, filepath.Join(dir, "l"))
		if _, err := ReadTree([]Root{{"base", dir}}); err == nil || !strings.Contains(err.Error(), "leads out") {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// TestUnpackHostile: an archive that would write elsewhere writes nothing, and leaves nothing.
func TestUnpackHostile(t *testing.T) {
	for name, entries := range map[string][]tar.Header{
		"up":            {{Name: "../x", Typeflag: tar.TypeReg}},
		"absolute":      {{Name: "/x", Typeflag: tar.TypeReg}},
		"link out":      {{Name: "a", Linkname: "../..", Typeflag: tar.TypeSymlink}, {Name: "a/x", Typeflag: tar.TypeReg}},
		"absolute link": {{Name: "a", Linkname: "/", Typeflag: tar.TypeSymlink}},
		"device":        {{Name: "null", Typeflag: tar.TypeChar}},
		"twice":         {{Name: "a", Typeflag: tar.TypeReg}, {Name: "a", Typeflag: tar.TypeReg}},
		"hard link":     {{Name: "a", Linkname: "b", Typeflag: tar.TypeLink}},
	} {
		var data bytes.Buffer
		zip := gzip.NewWriter(&data)
		w := tar.NewWriter(zip)
		for _, h := range entries {
			h.Mode = 0o644
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		zip.Close()
		base := t.TempDir()
		if err := Unpack(&data, filepath.Join(base, "in", "out")); err == nil {
			t.Errorf("%s: it was unpacked", name)
		}
		left, _ := filepath.Glob(filepath.Join(base, "in", "*"))
		if _, err := os.Stat(filepath.Join(base, "x")); err == nil || len(left) > 0 {
			t.Errorf("%s: %v is left", name, left)
		}
	}
}
