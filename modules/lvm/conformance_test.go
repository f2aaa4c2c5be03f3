package lvm

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// store is where the fake LVM keeps its volumes: lines of words.
const store = "/var/lvm/"

const extent = 8192 // sectors

func table(m *hosttest.Memory, name string) [][]string {
	lines, _ := modules.ReadLines(m, store+name)
	var out [][]string
	for _, l := range lines {
		out = append(out, strings.Fields(l))
	}
	return out
}

func write(m *hosttest.Memory, name string, rows [][]string) {
	var lines []string
	for _, r := range rows {
		lines = append(lines, strings.Join(r, " "))
	}
	m.MustWrite(store+name, strings.Join(lines, "\n")+"\n", 0o644)
}

func told(format string, args ...any) *host.Output {
	return &host.Output{Stdout: fmt.Appendf(nil, format, args...)}
}

func refuse(format string, args ...any) *host.Output {
	return &host.Output{Code: 5, Stderr: fmt.Appendf(nil, format+"\n", args...)}
}

// tools are LVM's commands, with the lines that version 2.03.16 writes, and a blkid.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	if c.Args[0] == "blkid" {
		raw, err := m.ReadFile(c.Args[len(c.Args)-1])
		if text := string(raw); err == nil && text != "" {
			return told("%s\n", text), nil
		}
		return &host.Output{Code: 2}, nil
	}
	words := plain(c.Args[1:])
	f := map[string]func(*hosttest.Memory, host.Cmd, []string) *host.Output{"pvdisplay": pvdisplay, "vgdisplay": vgdisplay,
		"lvdisplay": lvdisplay, "pvcreate": pvcreateTool, "pvremove": pvremove, "vgcreate": vgcreateTool,
		"vgextend": vgextendTool,
		"vgremove": vgremove, "lvcreate": lvcreateTool, "lvremove": lvremove, "lvresize": lvresize,
		"lvm": func(*hosttest.Memory, host.Cmd, []string) *host.Output {
			return told("  LVM version:     2.03.16(2) (2022-05-18)\n  Library version: 1.02.185 (2022-05-18)\n")
		}}[c.Args[0]]
	return f(m, c, words), nil
}

// plain are the words that are neither options nor their values.
func plain(args []string) (out []string) {
	flags := []string{"-c", "-qq", "--yes", "--force", "--resizefs", "--norestorefile", "--nosync", "--thin"}
	for i, a := range args {
		after := i > 0 && strings.HasPrefix(args[i-1], "-") && !slices.Contains(flags, args[i-1])
		if !strings.HasPrefix(a, "-") && !after {
			out = append(out, a)
		}
	}
	return out
}

func list(m *hosttest.Memory, name, key string, line func(r []string) string) *host.Output {
	text := ""
	for _, r := range table(m, name) {
		if key == "" || r[0] == key {
			text += "  " + line(r) + "\n"
		}
	}
	if text == "" && key != "" {
		return refuse("Failed to find %q.", key)
	}
	return told("%s", text)
}

