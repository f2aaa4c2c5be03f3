package mount

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
)

func TestDescribe(t *testing.T) {
	h := machine()
	h.MustMkdir("/mnt/a b")
	h.MustWrite("/etc/fstab", fstab+"none /mnt/a\\040b tmpfs size=5m 0 2\nUUID=1-2 /mnt/usb vfat noauto,user 0 0\n"+
		"/swap1 none swap sw 0 0\n/srv/x /mnt/bind none bind\n/dev/sdb /mnt/two ext4 ro 0 0\n/dev/sdb /mnt/three ext4 rw 0 "+
		"0\nbroken\n", 0o644)
	named := func(names ...string) func(*modules.Look) { return func(l *modules.Look) { l.Names = names } }
	for _, tt := range []struct {
		name string
		set  func(*modules.Look)
		want []string
	}{
		{"all", nil, []string{
			"mount.mounted /mnt/c (/mnt/c) device='none' mkmnt=True fstype='tmpfs'",
			"mount.mounted /mnt/a b (/mnt/a b) device='none' mkmnt=True fstype='tmpfs' opts=['size=5m'] pass_num='2'",
			"mount.fstab_present /mnt/usb (UUID=1-2) fs_file='/mnt/usb' mount=False fs_vfstype='vfat' fs_mntops=['noauto', " +
				"'user']",
			"mount.fstab_present /mnt/bind (/srv/x) fs_file='/mnt/bind' mount=False fs_vfstype='none' fs_mntops=['bind']",
			"mount.fstab_present /mnt/two (/dev/sdb) fs_file='/mnt/two' mount=False fs_vfstype='ext4' fs_mntops=['ro'] " +
				"match_on=['name', 'device']",
			"mount.fstab_present /mnt/three (/dev/sdb) fs_file='/mnt/three' mount=False fs_vfstype='ext4' fs_mntops=['rw'] " +
				"match_on=['name', 'device']",
		}},
		{"what the machine stands on", named("/", "/swap1"), []string{
			"mount.mounted / (/) device='/dev/sda1' mkmnt=True fstype='ext4' pass_num='1'",
			"mount.fstab_present /swap1 (/swap1) fs_file='none' mount=False fs_vfstype='swap' fs_mntops=['sw']"}},
		{"absent", named("/mnt/none", "UUID=x"), []string{"mount.unmounted /mnt/none", "missing: /mnt/none",
			"missing: UUID=x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, modtest.Describe(t, Family(), h, "mount", tt.set)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// FuzzDescribe: whatever a fstab holds, the states that tell of it change nothing, and each line is told, in words at
// least.
func FuzzDescribe(f *testing.F) {
	f.Add(fstab + "none /mnt/a tmpfs size=5m 0 2\nnone none swap sw\n")
	f.Fuzz(func(t *testing.T, text string) {
		h := machine()
		h.MustWrite("/etc/fstab", text, 0o644)
		got := modtest.Describe(t, Family(), h, "mount", func(l *modules.Look) { l.System = true })
		rows := 0
		for line := range strings.Lines(text) {
			if _, ok := parseRow(strings.TrimSuffix(line, "\n")); ok {
				rows++
			}
		}
		if len(got) < rows {
			t.Errorf("of %d lines %d are told:\n%s", rows, len(got), strings.Join(got, "\n"))
		}
	})
}
