#!/bin/sh
# After a removal; `purge` (dpkg only) also takes reports, plans and backups. /etc/gostate is the administrator's.
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
  [ "$1" != purge ] || systemctl reset-failed gostate-highstate.service gostate-agent.service gostate-agent-once.service 2>/dev/null || true
fi
[ "$1" != purge ] || rm -rf /var/lib/gostate /var/cache/gostate /var/lib/systemd/timers/stamp-gostate-highstate.timer \
  /var/lib/systemd/timers/stamp-gostate-agent.timer
