#!/usr/bin/env bash
# run.sh: installs gostate as a user does, with `go install MODULE/cmd/gostate@VERSION`, from a module proxy in a scratch folder that
# holds the committed tree as one version. go install refuses a module with replacements, which no other test would notice.
set -euo pipefail
cd "$(dirname "$0")/../.."
module=github.com/gostate/gostate version=v0.0.1
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
at=$scratch/proxy/$module/@v
mkdir -p "$at"
# A module within the module is not part of it.
git archive --format=zip --prefix="$module@$version/" -o "$at/$version.zip" HEAD -- . ':(exclude)cmd/fleet'
git show HEAD:go.mod > "$at/$version.mod"
printf '{"Version":"%s"}\n' "$version" > "$at/$version.info"
echo "$version" > "$at/list"
cache=$(go env GOMODCACHE) # go.sum vouches for what is in it
go mod download
cd "$scratch"
env GOPROXY="file://$scratch/proxy,file://$cache/cache/download" GOSUMDB=off GOFLAGS=-mod=mod \
  GOMODCACHE="$scratch/mod" GOBIN="$scratch/bin" CGO_ENABLED=0 go install "$module/cmd/gostate@$version"
"$scratch/bin/gostate" version | tee "$scratch/said"
grep -q "gostate $version " "$scratch/said"
