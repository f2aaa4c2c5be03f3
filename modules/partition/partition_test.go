package partition

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// machine has a disk, and notes the commands that change it.
func machine(t *testing.T) (*hosttest.Memory, *[]string) {
	t.Helper()
	m := hosttest.NewMemory()
	m.MustMkdir("/dev")
	if err := m.Mknod("/dev/sdb", fs.ModeDevice, 8, 16, host.Attr{Mode: 0o660, HasMode: true}); err != nil {
		t.Fatal(err)
	}
	var ran []string
	m.Script = func(c host.Cmd) (*host.Output, error) {
		ran = append(ran, strings.Join(c.Args, " "))
		if c.Args[len(c.Args)-1] == "9" {
			return &host.Output{Code: 1, Stderr: []byte("Error: Partition doesn't exist.\n")}, nil
		}
		return &host.Output{}, nil
	}
	return m, &ran
}

var changes = [][4]string{
	{"partition.mklabel", `["/dev/sdb", "gpt"]`, "", "[]"},
	{"partition.mkpart", `["/dev/sdb", "primary"]`, `{"start": "0%", "end": "100%"}`, "[]"},
	{"partition.mkpart", `["/dev/sdb", "logical", "ext4", 639, "1.5GiB"]`, "", "[]"},
	{"partition.rm", `["/dev/sdb", 9]`, "", `["Error: Partition doesn't exist."]`},
	{"partition.probe", `["/dev/sdb"]`, "", "[]"},
}

func TestPartition(t *testing.T) {
	m, ran := machine(t)
	modtest.Execs{Family: Family(), Host: m}.Table(t, append(changes, [][4]string{
		{"partition.exists", `["/dev/sdb"]`, "", "True"},
		{"partition.exists", `["/etc/passwd"]`, "", "False"},
		{"partition.mklabel", `["/dev/sdb", "nope"]`, "", "error: Invalid label_type passed to partition.mklabel"},
		{"partition.mklabel", `["/etc/passwd", "gpt"]`, "", "error: Invalid device passed to partition module."},
		{"partition.mkpart", `["/dev/sdb", "nope"]`, "", "error: Invalid part_type passed to partition.mkpart"},
		{"partition.mkpart", `["/dev/sdb", "primary", "zfs"]`, "", "error: Invalid fs_type passed to partition.mkpart"},
		{"partition.mkpart", `["/dev/sdb", "primary", null, "0", "1; rm"]`, "",
			`error: Invalid partition boundary passed: "1; rm"`},
		{"partition.rm", `["/dev/sdb", "x"]`, "", "error: Invalid minor number passed to partition.rm"},
		{"partition.probe", `["/nope"]`, "", "error: Invalid device passed to partition module."},
	}...))
	want := []string{"parted -m -s -- /dev/sdb mklabel gpt", "parted -m -s -- /dev/sdb mkpart primary 0% 100%",
		"parted -m -s -- /dev/sdb mkpart logical ext4 639 1.5GiB", "parted -m -s -- /dev/sdb rm 9", "partprobe -- /dev/sdb"}
	if diff := cmp.Diff(want, *ran); diff != "" {
		t.Errorf("commands (-want +got)\n%s", diff)
	}
}

// TestPreview: none of it is done, and none of it is foretold.
func TestPreview(t *testing.T) {
	m, ran := machine(t)
	x := modtest.Execs{Family: Family(), Host: host.NewOverlay(m)}
	for _, r := range changes {
		kwargs := value.NewDict(0)
		if r[2] != "" {
			kwargs = modtest.JSON(t, r[2]).(*value.Dict)
		}
		if _, err := x.Value(t, r[0], modtest.JSON(t, r[1]).(*value.List).Items, kwargs); !errors.Is(err, host.ErrPreview) {
			t.Errorf("%s in a preview: %v", r[0], err)
		}
	}
	if len(*ran) > 0 {
		t.Errorf("a preview ran %q", *ran)
	}
}
