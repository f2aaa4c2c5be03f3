#!/bin/sh
# run.sh GOSTATE: the main job in a scratch folder: preview, run, second run. Nothing is written outside of it.
set -eu
bin=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
tree=$(cd "$(dirname "$0")/../trees/quickstart" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gostate-demo.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/root/etc" "$scratch/state"
echo "an old configuration" >"$scratch/root/etc/app.conf.bak"

gostate() {
  printf '\n$ gostate %s\n' "$*"
  "$bin" --file-root "$tree/salt" --config-dir "$tree" --root "$scratch/root" \
    --state-dir "$scratch/state" --id demo "$@"
}

echo "== 1. The preview: what would change. Nothing is touched."
gostate highstate --test
test ! -e "$scratch/root/etc/motd"

echo "== 2. The run: it changes what the preview said."
gostate highstate
test -L "$scratch/root/etc/app.conf"
test ! -e "$scratch/root/etc/app.conf.bak"

echo "== 3. The second run: nothing is left to change."
gostate highstate --detailed-exitcodes
