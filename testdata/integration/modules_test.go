//go:build integration

package integration

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// write makes SLS files in the tree "tree" of the host: name without .sls, text.
func (m *machine) write(files map[string]string) {
	m.t.Helper()
	dir := filepath.Join(m.folder, "tree")
	for name, text := range files {
		file := filepath.Join(dir, name+".sls")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			m.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			m.t.Fatal(err)
		}
	}
}

// converge previews, runs and runs again: the preview touches nothing and names what the run changes, and the second
// run changes nothing. It gives the run.
func (m *machine) converge(sls string) outcomes {
	m.t.Helper()
	f := &formula{machine: m, tree: "tree"}
	run := f.foretold("sls", sls)
	again, _, code := m.apply("tree", "sls", sls)
	if code != 0 || len(again.changed()) > 0 {
		m.t.Errorf("%s: the second run: exit code %d, changed %v, failed:\n%s", sls, code, again.changed(), again.explain())
	}
	return run
}

// want runs a script in the host and compares what it prints.
func (m *machine) want(script, want string) {
	m.t.Helper()
	if d := cmp.Diff(want, m.sh(script)); d != "" {
		m.t.Errorf("%s (-want +got):\n%s", script, d)
	}
}

func TestPackages(t *testing.T) {
	m := boot(t, "gs-pkg")
	m.offline()
	m.write(map[string]string{
		"old":  "gst-hello:\n  pkg.installed:\n    - version: '<2'\n",
		"both": "tools:\n  pkg.installed:\n    - pkgs:\n      - gst-app\n      - gst-virtual: '1.*'\n",
		"hold": "h:\n  pkg.installed:\n    - name: gst-hello\n    - hold: true\n",
		"held": "h:\n  pkg.latest:\n    - name: gst-hello\n",
		"new": "h:\n  pkg.installed:\n    - name: gst-hello\n    - hold: false\nl:\n  pkg.latest:\n    - name: " +
			"gst-hello\n    - require: [{pkg: h}]\n",
		"virt": "mail-of-gst:\n  pkg.installed: []\n",
		"file": "f:\n  pkg.installed:\n    - sources:\n      - gst-httpd: salt://gst-httpd_1.0_all.deb\n",
		"many": "a:\n  pkg.installed: [{name: gst-app}]\nb:\n  pkg.installed: [{name: gst-hello}]\nc:\n  pkg.removed: " +
			"[{name: gst-app}]\n",
		"agg": "a:\n  pkg.installed: [{name: gst-app}, {aggregate: true}]\nb:\n  pkg.installed: [{name: gst-httpd}, " +
			"{aggregate: true}]\n",
		"purge": "p:\n  pkg.purged:\n    - pkgs: [gst-app, gst-hello, gst-virtual, gst-httpd]\n",
	})
	must(t, command("sh", "-c", "cp ${GOSTATE_INTEGRATION_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gostate-integration}/repo/gst-httpd_1.0_all.deb "+filepath.Join(m.folder, "tree")))
	version := "dpkg-query -f '${Version} ' -W gst-hello"
	m.converge("old")
	m.want(version, "1.0")
	run := m.converge("both")
	if got := string(run.of(t, "tools", "pkg.installed").Changes); !strings.Contains(got, "gst-app") ||
		!strings.Contains(got, "gst-virtual") {
		t.Errorf("changes %s", got)
	}
	m.converge("hold")
	m.want("apt-mark showhold", "gst-hello")
	m.converge("held")
	m.want(version, "1.0")
	m.converge("new")
	m.want(version+"; apt-mark showhold", "2.0")
	m.converge("virt")
	m.converge("file")
	m.want("dpkg-query -f '${Version}' -W gst-httpd", "1.0")
	m.converge("purge")
	m.want("dpkg-query -f '${db:Status-Abbrev}' -W gst-app gst-hello gst-httpd 2>/dev/null || true; ls -d /etc/gst-* "+
		"2>/dev/null || true", "")
	m.converge("agg")
	m.want("grep -c 'install -- gst-app gst-httpd' /var/log/apt/history.log", "1")
	m.converge("purge")
	f := &formula{machine: m, tree: "tree"}
	f.foretold("sls", "many") // c undoes a: such a tree never settles, and still does what its preview says
	m.want("dpkg-query -f '${db:Status-Abbrev}' -W gst-app", "rc")
}

