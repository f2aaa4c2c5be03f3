package sysctl

import (
	"context"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "sysctl", Doc: "Kernel settings that /etc/sysctl.conf or a file of /etc/sysctl.d sets.",
		Left: "Settings that no file of /etc sets: they are the kernel's or the distribution's own.",
		Rank: 100, Describe: describe}
}

func describe(ctx context.Context, l *modules.Look) error {
	files := append([]string{"/etc/sysctl.conf"}, modules.Glob(l.Host, "/etc/sysctl.d/*.conf")...)
	told := map[string]bool{}
	for _, file := range files {
		if i, err := l.Host.Lstat(file); err != nil || !i.IsRegular() { // a link leads to what is told already
			continue
		}
		c, err := open(l.Host, file)
		if err != nil {
			return err
		}
		for _, line := range c.lines {
			key, val, ok := setting(line)
			id := key
			if ok && told[key] {
				id = key + " in " + path.Base(file)
			}
			if !ok || told[id] || !l.Wants(true, key) {
				continue
			}
			told[id] = true
			if err := tell(ctx, l, id, key, val, file); err != nil {
				return err
			}
		}
	}
	for _, n := range l.Absent() {
		lack(l, n)
	}
	return nil
}

// tell tells of a setting; of one that the kernel has otherwise, or that the file sets again, in words.
func tell(ctx context.Context, l *modules.Look, id, key, val, file string) error {
	now, known, err := current(l.Host, key)
	if err != nil {
		l.Remark(id, "%s sets %s to %s; what the kernel has cannot be read: %v", file, key, val, err)
		return nil
	}
	t := l.Tell(id, "sysctl.present", "value", val, "config", file).SetIf(!known, "ignore", true)
	if id != key {
		t.Called(key)
	}
	if l.Holds(ctx, t) == nil {
		return nil
	}
	l.Things = l.Things[:len(l.Things)-1]
	switch {
	case known && fields(now) != fields(val):
		l.Remark(id, "%s sets %s to %s at boot, and the kernel has %s now", file, key, val, fields(now))
	default:
		l.Remark(id, "%s sets %s to %s, and to something else in another line", file, key, val)
	}
	return nil
}

func lack(l *modules.Look, name string) {
	now, known, err := current(l.Host, strings.TrimSpace(name))
	if err != nil || !known {
		l.Lack(name, "")
		return
	}
	l.Wants(true, name)
	l.Remark(name, "the kernel has %s = %s, and no file of /etc sets it: sysctl.present would write one", name,
		fields(now))
}
