#!/bin/bash
# base.sh: makes the tree that every disposable host starts from: Debian 12 with systemd, D-Bus, apt and cron.
#
# The tree is built once (1 to 2 minutes, about 250 MB) and cached by what it is made of; later calls take a moment.
. "$(dirname "$0")/common.sh"

SUITE=bookworm
PACKAGES=systemd,systemd-sysv,dbus,libpam-systemd,cron,procps,iproute2,ca-certificates,sudo,gpg,python3-minimal,strace

# The mirror is the one that this machine's apt uses, so that a machine behind a mirror works as it is.
sources() {
  local f
  for f in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    if grep -qs "$SUITE" "$f"; then echo "$f"; return; fi
  done
  echo "deb http://deb.debian.org/debian $SUITE main"
}

build() { # build FILE: the tree as a compressed archive
  local work
  work=$(mktemp -d "${TMPDIR:-/var/tmp}/gostate-base.XXXXXX")
  # shellcheck disable=SC2064 # expanded now: work is local
  trap "rm -rf '$work'" EXIT
  TMPDIR=$work mmdebstrap --quiet --variant=minbase --include="$PACKAGES" \
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Check-Date "false"' \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --skip=cleanup/apt/lists \
    --customize-hook='systemctl --root="$1" mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer systemd-networkd-wait-online.service' \
    --customize-hook='systemctl --root="$1" mask console-getty.service getty@tty1.service e2scrub_reap.service' \
    --customize-hook='systemctl --root="$1" set-default multi-user.target' \
    --customize-hook=': >"$1/etc/machine-id"; rm -f "$1/etc/hostname" "$1/var/lib/dbus/machine-id"' \
    "$SUITE" "$work/base.tar" "$(sources)" >"$CACHE/base.log" 2>&1 || { tail -20 "$CACHE/base.log" >&2; die "mmdebstrap failed"; }
  zstd -q -T0 -f "$work/base.tar" -o "$1.part" && mv "$1.part" "$1"
  rm -rf "$work"; trap - EXIT
}

mkdir -p "$CACHE"
exec 9>"$CACHE/lock"; flock 9
fetch_tools
key=$( (cat "$0"; sources) | sha256sum | cut -c1-12)
archive=$CACHE/base-$key.tar.zst
[ -s "$archive" ] || { echo "building the base tree, 1 to 2 minutes" >&2; build "$archive"; }
if [ "$(cat "$BASE/.key" 2>/dev/null)" != "$key" ]; then
  rm -rf "$BASE"; mkdir -p "$BASE"
  tar -I zstd --xattrs --numeric-owner -xpf "$archive" -C "$BASE"
  echo "$key" >"$BASE/.key"
fi
echo "base $key: $(du -sh "$BASE" | cut -f1)"
