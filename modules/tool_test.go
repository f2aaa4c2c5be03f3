package modules

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/host"
)

// TestAccountFilesThatCannotBeChanged: a preview says so where a tool for accounts would fail.
func TestAccountFilesThatCannotBeChanged(t *testing.T) {
	root := t.TempDir()
	passwd := root + "/etc/passwd"
	if err := errors.Join(os.Mkdir(root+"/etc", 0o755), os.WriteFile(passwd, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	h, err := host.NewOS(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := openAccounts(host.NewOverlay(h), host.FactUser); err != nil {
		t.Errorf("a file like others: %v", err)
	}
	f, err := os.Open(passwd)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil || unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags|unix.STATX_ATTR_IMMUTABLE) != nil {
		t.Skip("no file flags for this user on this file system")
	}
	defer func() { _ = unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags) }()
	err = openAccounts(host.NewOverlay(h), host.FactUser)
	if !errors.Is(err, syscall.EPERM) || !strings.HasPrefix(err.Error(), "/etc/passwd cannot be changed: ") {
		t.Errorf("an immutable file: %v", err)
	}
	if err := openAccounts(host.NewOverlay(h), host.FactGroup); err != nil {
		t.Errorf("what groups do not need: %v", err)
	}
}
