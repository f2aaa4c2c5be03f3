//go:build integration && release

package integration

import (
	"strings"
	"testing"
)

// TestReleasePackage installs a release's package (bin/old), lets its timer run, upgrades it (bin/new), removes and
// purges it.
func TestReleasePackage(t *testing.T) {
	m := boot(t, "release", "../../bin/old", "../../bin/new")
	m.offline()
	m.sh(`mkdir -p /srv/salt /etc/gostate /etc/systemd/system/gostate-highstate.timer.d; cd /srv/salt
printf 'id: mine\n' >/etc/gostate/minion
printf 'base:\n  "*":\n    - a\n' >top.sls; printf '/srv/by-timer:\n  file.managed:\n    - contents: x\n' >a.sls
cd /etc/systemd/system/gostate-highstate.timer.d
printf '[Timer]\nOnCalendar=*:*:0/1\nRandomizedDelaySec=0\nAccuracySec=1ms\n' >t.conf`)
	files := `find /etc /usr -xdev -name '*gostate*' ! -path '/etc/gostate*' ! -path '*timer.d'`
	m.sh(`apt-get -qq install -y /mnt/gostate/old/*.deb; systemd-analyze verify --man=no gostate-highstate.timer`)
	m.says("gostate version", "gostate v0.1.0 ")
	m.says("systemctl is-enabled gostate-highstate.timer || true", "disabled")
	m.says("fish=/usr/share/fish/vendor_completions.d/gostate.fish; zsh=/usr/share/zsh/vendor-completions/_gostate; "+
		"ls $fish $zsh >/dev/null && . /usr/share/bash-completion/completions/gostate && complete -p gostate", "-F ")
	m.sh(`systemctl -q enable --now gostate-highstate.timer
timeout 20 sh -c 'until [ -e /srv/by-timer ]; do sleep 0.2; done'`)
	m.says("systemctl list-timers gostate-highstate.timer", "gostate-highstate.service")
	m.says("journalctl -u gostate-highstate.service", "Succeeded: 1")
	m.sh(`apt-get -qq install -y /mnt/gostate/new/*.deb`)
	m.says("gostate version", "gostate v0.2.0 ")
	m.says("systemctl is-enabled gostate-highstate.timer; systemctl is-active gostate-highstate.timer", "enabled\nactive")
	m.sh(`apt-get -qq remove -y gostate`)
	m.says("systemctl is-active gostate-highstate.timer || true", "inactive")
	if left := m.sh(files); left != "" {
		t.Errorf("left behind by a removal: %s", left)
	}
	m.sh(`test -d /var/lib/gostate && apt-get -qq purge -y gostate`)
	if left := m.sh("find /etc /var -xdev -path '*gostate*' -type f ! -path '*timer.d/*'"); left != "/etc/gostate/minion" {
		t.Errorf("left behind by a purge: %s", left)
	}
}

// says checks that what a script prints has want in it.
func (m *machine) says(script, want string) {
	m.t.Helper()
	if got := m.sh(script); !strings.Contains(got, want) {
		m.t.Errorf("%s: %q, want %q in it", script, got, want)
	}
}
