package disk

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

const dump12 = "blockdev --getro --getsz --getss --getpbsz --getiomin --getioopt --getalignoff --getmaxsect " +
	"--getsize --getsize64 --getra --getfra "

var answers = map[string]string{
	"df -P": "Filesystem     1024-blocks    Used Available Capacity Mounted " +
		"on\n/dev/sda1 100 40 60 40% /\nmy disk 10 1 9 10% /mnt/a b\nbroken\n",
	"df -P -h": "Filesystem Size Used Avail Use% Mounted on\n",
	"df -iP": "Filesystem Inodes IUsed IFree IUse% Mounted on\n/dev/sda1 1000 10 990 1% " +
		"/\ntmp - - - - /boot/efi\n",
	"blkid": "/dev/sda1: UUID=\"a b\" TYPE=\"ext4\" LABEL=\"\" " +
		"PARTUUID=\"1\"\n/dev/sdb: TYPE=\"swap\"\n",
	"blkid /dev/sdb":                        "/dev/sdb: TYPE=\"swap\"\n",
	"blkid -t TYPE=none":                    "!",
	dump12 + "/dev/sda":                     "0\n8\n512\n512\n512\n0\n0\n255\n8\n4096\n256\n256\n",
	dump12 + "/dev/none":                    "!",
	"lsblk -o fstype /dev/sda1":             "FSTYPE\next4\n",
	"lsblk -o fstype /dev/sdc":              "FSTYPE\n\n",
	"df --output=fstype /dev/sdc":           "Type\ndevtmpfs\n",
	"df --output=fstype /root":              "Type\next4\n",
	"df --output=fstype /none":              "!",
	"blockdev --setra 256 --setrw /dev/sda": "",
	"blockdev --setro /dev/sda":             "",
	"wipefs -a /dev/sda":                    "", "wipefs -a /dev/none": "!",
	"resize2fs /dev/sda": "", "resize2fs /dev/none": "!", "sync": "",
	"mkfs -t ext4 -i 128 -E lazy_itable_init=1 -F /dev/sda": "", "mkfs -t xfs -i size=128 -f /dev/sda": "",
	"mkfs -t vfat -F 32 /dev/sda": "",
	"mkfs -t vfat /dev/none":      "!",
}

// machine answers so; "!" is a failure.
func machine() *hosttest.Memory {
	m := hosttest.NewMemory()
	m.Script = func(c host.Cmd) (*host.Output, error) {
		text, ok := answers[strings.Join(c.Args, " ")]
		switch {
		case !ok:
			return nil, errors.New("no such command: " + strings.Join(c.Args, " "))
		case text == "!":
			return &host.Output{Code: 1, Stderr: []byte("failed\n")}, nil
		}
		return &host.Output{Stdout: []byte(text)}, nil
	}
	return m
}

func TestUsage(t *testing.T) {
	m := machine()
	x := modtest.Execs{Family: Family(), Host: m}
	x.Table(t, [][4]string{{"disk.usage", `[]`, "", "{}"}})
	m.MustWrite("/etc/mtab", "", 0o644)
	x.Table(t, [][4]string{
		{"disk.usage", `[]`, "", "{'/': {'filesystem': '/dev/sda1', '1K-blocks': '100', 'used': '40', 'available': '60', " +
			"'capacity': '40%'}, " +
			"'/mnt/a b': {'filesystem': 'my disk', '1K-blocks': '10', 'used': '1', 'available': '9', 'capacity': '10%'}}"},
		{"disk.usage", `["h"]`, "", "{}"},
		{"disk.usage", `["; rm"]`, "", "error: Invalid flag passed to disk.usage"},
		{"disk.inodeusage", `["z"]`, "", "error: Invalid flag passed to disk.inodeusage"},
		{"disk.inodeusage", `[]`, "", "{'/': {'filesystem': '/dev/sda1', 'inodes': '1000', 'used': '10', 'free': '990', " +
			"'use': '1%'}, " +
			"'/boot/efi': {'filesystem': 'tmp', 'inodes': '-', 'used': '-', 'free': '-', 'use': '-'}}"},
		{"disk.percent", `[]`, "", "{'/': '40%', '/mnt/a b': '10%'}"},
		{"disk.percent", `["/"]`, "", "'40%'"},
		{"disk.percent", `["/none"]`, "", "{}"},
	})
}

