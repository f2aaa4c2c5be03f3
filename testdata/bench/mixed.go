package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// mixed measures a run that finds 1,000 states of many kinds as they should be, on a machine of files below a scratch
// root.
// Services need a real systemd: see mixedHost.
func (b *bench) mixed() error {
	root := b.dir + "/machine"
	if err := mkdirs(root+"/etc", root+"/tmp", root+"/srv", root+"/var/spool/cron/crontabs",
		root+"/var/lib/dpkg"); err != nil {
		return err
	}
	for _, f := range []string{"/etc/passwd", "/etc/group", "/etc/os-release", "/var/lib/dpkg/status"} {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(root+f, text, 0o644); err != nil {
			return err
		}
	}
	return b.mixedIn("no-op run, 1,000 mixed states without services", "--root", root)
}

// mixedHost is mixed on the machine that it runs on, services among the states. It writes to it: it is for machines
// that are thrown away.
func (b *bench) mixedHost() error {
	if _, err := os.Stat("/run/systemd/system"); err != nil {
		return fmt.Errorf("mixed-host needs a machine with systemd: %w", err)
	}
	return b.mixedIn("no-op run, 1,000 mixed states")
}

func (b *bench) mixedIn(title string, words ...string) error {
	kinds := []func(i int) string{
		func(i int) string { return fmt.Sprintf("file.managed: [{name: /srv/f%d}, {contents: text}]", i) },
		func(i int) string { return fmt.Sprintf("file.directory: [{name: /srv/d%d}, {mode: '0755'}]", i) },
		func(i int) string { return fmt.Sprintf("file.symlink: [{name: /srv/l%d}, {target: f%d}]", i, i) },
		func(i int) string {
			return fmt.Sprintf("cron.present: [{name: echo %d}, {user: root}, {identifier: b%d}]", i, i)
		},
		func(i int) string {
			return fmt.Sprintf("host.present: [{name: bench%d}, {ip: 10.9.%d.%d}]", i, i/250, i%250)
		},
		of("user.present", "/etc/passwd", ":", ", {createhome: false}"),
		of("group.present", "/etc/group", ":", ""),
		of("pkg.installed", "/var/lib/dpkg/status", "Package: ", ""),
	}
	if len(words) == 0 {
		kinds = append(kinds, func(i int) string {
			return "service.running: [{name: " + []string{"dbus", "cron", "systemd-journald"}[i%3] + "}]"
		})
	}
	var sls strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&sls, "s%d: {%s}\n", i, kinds[i%len(kinds)](i/len(kinds)))
	}
	err := mkdirs(b.dir + "/salt")
	if err == nil {
		err = os.WriteFile(b.dir+"/salt/mixed.sls", []byte(sls.String()), 0o644)
	}
	if err != nil {
		return err
	}
	run := b.gostate(append(words, "sls", "mixed", "--out", "quiet")...)
	if _, err := once(run); err != nil {
		return err
	}
	fs, err := measure(7, []string{b.dir + "/hello"}, run)
	if err != nil {
		return err
	}
	show(title, fs, "hello", "gostate")
	return nil
}

// of gives states of a function on the names that a file of the machine holds, again from the start when they are used
// up. sep ends a name, or stands before it; more are further arguments.
func of(fun, file, sep, more string) func(i int) string {
	var names []string
	if f, err := os.Open(file); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			before, after, ok := strings.Cut(s.Text(), sep)
			switch {
			case ok && before == "":
				names = append(names, after)
			case ok && strings.HasSuffix(sep, ":"):
				names = append(names, before)
			}
		}
	}
	return func(i int) string { return fmt.Sprintf("%s: [{name: %s}%s]", fun, names[i%len(names)], more) }
}
