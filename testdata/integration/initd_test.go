//go:build integration

package integration

import "testing"

// withoutSystemd begins a mount namespace with a /run of its own, in which a host has no systemd, and lets gostate run
// there.
func (m *machine) withoutSystemd(setup string) {
	m.t.Helper()
	m.sh("systemd-run -q --unit aside unshare -m --propagation private sh -c 'mount -t tmpfs none /run; mkdir -p " +
		"/run/lock; " + setup + "; exec sleep infinity'; sleep 0.3")
	// What gostate starts is to live longer than gostate: systemd ends what is left of a command of the host.
	m.within = []string{"bash", "-c", "echo $$ >/sys/fs/cgroup$(systemctl show -P ControlGroup aside)/cgroup.procs; " +
		m.inside() + `"$@"`, "in"}
}

func (m *machine) inside() string { return "nsenter -t $(systemctl show -P MainPID aside) -m " }

// TestInitd keeps services with the scripts of /etc/init.d and Debian's real tools, then with the real OpenRC, on a
// host whose systemd is out of sight.
func TestInitd(t *testing.T) {
	m := boot(t, "gs-initd")
	m.sh(`cat >/etc/init.d/web <<'SCRIPT'
#!/bin/sh
### BEGIN INIT INFO
# Provides: web
# Required-Start:
# Required-Stop:
# Default-Start: 2 3 4 5
# Default-Stop: 0 1 6
### END INIT INFO
case $1 in
start) start-stop-daemon --start --oknodo --background --make-pidfile --pidfile /run/web.pid --exec /bin/sleep 9999;;
stop) start-stop-daemon --stop --oknodo --remove-pidfile --pidfile /run/web.pid;;
restart|force-reload) $0 stop; $0 start;;
reload) touch /run/reloaded;;
status) start-stop-daemon --status --pidfile /run/web.pid;;
esac
SCRIPT
chmod 755 /etc/init.d/web`)
	files := map[string]string{
		"up":   "web:\n  service.running:\n    - enable: true\n",
		"down": "web:\n  service.dead:\n    - enable: false\n",
		"on":   "web:\n  service.enabled: []\n",
		"off":  "web:\n  service.disabled: []\n",
		"mask": "web:\n  service.masked: []\n",
		"watch": "/etc/web.conf:\n  file.managed:\n    - contents: {{ grains['os'] }}\nweb:\n  service.running:\n    - " +
			"reload: true\n    - watch: [{file: /etc/web.conf}]\n",
	}
	m.write(files)
	m.withoutSystemd("true")
	links := "ls /etc/rc2.d | grep -c '^S.*web$' || true"
	m.services(links)
	m.within = nil
	m.sh("systemctl stop aside; systemctl reset-failed aside || true; DEBIAN_FRONTEND=noninteractive; apt-get -qq " +
		"update; apt-get -qq install " +
		"--no-install-recommends openrc >/dev/null 2>&1")
	m.sh(`cat >/etc/init.d/web <<'SCRIPT'
#!/sbin/openrc-run
command=/bin/sleep
command_args=9999
command_background=true
pidfile=/run/web.pid
extra_started_commands=reload
reload() { touch /run/reloaded; }
SCRIPT
update-rc.d web remove; rm -f /etc/runlevels/*/web`)
	m.withoutSystemd("cd /run && mkdir openrc && cd openrc && mkdir starting started stopping inactive wasinactive failed " +
		"hotplugged daemons options exclusive scheduled tmp && echo default >softlevel && cd /")
	m.sh("mkdir -p /etc/gostate; echo 'grains: {os: Alpine}' >/etc/gostate/minion")
	m.services("ls /etc/runlevels/default | grep -c web || true")
}

// services plays the states of a service; links counts those that start it at boot.
func (m *machine) services(links string) {
	m.t.Helper()
	runs := m.inside() + "sh -c 'pgrep -F /run/web.pid >/dev/null && echo up || echo down'"
	m.converge("up")
	m.want(runs, "up")
	m.want(links, "1")
	m.apply("tree", "sls", "watch")
	m.want(m.inside()+"ls /run/reloaded", "/run/reloaded")
	m.converge("off")
	m.want(links, "0")
	m.converge("on")
	m.want(links, "1")
	m.converge("down")
	m.want(runs, "down")
	m.want(links, "0")
	if run, _, _ := m.apply("tree", "sls", "mask"); len(run.failed()) != 1 {
		m.t.Errorf("masked: %s", run.explain())
	}
}
