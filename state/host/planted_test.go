package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host"
)

// TestPlantedLinks: a link of a user leads root to what is that user's own and to nothing else, links of root's lead
// anywhere, and previews foretell it.
func TestPlantedLinks(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("takes two users")
	}
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	for _, dir := range []string{"etc", "home", "home/own", "shared"} {
		must(t, os.Mkdir(at(dir), 0o755))
	}
	for _, name := range []string{"etc/conf", "home/own/conf", "home/twice", "home/own/twice", "etc/twice"} {
		must(t, os.WriteFile(at(name), []byte("text"), 0o644))
	}
	links := map[string]string{"toetc": "../etc", "toconf": "../etc/conf", "toown": "../home/own",
		"ownconf": "own/conf", "nothing": "../etc/new", "ownnothing": "own/new", "chain": "toetc", "rootlink": "../etc"}
	for name, target := range links {
		must(t, os.Symlink(target, at("home/"+name)), os.Lchown(at("home/"+name), nobody, nobody))
	}
	must(t, os.Lchown(at("home/rootlink"), 0, 0), os.Chown(at("home"), nobody, nobody),
		os.Chown(at("home/own"), nobody, nobody), os.Chown(at("home/own/conf"), nobody, nobody),
		os.Link(at("etc/twice"), at("home/linked")), os.Link(at("home/twice"), at("home/own/other")),
		os.Chown(at("home/twice"), nobody, nobody), os.Symlink("../home/toetc", at("shared/root")))
	text := func() *strings.Reader { return strings.NewReader("text") }
	follow := func(name string) func(h host.Host, in func(string) string) error {
		return func(h host.Host, in func(string) string) error { _, err := h.Follow(in(name)); return err }
	}
	tests := []struct {
		name    string
		refused bool
		do      func(h host.Host, in func(string) string) error
	}{
		{"read through a directory", true, func(h host.Host, in func(string) string) error {
			_, err := h.ReadFile(in("home/toetc/conf"))
			return err
		}},
		{"write through a directory", true, func(h host.Host, in func(string) string) error {
			return h.WriteFile(in("home/toetc/x"), text(), host.KeepAttr())
		}},
		{"through a chain", true, func(h host.Host, in func(string) string) error {
			return h.Mkdir(in("home/chain/x"),
				host.KeepAttr())
		}},
		{"look", true, func(h host.Host, in func(string) string) error { _, err := h.Stat(in("home/toconf")); return err }},
		{"list", true, func(h host.Host, in func(string) string) error { _, err := h.ReadDir(in("home/toetc")); return err }},
		{"chmod", true, func(h host.Host, in func(string) string) error { return h.Chmod(in("home/toconf"), 0o600) }},
		{"a link to nothing of root's", true, follow("home/nothing")},
		{"a link to a file of root's", true, follow("home/toconf")},
		{"root's link to a user's", true, func(h host.Host, in func(string) string) error {
			_,
				err := h.Stat(in("shared/root/conf"))
			return err
		}},
		{"remove below", true, func(h host.Host, in func(string) string) error { return h.Remove(in("home/toetc/conf")) }},
		{"remove all below", true, func(h host.Host, in func(string) string) error { return h.RemoveAll(in("home/toetc/conf")) }},
		{"another name of root's", true, func(h host.Host,
			in func(string) string) error {
			return h.Chown(in("home/linked"), nobody, nobody)
		}},
		{"mode of another name of root's", true, func(h host.Host,
			in func(string) string) error {
			return h.Chmod(in("home/linked"), 0o666)
		}},
		{"another name of the user's", false, func(h host.Host,
			in func(string) string) error {
			return h.Chmod(in("home/twice"), 0o600)
		}},
		{"a user's own directory", false, func(h host.Host, in func(string) string) error {
			_, err := h.ReadFile(in("home/toown/conf"))
			return err
		}},
		{"a user's own file", false, func(h host.Host, in func(string) string) error {
			return h.Chmod(in("home/ownconf"),
				0o600)
		}},
		{"a user's own nothing", false, follow("home/ownnothing")},
		{"root's link", false, func(h host.Host, in func(string) string) error {
			return h.WriteFile(in("home/rootlink/new"), text(), host.KeepAttr())
		}},
		{"a link itself", false, func(h host.Host, in func(string) string) error { return h.Chown(in("home/toetc"), 1, 1) }},
		{"replace a link", false, func(h host.Host, in func(string) string) error {
			return h.WriteFile(in("home/toconf"), text(), host.KeepAttr())
		}},
		{"remove a link", false, func(h host.Host, in func(string) string) error { return h.RemoveAll(in("home/toconf")) }},
	}
	machine := realOS(t)
	rooted, err := host.NewOS(base)
	must(t, err)
	written := host.NewOverlay(machine)
	must(t, written.Mkdir(at("shared/x"), host.KeepAttr()))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			preview := ""
			for _, m := range []struct {
				name string
				h    host.Host
				base string
			}{
				{"preview", host.NewOverlay(machine), base}, {"written preview", host.Forecast(written), base},
				{"plain preview", host.NewOverlay(plain{machine}), base},
				{"rooted preview", host.NewOverlay(rooted), "/"}, {"run", machine, base},
			} {
				err := tt.do(m.h, func(name string) string { return filepath.Join(m.base, name) })
				var planted *host.Planted
				var shared *host.Shared
				if refused := errors.As(err, &planted) || errors.As(err, &shared); refused != tt.refused || !refused && err != nil {
					t.Errorf("%s, %s: %v", tt.name, m.name, err)
				}
				if planted != nil && m.name != "rooted preview" {
					if preview == "" {
						preview = planted.Error()
					}
					if planted.Error() != preview {
						t.Errorf("%s, %s: %s; before: %s", tt.name, m.name, planted, preview)
					}
				}
			}
		})
	}
}
