//go:build integration

package integration

import (
	"slices"
	"strings"
	"testing"
)

// fresh gives a fresh host a choice that nobody has made.
const fresh = `update-alternatives --quiet --install /usr/bin/grown grown /bin/true 10
update-alternatives --quiet --install /usr/bin/grown grown /bin/false 5
`

// grow makes of a fresh host one that grew by hand.
const grow = `set -e
groupadd -g 2000 on
useradd -m -u 1500 -c 'Odd; "G" #1 {{ x }},Room 7,,,more' -s /bin/bash -G adm,on alice
echo 'alice:secret' | chpasswd; chage -M 90 alice
useradd -m -u 1501 yes
printf '# my crontab\nMAILTO=root\n*/5 * * * * echo "a: b" %% {{ x }} # c\n@daily /bin/true\n' | crontab -u alice -
printf '# Lines below here are managed by Salt, do not edit\n# nightly SALT_CRON_IDENTIFIER:backup\n30 2 * * * /bin/backup\n' | crontab -
printf '\n# by hand {{ 1 }}\n' >>/etc/bash.bashrc
printf '10.1.2.3 db db.example.org # the db\n' >>/etc/hosts
mkdir -p /etc/app
printf 'k: "v"\n\ttab \nyes' >/etc/app/app.conf
head -c 50000 /dev/urandom >/etc/app/bin
printf 'topsecret\n' >/etc/app/key
chmod 600 /etc/app/key
ln -s app.conf /etc/app/link
mkfifo /etc/app/fifo
printf '# mine\nnet.ipv4.ip_forward = %s\n' "$(cat /proc/sys/net/ipv4/ip_forward)" >/etc/sysctl.d/50-mine.conf
echo 'deb [trusted=yes] file:/srv/repo ./' >/etc/apt/sources.list.d/mine.list
apt-get -qq -o Dir::Etc::sourcelist=/etc/apt/sources.list.d/mine.list -o Dir::Etc::sourceparts=- update
apt-get -qq install gst-app >/dev/null 2>&1
apt-mark hold gst-app
systemctl disable --now cron.service
systemctl mask fstrim.timer
mkdir -p /srv/t
echo 'tmpfs /srv/t tmpfs size=1m,noexec 0 0' >>/etc/fstab
mount /srv/t
echo 'LABEL=nothere /mnt/x ext4 noauto,nofail 0 2' >>/etc/fstab
install -d -m 700 -o alice -g alice /home/alice/.ssh
echo 'no-pty,command="echo a b" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB5nqvyU5xJcGsWqZ9m5M6cTC6jmB3mV0vSm9P2YqgQp alice@laptop x' \
  >/home/alice/.ssh/authorized_keys
chown alice: /home/alice/.ssh/authorized_keys
chmod 600 /home/alice/.ssh/authorized_keys
update-alternatives --set grown /bin/false
ln -sfn /usr/share/zoneinfo/Europe/Berlin /etc/localtime
echo Europe/Berlin >/etc/timezone
` + tell

// tell has gostate say what is there, kind by kind and as a whole, into a tree.
const tell = `mkdir -p /srv/salt/kinds
cd /srv/salt
/mnt/gostate/gostate resource --all --files /srv/salt/site >site.sls
for k in package service user group cron mount host sysctl pkgrepo ssh_auth alias locale timezone kmod alternatives; do
  /mnt/gostate/gostate resource $k >kinds/$k.sls
done
/mnt/gostate/gostate resource file '/etc/app/*' /srv /etc/motd >kinds/file.sls
`

// TestResource: what gostate says of a machine changes nothing there, and makes of another machine the same, but what
// is secret.
func TestResource(t *testing.T) {
	m := boot(t, "gs-resource-1")
	m.sh(fresh + grow)
	before := m.snapshot()
	for _, sls := range append([]string{"site"}, strings.Fields(m.sh("cd /srv/salt/kinds; ls | sed 's/^/kinds./; "+
		"s/.sls$//'"))...) {
		out, errs, code := m.exec("/mnt/gostate/gostate", "--file-root", "/srv/salt", "--test", "--detailed-exitcodes",
			"--no-color",
			"--state-output", "changes", "sls", sls)
		if code != 0 {
			t.Errorf("%s: exit code %d\n%s%s", sls, code, out, errs)
		}
	}
	if got := m.sh("grep 'is left out: ' /srv/salt/site.sls | grep -v show-secrets || true"); got != "" {
		t.Error(got)
	}
	m.want(`/mnt/gostate/gostate --file-root /srv/salt --out quiet --detailed-exitcodes sls site; echo $?`, "0")
	own := func(line string) bool {
		return strings.Contains(line, " /var/lib/gostate") ||
			strings.Contains(line, " /var/lib d ")
	}
	if d := slices.DeleteFunc(difference(before, m.snapshot()), own); len(d) > 0 {
		t.Errorf("what it says changes something:\n%s", strings.Join(d, "\n"))
	}
	m.want("grep -c 'topsecret\\|^.*\\$y\\$' /srv/salt/site.sls /srv/salt/kinds/file.sls | xargs",
		"/srv/salt/site.sls:0 /srv/salt/kinds/file.sls:0")
	tree := m.sh("cd /srv/salt; tar c site site.sls | base64 -w0")

	n := boot(t, "gs-resource-2")
	n.sh(fresh + "mkdir -p /srv/salt; cd /srv/salt; base64 -d <<<" + tree + " | tar x")
	if out, errs, code := n.exec("/mnt/gostate/gostate", "--file-root", "/srv/salt", "--no-color", "--state-output",
		"changes", "sls",
		"site"); code != 0 {
		t.Fatalf("on the second host: exit code %d\n%s%s", code, out, errs)
	}
	n.sh("mv /srv/salt /srv/first\n" + tell)
	n.want("id alice | sed 's/.*groups=//'; crontab -u alice -l | tail -2; mount | grep -c /srv/t; systemctl is-enabled "+
		"cron fstrim.timer | xargs;"+
		"apt-mark showhold; cat /etc/app/app.conf | tail -1; readlink /etc/alternatives/grown",
		"1500(alice),4(adm),2000(on)\n*/5 * * * * echo \"a: b\" % {{ x }} # c\n@daily /bin/true\n1\ndisabled "+
			"masked\ngst-app\nyes/bin/false")
	missing := n.sh(`diff /srv/first/site.sls /srv/salt/site.sls | grep '^[<>]' || true`)
	want := `< # the hash of its password is left out: --show-secrets tells it
< # the db
< # the content is left out, since only its owner may read it: --show-secrets tells it
< /etc/app/key:
<   file.managed:
<     - user: root
<     - group: root
<     - mode: '0600'
<     - replace: false
<     - create: false`
	if missing != want {
		t.Errorf("the second host differs by\n%s", missing)
	}
}
