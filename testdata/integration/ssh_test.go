//go:build integration

package integration

import (
	"strings"
	"testing"
)

// sshUser logs in with a key and has sudo with a password; a second sshd is what a jump host would be.
const sshUser = `set -e
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update && apt-get -qq install -y openssh-server openssh-client sudo >/dev/null
systemctl mask --now ssh ssh.socket 2>/dev/null || true
useradd -m -s /bin/bash ops && echo ops:geheim | chpasswd && echo 'ops ALL=(ALL) ALL' >/etc/sudoers.d/ops
mkdir -p -m 755 /run/sshd; mkdir -p -m 700 /root/.ssh /home/ops/.ssh
ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519
cp /root/.ssh/id_ed25519.pub /home/ops/.ssh/authorized_keys; chown -R ops /home/ops/.ssh
echo 'echo noise of a profile' >>/home/ops/.bashrc; sed -i '/^case \$-/,/^esac/d' /home/ops/.bashrc
for port in PORT JUMP; do
  systemd-run -q --unit=sshd-$port -p RuntimeDirectory=sshd -p RuntimeDirectoryPreserve=yes \
    /usr/sbin/sshd -D -o ListenAddress=127.0.0.1 -o Port=$port -o PidFile=none
done
cat >/root/.ssh/config <<'EOF'
Host web
  User ops
  HostName 127.0.0.1
  Port PORT
Host far
  User ops
  HostName 127.0.0.1
  Port PORT
  HostKeyAlias far
  ProxyJump ops@127.0.0.1:JUMP
Host gone
  HostName 127.0.0.1
  Port 1
Host *
  StrictHostKeyChecking accept-new
  HashKnownHosts no
EOF
mkdir -p /srv/t /srv/p && cd /srv
printf 'base: {"*": [app]}\n' | tee t/top.sls >p/top.sls
echo 'word: of-{{ grains.id }}' >p/app.sls
echo 'for {{ grains.id }}: {{ pillar.word }}' >t/app.tmpl
cat >t/app.sls <<'EOF'
/srv/app:
  file.managed: [{source: salt://app.tmpl}, {template: jinja}]
EOF
mkdir o && cat >o/deploy.sls <<'EOF'
first: {salt.state: [{tgt: web}, {sls: app}]}
ask: {salt.function: [{name: file.read}, {tgt: web}, {arg: [/srv/app]}, {require: [{salt: first}]}]}
lost: {salt.state: [{tgt: gone}, {sls: app}]}
mend: {file.managed: [{name: /srv/mended}, {contents: x}, {onfail: [{salt: lost}]}]}
never: {salt.state: [{tgt: web}, {sls: app}, {require: [{salt: lost}]}]}
EOF
mv o t/o
printf 'one: {cmd.run: [{name: "sleep 5; touch /srv/one"}]}\ntwo: {cmd.run: [{name: touch /srv/two}, {order: last}]}\n' >t/slow.sls
`

// TestSSH: the tree is applied over the system's sshd, by sudo that wants a password, past a shell that prints, over a
// jump host; what cannot be is said, and nothing but the program is left. Ctrl-C ends the run over there.
func TestSSH(t *testing.T) {
	m := boot(t, "gs-ssh")
	ports := strings.Fields(m.sh(`python3 -c "
import socket
s = [socket.socket() for _ in '12']
[x.bind(('127.0.0.1', 0)) for x in s]
print(*[x.getsockname()[1] for x in s])"`))
	m.sh(strings.NewReplacer("PORT", ports[0], "JUMP", ports[1]).Replace(sshUser))
	ssh := "cd /srv; /mnt/gostate/gostate --no-color --file-root t --pillar-root p ssh "
	has := func(script, want string) {
		t.Helper()
		if out := m.sh(script + " 2>&1; echo code $?"); !strings.Contains(out, want) {
			t.Errorf("%s:\n%s\nlacks %q", script, out, want)
		}
	}
	has(ssh+"web", "hint: --ask-sudo-password")
	has("echo falsch | ("+ssh+"web --ask-sudo-password)", "the password is not the one that sudo wants")
	has("echo geheim | ("+ssh+"web --ask-sudo-password --test)", "1 would change")
	m.want("ls /srv/app 2>&1 | grep -c cannot", "1")
	has("echo geheim | ("+ssh+"L@web,gone --ask-sudo-password)", "2 hosts: 1 ok, 1 no answer\ncode 2")
	m.want("cat /srv/app; stat -c %U /srv/app", "for web: of-web\nroot")
	has("echo geheim | ("+ssh+"web --ask-sudo-password)", "1 state, 0 changed")
	has("echo geheim | ("+ssh+"far --ask-sudo-password)", "1 state, 1 changed")
	m.want("cat /srv/app; ls -A /var/tmp/.gostate-1000 | sed 's/-.*//'", "for far: of-far\ngostate")
	m.sh("rm /srv/app")
	orch := "echo geheim | (" + strings.Replace(ssh, " ssh ", " orchestrate --ask-sudo-password o.deploy ", 1)
	has(orch+"--test)", "gone: no answer: nothing listens there")
	m.want("ls /srv/app /srv/mended 2>&1 | grep -c cannot", "2")
	has(orch+")", "Function file.read ran on web.")
	m.want("cat /srv/app /srv/mended", "for web: of-web\nx")
	has(orch+")", "States ran successfully. No changes made to web.")
	m.sh("ssh-keygen -q -t ed25519 -N '' -f /srv/other; sed -i \"s#^far .*#far $(cut -d' ' -f1-2 /srv/other.pub)#\" " +
		"/root/.ssh/known_hosts; pkill -x ssh || true")
	has(ssh+"far", "its host key is not the one that is known")
	m.sh("echo geheim | (" + ssh + "web --ask-sudo-password sls slow) >/srv/out 2>&1 & pid=$!; " +
		"for i in $(seq 100); do pgrep -f '[s]leep 5; touch' >/dev/null && break; sleep 0.1; done; " +
		"pkill -INT -x gostate; wait $pid; true")
	m.want("ls /srv/one /srv/two 2>/dev/null | xargs; grep -c 'web  failed     1 state, 1 changed, stopped' /srv/out",
		"/srv/one\n1")
}