const ownUnit = `/etc/systemd/system/own.service:
  file.managed:
    - contents: |
        [Service]
        ExecStart=/bin/sleep SECONDS
        [Install]
        WantedBy=multi-user.target
own:
  service.running:
    - enable: true
    - watch:
      - file: /etc/systemd/system/own.service
`

// TestServicePreview: what a package brings is foretold also where nothing watches: Debian starts services when it
// installs them.
func TestServicePreview(t *testing.T) {
	m := boot(t, "gs-service")
	m.offline()
	m.write(map[string]string{
		"plain":   "gst-hello:\n  pkg.installed: []\n  service.running:\n    - enable: true\n",
		"dead":    "gst-httpd:\n  pkg.installed: []\n  service.dead:\n    - enable: false\n",
		"enabled": "gst-virtual:\n  pkg.installed: []\n  service.enabled: []\n",
		"unit":    strings.Replace(ownUnit, "SECONDS", "infinity", 1),
		"mask":    "cron:\n  service.masked: []\n",
		"masked":  "cron:\n  service.running: []\n",
		"unmask":  "cron:\n  service.running:\n    - unmask: true\n    - enable: true\n",
		"typo":    "x:\n  service.running:\n    - name: gst-hullo\n",
	})
	m.converge("plain")
	m.converge("dead")
	m.want("systemctl is-active gst-httpd; systemctl is-enabled gst-httpd; true", "inactive\ndisabled")
	m.converge("enabled")
	m.converge("unit")
	m.want("systemctl is-active own; systemctl is-enabled own", "active\nenabled")
	m.write(map[string]string{"unit": strings.Replace(ownUnit, "SECONDS", "100000", 1)})
	m.converge("unit")
	m.want("systemctl show -p NeedDaemonReload own; tr '\\0' ' ' </proc/$(systemctl show -P MainPID own)/cmdline",
		"NeedDaemonReload=no\n/bin/sleep 100000")
	m.sh("systemctl stop cron")
	m.converge("mask")
	run, _, code := m.apply("tree", "sls", "masked")
	if code != 2 || !strings.Contains(run.explain(), "is masked") {
		t.Errorf("masked: exit code %d: %s", code, run.explain())
	}
	m.converge("unmask")
	m.want("systemctl is-active cron; systemctl is-enabled cron", "active\nenabled")
	run, _, code = m.apply("tree", "sls", "typo")
	if code != 2 || !strings.Contains(run.explain(), "did you mean gst-hello?") {
		t.Errorf("typo: exit code %d: %s", code, run.explain())
	}
}

// TestWithoutBus: where D-Bus cannot be reached, systemctl does. The binary runs where both sockets are hidden; its
// systemctl is a wrapper that goes back to where they are.
func TestWithoutBus(t *testing.T) {
	m := boot(t, "gs-nobus")
	m.write(map[string]string{"stop": "cron:\n  service.dead:\n    - enable: false\n",
		"start": "cron:\n  service.running:\n    - enable: true\n"})
	m.sh(`printf '#!/bin/sh\nexec nsenter -t 1 -m /usr/bin/systemctl "$@"\n' >/usr/local/bin/systemctl; chmod 755 /usr/local/bin/systemctl`)
	run := func(sls string) string {
		return m.sh(`unshare -m sh -c 'mount --bind /dev/null /run/systemd/private && mount --bind /dev/null /run/dbus/system_bus_socket && ` +
			`/mnt/gostate/gostate --no-color --file-root /mnt/gostate/tree sls ` + sls + `'`)
	}
	run("stop")
	m.want("systemctl is-active cron; systemctl is-enabled cron; true", "inactive\ndisabled")
	run("start")
	m.want("systemctl is-active cron; systemctl is-enabled cron; true", "active\nenabled")
	if out := run("start"); strings.Contains(out, "changed=") {
		t.Errorf("the second run changes something:\n%s", out)
	}
}

