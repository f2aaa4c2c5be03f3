#!/usr/bin/env bash
# reproducible.sh: makes the release of the last commit twice, in two folders, the second with an empty build cache,
# another home, time zone and umask, and compares every file. ARCHES (amd64) chooses more.
set -euo pipefail
cd "$(dirname "$0")/../../.."
export ARCHES=${ARCHES:-amd64} VERSION SOURCE_DATE_EPOCH
VERSION=$(git describe --tags --always) SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
modules=$(go env GOMODCACHE)
mkdir -p "$scratch/one" "$scratch/elsewhere/two" "$scratch/home"
for d in one elsewhere/two; do git archive HEAD | tar -x -C "$scratch/$d"; done
(cd "$scratch/one" && cmd/gostate/release/release.sh "$scratch/first")
(umask 077 && cd "$scratch/elsewhere/two" &&
  env HOME="$scratch/home" GOCACHE="$scratch/home/cache" GOMODCACHE="$modules" TZ=Asia/Tokyo \
    cmd/gostate/release/release.sh out >/dev/null)
diff -r "$scratch/first" "$scratch/elsewhere/two/out"
echo "the same: $(find "$scratch/first" -type f | wc -l) files"
