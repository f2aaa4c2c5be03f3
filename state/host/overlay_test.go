package host_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestOverlayOnOverlay(t *testing.T) {
	hosttest.Run(t, func(t *testing.T) host.Host {
		o, _ := newTree(t)
		below := host.NewOverlay(o)
		if err := below.RemoveAll("/d"); err != nil {
			t.Fatal(err)
		}
		if err := below.Mkdir("/d", host.KeepAttr()); err != nil {
			t.Fatal(err)
		}
		return host.Forecast(below)
	})
}

func TestALookThatFindsNothingToDoCostsNextToNothing(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/d/f", "text", 0o644)
	look := func(h host.Reader) {
		if _, err := h.Stat("/d/f"); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Lstat("/d/f"); err != nil {
			t.Fatal(err)
		}
		_, _ = h.User("root")
		_, _ = h.Fact(host.FactPackage, "nginx")
	}
	bare := testing.AllocsPerRun(100, func() { look(m) })
	if over := testing.AllocsPerRun(100, func() { look(host.Forecast(m)) }); over > bare+2 {
		t.Errorf("an overlay takes %v allocations, %v without it", over, bare)
	}
}

func TestAnOverlayOnAnOverlaySeesWhatIsPromisedBelow(t *testing.T) {
	m := hosttest.NewMemory()
	below := host.NewOverlay(m)
	below.Acting("user.present a")
	below.Promise(host.Fact{Kind: host.FactUser, Name: "a", Value: "present"},
		host.Fact{Kind: host.FactUser, Name: "nobody", Value: "absent"},
		host.Fact{Kind: host.FactGroup, Name: "g", Value: "present", Attrs: map[string]string{"members": "a,b"}})
	o := host.Forecast(below)
	o.Promise(host.Fact{Kind: host.FactUser, Name: "b", Value: "present"})
	a, _ := below.User("a")
	below.Promise(host.Fact{Kind: host.FactUser, Name: "c", Value: "present"},
		host.Fact{Kind: host.FactUser, Name: "a", Value: "present"})
	again, _ := o.User("a")
	b, _ := o.User("b")
	if a.UID != again.UID || a.UID == b.UID || a.UID < 1<<30 || b.UID < 1<<30 {
		t.Errorf("a has %d, then %d; b has %d", a.UID, again.UID, b.UID)
	}
	us, err := o.Users()
	var names []string
	for _, u := range us {
		names = append(names, u.Name)
	}
	if diff := cmp.Diff([]string{"root", "c", "a", "b"}, names); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if g, err := o.Group("g"); err != nil || len(g.Members) != 2 {
		t.Errorf("got %+v, %v", g, err)
	}
}

