package all

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// TestWhatIsTakenIsOneRecord: whatever an argument takes, files of lines have as many lines as with a plain word, and
// the lines that were there stay.
func TestWhatIsTakenIsOneRecord(t *testing.T) {
	r, err := modules.New(Families()...)
	if err != nil {
		t.Fatal(err)
	}
	was, machine := machineOfLines(t)
	const key = "AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7"
	odd := []string{"a", "a # b", "#a", "a\tb", " a ", `"`, `a"b`, "'", `\`, `a\`, `\n`, "[a]", ";a", "a=b", "a:b", "a,b",
		"$(id)", "%", "*",
		"a\nroot::0:0", "a\r", "a\u2028b", "ü", "-a", "../a", "a\n", "\na"}
	for _, tt := range []struct {
		fun, name, arg string // the argument that is odd
		args           []any
	}{
		{"user.present", "ann", "password", nil}, {"user.present", "ann", "fullname", nil},
		{"user.present", "ann", "other", nil},
		{"user.present", "ann", "home", nil}, {"user.present", "ann", "shell", nil}, {"user.present", "x", "name", nil},
		{"group.present", "x", "name", nil}, {"host.present", "h", "comment", []any{"ip", "192.0.2.1"}},
		{"host.present", "h", "name", []any{"ip", "192.0.2.1"}},
		{"host.present", "h", "ip", nil}, {"cron.present", "/bin/true", "identifier", nil},
		{"cron.present", "/bin/true", "name", nil},
		{"cron.env_present", "A", "value", nil}, {"cron.env_present", "A", "name", []any{"value", "1"}},
		{"ssh_auth.present", key, "comment", []any{"user", "joe"}},
		{"ssh_auth.present", key, "options", []any{"user", "joe"}},
		{"ssh_auth.present", key, "name", []any{"user", "joe"}},
		{"mount.fstab_present", "/dev/x", "name", []any{"fs_file", "/x", "fs_vfstype", "ext4", "mount", false}},
		{"mount.fstab_present", "/dev/x", "fs_file", []any{"fs_vfstype", "ext4", "mount", false}},
		{"mount.fstab_present", "/dev/x", "fs_vfstype", []any{"fs_file", "/x", "mount", false}},
		{"mount.fstab_present", "/dev/x", "fs_mntops", []any{"fs_file", "/x", "fs_vfstype", "ext4", "mount", false}},
		{"mount.fstab_present", "/dev/x", "fs_freq", []any{"fs_file", "/x", "fs_vfstype", "ext4", "mount", false}},
		{"alias.present", "a", "target", nil}, {"alias.present", "a", "name", []any{"target", "b"}},
		{"nfs_export.present", "/x", "name", []any{"hosts", "h", "options", []any{"rw"}}},
		{"nfs_export.present", "/x", "hosts", []any{"options", []any{"rw"}}},
		{"nfs_export.present", "/x", "options", []any{"hosts", "h"}},
	} {
		for i, text := range odd {
			t.Run(fmt.Sprint(tt.fun, " ", tt.arg, " ", i), func(t *testing.T) {
				h, plain := host.NewOverlay(machine), host.NewOverlay(machine)
				if !acted(t, r, h, tt.fun, tt.name, append(append([]any{}, tt.args...), tt.arg, text)) {
					if text == "a" && !slices.Contains([]string{"ip", "home", "shell"}, tt.arg) &&
						(tt.fun != "ssh_auth.present" || tt.arg != "name") {
						t.Errorf("%s takes no %q for %s", tt.fun, text, tt.arg)
					}
					return
				}
				if !acted(t, r, plain, tt.fun, tt.name, append(append([]any{}, tt.args...), tt.arg, "a")) && tt.arg != "ip" {
					return
				}
				changed := strings.HasPrefix(tt.fun, "user.") || strings.HasPrefix(tt.fun, "group.") // which are facts
				for p, before := range was {
					changed = changed || !slices.Equal(linesOf(h, p), before)
					now, want := linesOf(h, p), linesOf(plain, p)
					if tt.arg != "ip" && len(now) != len(want) && text != "a,b" {
						t.Errorf("%q makes %d lines of %s, where a word makes %d:\n%s", text, len(now), p, len(want),
							strings.Join(now, "\n"))
					}
					if got := strings.Join(now, "\n"); !strings.HasPrefix(got, strings.Join(before, "\n")) &&
						!strings.HasSuffix(got, strings.Join(before, "\n")) {
						t.Errorf("%q changes the lines of %s to\n%s", text, p, got)
					}
				}
				if !changed {
					t.Errorf("%q is written nowhere", text)
				}
			})
		}
	}
}

// machineOfLines is a machine, and the lines of its files.
func machineOfLines(t *testing.T) (map[string][]string, host.Reader) {
	t.Helper()
	root := t.TempDir()
	was := map[string][]string{}
	for p, text := range map[string]string{
		"/etc/passwd": "root:x:0:0:root:/root:/bin/sh\njoe:x:1000:1000::/home/joe:/bin/sh\n",
		"/etc/shadow": "root:$6$x:19000:0:99999:7:::\njoe:!:19000:0:99999:7:::\n",
		"/etc/group":  "root:x:0:\njoe:x:1000:\n", "/etc/hosts": "127.0.0.1\t\tlocalhost\n",
		"/etc/fstab":   "/dev/a / ext4 defaults 0 1\n",
		"/etc/aliases": "postmaster: root\n", "/etc/exports": "/srv 192.0.2.9(ro)\n", "/home/joe/.ssh/authorized_keys": "",
		"/var/spool/cron/crontabs/root": "",
		"/usr/sbin/useradd":             "", "/usr/sbin/usermod": "", "/usr/sbin/groupadd": "", "/usr/sbin/chpasswd": "",
		"/usr/sbin/exportfs": "",
		"/usr/bin/chage":     "", "/usr/bin/newaliases": "", "/usr/bin/mount": "",
		"/proc/self/mountinfo": "1 0 8:1 / / rw - ext4 /dev/a rw\n",
	} {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(p)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, p), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		was[p] = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	h, err := host.NewOS(root)
	if err != nil {
		t.Fatal(err)
	}
	return was, h
}

func linesOf(h host.Reader, p string) []string {
	data, err := h.ReadFile(p)
	if err != nil && !os.IsNotExist(err) && err != fs.ErrNotExist {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// acted plays a state; it says whether its arguments were taken and it did not fail.
func acted(t *testing.T, r *modules.Registry, h host.Host, fun, name string, args []any) bool {
	t.Helper()
	spec, ok := r.State(fun)
	if !ok {
		t.Fatal("no state is called " + fun)
	}
	d := value.NewDict(len(args) / 2)
	for i := 0; i < len(args); i += 2 {
		d.SetStr(args[i].(string), value.From(args[i+1]))
	}
	low := &state.Low{ID: name, Name: name, Args: d}
	if v, given := d.GetStr("name"); given {
		low.Name = value.String(v)
	}
	fn, diags := modules.Bind(spec, low)
	if fn == nil {
		t.Log(diags[0])
		return false
	}
	none := func(string) (value.Value, bool) { return nil, false }
	_, err := fn.Act(context.Background(), &modules.Env{Opts: none, Grains: none, Pillar: none, Cache: modules.NewCache(),
		Progress: func(string) {}, Low: low, Kept: modules.NewCache()}, h)
	if err != nil {
		t.Log(err)
	}
	return err == nil
}
