package sysctl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// proc is where the kernel shows a setting. The first sign that parts the words of a name decides what it means:
// net.ipv4.conf.eth0/5.mtu and net/ipv4/conf/eth0.5/mtu are the same.
func proc(name string) string {
	if i := strings.IndexAny(name, "./"); i >= 0 && name[i] == '.' {
		name = strings.NewReplacer(".", "/", "/", ".").Replace(name)
	}
	return path.Join("/proc/sys", name)
}

func fields(text string) string { return strings.Join(strings.Fields(text), " ") }

// current is what the kernel has; ok is false where it has no such setting.
func current(h host.Reader, name string) (val string, ok bool, err error) {
	now, err := h.ReadFile(proc(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, fmt.Errorf("read %s: %w", name, err)
	}
	return strings.TrimRight(string(now), "\n"), true, nil
}

// assign sets the running kernel. Of a setting that may not be written sysctl complains, and ends well.
func assign(ctx context.Context, h host.Host, name, val string) error {
	if _, ok, err := current(h, name); err != nil || !ok {
		return errors.Join(host.Missing("Failed to set %s to %s: sysctl %s does not exist", name, val, name), err)
	}
	tool := modules.Tool{On: host.Kernel, Args: []string{"sysctl", "-w", name + "=" + val},
		Foretell: func(o host.Host) error {
			return o.WriteFile(proc(name), strings.NewReader(val+"\n"), host.KeepAttr())
		}}
	if err := tool.Run(ctx, h); err != nil {
		return fmt.Errorf("Failed to set %s to %s: sysctl -w failed: %w", name, val, err) //nolint:staticcheck // Salt's words
	}
	if now, _, err := current(h, name); err != nil || fields(now) != fields(val) {
		return errors.Join(fmt.Errorf("Failed to set %s to %s: the kernel did not take it", name, val), err) //nolint:staticcheck // Salt's words
	}
	return nil
}

// defaultConfig is the file that sets the kernel at boot: systemd reads its own place only.
func defaultConfig(h host.Reader) string {
	if i, err := h.Stat("/run/systemd/system"); err == nil && i.IsDir() {
		return "/etc/sysctl.d/99-salt.conf"
	}
	if i, err := h.Stat("/etc/sysctl.d"); err == nil && i.IsDir() && h.Root() != "/" { // a tree that is not booted
		return "/etc/sysctl.d/99-salt.conf"
	}
	return "/etc/sysctl.conf"
}
