#!/bin/bash
# run.sh [BINARY]: the integration tests, on disposable Debian hosts. Needs root, Debian's package mirror and Go.
#
# It makes the base tree (cached; 1 to 2 minutes the first time) and the local repository, then runs the tests of this folder.
# Nothing is skipped: without root or without a mirror it fails. Arguments for go test may follow the binary (-run X, -update).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=${1:-}
shift || true
if [ -z "$binary" ]; then
  binary=$root/bin/gostate
  (cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$binary" ./cmd/gostate)
fi
[ "$(id -u)" = 0 ] || { echo "run.sh: the integration tests boot Debian hosts, which needs root" >&2; exit 1; }
"$here/host/base.sh"
"$here/host/repo.sh"
"$here/host/host.sh" gc # a killed run may have left hosts behind
cd "$root"
GOSTATE_BIN=$(realpath "$binary") exec go test -tags integration -count=1 -timeout 20m ./testdata/integration "$@"
