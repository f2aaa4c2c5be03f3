package file

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// keepsOwner is a machine that gives nothing away, and keeps modes where it is told to.
type keepsOwner struct {
	host.Host
	modes, groups bool
}

func (k keepsOwner) Chown(path string, uid, gid int) error {
	if uid < 0 && !k.groups {
		return k.Host.Chown(path, uid, gid)
	}
	return errors.New("chown " + path + ": not here")
}

func (k keepsOwner) Chmod(path string, mode uint32) error {
	if k.modes {
		return errors.New("chmod " + path + ": not here")
	}
	return k.Host.Chmod(path, mode)
}

// TestOnePropertyFails: owner and mode are wrong, and only one of them can be set: it is, and the other is named.
func TestOnePropertyFails(t *testing.T) {
	for _, c := range []struct {
		name          string
		modes, groups bool
		want          string
		changes       string
	}{
		{"the owner", false, false, "user", "{'group': '7', 'mode': '0600'}"},
		{"owner and group", false, true, "user group", "{'mode': '0600'}"},
		{"all", true, true, "user group mode", "{}"},
	} {
		for _, make := range []func(h host.Host) (state.Effect, error){
			func(h host.Host) (state.Effect, error) {
				m := &Managed{Name: "/f", Replace: true, Create: true, User: Owner{value.Int(5)}, Group: Owner{value.Str("7")},
					Mode: modules.Mode{Given: true, Bits: 0o600}}
				return m.Act(context.Background(), &modules.Env{}, h)
			},
			func(h host.Host) (state.Effect, error) {
				d := &Directory{Name: "/d", User: Owner{value.Int(5)}, Group: Owner{value.Str("7")},
					Mode: modules.Mode{Given: true, Bits: 0o600}}
				return d.Act(context.Background(), &modules.Env{}, h)
			},
		} {
			h := hosttest.NewMemory()
			if err := errors.Join(h.WriteFile("/f", strings.NewReader("x"), host.Attr{Mode: 0o644, HasMode: true}),
				h.Mkdir("/d", host.Attr{Mode: 0o755, HasMode: true})); err != nil {
				t.Fatal(err)
			}
			e, err := make(keepsOwner{h, c.modes, c.groups})
			var names []string
			for _, p := range state.Unkept(err) {
				names = append(names, p.Name)
			}
			if got := strings.Join(names, " "); got != c.want || err == nil {
				t.Errorf("%s: %q could not be set: %v", c.name, got, err)
			}
			flat := value.NewDict(0)
			for _, k := range []string{"group", "mode"} {
				if v, ok := e.Changes.GetStr(k); ok {
					flat.SetStr(k, v)
				}
			}
			if d := cmp.Diff(c.changes, value.Repr(flat)); d != "" || !e.Once {
				t.Errorf("%s: tried %v, changes (-want +got):\n%s", c.name, e.Once, d)
			}
			for _, p := range e.Properties {
				if p.Name == "mode" && value.Repr(p.Before) != "'0644'" && value.Repr(p.Before) != "'0755'" {
					t.Errorf("%s: the mode was %v", c.name, p.Before)
				}
			}
			if len(e.Properties) != flat.Len() {
				t.Errorf("%s: properties %v of changes %v", c.name, e.Properties, flat)
			}
		}
	}
}
