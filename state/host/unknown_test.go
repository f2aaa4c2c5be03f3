package host

import (
	"errors"
	"testing"
)

func TestPackagesLeaveInDoubtWhatIsMissing(t *testing.T) {
	base := NewOverlay(NewMemory())
	base.Acting("pkg.installed nginx")
	missing := Missing("there is no %s", "nginx.conf")
	if by := base.Loose(missing); by != "" {
		t.Errorf("doubt without a package: %s", by)
	}
	base.Promise(Fact{Kind: FactCommand, Name: "*", Value: "unknown"})
	if by := base.Loose(missing); by != "" {
		t.Errorf("a state leaves itself in doubt: %s", by)
	}
	over := NewOverlay(base)
	_, command := over.LookPath("nginx")
	_, user := over.User("www-data")
	for _, err := range []error{missing, command, user} {
		if by := over.Loose(err); by != "pkg.installed nginx" {
			t.Errorf("%v is left in doubt by %q", err, by)
		}
	}
	if by := over.Loose(errors.New("another fault")); by != "" {
		t.Errorf("another fault is left in doubt by %q", by)
	}
}
