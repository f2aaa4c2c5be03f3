package mount

import (
	"errors"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// tools are mount and its like on a machine in memory.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	dir := c.Args[len(c.Args)-1]
	raw, _ := m.ReadFile(mountinfo)
	text := string(raw)
	switch {
	case c.Args[0] == "swapon":
		raw, _ := m.ReadFile(swaps)
		m.MustWrite(swaps, string(raw)+dir+" file 4 0 -2\n", 0o644)
		return &host.Output{}, nil
	case c.Args[0] == "umount":
		text = ""
		for l := range strings.Lines(string(raw)) {
			if strings.Fields(l)[4] != escape(dir) {
				text += l
			}
		}
	case c.Args[1] == "-o": // remount
		text = ""
		for l := range strings.Lines(string(raw)) {
			if f := strings.Fields(l); f[4] == escape(dir) {
				f[5] = strings.TrimPrefix(c.Args[2], "remount,")
				l = strings.Join(f, " ") + "\n"
			}
			text += l
		}
	case len(c.Args) == 2: // what fstab says
		return tools(m, host.Cmd{Args: []string{"mount", "-t", "tmpfs", "-o", "defaults", "none", dir}})
	case c.Args[1] == "-t":
		text += "0 0 0:0 / " + escape(dir) + " " + strings.Replace(c.Args[4], "defaults", "rw", 1) + " - " + c.Args[2] + " " +
			c.Args[len(c.Args)-2] + " rw\n"
		if c.Args[2] == "tmpfs" {
			if err := m.RemoveAll(dir); err != nil {
				return nil, err
			}
			return &host.Output{}, errors.Join(m.Mkdir(dir, host.Attr{Mode: 0o1777, HasMode: true}), set(m, text))
		}
	}
	return &host.Output{}, set(m, text)
}

func set(m *hosttest.Memory, text string) error { m.MustWrite(mountinfo, text, 0o444); return nil }

func TestConformance(t *testing.T) {
	with := func(mounted, noted string) func(*testing.T) host.Host {
		return modtest.Memory(tools, func(m *hosttest.Memory) {
			for _, tool := range []string{"mount", "umount", "swapon"} {
				m.MustWrite("/usr/bin/"+tool, "", 0o755)
			}
			m.MustWrite(mountinfo, "22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n"+mounted, 0o444)
			m.MustWrite(swaps, "Filename Type Size Used Priority\n/swap1 file 1 0 -2\n", 0o644)
			m.MustWrite("/etc/fstab", "# fstab\n/dev/sda1 / ext4 defaults 0 1\n"+noted, 0o644)
			m.MustMkdir("/mnt/c")
			m.MustMkdir("/mnt/a b")
			m.MustWrite("/dev/sdb", "", 0o600)
			m.MustWrite("/swap2", area, 0o600)
		})
	}
	const tmpfs = "31 22 0:26 / /mnt/c rw - tmpfs none rw\n"
	on := func(name, device, fstype string, args ...any) modtest.Deed {
		return modtest.State("mount.mounted", name, append(args, "device", device, "fstype", fstype)...)
	}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{"nothing": with("", ""), "mounted": with(tmpfs, ""),
			"noted": with("", "none\t/mnt/c\ttmpfs\tdefaults\t0\t0\n"),
			"both":  with(tmpfs, "none\t/mnt/c\ttmpfs\tdefaults\t0\t0\n/swap1 none swap sw 0 0\n")},
		Deeds: []modtest.Deed{
			on("/mnt/c", "none", "tmpfs"), on("/mnt/c", "none", "tmpfs", "opts", "ro", "persist", false),
			on("/mnt/c", "none", "tmpfs", "opts", "size=1m,noexec"),
			// what is on a device that is there nobody knows: TestForetold
			on("/mnt/c", "/dev/nosuch", "ext4").In("nothing", "noted"),
			on("/mnt/new", "none", "tmpfs"), on("/mnt/new/x", "none", "tmpfs", "mkmnt", true),
			on("/mnt/a b", "none", "tmpfs", "mount", false), on("/mnt/x", "none", "tmpfs", "mkmnt", true, "user", "nobody-here"),
			on("/mnt/c", "none", "tmpfs").Watched(),
			modtest.State("mount.unmounted", "/mnt/c", "persist", true).In("nothing", "noted"),
			modtest.State("mount.unmounted", "/mnt/c", "device", "other"),
			modtest.State("mount.swap", "/swap1"), modtest.State("mount.swap", "/swap2", "persist", false),
			modtest.State("mount.swap", "/nosuch"),
			modtest.State("mount.fstab_present", "none", "fs_file", "/mnt/c", "fs_vfstype", "tmpfs"),
			modtest.State("mount.fstab_present", "none", "fs_file", "/mnt/c/", "fs_vfstype", "tmpfs", "fs_mntops", "ro", "mount",
				false),
			modtest.State("mount.fstab_present", "none", "fs_file", "/nosuch", "fs_vfstype", "tmpfs"),
			modtest.State("mount.fstab_absent", "none", "fs_file", "/mnt/c"),
		},
	}.Run(t)
}
