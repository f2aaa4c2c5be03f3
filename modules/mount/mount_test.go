package mount

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

const info = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n30 22 0:25 / /mnt/a\\040b rw - tmpfs none " +
	"rw,size=5m\n31 22 0:26 / /mnt/c rw - tmpfs none rw\n"

const fstab = "# fstab\n/dev/sda1 / ext4 defaults 0 1\nnone\t/mnt/c\ttmpfs\tdefaults\t0\t0\n"

// area is a swap area of two pages.
var area = strings.Repeat("\x00", page-10) + "SWAPSPACE2" + strings.Repeat("\x00", page)

func machine() *hosttest.Memory {
	h := hosttest.NewMemory()
	h.MustWrite("/proc/self/mountinfo", info, 0o444)
	h.MustWrite("/proc/swaps", "Filename Type Size Used Priority\n/swap1 file 1 0 -2\n", 0o444)
	h.MustWrite("/etc/fstab", fstab, 0o644)
	h.MustMkdir("/mnt/new")
	h.MustMkdir("/mnt/c")
	for _, tool := range []string{"mount", "umount", "swapon"} {
		h.MustWrite("/usr/bin/"+tool, "", 0o755)
	}
	h.MustWrite("/dev/sdb", "", 0o600)
	h.MustWrite("/swap2", area, 0o600)
	h.Script = func(c host.Cmd) (*host.Output, error) {
		if c.Args[0] == "swapon" {
			raw, _ := h.ReadFile("/proc/swaps")
			h.MustWrite("/proc/swaps", string(raw)+c.Args[1]+" file 4 0 -2\n", 0o444)
		}
		return &host.Output{}, nil
	}
	return h
}

