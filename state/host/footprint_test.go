package host_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// trail is the footprint of what fn does on an overlay of a machine with /d/f, a link /d/link to /d/sub, and /etc.
func trail(t *testing.T, fn func(o *host.Overlay) error) *host.Footprint {
	t.Helper()
	m := hosttest.NewMemory()
	m.MustWrite("/d/f", "text", 0o644)
	m.MustWrite("/d/sub/f", "text", 0o644)
	if err := m.Symlink("sub", "/d/link"); err != nil {
		t.Fatal(err)
	}
	o := host.Forecast(m)
	o.Track()
	if err := fn(o); err != nil {
		t.Fatal(err)
	}
	return o.Footprint()
}

func TestFootprint(t *testing.T) {
	got := trail(t, func(o *host.Overlay) error {
		_, err := o.ReadFile("/d/link/f")
		_, err2 := o.ReadDir("/d")
		_, err3 := o.User("root")
		o.Promise(host.Fact{Kind: host.FactPackage, Name: "nginx"})
		deed := o.Do(t.Context(), host.Deed{On: host.FactPackage, Foretell: func(h host.Host) error {
			return h.Mkdir("/d/new", host.KeepAttr())
		}})
		return errors.Join(err, err2, err3, deed, o.Rename("/d/f", "/d/g"))
	})
	want := &host.Footprint{
		Read:     []string{"/d", "/d/f", "/d/g", "/d/link", "/d/new", "/d/sub/f"},
		Opened:   []string{"/d/sub/f"},
		Listed:   []string{"/d"},
		Wrote:    []string{"/d/f", "/d/g", "/d/new"},
		Asked:    []host.Subject{{Kind: host.FactUser, Name: "root"}},
		Promised: []host.Subject{{Kind: host.FactPackage, Name: "nginx"}},
		Deeds:    []host.Kind{host.FactPackage},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFootprintsMeet(t *testing.T) {
	write := func(p string) func(*host.Overlay) error {
		return func(o *host.Overlay) error { return o.WriteFile(p, strings.NewReader(""), host.KeepAttr()) }
	}
	mkdir := func(p string) func(*host.Overlay) error {
		return func(o *host.Overlay) error { return o.Mkdir(p, host.KeepAttr()) }
	}
	stat := func(p string) func(*host.Overlay) error {
		return func(o *host.Overlay) error { _, _ = o.Stat(p); return nil }
	}
	list := func(p string) func(*host.Overlay) error {
		return func(o *host.Overlay) error { _, err := o.ReadDir(p); return err }
	}
	remove := func(p string) func(*host.Overlay) error {
		return func(o *host.Overlay) error { return o.RemoveAll(p) }
	}
	promise := func(k host.Kind, name string) func(*host.Overlay) error {
		return func(o *host.Overlay) error { o.Promise(host.Fact{Kind: k, Name: name, Value: "present"}); return nil }
	}
	deed := func(k host.Kind) func(*host.Overlay) error {
		return func(o *host.Overlay) error {
			return o.Do(context.Background(), host.Deed{On: k, Foretell: func(host.Host) error { return nil }})
		}
	}
	user := func(o *host.Overlay) error { _, _ = o.User("joe"); return nil }
	users := func(o *host.Overlay) error { _, err := o.Users(); return err }
	command := func(o *host.Overlay) error { _, _ = o.LookPath("nginx"); return nil }
	query := func(o *host.Overlay) error {
		_, _ = o.Query(context.Background(), host.Cmd{Args: []string{"id"}})
		return nil
	}
	for _, tt := range []struct {
		name string
		a, b func(*host.Overlay) error
		want bool
	}{
		{"two readers", stat("/d/f"), stat("/d/f"), false},
		{"a writer and a reader", write("/d/f"), stat("/d/f"), true},
		{"two writers in one directory", write("/d/a"), write("/d/b"), false},
		{"two writers of one file", write("/d/a"), write("/d/a"), true},
		{"the same new directory", mkdir("/d/new"), mkdir("/d/new"), true},
		{"a name that begins alike", mkdir("/d/new"), stat("/d/newer"), false},
		{"a new directory and what is below", mkdir("/d/new"), stat("/d/new/a/b"), true},
		{"a stat of an ancestor", write("/d/sub/a"), stat("/d"), false},
		{"a list of the directory", write("/d/sub/a"), list("/d/sub"), true},
		{"a list of the directory above", write("/d/sub/a"), list("/d"), false},
		{"the root is listed", write("/a"), list("/"), true},
		{"through a link", write("/d/sub/f"), stat("/d/link/f"), true},
		{"the link itself", remove("/d/link"), stat("/d/link/f"), true},
		{"a tree goes", remove("/d/sub"), stat("/d/sub/f"), true},
		{"writing where a tree goes", remove("/d"), write("/d/sub/a"), true},
		{"what nobody can tell", promise(host.FactPath, "/d/sub"), stat("/d/link/f"), true},
		{"a user", promise(host.FactUser, "joe"), user, true},
		{"another user", promise(host.FactUser, "jack"), user, false},
		{"all users", promise(host.FactUser, "jack"), users, true},
		{"a group", promise(host.FactGroup, "joe"), user, false},
		{"the file of users", write("/etc/passwd"), user, true},
		{"a deed on users and their file", deed(host.FactUser), stat("/etc/shadow"), true},
		{"a deed on users and another file", deed(host.FactUser), stat("/etc/fstab"), false},
		{"a command", promise(host.FactCommand, "nginx"), command, true},
		{"any command", promise(host.FactCommand, "*"), command, true},
		{"a command that is written", write("/usr/bin/nginx"), command, true},
		{"two deeds", deed(host.FactPackage), deed(host.FactPackage), true},
		{"deeds on other things", deed(host.FactPackage), deed(host.FactUnit), false},
		{"a deed on nothing", deed(host.Nothing), query, false},
		{"a query and a reader", query, stat("/d/f"), false},
		{"a query and a writer", query, write("/d/f"), true},
		{"a user's command and a reader", deed(host.Anything), stat("/d/f"), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := trail(t, tt.a), trail(t, tt.b)
			if got, turned := a.Meets(b), b.Meets(a); got != tt.want || turned != got {
				t.Errorf("got %v, the other way %v\n%+v\n%+v", got, turned, a, b)
			}
		})
	}
}

func TestAnOverlayThatIsNotTrackedNotesNothing(t *testing.T) {
	o := host.Forecast(hosttest.NewMemory())
	if err := o.Mkdir("/d", host.KeepAttr()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&host.Footprint{}, o.Footprint()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
