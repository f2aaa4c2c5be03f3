#!/bin/sh
# Before a removal, not before an upgrade: the timer goes. dpkg says which by a word, rpm by the number of versions
# left; pacman and apk call this for removals only. A run that is under way goes on: it may be the one that removes
# this package.
case "$1" in upgrade | failed-upgrade | deconfigure | 1) exit 0 ;; esac
[ ! -d /run/systemd/system ] || systemctl --quiet disable --now gostate-highstate.timer || true
