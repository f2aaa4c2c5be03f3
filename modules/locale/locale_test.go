package locale

import (
	"context"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestPresent(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/locale.gen", "# de_DE.UTF-8 UTF-8\n# en_US.UTF-8 UTF-8\n", 0o644)
	h.MustWrite("/usr/share/i18n/SUPPORTED", "de_DE.UTF-8 UTF-8\nde_DE@euro ISO-8859-15\nen_US.UTF-8 UTF-8\n", 0o644)
	h.MustWrite("/usr/sbin/locale-gen", "", 0o755)
	all := "C\nC.utf8\nPOSIX\n"
	h.Script = func(c host.Cmd) (*host.Output, error) {
		if c.Args[0] == "locale-gen" {
			all += "de_DE.utf8\n"
		}
		return &host.Output{Stdout: []byte(all)}, nil
	}
	ctx := context.Background()
	if f, err := modtest.Of((&Present{Name: "C.UTF-8"})).Check(ctx, nil, h); err != nil || f.Pending {
		t.Errorf("%+v %v", f, err)
	}
	p := &Present{Name: "de_DE.UTF-8"}
	f, err := modtest.Of(p).Check(ctx, nil, h)
	if err != nil || !f.Pending {
		t.Fatalf("%+v %v", f, err)
	}
	if _, err := modtest.Of(p).Apply(ctx, nil, h, f); err != nil {
		t.Fatal(err)
	}
	if f, err := modtest.Of(p).Check(ctx, nil, h); err != nil || f.Pending {
		t.Errorf("does not converge: %+v %v", f, err)
	}
	if data, _ := h.ReadFile("/etc/locale.gen"); string(data) != "de_DE.UTF-8 UTF-8\n# en_US.UTF-8 UTF-8\n" {
		t.Errorf("locale.gen is %q", data)
	}
}

// TestUnknown: a preview fails for what cannot be generated.
func TestUnknown(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/locale.gen", "", 0o644)
	h.MustWrite("/usr/share/i18n/SUPPORTED", "de_DE.UTF-8 UTF-8\n", 0o644)
	h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{}, nil }
	if f, err := modtest.Of(&Present{Name: "xx_YY.UTF-8"}).Check(context.Background(), nil, h); err == nil {
		t.Errorf("%+v", f)
	}
}

// TestSystemFile: the file is the one that is there.
func TestSystemFile(t *testing.T) {
	for _, tt := range []struct {
		files []string
		want  string
	}{
		{[]string{"/etc/locale.conf"}, "/etc/locale.conf"}, {[]string{"/etc/debian_version"}, "/etc/default/locale"},
		{[]string{"/etc/debian_version", "/etc/locale.conf"}, "/etc/locale.conf"},
		{[]string{"/etc/debian_version", "/etc/locale.conf", "/etc/default/locale"}, "/etc/default/locale"},
	} {
		h := hosttest.NewMemory()
		for _, f := range tt.files {
			h.MustWrite(f, "", 0o644)
		}
		if got := file(h); got != tt.want {
			t.Errorf("%v: %s", tt.files, got)
		}
	}
}

// TestSystemUnknown: systemd sets no locale that is not there.
func TestSystemUnknown(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustMkdir("/run/systemd/system")
	h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{Stdout: []byte("C\nde_DE.utf8\n")}, nil }
	for name, fails := range map[string]bool{"C": false, "de_DE.UTF-8": false, "xx_YY.UTF-8": true} {
		if _, err := modtest.Of(&System{Name: name}).Check(context.Background(), nil, h); (err != nil) != fails {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSystem(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/debian_version", "12\n", 0o644)
	h.MustMkdir("/etc/default")
	s := &System{Name: "de_DE.UTF-8"}
	ctx := context.Background()
	f, err := modtest.Of(s).Check(ctx, nil, h)
	if err != nil || !f.Pending {
		t.Fatalf("%+v %v", f, err)
	}
	if _, err := modtest.Of(s).Apply(ctx, nil, h, f); err != nil {
		t.Fatal(err)
	}
	if f, err := modtest.Of(s).Check(ctx, nil, h); err != nil || f.Pending {
		t.Errorf("does not converge: %+v %v", f, err)
	}
	if data, _ := h.ReadFile("/etc/default/locale"); strings.TrimSpace(string(data)) != "LANG=de_DE.UTF-8" {
		t.Errorf("locale is %q", data)
	}
}