func last(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

func pvdisplay(m *hosttest.Memory, _ host.Cmd, words []string) *host.Output {
	return list(m, "pvs", last(words), func(r []string) string {
		return r[0] + ":" + strings.TrimPrefix(r[1], "-") + ":524288:-1:8:8:-1:4096:63:63:0:2qmrM0"
	})
}

func vgdisplay(m *hosttest.Memory, _ host.Cmd, words []string) *host.Output {
	return list(m, "vgs", last(words), func(r []string) string {
		return r[0] + ":r/w:772:-1:0:0:0:-1:0:1:1:258048:4096:63:0:63:avKCpS"
	})
}

func lvdisplay(m *hosttest.Memory, _ host.Cmd, words []string) *host.Output {
	return list(m, "lvs", last(words), func(r []string) string {
		n, _ := strconv.Atoi(r[1])
		return fmt.Sprintf("%s:%s:3:1:-1:%s:%d:%d:-1:0:-1:254:0", r[0], strings.Split(r[0], "/")[2], r[2], n*extent, n)
	})
}

func pvcreateTool(m *hosttest.Memory, _ host.Cmd, words []string) *host.Output {
	write(m, "pvs", append(table(m, "pvs"), []string{words[0], "-"}))
	m.MustWrite(words[0], "LVM2_member", 0o600)
	return told("created")
}

func pvremove(m *hosttest.Memory, _ host.Cmd, words []string) *host.Output {
	write(m, "pvs", slices.DeleteFunc(table(m, "pvs"), func(r []string) bool { return r[0] == words[0] }))
	m.MustWrite(words[0], "", 0o600)
	return told("removed")
}

// enter puts devices into a group.
func enter(m *hosttest.Memory, group string, devices []string) {
	pvs := slices.DeleteFunc(table(m, "pvs"), func(r []string) bool { return slices.Contains(devices, r[0]) })
	for _, d := range devices {
		pvs = append(pvs, []string{d, group})
		m.MustWrite(d, "LVM2_member", 0o600)
	}
	write(m, "pvs", pvs)
}

func vgcreateTool(m *hosttest.Memory, _ host.Cmd, words []string) *host.Output {
	if words[1] == "/dev/full" {
		return refuse("  /dev/full: no space")
	}
	enter(m, words[0], words[1:])
	write(m, "vgs", append(table(m, "vgs"), []string{words[0]}))
	return told("created")
}

func vgextendTool(m *hosttest.Memory, _ host.Cmd, words []string) *host.Output {
	enter(m, words[0], words[1:])
	return told("extended")
}

func vgremove(m *hosttest.Memory, _ host.Cmd, words []string) *host.Output {
	for _, name := range []string{"vgs", "lvs"} {
		write(m, name, slices.DeleteFunc(table(m, name), func(r []string) bool {
			return r[0] == words[0] || strings.HasPrefix(r[0], "/dev/"+words[0]+"/")
		}))
	}
	pvs := table(m, "pvs")
	for _, r := range pvs {
		if r[1] == words[0] {
			r[1] = "-"
		}
	}
	write(m, "pvs", pvs)
	return told("removed")
}

func after(c host.Cmd, options ...string) string {
	for i, a := range c.Args {
		if slices.Contains(options, a) {
			return c.Args[i+1]
		}
	}
	return ""
}

// extents are how many a command asks for.
func extents(c host.Cmd) string {
	if l := after(c, "-l"); l != "" {
		return strings.Replace(l, "100%FREE", "63", 1)
	}
	n, _ := sectors(after(c, "-L", "-V"))
	return strconv.FormatInt(up(n, extent)/extent, 10)
}

func lvcreateTool(m *hosttest.Memory, c host.Cmd, words []string) *host.Output {
	group, _, _ := strings.Cut(append(words, "")[0], "/")
	if s := after(c, "-s"); s != "" {
		group, _, _ = strings.Cut(s, "/")
	}
	path := "/dev/" + group + "/" + after(c, "-n", "--thinpool")
	write(m, "lvs", append(table(m, "lvs"), []string{path, extents(c), "0"}))
	m.MustWrite(path, "", 0o600)
	return told("created")
}

func lvremove(m *hosttest.Memory, _ host.Cmd, words []string) *host.Output {
	write(m, "lvs", slices.DeleteFunc(table(m, "lvs"), func(r []string) bool { return r[0] == "/dev/"+words[0] }))
	return told("removed")
}

func lvresize(m *hosttest.Memory, c host.Cmd, words []string) *host.Output {
	lvs := table(m, "lvs")
	for _, r := range lvs {
		if r[0] == last(words) {
			r[1] = extents(c)
		}
	}
	write(m, "lvs", lvs)
	return told("resized")
}

func with(set func(m *hosttest.Memory)) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		m.MustWrite("/usr/sbin/lvm", "", 0o755)
		for _, p := range []string{"pvdisplay", "vgdisplay", "lvdisplay", "pvcreate", "pvremove", "vgcreate", "vgextend",
			"vgremove", "lvcreate", "lvremove", "lvresize"} {
			m.MustWrite("/usr/sbin/"+p, "", 0o755)
		}
		for _, d := range []string{"/dev/sda", "/dev/sdb", "/dev/full"} {
			m.MustWrite(d, "", 0o600)
		}
		m.MustWrite("/dev/data", "ext4", 0o600)
		m.MustMkdir("/dev/vg0")
		if set != nil {
			set(m)
		}
	})
}

func full(m *hosttest.Memory) {
	m.MustWrite(store+"pvs", "/dev/sda vg0\n/dev/sdc -\n/dev/sdd vg1\n", 0o644)
	m.MustWrite(store+"vgs", "vg0\nvg1\n", 0o644)
	m.MustWrite(store+"lvs", "/dev/vg0/root 10 1\n/dev/vg1/old 3 0\n", 0o644)
	for _, f := range []string{"/dev/sda", "/dev/sdc", "/dev/sdd"} {
		m.MustWrite(f, "LVM2_member", 0o600)
	}
	m.MustWrite("/dev/vg0/root", "ext4", 0o600)
	m.MustWrite("/dev/vg1/old", "", 0o600)
}

