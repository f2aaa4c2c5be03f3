package sysctl

import (
	"context"
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

func TestPresent(t *testing.T) {
	const conf = "/etc/sysctl.d/99-salt.conf"
	tests := []struct {
		name, kernel, file string
		val                value.Value
		pending            bool
		ran, after         string
	}{
		{"set", "1\n", "net.ipv4.ip_forward=1\n", value.Int(1), false, "", "net.ipv4.ip_forward=1\n"},
		{"spaces are alike", "4096\t87380 6291456\n", "net.ipv4.ip_forward = 4096  87380\t6291456\n",
			value.Str("4096 87380 6291456"), false, "", "net.ipv4.ip_forward = 4096  87380\t6291456\n"},
		{"only the kernel", "0\n", "net.ipv4.ip_forward = 1\n", value.Int(1), true, "sysctl -w net.ipv4.ip_forward=1",
			"net.ipv4.ip_forward = 1\n"},
		{"only the file", "1\n", "# x\nnet.ipv4.ip_forward = 0\nvm.x = 1\n", value.Int(1), true, "",
			"# x\nnet.ipv4.ip_forward = 1\nvm.x = 1\n"},
		{"ends of lines stay", "1\n", "# x\r\nvm.x = 1\r\nbroken", value.Int(1), true, "",
			"# x\r\nvm.x = 1\r\nbroken\nnet.ipv4.ip_forward = 1\n"},
		{"both", "0\n", "", value.Int(1), true, "sysctl -w net.ipv4.ip_forward=1",
			"#\n# Kernel sysctl configuration\n#\nnet.ipv4.ip_forward = 1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hosttest.NewMemory()
			h.MustWrite("/proc/sys/net/ipv4/ip_forward", tt.kernel, 0o644)
			h.MustMkdir("/run/systemd/system")
			h.MustWrite("/usr/sbin/sysctl", "", 0o755)
			if tt.file != "" {
				h.MustWrite(conf, tt.file, 0o644)
			}
			h.Script = func(c host.Cmd) (*host.Output, error) {
				_, v, _ := strings.Cut(c.Args[2], "=")
				h.MustWrite("/proc/sys/net/ipv4/ip_forward", v+"\n", 0o644)
				return &host.Output{}, nil
			}
			spec := presentSpec()
			fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: "net.ipv4.ip_forward",
				Args: value.DictOf("value", tt.val)})
			if fn == nil {
				t.Fatal(diags[0])
			}
			ctx := context.Background()
			f, err := modtest.Of(fn).Check(ctx, nil, h)
			if err != nil || f.Pending != tt.pending {
				t.Fatalf("%+v %v", f, err)
			}
			ran := ""
			if f.Pending {
				if _, err := modtest.Of(fn).Apply(ctx, nil, h, f); err != nil {
					t.Fatal(err)
				}
				if again, err := modtest.Of(fn).Check(ctx, nil, h); err != nil || again.Pending {
					t.Errorf("does not converge: %+v %v", again, err)
				}
			}
			for _, c := range h.Ran {
				ran += strings.Join(c.Args, " ")
			}
			data, _ := h.ReadFile(conf)
			if d := cmp.Diff([]string{tt.ran, tt.after}, []string{ran, string(data)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestUnknown: what the kernel does not have fails, and is noted for the next boot.
func TestUnknown(t *testing.T) {
	h := hosttest.NewMemory()
	p := &Present{Name: "net.nope", Value: value.Int(1)}
	f, err := modtest.Of(p).Check(context.Background(), nil, h)
	if err == nil || !f.Pending || !f.Action {
		t.Errorf("a setting that the kernel lacks: %+v %v", f, err)
	}
	if _, err := p.Act(context.Background(), nil, h); err == nil {
		t.Error("it is no failure")
	}
	if raw, _ := h.ReadFile("/etc/sysctl.conf"); string(raw) != "#\n# Kernel sysctl configuration\n#\nnet.nope = 1\n" {
		t.Errorf("noted %q", raw)
	}
	p.Ignore = true
	if f, err := modtest.Of(p).Check(context.Background(), nil, h); err != nil || f.Pending {
		t.Errorf("ignored: %+v %v", f, err)
	}
}

func TestProc(t *testing.T) {
	for name, want := range map[string]string{"net.ipv4.ip_forward": "net/ipv4/ip_forward",
		"net/ipv4/conf/eth0.5/mtu": "net/ipv4/conf/eth0.5/mtu",
		"net.ipv4.conf.eth0/5.mtu": "net/ipv4/conf/eth0.5/mtu"} {
		if got := proc(name); got != "/proc/sys/"+want {
			t.Errorf("%s is %s", name, got)
		}
	}
}

func TestExecs(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/proc/sys/a/b", "1\t2\n", 0o644)
	h.MustWrite("/etc/sysctl.conf", "# c\na.b = 1 2\n", 0o644)
	modtest.Execs{Family: Family(), Host: h}.Table(t, [][4]string{
		{"sysctl.default_config", "[]", "", "'/etc/sysctl.conf'"},
		{"sysctl.get", `["a.b"]`, "", `'1\t2'`},
		{"sysctl.get", `["a.c"]`, "", "'sysctl: cannot stat /proc/sys/a/c: No such file or directory'"},
		{"sysctl.show", `["/etc/sysctl.conf"]`, "", "{'a.b': '1 2'}"},
		{"sysctl.show", `["/nope"]`, "", "[]"},
		{"sysctl.persist", `["a.b", "1 2"]`, "", "'Already set'"},
		{"sysctl.assign", `["a.c", 1]`, "", "error: Failed to set a.c to 1: sysctl a.c does not exist"},
		{"sysctl.get", `["a.b"]`, `{"nope": 1}`, "error: get() got an unexpected keyword argument 'nope'"},
	})
}
