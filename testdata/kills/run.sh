#!/bin/bash
# run.sh [-n N] [BINARY [TREE]]: kills N runs (200) of a tree at random moments, on a disposable Debian host, and looks at
# what the next run makes of it. Needs root and, for packages of others than the local repository, Debian's mirror.
#
# TREE is a folder with salt/, and what is needed of: pillar/, change (a bash script that disturbs the host; its argument is
# the number of the round), watched (lines UNIT FILE...: the unit is restarted or reloaded when a file changes), offline (an empty file: only
# the local repository is used). Without it, it is the tree beside this script.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
host=$root/testdata/integration/host
n=200
if [ "${1:-}" = -n ]; then n=$2; shift 2; fi
binary=${1:-$root/bin/gostate} tree=${2:-$here/tree}
[ "$(id -u)" = 0 ] || { echo "run.sh: this boots a Debian host, which needs root" >&2; exit 1; }
"$host/base.sh"
"$host/repo.sh"
name=gs-kills-$$
folder=$(mktemp -d)
trap '"$host/host.sh" down "$name" 2>/dev/null; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cp "$binary" "$folder/gostate"
cp -r "$tree" "$folder/tree"
cp "$here/rounds.sh" "$folder/"
GOSTATE_BIND=$folder "$host/host.sh" up "$name"
"$host/host.sh" exec "$name" bash /mnt/gostate/rounds.sh "$n"
