package host_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestPackagesLeaveInDoubtWhatIsMissing(t *testing.T) {
	base := host.NewOverlay(hosttest.NewMemory())
	base.Acting("pkg.installed nginx")
	missing := host.Missing("there is no %s", "nginx.conf")
	if by := base.Loose(missing); by != "" {
		t.Errorf("doubt without a package: %s", by)
	}
	base.Promise(host.Fact{Kind: host.FactCommand, Name: "*", Value: "unknown"})
	if by := base.Loose(missing); by != "" {
		t.Errorf("a state leaves itself in doubt: %s", by)
	}
	over := host.NewOverlay(base)
	_, command := over.LookPath("nginx")
	_, user := over.User("www-data")
	for _, err := range []error{missing, command, user} {
		if by := over.Loose(err); by != "pkg.installed nginx" {
			t.Errorf("%v is left in doubt by %q", err, by)
		}
	}
	another := errors.New("another fault")
	if by := over.Loose(another); by != "" {
		t.Errorf("another fault is left in doubt by %q", by)
	}
	base.Promise(host.Fact{Kind: host.FactUnit, Name: "*", Value: "unknown"})
	if by := over.Loose(another); by != "pkg.installed nginx" {
		t.Errorf("another fault is left in doubt by %q", by)
	}
	for _, err := range []error{host.Sure(another), &fs.PathError{Op: "write", Path: "/etc/motd", Err: syscall.EACCES}} {
		if by := over.Loose(fmt.Errorf("it fails: %w", err)); by != "" {
			t.Errorf("%v, which is sure, is left in doubt by %q", err, by)
		}
	}
}
