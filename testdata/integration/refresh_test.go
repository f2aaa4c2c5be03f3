//go:build integration

package integration

import (
	"fmt"
	"strings"
	"testing"
)

// refreshTree are three files that notify one service, with time between the last change and the restart.
const refreshTree = `
{% for n in '123' %}
/etc/web/{{ n }}:
  file.managed:
    - contents_pillar: text
    - makedirs: true
    - notify: [{service: web}]
{% endfor %}
pause:
  cmd.run:
    - name: touch /run/changed; sleep 0.3
    - require: [{file: /etc/web/*}]
    - before: [{service: web}]
web:
  service.running: []
`

// refreshHost makes the service and a command apply TEXT, which runs the tree.
const refreshHost = `cat >/etc/systemd/system/web.service <<'UNIT'
[Unit]
StartLimitIntervalSec=0
[Service]
ExecStart=/bin/sleep infinity
UNIT
cat >/usr/local/bin/apply <<'RUN'
#!/bin/sh
exec /mnt/gostate/gostate --file-root /mnt/gostate/tree --no-color --wait 1m sls refresh pillar="{text: $1}"
RUN
cat >/usr/local/bin/starts <<'COUNT'
#!/bin/sh
journalctl --sync
journalctl -q -u web | grep -c 'Started web.service'
COUNT
chmod +x /usr/local/bin/*
systemctl daemon-reload`

// TestRefreshOnce: a service is restarted once for three files, in the words of systemd's journal.
func TestRefreshOnce(t *testing.T) {
	m := boot(t, "gs-refresh")
	m.write(map[string]string{"refresh": refreshTree})
	m.sh(refreshHost)
	m.want("apply one >/dev/null; starts", "1") // what the run started is not restarted
	m.want("apply two >/dev/null; starts", "2")
	m.want("apply two >/dev/null; starts", "2")
}

// TestRefreshAfterKill: a run that is killed between a change and the restart leaves the restart to the next one, which
// does it once; the one after that does nothing.
func TestRefreshAfterKill(t *testing.T) {
	const rounds = 50
	m := boot(t, "gs-refresh-kill")
	m.write(map[string]string{"refresh": refreshTree})
	m.sh(refreshHost + "\napply first >/dev/null")
	got := m.sh(fmt.Sprintf(`for i in $(seq %d); do
  rm -f /run/changed; before=$(starts)
  systemd-run -q --unit=run-$i apply text-$i
  if [ $((i %% 2)) = 0 ]; then # after the last change, or at the first sign of one
    until [ -e /run/changed ]; do sleep 0.005; done
  else
    until grep -qs text-$i /etc/web/$((RANDOM %% 3 + 1)); do sleep 0.002; done
  fi
  systemctl kill -s KILL run-$i; while systemctl -q is-active run-$i; do sleep 0.01; done
  killed=$(($(starts) - before))
  apply text-$i >/run/out || cat /run/out
  next=$(($(starts) - before - killed))
  apply text-$i >/run/out || cat /run/out
  echo "killed $killed, next $next, third $(($(starts) - before - killed - next))"
done | sort | uniq -c | sed 's/^ *//'`, rounds))
	if want := fmt.Sprintf("%d killed 0, next 1, third 0", rounds); got != want {
		t.Errorf("restarts in the killed run, the next and the one after:\n%s\nwant %s", strings.TrimSpace(got), want)
	}
	t.Logf("restarts: %s", got)
}
