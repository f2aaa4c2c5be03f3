//go:build linux

package view

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host"
)

// TestRehearsalHost: what is no file is foretold and noted, all else is done; who runs it stays who it is.
func TestRehearsalHost(t *testing.T) {
	machine, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	in := &Inside{noted: map[string]bool{}}
	h := in.Host(machine)
	if a, b := host.IdentityOf(h), host.IdentityOf(machine); a.UID != b.UID || a.GID != b.GID || a.Umask != b.Umask {
		t.Errorf("runs as %+v, want %+v", a, b)
	}
	var done []host.Kind
	for _, kind := range []host.Kind{host.FactService, host.FactMount, host.Kernel, host.FactPackage, host.FactUser,
		host.Anything} {
		err := h.Do(t.Context(), host.Deed{What: "a deed", On: kind,
			Do:       func(context.Context) error { done = append(done, kind); return nil },
			Foretell: func(o host.Host) error { o.Promise(host.Fact{Kind: kind, Name: "it", Value: "so"}); return nil }})
		if err != nil {
			t.Error(err)
		}
	}
	if want := []host.Kind{host.FactPackage, host.FactUser, host.Anything}; !slices.Equal(done, want) {
		t.Errorf("done: %v, want %v", done, want)
	}
	if _, ok := host.Forecast(h).Fact(host.FactMount, "it"); !ok || !slices.Equal(in.Notes(), []string{"a deed"}) {
		t.Errorf("what is foretold is not known: %v, noted %q", ok, in.Notes())
	}
	const setting = "/proc/sys/kernel/gostate-test"
	if err := h.WriteFile(setting, strings.NewReader("1"), host.KeepAttr()); err != nil {
		t.Error(err)
	}
	if raw, err := h.ReadFile(setting); string(raw) != "1" {
		t.Errorf("a setting of the kernel: %q %v", raw, err)
	}
}

// TestDownloads: which commands fetch with the network, and how.
func TestDownloads(t *testing.T) {
	for _, c := range []struct {
		args      string
		word      string
		refreshes bool
	}{
		{"apt-get -q -y install -- nginx", "--download-only", false}, {"/usr/bin/apt-get update", "--download-only", true},
		{"apt-get install update", "--download-only", false}, {"dnf install -y nginx", "--downloadonly", false},
		{"zypper refresh", "--download-only", true}, {"dpkg -i x.deb", "", false}, {"curl x", "", false},
	} {
		cmd := host.Cmd{Args: strings.Fields(c.args)}
		word, _ := downloads(cmd)
		if word != c.word || refreshes(cmd) != c.refreshes {
			t.Errorf("%s: %q %v", c.args, word, refreshes(cmd))
		}
	}
	if _, ok := downloads(host.Cmd{Args: []string{"apt-get install x; reboot"}, Shell: "/bin/sh"}); ok {
		t.Error("a shell's text is given the network")
	}
}
