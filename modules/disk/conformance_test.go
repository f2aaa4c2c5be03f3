package disk

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// tools are blkid, mkfs, blockdev and df: a device is a file that holds the name of its file system, its settings are
// in a file beside it.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	device := c.Args[len(c.Args)-1]
	raw, err := m.ReadFile(device)
	switch {
	case c.Args[0] == "df" && strings.HasPrefix(device, "/d"):
		return &host.Output{Stdout: []byte("Filesystem 1024-blocks Used Available Capacity Mounted on\n" +
			"/dev/sda1 1000 400 500 45% /d\n")}, nil
	case c.Args[0] == "blkid" && string(raw) == "two":
		return &host.Output{Code: 8, Stderr: []byte("blkid: ambivalent result\n")}, nil
	case c.Args[0] == "blkid":
		return &host.Output{Code: 2, Stdout: raw}, nil
	case c.Args[0] == "mkfs" && device == "/dev/bad":
		return &host.Output{Code: 1, Stderr: []byte("mkfs.ext4: /dev/bad is mounted\n")}, nil
	case c.Args[0] == "mkfs":
		m.MustWrite(device, c.Args[2], 0o600)
		return &host.Output{}, nil
	case err != nil:
		return &host.Output{Code: 1, Stderr: []byte("blockdev: cannot open\n")}, nil
	}
	return settings(m, c.Args[1:], "/var/blockdev"+device)
}

func settings(m *hosttest.Memory, args []string, file string) (*host.Output, error) {
	raw, err := m.ReadFile(file)
	f := strings.Fields(string(raw))
	if err != nil {
		f = strings.Fields("0 8 512 512 512 0 0 255 8 4096 256 256")
	}
	for i, a := range args {
		switch a {
		case "--setra", "--setfra":
			f[10], f[11] = args[i+1], args[i+1]
		case "--setro":
			f[0] = "1"
		case "--setrw":
			f[0] = "0"
		}
	}
	if strings.HasPrefix(args[0], "--set") {
		m.MustWrite(file, strings.Join(f, "\n")+"\n", 0o600)
	}
	return &host.Output{Stdout: []byte(strings.Join(f, "\n") + "\n")}, nil
}

func devices(set func(m *hosttest.Memory)) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		for _, p := range []string{"mkfs", "mkfs.ext4", "mkfs.xfs", "blkid", "blockdev"} {
			m.MustWrite("/usr/sbin/"+p, "", 0o755)
		}
		m.MustMkdir("/d/sub")
		for name, holds := range map[string]string{"sda": "ext4", "sdb": "", "bad": "", "odd": "two"} {
			m.MustWrite("/dev/"+name, holds, 0o600)
		}
		if set != nil {
			set(m)
		}
	})
}

func TestConformance(t *testing.T) {
	fs := func(name string, args ...any) modtest.Deed { return modtest.State("blockdev.formatted", name, args...) }
	tuned := func(name string, args ...any) modtest.Deed { return modtest.State("blockdev.tuned", name, args...) }
	situations := modtest.Situations{"devices": devices(nil), "tuned": devices(func(m *hosttest.Memory) {
		m.MustWrite("/var/blockdev/dev/sda", "1 8 512 512 512 0 0 255 8 4096 1024 1024", 0o600)
	})}
	modtest.Suite{
		Family: Blockdev(), Situations: situations, Beyond: []string{"/dev", "/var/blockdev"},
		Deeds: []modtest.Deed{
			fs("/dev/sda"), fs("/dev/sdb"), fs("/dev/sda", "fs_type", "xfs"), fs("/dev/sda", "fs_type", "xfs", "force", true,
				"inode_size", 512), fs("/dev/none"), fs("/dev/sdb", "fs_type", "zfs"), fs("/dev/odd"),
			fs("/dev/bad").Untold("what mkfs refuses it alone knows"),
			tuned("/dev/sda", "read-ahead", 1024), tuned("/dev/sda", "read-only", true), tuned("/dev/sda", "read-only", false),
			tuned("/dev/sda", "read-write", true, "filesystem-read-ahead", 512), tuned("/dev/none", "read-only", true),
		},
	}.Run(t)
	status := func(name string, args ...any) modtest.Deed { return modtest.State("disk.status", name, args...) }
	modtest.Suite{
		Family: Family(), Situations: situations,
		Deeds: []modtest.Deed{status("/d"), status("/d", "maximum", 40), status("/d", "minimum", "46%"),
			status("/none", "maximum", 1), status("/d/sub", "maximum", 50)},
	}.Run(t)
}

// TestStatus: what is too full is said in Salt's words.
func TestStatus(t *testing.T) {
	for _, r := range []struct {
		s    Status
		want string
	}{
		{Status{Name: "/d", Maximum: "45"}, ""},
		{Status{Name: "/d", Maximum: "44%"}, "Disk used space is above maximum of 44 % at 45 %"},
		{Status{Name: "/d", Minimum: "60", Free: true}, "Disk available space is below minimum of 60 % at 55 %"},
		{Status{Name: "/d", Minimum: "401 KB", Absolute: true}, "Disk used space is below minimum of 401 KB at 400 KB"},
		{Status{Name: "/d/sub", Maximum: "49"}, "Disk used space is above maximum of 49 % at 50 %"},
		{Status{Name: "/d/sub", Maximum: "499", Absolute: true}, "Disk used space is above maximum of 499 KB at 500 KB"},
		{Status{Name: "/no"}, "Disk mount /no not present. Directory /no does not exist or is not a directory"},
	} {
		_, err := r.s.Act(t.Context(), nil, devices(nil)(t))
		if err == nil {
			err = errors.New("")
		}
		if d := cmp.Diff(r.want, err.Error()); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
	if n := len((&Status{Maximum: "101", Minimum: "x"}).Validate()); n != 2 {
		t.Errorf("%d faults", n)
	}
}

// TestForetold: a volume that an earlier state of a preview makes is formatted, and formatted only once.
func TestForetold(t *testing.T) {
	over := host.NewOverlay(devices(nil)(t))
	over.Promise(host.Fact{Kind: host.FactVolume, Name: "lv /dev/vg0/a", Value: "present"},
		host.Fact{Kind: host.FactPath, Name: "/dev/vg0/a", Value: "unknown"})
	fn := modules.StateFunc(&Formatted{Name: "/dev/vg0/a", FSType: "ext4"})
	for i, alters := range []bool{true, false} {
		if e, err := fn.Act(t.Context(), nil, over); err != nil || e.Alters() != alters {
			t.Errorf("%d: %v %v", i, e, err)
		}
	}
}

// TestFormattedKeeps: what a device holds is lost only with force, and shown.
func TestFormattedKeeps(t *testing.T) {
	h := devices(nil)(t)
	if _, err := (&Formatted{Name: "/dev/sda", FSType: "xfs"}).Act(t.Context(), nil, h); err == nil {
		t.Error("a file system is lost")
	}
	e, err := (&Formatted{Name: "/dev/sda", FSType: "xfs", Force: true}).Act(t.Context(), nil, h)
	if got := value.Repr(e.Changes); err != nil || got != "{'new': 'xfs', 'old': 'ext4'}" {
		t.Errorf("%s %v", got, err)
	}
}

func TestTunedChanges(t *testing.T) {
	yes, n := true, 512
	e, err := (&Tuned{Name: "/dev/sda", ReadOnly: &yes, ReadAhead: &n}).Act(t.Context(), nil, devices(nil)(t))
	want := `{'read-ahead': 'Changed from 256 to 512', 'read-only': 'Changed from False to True'}`
	if d := cmp.Diff(want, value.Repr(e.Changes)); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}