func TestStates(t *testing.T) {
	str := func(s string) value.Value { return value.Str(s) }
	tmpfs := []any{"device", str("none"), "fstype", str("tmpfs")}
	tests := []struct {
		name, dir string
		spec      modules.StateSpec
		args      []any
		changes   string
		ran       string
		added     string // what fstab has at its end beside what it had
		err       string
	}{
		{"there", "/mnt/c", mountedSpec(), tmpfs, "", "", "", ""},
		{"new", "/mnt/new", mountedSpec(), append([]any{"opts", str("size=1m,noexec")}, tmpfs...),
			"{'mount': True, 'persist': 'new'}",
			"mount -t tmpfs -o size=1m,noexec none /mnt/new", "none\t\t/mnt/new\ttmpfs\tsize=1m,noexec\t0 0\n", ""},
		{"folder is missing", "/mnt/nope", mountedSpec(), tmpfs, "", "", "",
			"Mount directory /mnt/nope is not present; mkmnt: true makes it"},
		{"folder is made", "/mnt/nope", mountedSpec(), append([]any{"mkmnt", value.Bool(true), "persist", value.Bool(false)},
			tmpfs...), "{'mount': True}",
			"mount -t tmpfs -o defaults none /mnt/nope", "", ""},
		{"only noted", "/mnt/a b", mountedSpec(), append([]any{"mount", value.Bool(false)}, tmpfs...), "{'persist': 'new'}",
			"", "none\t\t/mnt/a\\040b\ttmpfs\tdefaults\t0 0\n", ""},
		{"other device", "/mnt/c", mountedSpec(), []any{"device", str("/dev/sdb"), "fstype", str("ext4"), "persist",
			value.Bool(false)},
			"{'umount': \"Forced unmount because devices don't match. Wanted: /dev/sdb, current: none\", 'mount': True}",
			"umount /mnt/c; mount -t ext4 -o defaults /dev/sdb /mnt/c", "", ""},
		{"unmounted already", "/mnt/new", unmountedSpec(), nil, "", "", "", ""},
		{"unmount", "/mnt/a b", unmountedSpec(), nil, "{'umount': True}", "umount /mnt/a b", "", ""},
		{"swap", "/swap2", swapSpec(), []any{"persist", value.Bool(true)},
			"{'type': 'file', 'size': '4', 'used': '0', 'priority': '-2', 'persist': 'new'}", "swapon /swap2",
			"/swap2\t\tnone\tswap\tdefaults\t0 0\n", ""},
		{"swap is on", "/swap1", swapSpec(), []any{"persist", value.Bool(false)}, "", "", "", ""},
		{"fstab", "tmpfs", fstabPresentSpec(), []any{"fs_file", str("/mnt/new/"), "fs_vfstype", str("tmpfs")},
			"{'persist': 'new'}", "mount /mnt/new",
			"tmpfs\t\t/mnt/new\ttmpfs\tdefaults\t0 0\n", ""},
		{"fstab without mounting", "tmpfs", fstabPresentSpec(),
			[]any{"fs_file", str("/tmp"), "fs_vfstype", str("tmpfs"), "mount", value.Bool(false)},
			"{'persist': 'new'}", "", "tmpfs\t\t/tmp\ttmpfs\tdefaults\t0 0\n", ""},
		{"fstab, and no folder", "tmpfs", fstabPresentSpec(), []any{"fs_file", str("/nosuch"), "fs_vfstype", str("tmpfs")},
			"", "", "",
			"mount: /nosuch: mount point does not exist."},
		{"a device that is noted elsewhere", "/mnt/new", mountedSpec(),
			[]any{"device", str("/dev/sda1"), "fstype", str("ext4"), "mount", value.Bool(false), "match_on", str("name")},
			"{'persist': 'new'}", "", "/dev/sda1\t\t/mnt/new\text4\tdefaults\t0 0\n", ""},
		{"fields that may differ in order", "/mnt/c", mountedSpec(),
			append([]any{"opts", str("defaults"), "persist", value.Bool(true)}, tmpfs...), "", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := machine()
			fn, diags := modules.Bind(&tt.spec, &state.Low{ID: "x", Name: tt.dir, Args: value.DictOf(tt.args...)})
			if fn == nil {
				t.Fatal(diags[0])
			}
			f, err := modtest.Of(fn).Check(context.Background(), nil, h)
			if err != nil {
				if err.Error() != tt.err {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				return
			}
			changes, ran := "", []string{}
			if f.Pending {
				changes = value.Repr(f.Changes)
				if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range h.Ran {
				ran = append(ran, strings.Join(c.Args, " "))
			}
			data, _ := h.ReadFile("/etc/fstab")
			if d := cmp.Diff([]string{tt.changes, tt.ran, fstab + tt.added},
				[]string{changes, strings.Join(ran, "; "), string(data)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestTakenAway: a line of fstab that cannot be mounted, or swapped to, would fail the next boot.
func TestTakenAway(t *testing.T) {
	for _, tt := range []struct {
		spec modules.StateSpec
		name string
		args *value.Dict
	}{
		{fstabPresentSpec(), "tmpfs", value.DictOf("fs_file", value.Str("/mnt/new"), "fs_vfstype", value.Str("tmpfs"))},
		{swapSpec(), "/swap2", value.DictOf("persist", value.Bool(true))},
	} {
		h := machine()
		h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{Code: 32, Stderr: []byte("it cannot")}, nil }
		fn, _ := modules.Bind(&tt.spec, &state.Low{ID: "x", Name: tt.name, Args: tt.args})
		_, err := fn.Act(context.Background(), nil, h)
		if text, _ := h.ReadFile("/etc/fstab"); err == nil || string(text) != fstab || len(h.Ran) == 0 {
			t.Errorf("%s: %v, fstab is %q", tt.spec.Name, err, text)
		}
	}
}

// TestBindAgain: a bind mount that is there is left alone, and so is its line of fstab.
func TestBindAgain(t *testing.T) {
	h := machine()
	h.MustMkdir("/srv/data")
	h.MustMkdir("/mnt/b")
	h.MustWrite("/proc/self/mountinfo", info+"33 22 8:1 /srv/data /mnt/b rw,relatime - ext4 /dev/sda1 rw\n", 0o444)
	const noted = fstab + "/srv/data\t\t/mnt/b\tnone\tbind\t0 0\n"
	h.MustWrite("/etc/fstab", noted, 0o644)
	spec := mountedSpec()
	fn, _ := modules.Bind(&spec, &state.Low{ID: "x", Name: "/mnt/b",
		Args: value.DictOf("device", value.Str("/srv/data"), "fstype", value.Str("none"), "opts", value.Str("bind"))})
	e, err := fn.Act(context.Background(), nil, h)
	if text, _ := h.ReadFile("/etc/fstab"); err != nil || e.Alters() || string(text) != noted || len(h.Ran) > 0 {
		t.Errorf("%+v %v, ran %v, fstab is %q", e, err, h.Ran, text)
	}
}

func TestRemountAndForget(t *testing.T) {
	h := machine()
	spec := mountedSpec()
	fn, _ := modules.Bind(&spec, &state.Low{ID: "x", Name: "/mnt/c",
		Args: value.DictOf("device", value.Str("none"), "fstype", value.Str("tmpfs"), "opts",
			value.NewList(value.Str("ro")))})
	f, err := modtest.Of(fn).Check(context.Background(), nil, h)
	if err != nil || value.Repr(f.Changes) != "{'umount': 'Forced remount because options (ro) changed', 'persist': "+
		"'update'}" {
		t.Fatalf("%+v %v", f, err)
	}
	if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil {
		t.Fatal(err)
	}
	if ran := strings.Join(h.Ran[len(h.Ran)-1].Args, " "); ran != "mount -o remount,ro -t tmpfs none /mnt/c" {
		t.Errorf("ran %s", ran)
	}
	if e, err := fn.(modules.Watcher).ModWatch().Act(context.Background(), nil, h); err != nil || e.Changes.Len() == 0 {
		t.Errorf("the reaction to a watch: %+v %v", e, err)
	}
	gone := fstabAbsentSpec()
	fn, _ = modules.Bind(&gone, &state.Low{ID: "x", Name: "none", Args: value.DictOf("fs_file", value.Str("/mnt/c"))})
	if f, err = modtest.Of(fn).Check(context.Background(), nil, h); err != nil || !f.Pending {
		t.Fatalf("%+v %v", f, err)
	}
	if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil {
		t.Fatal(err)
	}
	if data, _ := h.ReadFile("/etc/fstab"); strings.Contains(string(data), "/mnt/c") {
		t.Errorf("fstab has it still: %s", data)
	}
}

// TestForetold: a preview holds what is mounted then, and fails where mount and swapon would.
func TestForetold(t *testing.T) {
	h := machine()
	h.MustWrite("/mnt/new/below", "", 0o644)
	h.MustWrite("/noswap", strings.Repeat("x", page), 0o600)
	over := host.NewOverlay(h)
	act := func(spec modules.StateSpec, name string, args ...any) string {
		fn, _ := modules.Bind(&spec, &state.Low{ID: "x", Name: name, Args: value.DictOf(args...)})
		e, err := fn.Act(context.Background(), nil, over)
		switch {
		case err != nil:
			return err.Error()
		case e.Alters():
			return value.Repr(e.Changes)
		}
		return e.Comment
	}
	tmpfs := []any{"device", value.Str("tmpfs"), "fstype", value.Str("tmpfs")}
	got := []string{
		act(mountedSpec(), "/mnt/new", "device", value.Str("/dev/nosuch"), "fstype", value.Str("ext4")),
		act(swapSpec(), "/nosuch"), act(swapSpec(), "/noswap"), act(swapSpec(), "/swap2"), act(swapSpec(), "/swap2"),
		act(mountedSpec(), "/mnt/new", tmpfs...), act(mountedSpec(), "/mnt/new", tmpfs...),
	}
	_, err := over.Stat("/mnt/new/below")
	i, _ := over.Stat("/mnt/new")
	got = append(got, fmt.Sprint(errors.Is(err, fs.ErrNotExist), i.Mode), act(unmountedSpec(), "/mnt/new"),
		act(unmountedSpec(), "/mnt/new"))
	_, err = over.Stat("/mnt/new/below")
	got = append(got, fmt.Sprint(host.IsUnknown(err)))
	if d := cmp.Diff([]string{
		"mount: /mnt/new: special device /dev/nosuch does not exist.",
		"swapon: cannot open /nosuch: No such file or directory", "swapon: /noswap: read swap header failed",
		"{'type': 'file', 'size': '4', 'used': '0', 'priority': '-2', 'persist': 'new'}", "Swap /swap2 already active",
		"{'mount': True, 'persist': 'new'}", "Target was already mounted. Entry already exists in the fstab.",
		"true dtrwxrwxrwx", "{'umount': True}", "Target was already unmounted", "true",
	}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestRemount: what the kernel lists otherwise, or not at all, is no reason to mount again.
func TestRemount(t *testing.T) {
	h := machine()
	h.MustWrite("/etc/passwd", "root:x:0:0::/root:/bin/sh\nbob:x:1000:1000::/:/bin/sh\n", 0o644)
	h.Invalidate("accounts")
	now := &live{dir: "/mnt/c", opts: strings.Split("rw,noexec,relatime,size=10240k,uid=1000", ",")}
	for _, tt := range []struct{ opts, was, want string }{
		{"defaults,size=20m,nofail,_netdev,x-systemd.automount,uid=bob,noexec,myown,mykey=1", "defaults", ""},
		{"ro,nosuid,noexec", "", "nosuid,ro"}, {"defaults", "noexec", "noexec"},
		{"defaults", "noexec,mode=1777,nofail", "noexec"}, {"defaults,noexec", "noexec", ""},
	} {
		m := &Mounted{Name: "/mnt/c", Fstype: "tmpfs", Opts: strings.Split(tt.opts, ","), Hidden: Options{"myown", "mykey"}}
		if got := strings.Join(m.changed(h, now, row{opts: tt.was}), ","); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.opts, got, tt.want)
		}
	}
}

// TestBadDevice: the folder of a mount that fails is there, the line in fstab is not.
func TestBadDevice(t *testing.T) {
	h := machine()
	spec := mountedSpec()
	fn, _ := modules.Bind(&spec, &state.Low{ID: "x", Name: "/mnt/x",
		Args: value.DictOf("device", value.Str("/dev/nosuch"), "fstype", value.Str("ext4"), "mkmnt", value.Bool(true))})
	if f, err := modtest.Of(fn).Check(context.Background(), nil, h); err == nil || !f.Action || !f.Pending {
		t.Errorf("%+v %v", f, err)
	}
	h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{Code: 32, Stderr: []byte("mount: no")}, nil }
	if _, err := fn.Act(context.Background(), nil, h); err == nil {
		t.Error("no error")
	}
	_, err := h.Stat("/mnt/x")
	if text, _ := h.ReadFile("/etc/fstab"); string(text) != fstab || err != nil {
		t.Errorf("%v, fstab is %q", err, text)
	}
}

func TestExecs(t *testing.T) {
	h := machine()
	modtest.Execs{Family: Family(), Host: host.NewOverlay(h)}.Table(t, [][4]string{
		{"mount.is_mounted", `["/mnt/c"]`, "", "True"}, {"mount.is_mounted", `["/mnt/new"]`, "", "False"},
		{"mount.fstab", "[]", "", "{'/': {'device': '/dev/sda1', 'fstype': 'ext4', 'opts': ['defaults'], 'dump': '0', " +
			"'pass': '1'}, " +
			"'/mnt/c': {'device': 'none', 'fstype': 'tmpfs', 'opts': ['defaults'], 'dump': '0', 'pass': '0'}}"},
		{"mount.swaps", "[]", "", "{'/swap1': {'type': 'file', 'size': '1', 'used': '0', 'priority': '-2'}}"},
		{"mount.set_fstab", `["/mnt/c", "none", "tmpfs"]`, "", "'present'"},
		{"mount.set_fstab", `["/mnt/c", "none", "tmpfs", "ro,size=1m"]`, "", "'change'"},
		{"mount.set_fstab", `["/x", "/dev/x", "ext4"]`, `{"match_on": ["nope"]}`,
			"error: Unrecognized keys in match_on: fstab has no field \"nope\""},
		{"mount.set_fstab", `["/x", "/dev/x", "ext4"]`, "", "'new'"}, {"mount.rm_fstab", `["/x", "/dev/x"]`, "", "True"},
		{"mount.mount", `["/mnt/new", "tmpfs"]`, `{"fstype": "tmpfs"}`, "True"},
		{"mount.is_mounted", `["/mnt/new"]`, "", "True"},
		{"mount.mount", `["/mnt/new", "/dev/nosuch"]`, "", "'mount: /mnt/new: special device /dev/nosuch does not exist.'"},
		{"mount.remount", `["/mnt/new", "tmpfs"]`, `{"opts": "ro"}`, "True"}, {"mount.umount", `["/mnt/new"]`, "", "True"},
		{"mount.umount", `["/mnt/new"]`, "", "'/mnt/new does not have anything mounted'"},
		{"mount.swapon", `["/swap2"]`, "", "{'stats': {'type': 'file', 'size': '4', 'used': '0', 'priority': '-2'}, 'new': " +
			"True}"},
		{"mount.swapon", `["/nosuch"]`, "", "False"}, {"mount.swapoff", `["/nosuch"]`, "", "None"},
		{"mount.active", "[]", `{"nope": 1}`, "error: active() got an unexpected keyword argument 'nope'"},
	})
}
