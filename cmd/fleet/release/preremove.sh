#!/bin/sh
# Before a removal, not before an upgrade (dpkg says which by a word, rpm by the number of versions left): the unit goes.
# It is not waited for: a run of the agent may be the one that removes this package.
case "$1" in upgrade | failed-upgrade | deconfigure | 1) exit 0 ;; esac
[ -d /run/systemd/system ] || exit 0
systemctl --quiet disable UNIT || true
systemctl --quiet --no-block stop UNIT || true
