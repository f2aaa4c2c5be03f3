package file

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// asUser is a machine on which somebody works who is not root.
type asUser struct{ host.Reader }

func (asUser) Identity() host.Identity {
	return host.Identity{UID: 1000, GID: 1000, Groups: []int{50}, Umask: 0o022}
}

func TestNeedsRoot(t *testing.T) {
	for _, tt := range []struct {
		fun, path string
		args      []any
		want      bool
	}{
		{"file.managed", "/d/new", nil, false},
		{"file.managed", "/d/new", []any{"user", "joe", "group", "joe"}, false},
		{"file.managed", "/d/new", []any{"user", "root"}, true},
		{"file.managed", "/d/root", []any{"user", "root", "group", "root"}, false},
		{"file.managed", "/d/new", []any{"group", 50}, false},
		{"file.managed", "/d/new", []any{"group", 51}, true},
		{"file.managed", "/d/new", []any{"user", "not-yet"}, false},
		{"file.directory", "/d/new", []any{"group", "root"}, true},
		{"file.recurse", "/d/new", []any{"source", "salt://x", "user", 0}, true},
		{"file.symlink", "/d/link", []any{"target", "root", "user", "root"}, false},
		{"file.symlink", "/d/new", []any{"target", "root", "user", "root"}, true},
		{"file.copy", "/d/new", []any{"source", "/d/root", "user", "root"}, true},
		{"file.serialize", "/d/new", []any{"dataset", dict("a", 1), "user", "root"}, true},
		{"file.mknod", "/d/new", []any{"ntype", "p"}, false},
		{"file.mknod", "/d/new", []any{"ntype", "c"}, true},
	} {
		w := newWorld(t)
		w.h.MustWrite("/d/root", "", 0o644)
		_ = w.h.Symlink("root", "/d/link")
		fn := w.bind(tt.fun, tt.path, tt.args...).(modules.NeedsRootOn)
		if got := fn.NeedsRootOn(asUser{w.h}); got != tt.want {
			t.Errorf("%s %s %v: %v, want %v", tt.fun, tt.path, tt.args, got, tt.want)
		}
		if fn.NeedsRootOn(w.h) {
			t.Errorf("%s %s: root needs root", tt.fun, tt.path)
		}
	}
}