func TestAccounts(t *testing.T) {
	m := boot(t, "gs-accounts")
	m.write(map[string]string{
		"make": `web:
  group.present:
    - gid: 3000
  user.present:
    - uid: 3000
    - gid: web
    - home: /srv/web
    - shell: /bin/bash
    - fullname: Web Person
    - roomnumber: 12
    - groups: [adm, staff]
    - password: secret
    - hash_password: true
    - maxdays: 90
    - warndays: 14
    - expire: 30000
    - require: [{group: web}]
plain:
  user.present:
    - system: true
    - createhome: false
friends:
  group.present:
    - members: [web, plain]
    - require: [{user: web}, {user: plain}]
`,
		"change": `web:
  group.present: [{gid: 3000}]
  user.present:
    - uid: 3001
    - allow_uid_change: true
    - home: /srv/www
    - shell: /bin/sh
    - groups: [adm, friends]
    - password_lock: true
    - other: hello
friends:
  group.present:
    - delusers: [plain]
`,
		"drop": "web:\n  user.absent: [{purge: true}]\nplain:\n  user.absent: []\nfriends:\n  group.absent: []\n",
	})
	f := &formula{machine: m, tree: "tree"}
	f.foretold("sls", "make") // it does not settle: "groups" ends the membership in friends that the last state gives
	m.want("getent passwd web; id -nG web | tr ' ' '\\n' | sort | xargs; getent group friends | cut -d: -f4 | tr , "+
		"'\\n' | sort | xargs; stat -c '%U' /srv/web; test -d /home/plain || echo none",
		"web:x:3000:3000:Web Person,12:/srv/web:/bin/bash\nadm friends staff web\nplain web\nweb\nnone")
	m.want("getent shadow web | cut -d: -f5,6,8", "90:14:30000")
	m.sh(`perl -e '$p = (getpwnam("web"))[1]; exit(crypt("secret", $p) eq $p ? 0 : 1)'`)
	m.converge("change")
	m.want("getent passwd web; id -nG web | tr ' ' '\\n' | sort | xargs; getent group friends | cut -d: -f4; passwd -S "+
		"web | cut -d' ' -f2; ls -d /srv/web /srv/www | xargs",
		"web:x:3001:3000:Web Person,12,,,hello:/srv/www:/bin/sh\nadm friends web\nweb\nL\n/srv/web /srv/www")
	m.converge("drop")
	m.want("getent passwd web plain; getent group web plain friends; ls -d /srv/www 2>/dev/null; true", "")
}

// TestDpkgLock: another package manager is waited for.
func TestDpkgLock(t *testing.T) {
	m := boot(t, "gs-lock")
	m.offline()
	m.write(map[string]string{"a": "gst-hello:\n  pkg.installed: []\n"})
	m.sh(`systemd-run -q --unit=holder python3 -c 'import fcntl,time
f=open("/var/lib/dpkg/lock-frontend","w"); fcntl.lockf(f, fcntl.LOCK_EX); time.sleep(3)'; sleep 0.5`)
	start := time.Now()
	run, _, code := m.apply("tree", "sls", "a")
	if code != 0 || len(run.changed()) != 1 {
		t.Errorf("exit code %d: %s", code, run.explain())
	}
	if waited := time.Since(start); waited < 2*time.Second {
		t.Errorf("did not wait for the lock: %s", waited)
	}
}

// TestInterrupted: a package that an earlier, killed run left unpacked is mended.
func TestInterrupted(t *testing.T) {
	m := boot(t, "gs-interrupted")
	m.offline()
	m.write(map[string]string{"a": "gst-hello:\n  pkg.installed: []\n"})
	m.sh("dpkg --unpack /srv/repo/gst-hello_2.0_all.deb >/dev/null; dpkg-query -f '${Status}' -W gst-hello | grep unpacked")
	run, _, code := m.apply("tree", "sls", "a")
	if code != 0 || len(run.changed()) != 1 {
		t.Errorf("exit code %d: %s", code, run.explain())
	}
	m.want("dpkg-query -f '${Status}' -W gst-hello", "install ok installed")
}