func TestAnOverlayOnAnOverlayHasItsOwnDoubts(t *testing.T) {
	m := hosttest.NewMemory()
	below := host.NewOverlay(m)
	below.Acting("cmd.run make")
	err := below.Do(t.Context(), host.Deed{On: host.Anything, Foretell: func(h host.Host) error {
		h.Promise(host.Fact{Kind: host.FactPath, Name: "/etc/made", Value: "unknown"})
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	below.Acting("file.append /etc/made")
	o := host.Forecast(below)
	if _, err := o.ReadFile("/etc/made"); !host.IsUnknown(err) {
		t.Errorf("got %v", err)
	}
	if u := below.Doubt(); u != nil {
		t.Errorf("the base has the doubt %v", u)
	}
	if u := o.Doubt(); u == nil || u.By != "cmd.run make" || u.What != "/etc/made" || o.Doubt() != nil {
		t.Errorf("got %v", u)
	}
	if by := o.Loose(errors.New("any")); by != "cmd.run make" {
		t.Errorf("got %q", by)
	}
}

func TestNewFilesOfTwoOverlaysAreNotTheSame(t *testing.T) {
	below := host.NewOverlay(hosttest.NewMemory())
	mustWrite(t, below, "/etc/a", "")
	o := host.Forecast(below)
	mustWrite(t, o, "/etc/b", "")
	a, _ := o.Lstat("/etc/a")
	if b, _ := o.Lstat("/etc/b"); a.Inode == b.Inode {
		t.Errorf("both are %d", a.Inode)
	}
}

// unknowns is an overlay where nobody knows what is at /d/x, which a link leads to, while /d/f is known.
func unknowns(t *testing.T) *host.Overlay {
	t.Helper()
	m := hosttest.NewMemory()
	m.MustWrite("/d/f", "known", 0o644)
	if err := errors.Join(m.Symlink("x/y", "/d/link"), m.Symlink("elsewhere", "/d/x")); err != nil {
		t.Fatal(err)
	}
	o := host.NewOverlay(m)
	o.Acting("git.latest x")
	o.Promise(host.Fact{Kind: host.FactPath, Name: "/d/x", Value: "unknown"})
	o.Promise(host.Fact{Kind: host.FactPath, Name: "/new/dir/x", Value: "unknown"})
	o.Acting("file.managed y")
	return o
}

func TestWhatNobodyCanTell(t *testing.T) {
	for _, tt := range []struct {
		name string
		ask  func(o *host.Overlay) error
	}{
		{"lstat", func(o *host.Overlay) error { _, err := o.Lstat("/d/elsewhere"); return err }},
		{"stat below", func(o *host.Overlay) error { _, err := o.Stat("/d/x/below/it"); return err }},
		{"stat through a link", func(o *host.Overlay) error { _, err := o.Stat("/d/link"); return err }},
		{"a directory that came with it", func(o *host.Overlay) error { _, err := o.Stat("/new"); return err }},
		{"read", func(o *host.Overlay) error { _, err := o.ReadFile("/d/x/f"); return err }},
		{"open", func(o *host.Overlay) error { _, err := o.Open("/d/x"); return err }},
		{"readlink", func(o *host.Overlay) error { _, err := o.Readlink("/d/x/f"); return err }},
		{"list", func(o *host.Overlay) error { _, err := o.ReadDir("/d/x"); return err }},
		{"list of its directory", func(o *host.Overlay) error { _, err := o.ReadDir("/d"); return err }},
		{"attributes", func(o *host.Overlay) error { _, err := o.Xattrs("/d/x/f"); return err }},
		{"mkdir", func(o *host.Overlay) error { return o.Mkdir("/d/elsewhere", host.KeepAttr()) }},
		{"write below", func(o *host.Overlay) error {
			return o.WriteFile("/d/x/f", strings.NewReader(""), host.KeepAttr())
		}},
		{"chmod", func(o *host.Overlay) error { return o.Chmod("/d/x", 0o600) }},
		{"remove", func(o *host.Overlay) error { return o.Remove("/d/elsewhere") }},
		{"remove its directory", func(o *host.Overlay) error { return o.Remove("/d") }},
		{"rename", func(o *host.Overlay) error { return o.Rename("/d/elsewhere", "/d/new") }},
		{"link", func(o *host.Overlay) error { return o.Link("/d/elsewhere", "/d/new") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := unknowns(t)
			if err := tt.ask(o); !host.IsUnknown(err) {
				t.Errorf("got %v", err)
			}
			if u := o.Doubt(); u == nil || u.By != "git.latest x" {
				t.Errorf("doubt: %v", u)
			}
		})
	}
}

func TestWhatIsWrittenIsKnownAgain(t *testing.T) {
	o := unknowns(t)
	mustWrite(t, o, "/d/elsewhere", "mine")
	if raw, err := o.ReadFile("/d/x"); string(raw) != "mine" || err != nil {
		t.Errorf("got %q, %v", raw, err)
	}
	if infos, err := o.ReadDir("/d"); err != nil || len(infos) != 4 {
		t.Errorf("got %v, %v", infos, err)
	}
	if err := o.RemoveAll("/new/dir/x"); err != nil {
		t.Error(err)
	}
	if _, err := o.Lstat("/new/dir/x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if u := o.Doubt(); u != nil {
		t.Errorf("doubt: %v", u)
	}
}

func TestACommandThatMayComeOrNot(t *testing.T) {
	o := host.NewOverlay(hosttest.NewMemory())
	o.Acting("cmd.run make install")
	o.Promise(host.Fact{Kind: host.FactCommand, Name: "curl", Value: "unknown"})
	if _, err := o.LookPath("/usr/bin/curl"); !host.IsUnknown(err) {
		t.Errorf("got %v", err)
	}
	if u := o.Doubt(); u == nil || u.By != "cmd.run make install" {
		t.Errorf("doubt: %v", u)
	}
}

// large is a source that counts what is read of it.
type large struct {
	io.Reader
	opened, read int
}

func (l *large) Size() int64 { return 1 << 40 }

func (l *large) Read([]byte) (int, error) { l.read++; return 0, errors.New("it was read") }

func (l *large) Open() (io.ReadCloser, error) {
	l.opened++
	return io.NopCloser(strings.NewReader("the content")), nil
}

func TestALargeSourceIsKeptByReference(t *testing.T) {
	o, src := host.NewOverlay(hosttest.NewMemory()), &large{}
	if err := o.WriteFile("/etc/big", src, host.KeepAttr()); err != nil {
		t.Fatal(err)
	}
	copied := func(from, to string) {
		t.Helper()
		r, err := o.Open(from)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := o.WriteFile(to, r, host.KeepAttr()); err != nil {
			t.Fatal(err)
		}
	}
	copied("/etc/big", "/etc/copy")
	if i, err := o.Stat("/etc/copy"); err != nil || i.Size != 1<<40 {
		t.Errorf("got %d, %v", i.Size, err)
	}
	opened := src.opened
	if raw, err := o.ReadFile("/etc/copy"); string(raw) != "the content" || err != nil || src.opened != opened+1 {
		t.Errorf("got %q, %v, opened %d times", raw, err, src.opened)
	}
	if src.read > 0 {
		t.Error("it was read")
	}
}

func TestACopyOfAFileOfTheBaseIsAReference(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/etc/big", strings.Repeat("x", 1<<20), 0o644)
	for _, o := range []*host.Overlay{host.NewOverlay(m), host.Forecast(host.NewOverlay(m))} {
		r, err := o.Open("/etc/big")
		if err != nil {
			t.Fatal(err)
		}
		if err := o.WriteFile("/etc/copy", r, host.KeepAttr()); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(r); len(rest) != 1<<20 || err != nil {
			t.Errorf("%d bytes were left unread: %v", len(rest), err)
		}
		if raw, err := o.ReadFile("/etc/copy"); len(raw) != 1<<20 || err != nil {
			t.Errorf("got %d bytes, %v", len(raw), err)
		}
	}
}

func TestTheRestOfAFileIsTheRest(t *testing.T) {
	o := host.NewOverlay(hosttest.NewMemory())
	mustWrite(t, o, "/etc/f", "head and rest")
	r, err := o.Open("/etc/f")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(r, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if err := o.WriteFile("/etc/g", r, host.KeepAttr()); err != nil {
		t.Fatal(err)
	}
	if raw, _ := o.ReadFile("/etc/g"); !bytes.Equal(raw, []byte("and rest")) {
		t.Errorf("got %q", raw)
	}
}

func TestAnotherNameOfAFileThatWent(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/d/a", "x", 0o644)
	if err := errors.Join(m.Link("/d/a", "/d/b"), m.Link("/d/a", "/d/c")); err != nil {
		t.Fatal(err)
	}
	o := host.NewOverlay(m)
	if err := o.Remove("/d/a"); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, o, "/d/b", "own")
	if i, err := o.Lstat("/d/c"); err != nil || i.Nlink != 1 {
		t.Errorf("got %d names, %v", i.Nlink, err)
	}
}

// A link that changes leads elsewhere at once, whatever was looked for before.
func TestLinksThatChange(t *testing.T) {
	m := hosttest.NewMemory()
	for _, f := range []string{"/d/a/sub/f", "/d/b/sub/f"} {
		m.MustWrite(f, f, 0o644)
	}
	if err := m.Symlink("a", "/d/l"); err != nil {
		t.Fatal(err)
	}
	o := host.NewOverlay(m)
	mustWrite(t, o, "/d/other", "")
	want := func(text string) {
		t.Helper()
		if raw, err := o.ReadFile("/d/l/sub/f"); string(raw) != text {
			t.Errorf("got %q, %v; want %q", raw, err, text)
		}
	}
	want("/d/a/sub/f")
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(o.Symlink("b", "/d/l"))
	want("/d/b/sub/f")
	do(o.Remove("/d/l"))
	want("")
	do(o.Rename("/d/a", "/d/l"))
	want("/d/a/sub/f")
	do(o.RemoveAll("/d/l"))
	do(o.Symlink("b", "/d/was"))
	do(o.Link("/d/was", "/d/l"))
	want("/d/b/sub/f")
	do(o.WriteFile("/d/l", strings.NewReader(""), host.KeepAttr()))
	want("")
}
