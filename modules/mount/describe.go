package mount

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "mount", Doc: "Lines of /etc/fstab, and whether they are mounted.",
		Left: "What the machine boots from (/, /boot, /usr, /var) and swap areas: another machine has other " +
			"devices. What is mounted and not in /etc/fstab.",
		Rank: 120, Describe: describe}
}

func describe(ctx context.Context, l *modules.Look) error {
	t, err := readTable(l.Host, "/etc/fstab")
	if err != nil {
		return err
	}
	for _, line := range t.lines {
		r, ok := parseRow(line)
		if !ok || !l.Wants(!own(r), r.dir, r.device) {
			continue
		}
		tell(ctx, l, r)
	}
	for _, n := range l.Absent() {
		if !strings.HasPrefix(n, "/") {
			l.Lack(n, "")
			continue
		}
		if ms, err := mounts(l.Host); err == nil && at(ms, n) != nil {
			l.Wants(true, n)
			l.Remark(n, "%s is mounted, and not in /etc/fstab", n)
			continue
		}
		l.Lack(n, "mount.unmounted")
	}
	return nil
}

// own says whether the machine itself stands on it.
func own(r row) bool {
	return r.fstype == "swap" || slices.Contains([]string{"/", "/boot", "/boot/efi", "/efi", "/usr", "/var"},
		folder(r.dir))
}

// tell tells of a line by the first state that holds: one that has it mounted, else one that only keeps the line.
func tell(ctx context.Context, l *modules.Look, r row) {
	id, opts := r.dir, strings.Split(r.opts, ",")
	if !strings.HasPrefix(r.dir, "/") {
		id = r.device
	}
	fields := func(t *modules.Thing, fstype, dump, pass, options string) *modules.Thing {
		t.Set(fstype, r.fstype).SetIf(r.opts != "defaults", options, opts)
		return t.SetIf(r.dump != "0", dump, r.dump).SetIf(r.pass != "0", pass, r.pass)
	}
	for _, on := range [][]string{nil, {"name", "device"}, {"name", "device", "fstype", "opts"}} {
		mounted := func() *modules.Thing {
			t := l.Tell(id, "mount.mounted", "device", r.device, "mkmnt", true)
			return fields(t.Called(r.dir), "fstype", "dump", "pass_num", "opts")
		}
		listed := func() *modules.Thing {
			t := l.Tell(id, "mount.fstab_present", "fs_file", r.dir, "mount", false)
			return fields(t.Called(r.device), "fs_vfstype", "fs_freq", "fs_passno", "fs_mntops")
		}
		swap := func() *modules.Thing { return l.Tell(id, "mount.swap").Called(r.device) }
		ways := []func() *modules.Thing{mounted, listed}
		if r.fstype == "swap" {
			ways = []func() *modules.Thing{swap, listed}
		}
		for _, way := range ways {
			t := way().SetIf(on != nil, "match_on", on)
			if (on == nil || t.Func != "mount.swap") && l.Holds(ctx, t) == nil {
				return
			}
			l.Things = l.Things[:len(l.Things)-1]
		}
	}
	l.Remark(id, "the line of %s in /etc/fstab is like another one, or no state keeps it: %s", id, r)
}
