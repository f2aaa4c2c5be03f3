//go:build integration

package integration

import (
	"strings"
	"testing"
)

// puppetSite is a manifest with a package, its configuration and service in classes, accounts, a job and a directory
// that is purged.
const puppetSite = `class app::install { package { 'gst-app': ensure => installed } }
class app::config($text = 'one') { file { '/etc/gst-app.d': ensure => directory, recurse => true, purge => true }
  file { '/etc/gst-app.d/own': content => "${text}\n", owner => 'pup', mode => '0640' } }
class app::service { service { 'gst-app': ensure => running, enable => true } }
class app { contain app::install, app::config, app::service
  Class['app::install'] -> Class['app::config'] ~> Class['app::service'] }
include app
file { '/etc/apt/sources.list.d/gst.list': content => "deb [trusted=yes] file:/srv/repo ./\n" }
~> exec { 'apt-get -qq update': path => '/usr/bin:/bin:/usr/sbin:/sbin', refreshonly => true } -> Class['app']
group { 'pups': gid => 4000 }
user { 'pup': uid => 4000, gid => 'pups', managehome => true, comment => 'A Pup', shell => '/bin/sh' }
`

// TestPuppetApply: a manifest comes to packages, services, accounts and files; a preview foretells it and writes
// nothing, a second run finds nothing to do, and a new configuration restarts the service.
func TestPuppetApply(t *testing.T) {
	m := boot(t, "gs-puppet-apply")
	m.sh("mkdir -p /srv/p; cat >/srv/p/site.pp <<'EOF'\n" + puppetSite + "EOF\n")
	apply := "/mnt/gostate/gostate --no-color --detailed-exitcodes --out quiet puppet apply /srv/p/site.pp"
	m.want(apply+" --test >/dev/null 2>&1; echo $?; ls -d /etc/gst-app.d /home/pup 2>&1 | grep -c cannot", "2\n2")
	out := m.sh(apply + " 2>&1; echo code $?")
	if !strings.HasSuffix(strings.TrimSpace(out), "code 2") {
		t.Fatalf("first run: %s", out)
	}
	m.want("cat /etc/gst-app.d/own; stat -c '%U %a' /etc/gst-app.d/own; id -gn pup; systemctl is-active gst-app",
		"one\npup 640\npups\nactive")
	m.want(apply+"; echo $?", "0")
	pid := m.sh("systemctl show -P MainPID gst-app")
	m.sh("touch /etc/gst-app.d/stray; sed -i \"s/'one'/'two'/\" /srv/p/site.pp")
	m.want(apply+"; echo $?; ls /etc/gst-app.d; cat /etc/gst-app.d/own", "2\nown\ntwo")
	if now := m.sh("systemctl show -P MainPID gst-app"); now == pid {
		t.Errorf("the service was not restarted: %s", now)
	}
	m.want(apply+"; echo $?", "0")
}
