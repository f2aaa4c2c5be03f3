#!/bin/sh
# Before a removal, not before an upgrade: the timers and the agent go. dpkg says which by a word, rpm by the number of versions
# left; pacman and apk call this for removals only. A run that is under way goes on: it may be the one that removes
# this package.
case "$1" in upgrade | failed-upgrade | deconfigure | 1) exit 0 ;; esac
[ ! -d /run/systemd/system ] || systemctl --quiet disable --now gostate-highstate.timer gostate-agent.timer || true
# Not --now: the agent's run may be the one that removes this package; stopping it would wait for itself.
[ ! -d /run/systemd/system ] || systemctl --quiet disable gostate-agent.service || true
[ ! -d /run/systemd/system ] || systemctl --quiet --no-block stop gostate-agent.service || true