func TestConformance(t *testing.T) {
	s := func(fun, name string, args ...any) modtest.Deed { return modtest.State("lvm."+fun, name, args...) }
	lv := func(name string, args ...any) modtest.Deed {
		return s("lv_present", name, append(args, "vgname", "vg0")...)
	}
	modtest.Suite{
		Family: Family(),
		Beyond: []string{strings.TrimSuffix(store, "/"), "/dev"},
		Situations: modtest.Situations{"not installed": modtest.Memory(tools, nil), "bare": with(nil), "full": with(full),
			"in use": with(func(m *hosttest.Memory) { full(m); m.MustWrite(store+"lvs", "/dev/vg1/old 3 1\n", 0o644) })},
		Deeds: []modtest.Deed{
			s("pv_present", "/dev/sda"), s("pv_present", "/dev/sdb"), s("pv_present", "/dev/none"),
			s("pv_present", "/dev/data"), s("pv_present", "/dev/data", "force", true, "metadatasize", "1m", "norestorefile",
				true),
			s("pv_absent", "/dev/sda"), s("pv_absent", "/dev/sdb"), s("pv_absent", "/dev/sdc"),
			s("vg_present", "vg0", "devices", "/dev/sda"), s("vg_present", "vg0", "devices", []string{"/dev/sda", "/dev/sdc"}),
			s("vg_present", "vg0", "devices", "/dev/sda,/dev/sdb"), s("vg_present", "vg0", "devices", "/dev/sdd"),
			s("vg_present", "new", "devices", []string{"/dev/sdb"}), s("vg_present", "new", "devices", "/dev/data"),
			s("vg_present", "new", "devices", "/dev/sdb", "force", true, "physicalextentsize", "8m"),
			s("vg_absent", "vg0"), s("vg_absent", "vg1"), s("vg_absent", "none"),
			lv("root", "size", "40M"), lv("root", "size", "39m"), lv("root", "size", "80M", "resizefs", true),
			lv("root", "size", "20M"), lv("root", "size", "20M", "force", true), lv("root", "extents", 10),
			lv("root", "extents", "11"), lv("root", "extents", "50%VG"), lv("new", "size", "8M", "stripes", 2, "type", "raid1",
				"nosync", true), lv("new", "size", "8M").In("full", "bare"),
			lv("new", "extents", "100%FREE", "pv", "/dev/sda"), lv("new", "size", "1T"),
			lv("root", "snapshot", "snap", "size", "4M"), lv("pool", "thinpool", true, "size", "8M"),
			s("lv_present", "thin", "vgname", "vg0/pool", "thinvolume", true, "size", "1G"),
			s("lv_absent", "root", "vgname", "vg0"), s("lv_absent", "old", "vgname", "vg1"), s("lv_absent", "no", "vgname",
				"vg1"),
		},
	}.Run(t)
}

// TestSectors: sizes are those that Salt takes.
func TestSectors(t *testing.T) {
	for size, want := range map[string]string{"10": "20480", "10M": "20480", "10mb": "20480", "2G": "4194304",
		"2gb": "4194304",
		"7s":  "7", "1T": "2147483648", "1P": "2199023255552", "1k": "Unit k is invalid.", "b": "Size b is invalid.",
		"1.5G": "Size 1.5G is invalid.", "": "Size  is invalid.", "0": "Size 0 is invalid.",
		"99999999P": "Unit p is invalid."} {
		n, err := sectors(size)
		got := strconv.FormatInt(n, 10)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", size, got, want)
		}
	}
}

// TestPreview: a volume of a group that earlier states of a preview make is foretold, and is there for later ones.
func TestPreview(t *testing.T) {
	over := host.NewOverlay(with(nil)(t))
	for _, fn := range []modules.StateFunc{&PVPresent{Name: "/dev/sda"},
		&VGPresent{Name: "vg0", Devices: []string{"/dev/sda",
			"/dev/sdb"}}, &LVPresent{Name: "root", VGName: "vg0", Size: "10G"}} {
		if e, err := fn.Act(t.Context(), nil, over); err != nil || !e.Alters() {
			t.Errorf("%v %v", e, err)
		}
		if e, err := fn.Act(t.Context(), nil, over); err != nil || e.Alters() {
			t.Errorf("again: %v %v", e, err)
		}
	}
	if _, err := (&PVAbsent{Name: "/dev/sdb"}).Act(t.Context(), nil, over); err == nil {
		t.Error("removed from under its group")
	}
	if e, err := (&VGAbsent{Name: "vg0"}).Act(t.Context(), nil, over); err != nil || !e.Alters() {
		t.Errorf("%v %v", e, err)
	}
	if is, group, _ := pv(t.Context(), over, "/dev/sdb"); !is || group != "" {
		t.Error("not freed", is, group)
	}
}

