# Settings shared by the scripts of the disposable Debian host. Needs root, bash, apt, dpkg, perl and util-linux.
set -euo pipefail

# Everything lives below this directory: tools, the cached base tree, the local repository, running hosts.
CACHE=${GOSTATE_INTEGRATION_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gostate-integration}
BASE=$CACHE/base   # the read-only lower tree of every host; never booted itself
HOSTS=$CACHE/hosts # one directory for each running host
REPO=$CACHE/repo   # the local apt repository, /srv/repo in every host
TOOLS=$CACHE/tools # mmdebstrap and systemd-nspawn, unpacked from Debian packages where they are not installed

die() { echo "$(basename "$0"): $*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || die "needs root"

# fetch_tools makes mmdebstrap, systemd-nspawn and zstd available without installing them on this machine.
fetch_tools() {
  local want=() d
  command -v mmdebstrap >/dev/null || [ -x "$TOOLS/usr/bin/mmdebstrap" ] || want+=(mmdebstrap)
  command -v systemd-nspawn >/dev/null || [ -x "$TOOLS/usr/bin/systemd-nspawn" ] || want+=(systemd-container libsystemd-shared)
  command -v zstd >/dev/null || [ -x "$TOOLS/usr/bin/zstd" ] || want+=(zstd)
  [ ${#want[@]} = 0 ] && return
  mkdir -p "$TOOLS/debs"
  apt-cache show "${want[@]}" >/dev/null 2>&1 || apt-get -qq update || die "apt-get update failed"
  (cd "$TOOLS/debs" && apt-get -qq -o APT::Sandbox::User=root download "${want[@]}" >&2) || die "cannot download ${want[*]}"
  for d in "$TOOLS"/debs/*.deb; do dpkg-deb -x "$d" "$TOOLS"; done
  rm -rf "$TOOLS/debs"
}

PATH=$PATH:$TOOLS/usr/bin:$TOOLS/usr/sbin
export PATH
# nspawn of the unpacked package finds its shared library here; an installed one ignores the folder.
NSPAWN_LIBS=$TOOLS/usr/lib/$(uname -m)-linux-gnu/systemd
