package kmod

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "kmod", ByName: true, Doc: "Kernel modules that a file of /etc has loaded at boot.",
		Left: "Modules that are loaded and that no file names: the kernel loads what its devices need.",
		Rank: 90, Describe: describe}
}

func describe(_ context.Context, l *modules.Look) error {
	boot := map[string]string{} // by the kernel's spelling: the file
	var names []string
	for _, file := range append([]string{"/etc/modules"}, modules.Glob(l.Host, "/etc/modules-load.d/*.conf")...) {
		lines, err := modules.ReadLines(l.Host, file)
		if err != nil {
			return err
		}
		for _, line := range lines {
			f := strings.Fields(line)
			if len(f) == 0 || strings.HasPrefix(f[0], "#") || strings.HasPrefix(f[0], ";") {
				continue
			}
			if n := plain(f[0]); boot[n] == "" || file == bootFile(l.Host) {
				if !slices.Contains(names, n) {
					names = append(names, n)
				}
				boot[n] = file
			}
		}
	}
	for _, n := range names {
		if !l.Wants(true, n, strings.ReplaceAll(n, "_", "-")) {
			continue
		}
		if err := tell(l, n, boot[n]); err != nil {
			return err
		}
	}
	return others(l, boot)
}

// tell tells of a module that a file has loaded.
func tell(l *modules.Look, name, file string) error {
	is, err := loaded(l.Host, name)
	switch {
	case err != nil:
		return err
	case l.Host.Root() != "/":
		l.Remark(name, "%s has %s loaded at boot; what is loaded is known of a running machine only", file, name)
		return nil
	case !is:
		l.Remark(name, "%s has %s loaded at boot, and it is not loaded now", file, name)
		return nil
	}
	t := l.Tell(name, "kmod.present")
	if file == bootFile(l.Host) {
		t.Set("persist", true)
	} else {
		t.Note("%s has it loaded at boot", file)
	}
	return nil
}

// others tells of modules that are asked for and that no file names.
func others(l *modules.Look, boot map[string]string) error {
	data, err := l.Host.ReadFile("/proc/modules")
	if err != nil && !modules.Gone(err) {
		return fmt.Errorf("read the kernel's modules: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		name, _, _ := strings.Cut(line, " ")
		if boot[name] == "" && l.Wants(false, name, strings.ReplaceAll(name, "_", "-")) {
			l.Tell(name, "kmod.present")
		}
	}
	for _, n := range l.Absent() {
		if is, err := loaded(l.Host, n); err == nil && is {
			l.Wants(true, n)
			l.Tell(n, "kmod.present").Note("it is built into the kernel")
			continue
		}
		l.Lack(n, "kmod.absent")
	}
	return nil
}
