package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// raw is a tar archive of just these headers.
func raw(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		io.CopyN(w, zeros{}, h.Size)
	}
	w.Close()
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestHostile: nothing of an archive lands outside of its folder, and nothing of it is a surprise.
func TestHostile(t *testing.T) {
	file := func(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeReg, Size: 1} }
	link := func(name, to string) tar.Header {
		return tar.Header{Name: name, Typeflag: tar.TypeSymlink, Linkname: to}
	}
	hard := func(name, to string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeLink, Linkname: to} }
	suid := tar.Header{Name: "a/su", Typeflag: tar.TypeReg, Mode: 0o4755}
	disk := tar.Header{Name: "a/sda", Typeflag: tar.TypeBlock, Devmajor: 8}
	yes := value.Bool(true)
	tests := []struct {
		name    string
		members []tar.Header
		args    []any
		fault   string
	}{
		{"a hard link up", []tar.Header{hard("a/x", "../../etc/passwd")}, nil, "which is outside of it"},
		{"an absolute hard link", []tar.Header{hard("a/x", "/etc/passwd")}, nil, "which does not come before it"},
		{"a hard link to what is there", []tar.Header{hard("a/x", "a/secret")}, nil, "which does not come before it"},
		{"a hard link below a link", []tar.Header{link("a/d", "/etc"), hard("a/x", "a/d/passwd")}, nil,
			"which does not come before it"},
		{"a file below a hard link to a link", []tar.Header{link("a/d", "/etc"), hard("a/e", "a/d"), file("a/e/x")}, nil,
			`below the link "a/e"`},
		{"a file below a link that is there", []tar.Header{file("a/out/x")}, nil,
			"/opt/x/a/out is a link to /etc, which may be outside of /opt/x"},
		{"a file below a link that stays inside", []tar.Header{file("a/in/x")}, nil, ""},
		{"setuid", []tar.Header{suid}, nil, "special: true extracts it"},
		{"setuid that is asked for", []tar.Header{suid}, []any{"special", yes}, ""},
		{"a device", []tar.Header{disk}, nil, "special: true extracts it"},
		{"a device that is asked for", []tar.Header{disk}, []any{"special", yes}, ""},
		{"many files", []tar.Header{file("a/1"), file("a/2")}, []any{"max_files", value.Int(1)}, "more than 1 files"},
		{"much", []tar.Header{{Name: "a/1", Typeflag: tar.TypeReg, Size: 2000}}, []any{"max_size", value.Int(1000)},
			"more than 1000 bytes"},
		{"a hard link", []tar.Header{file("a/1"), hard("a/2", "a/1")}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite("/opt/x/a/secret", "secret", 0o600)
			h.MustMkdir("/opt/x/a/real")
			for from, to := range map[string]string{"/opt/x/a/out": "/etc", "/opt/x/a/in": "real"} {
				if err := h.Symlink(to, from); err != nil {
					t.Fatal(err)
				}
			}
			h.ClearJournal()
			fs := files{m: map[string][]byte{"salt://a.tar": raw(t, tt.members...)}}
			_, fault := run(t, h, fs, append([]any{"source", value.Str("salt://a.tar")}, tt.args...)...)
			if !strings.Contains(fault, tt.fault) || tt.fault == "" && fault != "" {
				t.Errorf("got %q, want %q", fault, tt.fault)
			}
			for _, e := range h.Journal() {
				if !strings.HasPrefix(e.Path, "/opt/x/") {
					t.Errorf("%s %s", e.Op, e.Path)
				}
			}
		})
	}
	t.Run("a hard link to a link is that link", func(t *testing.T) {
		h := hosttest.NewMemory()
		fs := files{m: map[string][]byte{"salt://a.tar": raw(t, link("a/x", "/etc/passwd"), hard("a/y", "a/x"))}}
		if _, fault := run(t, h, fs, "source", value.Str("salt://a.tar")); fault != "" {
			t.Fatal(fault)
		}
		x, _ := h.Lstat("/opt/x/a/x")
		y, err := h.Lstat("/opt/x/a/y")
		if to, _ := h.Readlink("/opt/x/a/y"); err != nil || to != "/etc/passwd" || x.Inode == y.Inode {
			t.Errorf("got %q, %v", to, err)
		}
	})
}

// TestBombs: what an archive unpacks to is never held in memory, and one that unpacks to far too much is refused.
func TestBombs(t *testing.T) {
	const size = 400 << 20
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "a/zeros", Typeflag: tar.TypeReg, Mode: 0o644, Size: size}); err != nil {
		t.Fatal(err)
	}
	io.CopyN(w, zeros{}, size)
	w.Close()
	z.Close()
	fs := files{m: map[string][]byte{"salt://a.tgz": b.Bytes()}}
	h := hosttest.NewMemory()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, fault := run(t, h, fs, "source", value.Str("salt://a.tgz")); fault != "" {
		t.Error(fault)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
		t.Errorf("%d MiB were taken for %d", took>>20, size>>20)
	}
	r, err := h.Open("/opt/x/a/zeros") // of the preview's machine
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n, err := io.Copy(io.Discard, r); n != size || err != nil {
		t.Errorf("read %d, %v", n, err)
	}
	bomb := newTidy(rules{ratio: 200}, 1<<20)
	if err := bomb.fits(freeSize); err != nil {
		t.Error(err)
	}
	if err := bomb.fits(2 << 30); err == nil {
		t.Error("2000 times its size is no bomb")
	}
}

// TestPackOfTools: what a tool unpacks is read bit by bit, and the tool ends with the reading.
func TestPackOfTools(t *testing.T) {
	h, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.LookPath("xz"); err != nil {
		t.Skip(err)
	}
	out, err := h.Run(t.Context(), host.Cmd{Args: []string{"xz", "-c"},
		Stdin: raw(t, tar.Header{Name: "a/x", Typeflag: tar.TypeReg, Size: 1 << 20})})
	if err != nil {
		t.Fatal(err)
	}
	p := inMemory(out.Stdout)
	p.format, p.h = "tar", h
	if ms, err := p.members(t.Context()); err != nil || len(ms) != 1 || ms[0].size != 1<<20 {
		t.Errorf("got %+v, %v", ms, err)
	}
	stop := p.each(t.Context(), func(member, io.Reader) error { return errFound })
	if stop != errFound {
		t.Error(stop)
	}
}