// TestChanges: their shape is Salt's.
func TestChanges(t *testing.T) {
	h := with(full)(t)
	rows := []struct {
		fn            modules.StateFunc
		changes, said string
	}{
		{&PVPresent{Name: "/dev/sdb"}, `{'created': True}`, "Created Physical Volume /dev/sdb"},
		{&VGPresent{Name: "vg0", Devices: []string{"/dev/sda", "/dev/sdb"}}, `{'/dev/sdb': 'added to vg0'}`,
			"Volume Group vg0 already present\n/dev/sda is part of Volume Group"},
		{&LVPresent{Name: "root", VGName: "vg0", Size: "44M"}, `{'resized': {'Output from lvresize': 'Logical volume ` +
			`"/dev/vg0/root" successfully resized.'}}`, "Resized Logical Volume root"},
		{&LVPresent{Name: "n", VGName: "vg0", Extents: "2"}, `{'created': {'/dev/vg0/n': {'Logical Volume Name': ` +
			`'/dev/vg0/n', 'Volume Group Name': 'vg0', 'Logical Volume Access': '3', 'Logical Volume Status': '1', ` +
			`'Internal Logical Volume Number': '-1', 'Open Logical Volumes': '0', 'Logical Volume Size': '16384', ` +
			`'Current Logical Extents Associated': '2', 'Allocated Logical Extents': '-1', 'Allocation Policy': '0', ` +
			`'Read Ahead Sectors': '-1', 'Major Device Number': '254', 'Minor Device Number': '0'}, 'Output from lvcreate': ` +
			`'Logical volume "n" created.'}}`, "Created Logical Volume n"},
		{&VGAbsent{Name: "vg1"}, `{'removed': 'Volume group "vg1" successfully removed'}`, "Removed Volume Group vg1"},
	}
	for _, r := range rows {
		e, err := r.fn.Act(t.Context(), nil, h)
		if d := cmp.Diff(r.changes+r.said, value.Repr(e.Changes)+e.Comment); err != nil || d != "" {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
	}
}

// TestUnlikeSalt: what a device holds is not lost, a group gets all its devices or none, and a size is what LVM rounds
// it to.
func TestUnlikeSalt(t *testing.T) {
	h := with(full)(t)
	if _, err := (&PVPresent{Name: "/dev/data"}).Act(t.Context(), nil, h); err == nil {
		t.Error("a file system is overwritten")
	}
	if raw, _ := h.ReadFile("/dev/data"); string(raw) != "ext4" {
		t.Errorf("the device holds %s", raw)
	}
	vg := &VGPresent{Name: "vg0", Devices: []string{"/dev/sda", "/dev/sdb", "/dev/none"}}
	if _, err := vg.Act(t.Context(), nil, h); err == nil {
		t.Error("a device that is not there is added")
	}
	if is, _, _ := pv(t.Context(), h, "/dev/sdb"); is {
		t.Error("a part of the devices is added")
	}
	lv := &LVPresent{Name: "root", VGName: "vg0", Size: "39M"}
	if e, err := lv.Act(t.Context(), nil, h); err != nil || e.Alters() {
		t.Errorf("39 M in extents of 4: %v %v", value.Repr(e.Changes), err)
	}
}

func TestExecs(t *testing.T) {
	h := with(full)(t)
	if err := h.Symlink("../sda", "/dev/x/by-id"); err != nil {
		_ = h.Mkdir("/dev/x", host.Attr{Mode: 0o755, HasMode: true})
		_ = h.Symlink("../sda", "/dev/x/by-id")
	}
	if got, err := h.Follow("/dev/x/by-id"); err != nil || path.Clean(got) != "/dev/sda" {
		t.Error(got, err)
	}
	modtest.Execs{Family: Family(), Host: h}.Table(t, [][4]string{
		{"lvm.version", `[]`, "", `'2.03.16(2) (2022-05-18)'`},
		{"lvm.pvdisplay", `["/dev/none"]`, "", `{}`},
		{"lvm.pvcreate", `["/dev/sdb"]`, "", `True`},
		{"lvm.pvcreate", `["/dev/sdb"]`, `{"override": false}`, `'Device "/dev/sdb" is already an LVM physical volume.'`},
		{"lvm.pvcreate", `["/dev/none"]`, "", `'/dev/none does not exist'`},
		{"lvm.vgextend", `["vg0", "/dev/sdb"]`, "", `{'Output from vgextend': 'Volume group "vg0" successfully extended'}`},
		{"lvm.lvcreate", `["a", "vg0"]`, `{"size": "4M", "extents": 2}`,
			`'Error: Please specify only one of size or extents'`},
		{"lvm.lvresize", `[]`, `{"lvpath": "/dev/vg0/root"}`, `{}`},
		{"lvm.lvresize", `["8M", "/dev/vg0/root"]`, "",
			`{'Output from lvresize': 'Logical volume "/dev/vg0/root" successfully resized.'}`},
		{"lvm.lvremove", `["root", "vg0"]`, "", `'Logical volume "root" successfully removed'`},
		{"lvm.lvdisplay", `["/dev/vg0/root"]`, "", `{}`},
		{"lvm.pvremove", `["/dev/none"]`, "", `True`},
	})
}
