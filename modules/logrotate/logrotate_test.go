package logrotate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

const main = `# global
weekly
rotate 4
createolddir 755
include /etc/logrotate.d
/var/log/wtmp {
    missingok
    create 0664 root utmp
    rotate 1
}
`

const app = `/var/log/*.log
/var/log/b.log
{
	# rotate 9
	rotate 4
	postrotate
		rotate ${now} }
	endscript
	compress
}
`

func machine(t *testing.T) host.Host {
	return modtest.Memory(nil, func(m *hosttest.Memory) {
		m.MustWrite("/etc/logrotate.conf", main, 0o644)
		m.MustWrite("/etc/logrotate.d/app", app, 0o644)
		m.MustWrite("/etc/logrotate.d/app.dpkg-old", "/var/log/b.log {\n}\n", 0o644)
		m.MustWrite("/etc/loop", "include /etc/loop\n", 0o644)
	})(t)
}

func set(args ...any) modtest.Deed { return modtest.State("logrotate.set", "x", args...) }

func TestConformance(t *testing.T) {
	block := func(key string, args ...any) modtest.Deed { return set(append([]any{"key", key}, args...)...) }
	modtest.Suite{
		Family:     Family(),
		Situations: modtest.Situations{"none": modtest.Memory(nil, nil), "some": machine},
		Deeds: []modtest.Deed{
			set("key", "rotate", "value", 5), set("key", "rotate", "value", "4"), set("key", "compress", "value", true),
			set("key", "create", "value", 0), set("key", "weekly", "value", false), set("key", "rotate", "value", ""),
			set("key", "/var/log/wtmp", "value", "rotate"), set("key", "rotate", "value", 2, "conf_file", "/etc/loop"),
			block("/var/log/wtmp", "value", "rotate", "setting", 2),
			block("/var/log/b.log", "value", "compress", "setting", false),
			block("/var/log/b.log", "value", "size", "setting", "1M"), block("rotate", "value", "x", "setting", 1),
			block("/var/log/new", "value", "daily", "setting", true), block("/var/log/*.log", "value", "rotate", "setting", 9),
		},
	}.Run(t)
}

// TestFiles: where a setting goes, and that all beside it stays.
func TestFiles(t *testing.T) {
	for _, c := range []struct {
		name    string
		deed    modtest.Deed
		file    string
		want    string
		comment string
		changes string
	}{
		{"a command", set("key", "create", "value", "0640 root adm"), "/etc/logrotate.conf", "create 0640 root adm\n" + main,
			"Set command 'create' value: 0640 root adm", `{'old': False, 'new': '0640 root adm'}`},
		{"another number", set("key", "rotate", "value", "0"), "/etc/logrotate.conf",
			replace(main, "\nrotate 4", "\nrotate 0"),
			"Set command 'rotate' value: 0", `{'old': 4, 'new': 0}`},
		{"away", set("key", "weekly", "value", false), "/etc/logrotate.conf", replace(main, "weekly\n", ""),
			"Set command 'weekly' value: False", `{'old': True, 'new': False}`},
		{"in a block", set("key", "/var/log/wtmp", "value", "size", "setting", "1M"), "/etc/logrotate.conf",
			replace(main, "rotate 1\n", "rotate 1\n    size 1M\n"), "Set block '/var/log/wtmp' command 'size' value: 1M",
			`{'old': False, 'new': '1M'}`},
		{"in an included block of several", set("key", "/var/log/*.log", "value", "rotate", "setting", 7),
			"/etc/logrotate.d/app", replace(app, "\trotate 4", "\trotate 7"),
			"Set block '/var/log/*.log' command 'rotate' value: 7", `{'old': 4, 'new': 7}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := machine(t)
			e, err := modtest.Suite{Family: Family()}.One(t, h, c.deed)
			got, _ := h.ReadFile(c.file)
			if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
				t.Errorf("%v %s", err, diff)
			}
			if err == nil && (e.Comment != c.comment || value.Repr(e.Changes) != c.changes) {
				t.Errorf("%s %s", e.Comment, value.Repr(e.Changes))
			}
		})
	}
}

func replace(text, old, now string) string {
	if !strings.Contains(text, old) {
		panic("no " + old)
	}
	return strings.Replace(text, old, now, 1)
}

func TestExecs(t *testing.T) {
	(modtest.Execs{Family: Family(), Host: machine(t)}).Table(t, [][4]string{
		{"logrotate.get", `["rotate"]`, "", `4`}, {"logrotate.get", `["none"]`, "", `False`},
		{"logrotate.get", `["/var/log/wtmp", "create"]`, "", `'0664 root utmp'`},
		{"logrotate.get", `["/var/log/wtmp"]`, "", `{'missingok': True, 'create': '0664 root utmp', 'rotate': 1}`},
		{"logrotate.show_conf", `["/etc/loop"]`, "",
			`error: /etc/loop includes itself`},
		{"logrotate.set", `["rotate", 3]`, "", `True`}, {"logrotate.get", `["rotate"]`, "", `3`},
		{"logrotate.set", `["/var/log/b.log", "rotate", 3]`, "", `True`},
		{"logrotate.get", `["/var/log/*.log", "rotate"]`, "", `3`},
		{"logrotate.set", `["/var/log/wtmp", 3]`, "", `error: Error: /var/log/wtmp includes a dict, and a specific setting ` +
			`inside the dict was not declared`},
	})
}