func TestDevices(t *testing.T) {
	modtest.Execs{Family: Family(), Host: machine()}.Table(t, [][4]string{
		{"disk.blkid", `[]`, "", "{'/dev/sda1': {'UUID': 'a b', 'TYPE': 'ext4', 'LABEL': '', 'PARTUUID': '1'}, '/dev/sdb': " +
			"{'TYPE': 'swap'}}"},
		{"disk.blkid", `["/dev/sdb"]`, "", "{'/dev/sdb': {'TYPE': 'swap'}}"},
		{"disk.blkid", `[]`, `{"token": "TYPE=none"}`, "{}"},
		{"disk.dump", `["/dev/sda", ["getss", "getra"]]`, "", "{'getss': '512', 'getra': '256'}"},
		{"disk.dump", `["/dev/sda", ["nope"]]`, "", "error: 'nope'"},
		{"disk.dump", `["/dev/none"]`, "", "False"},
		{"disk.fstype", `["/dev/sda1"]`, "", "'ext4'"},
		{"disk.fstype", `["/dev/sdc"]`, "", "'devtmpfs'"},
		{"disk.get_fstype_from_path", `["/root"]`, "", "'ext4'"},
		{"disk.get_fstype_from_path", `["/none"]`, "", "''"},
	})
}

var changes = [][4]string{
	{"disk.tune", `["/dev/sda"]`, `{"read-ahead": 256, "read-write": true}`, "{'getra': '256', 'getro': '0'}"},
	{"disk.tune", `["/dev/sda"]`, `{"read-only": true}`, "{'getro': '0'}"},
	{"disk.wipe", `["/dev/sda"]`, "", "True"},
	{"disk.wipe", `["/dev/none"]`, "", "False"},
	{"disk.resize2fs", `["/dev/sda"]`, "", "True"},
	{"disk.resize2fs", `["/dev/none"]`, "", "None"},
	{"disk.format", `["/dev/sda"]`, `{"inode_size": 128, "lazy_itable_init": 1, "force": true, "fat": 32}`, "True"},
	{"disk.format", `["/dev/sda", "xfs"]`, `{"inode_size": 128, "lazy_itable_init": 1, "force": true}`, "True"},
	{"disk.format", `["/dev/sda", "vfat"]`, `{"fat": 32}`, "True"},
	{"disk.format", `["/dev/none", "vfat"]`, `{"fat": 7}`, "False"},
}

func TestChanges(t *testing.T) {
	modtest.Execs{Family: Family(), Host: machine()}.Table(t, append(changes,
		[4]string{"disk.tune", `["/dev/sda"]`, `{"speed": 1}`, "error: tune() got an unexpected keyword argument 'speed'"}))
}

// TestPreview: nobody can foretell these.
func TestPreview(t *testing.T) {
	m := machine()
	x := modtest.Execs{Family: Family(), Host: host.NewOverlay(m)}
	for _, r := range changes {
		kwargs := value.NewDict(0)
		if r[2] != "" {
			kwargs = modtest.JSON(t, r[2]).(*value.Dict)
		}
		if _, err := x.Value(t, r[0], modtest.JSON(t, r[1]).(*value.List).Items, kwargs); !errors.Is(err, host.ErrPreview) {
			t.Errorf("%s %s in a preview: %v", r[0], r[1], err)
		}
	}
	if diff := cmp.Diff(0, len(m.Ran)); diff != "" {
		t.Errorf("a preview ran %v", m.Ran)
	}
}
