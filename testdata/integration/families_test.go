//go:build integration

package integration

import (
	"path/filepath"
	"testing"
)

// TestFamilies takes the smaller families through preview, run and second run on a real host, then undoes what they
// made.
func TestFamilies(t *testing.T) {
	m := boot(t, "gs-families")
	m.sh("apt-get -qq update")
	m.write(map[string]string{
		"cron": `MAILTO:
  cron.env_present: [{value: root@example.org}]
/bin/backup:
  cron.present: [{identifier: backup}, {minute: 30}, {hour: random}, {comment: nightly}]
/bin/boot:
  cron.present: [{special: '@reboot'}, {user: daemon}]
`,
		"uncron": "backup:\n  cron.absent: [{identifier: backup}]\nMAILTO:\n  cron.env_absent: []\n/bin/boot:\n  " +
			"cron.absent: [{user: daemon}, {special: '@reboot'}]\n",
		"repo": `local:
  pkgrepo.managed:
    - name: deb [trusted=yes] file:/srv/repo ./
    - file: /etc/apt/sources.list.d/local.list
gst-hello:
  pkg.installed:
    - require: [{pkgrepo: local}]
`,
		"unrepo": "deb [trusted=yes] file:/srv/repo ./:\n  pkgrepo.absent: []\n",
		"alternatives": `greeter:
  alternatives.install: [{link: /usr/bin/greeter}, {path: /bin/true}, {priority: 10}]
other:
  alternatives.install: [{name: greeter}, {link: /usr/bin/greeter}, {path: /bin/false}, {priority: 20}]
choose:
  alternatives.set: [{name: greeter}, {path: /bin/true}]
`,
		"unalternatives": "greeter:\n  alternatives.auto: []\nx:\n  alternatives.remove: [{name: greeter}, {path: " +
			"/bin/true}]\n",
		"machine": `Europe/Berlin:
  timezone.system: []
  pkg.installed: [{name: tzdata}, {order: first}]
db.example.org:
  host.present: [{ip: [192.0.2.5, '2001:db8::5']}]
127.0.1.1:
  host.only: [{hostnames: [web9, web9.example.org]}]
C.UTF-8:
  locale.system: []
/etc/app/app.ini:
  file.managed: [{contents: "[a]\nx = 1\n"}, {makedirs: true}, {replace: false}]
  ini.options_present: [{sections: {a: {x: 2}, b: {y: z}}}]
`,
		"mount": `/mnt/scratch:
  mount.mounted: [{device: scratch}, {fstype: tmpfs}, {opts: 'size=1m,noexec'}, {mkmnt: true}]
`,
		"remount": "/mnt/scratch:\n  mount.mounted: [{device: scratch}, {fstype: tmpfs}, {opts: 'size=2m'}]\n",
		"umount":  "/mnt/scratch:\n  mount.unmounted: [{persist: true}]\n",
		"ssh": `carol:
  user.present: [{home: /home/carol}]
carol's laptop:
  ssh_auth.present:
    - user: carol
    - name: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl carol@laptop
    - require: [{user: carol}]
git.example.org:
  ssh_known_hosts.present: [{user: carol}, {key: AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl}, {enc: ed25519}, {require: [{user: carol}]}]
`,
		"archive": `/opt/app:
  archive.extracted: [{source: salt://app.tar.gz}, {user: daemon}, {group: daemon}]
/opt/current:
  file.symlink: [{target: /opt/app/app-1.0}]
`,
		"debconf": "tzdata:\n  debconf.set:\n    - data:\n        tzdata/Areas: {type: select, value: Asia}\n",
		"module": "reload:\n  module.wait:\n    - name: service.systemctl_reload\n    - watch: [{file: " +
			"/etc/m}]\n/etc/m:\n  file.managed: [{contents: x}]\n",
		"kmod": "dummy-of-gst:\n  kmod.absent: []\n",
	})
	must(t, command("sh", "-c", "d=$(mktemp -d); mkdir $d/app-1.0; echo hi >$d/app-1.0/file; ln -s file "+
		"$d/app-1.0/link; tar -C $d -czf "+
		filepath.Join(m.folder, "tree", "app.tar.gz")+" app-1.0; rm -r $d"))
	for _, sls := range []string{"cron", "repo", "alternatives", "machine", "mount", "ssh", "archive", "debconf", "module",
		"kmod"} {
		t.Run(sls, func(t *testing.T) { m.t = t; m.converge(sls) })
	}
	m.t = t
	m.want("crontab -l | grep -c backup; crontab -u daemon -l | tail -1; systemctl is-active cron",
		"2\n@reboot /bin/boot\nactive")
	m.want("readlink /etc/alternatives/greeter; cat /etc/timezone; date +%Z | grep -c CE; getent hosts db.example.org | "+
		"wc -l; tail -2 /etc/app/app.ini",
		"/bin/true\nEurope/Berlin\n1\n1\n[b]\ny = z")
	m.want("findmnt -n -o FSTYPE,OPTIONS /mnt/scratch | grep -c noexec; grep -c /mnt/scratch /etc/fstab", "1\n1")
	m.want("stat -c '%U %a' /home/carol/.ssh /home/carol/.ssh/authorized_keys | xargs; stat -c %U "+
		"/opt/app/app-1.0/file; cat /opt/current/link", "carol 700 carol 600\ndaemon\nhi")
	for _, sls := range []string{"uncron", "unrepo", "unalternatives", "remount", "umount"} {
		t.Run(sls, func(t *testing.T) { m.t = t; m.converge(sls) })
	}
	m.t = t
	m.want("crontab -l | grep -c backup; crontab -u daemon -l | grep -c boot; ls /etc/apt/sources.list.d/local.list "+
		"2>/dev/null; readlink /etc/alternatives/greeter; findmnt /mnt/scratch; grep scratch /etc/fstab; true",
		"0\n0\n/bin/false")
}
