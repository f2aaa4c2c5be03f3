#!/usr/bin/env bash
# release.sh [DIR]: everything that a release has, in DIR (dist): static binaries of gostate and of the fleet's programs,
# packages for dpkg, rpm, apk and pacman, a container image, a Homebrew formula, bills of materials and SHA256SUMS. It
# needs Go with its modules, and GNU tar. By the environment:
#   VERSION, SOURCE_DATE_EPOCH   the commit's otherwise; the same commit, Go and host name give the same bytes
#   ARCHES                       "amd64 arm64 armv7 riscv64"
#   MINISIGN_KEY, COSIGN_KEY     a key's file: SHA256SUMS is signed with it. Without one nothing is signed
#   NFPM                         an nfpm to use
#   RELEASE_URL                  where the files will be, for the formula
set -euo pipefail
umask 022
export LC_ALL=C TZ=UTC CGO_ENABLED=0 GOAMD64=v1
here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "${1:-dist}")
cd "$here/../../.."
VERSION=${VERSION:-$(git describe --tags --always --dirty)}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
ARCHES=${ARCHES:-amd64 arm64 armv7 riscv64}
# An rpm has the name of the building machine in it: nfpm 2.41 cannot choose another.
NFPM=${NFPM:-go run -trimpath -buildvcs=false github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.41.3}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# The version of the packages: a tag's, and between two tags the last one's with the time of the commit as one number
# more, which is the only form that dpkg, rpm, apk and pacman all put in order.
tag=$(sed -nE 's/^v([0-9].*)$/\1/p' <<<"$VERSION" | sed -E 's/-dirty$//; s/-[0-9]+-g[0-9a-f]+$//')
number=${tag:-0.0.0}
[ "v$tag" = "$VERSION" ] || number=$number.$(date -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S)

compile() { # compile FILE [FOLDER]: the program of a folder, cmd/gostate as a rule
  local folder=${2:-cmd/gostate}
  GOOS=linux GOARM=7 go build -C "$folder" -trimpath -buildvcs=false -tags urfave_cli_no_docs \
    -ldflags "-s -w -X main.version=$VERSION" -o "$1" .
}

goarch() { echo "${1/armv7/arm}"; }

documents() { # what the program says of itself, by a build for this machine
  GOARCH=$(go env GOHOSTARCH) compile "$stage/gostate"
  (cd "$stage" && mkdir -p man && ./gostate man --dir man && gzip -9n man/*.8 && ./gostate completion bash >gostate.bash &&
    ./gostate completion zsh >_gostate && ./gostate completion fish >gostate.fish)
  cp LICENSE "$here"/{nfpm.yaml,preremove.sh,postremove.sh,reload.sh,gostate-highstate.{service,timer}} "$here"/gostate-agent{,-once}.service \
    "$here/gostate-agent.timer" "$stage"
}

packages() { # packages ARCH PROGRAM CONFIGURATION
  local format arch=$1
  [ "$1" != armv7 ] || arch=arm7
  cp "$out/$2-$number-linux-$1" "$stage/$2"
  touch -d "@$SOURCE_DATE_EPOCH" "$stage"/* "$stage"/man/*
  for format in deb rpm apk archlinux; do
    (cd "$stage" && PACKAGE_ARCH=$arch PACKAGE_VERSION=$number $NFPM package -f "$3" -p $format -t "$out" >&2)
  done
}

fleet() { # fleet ARCH PROGRAM UNIT: a program of the fleet with its packages
  local f
  GOARCH=$(goarch "$1") compile "$out/$2-$number-linux-$1" "cmd/fleet/$2"
  cp "cmd/fleet/release/$3" "$stage"
  for f in nfpm.yaml preremove.sh; do sed "s/PROGRAM/$2/g; s/UNIT/$3/g" "cmd/fleet/release/$f" >"$stage/fleet-$f"; done
  packages "$1" "$2" fleet-nfpm.yaml
}

bill() { # bill FILE FOLDER: what it is made of, the folder that of its module
  (cd "$2" && go run github.com/gostate/gostate/testdata/sbom json "$out/$1" "$VERSION" >"$out/$1.cdx.json")
}

# pack DIR FILE: a tar that the same files always give.
pack() { tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$1" -cf "$2" .; }

blob() { # blob FILE TYPE [MORE]: a file becomes a part of the image; its descriptor is printed
  local sum size
  sum=$(sha256sum <"$1" | cut -d' ' -f1) size=$(stat -c %s "$1")
  mv "$1" "$image/blobs/sha256/$sum"
  printf '{"mediaType":"application/vnd.oci.image.%s","digest":"sha256:%s","size":%s%s}' "$2" "$sum" "$size" "${3:-}"
}

layer() { # layer ARCH: the manifest of the image for it: the binary and this machine's CA certificates, nothing else
  local root=$stage/root made platform diff content config
  platform="\"os\":\"linux\",\"architecture\":\"$(goarch "$1")\""
  [ "$1" != armv7 ] || platform="$platform,\"variant\":\"v7\""
  made=$(date -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
  rm -rf "$root"
  install -D -m 755 "$out/gostate-$number-linux-$1" "$root/usr/bin/gostate"
  install -D -m 644 "$certificates" "$root/etc/ssl/certs/ca-certificates.crt"
  pack "$root" "$stage/layer"
  diff=$(sha256sum <"$stage/layer" | cut -d' ' -f1)
  gzip -9n "$stage/layer"
  content=$(blob "$stage/layer.gz" layer.v1.tar+gzip)
  printf '{%s,"created":"%s","config":{"Entrypoint":["/usr/bin/gostate"]},' "$platform" "$made" >"$stage/config"
  printf '"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' "$diff" >>"$stage/config"
  config=$(blob "$stage/config" config.v1+json)
  printf '{"schemaVersion":2,"mediaType":"%s.manifest.v1+json","config":%s,"layers":[%s]}' \
    application/vnd.oci.image "$config" "$content" >"$stage/manifest"
  blob "$stage/manifest" manifest.v1+json ",\"platform\":{$platform}"
}

# index LIST: the list of images or of lists of them.
index() { printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[%s]}' "$1"; }

container() { # an OCI image layout of all architectures, as one tar
  local a list=''
  certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt} image=$stage/image
  [ -f "$certificates" ] || { echo "no image: there are no CA certificates at $certificates" >&2; return; }
  mkdir -p "$image/blobs/sha256"
  for a in $ARCHES; do list=$list,$(layer "$a"); done
  index "${list#,}" >"$stage/index"
  list=$(blob "$stage/index" index.v1+json ",\"annotations\":{\"org.opencontainers.image.ref.name\":\"$number\"}")
  index "$list" >"$image/index.json"
  printf '{"imageLayoutVersion":"1.0.0"}' >"$image/oci-layout"
  pack "$image" "$out/gostate-$number.oci.tar"
}

formula() { # the Homebrew formula of the architectures that Homebrew has, for Linux
  local url=${RELEASE_URL:-https://github.com/gostate/gostate/releases/download/$VERSION} a file
  printf 'class Gostate < Formula\n  desc "Brings a machine to the state that its SLS files describe"\n'
  printf '  homepage "https://github.com/gostate/gostate"\n  version "%s"\n  license "Apache-2.0"\n' "$number"
  printf '  depends_on :linux\n'
  for a in $ARCHES; do
    file=gostate-$number-linux-$a
    case $a in amd64) printf '  on_intel do\n' ;; arm64) printf '  on_arm do\n' ;; *) continue ;; esac
    printf '    url "%s/%s"\n    sha256 "%s"\n  end\n' "$url" "$file" "$(sha256sum <"$out/$file" | cut -d' ' -f1)"
  done
  printf '\n  def install\n    bin.install Dir["gostate-*"].first => "gostate"\n'
  printf '    generate_completions_from_executable(bin/"gostate", "completion")\n'
  printf '    (man8/"gostate.8").write Utils.safe_popen_read(bin/"gostate", "man")\n  end\nend\n'
}

sign() {
  [ -z "${MINISIGN_KEY:-}" ] || minisign -S -s "$MINISIGN_KEY" -m "$out/SHA256SUMS"
  [ -z "${COSIGN_KEY:-}" ] ||
    cosign sign-blob --yes --key "$COSIGN_KEY" --output-signature "$out/SHA256SUMS.sig" "$out/SHA256SUMS"
  [ -n "${MINISIGN_KEY:-}${COSIGN_KEY:-}" ] || echo "nothing is signed: neither MINISIGN_KEY nor COSIGN_KEY names a key"
}

mkdir -p "$out"
[ -z "$(ls -A "$out")" ] || { echo "$out is not empty" >&2; exit 1; }
documents
for a in $ARCHES; do
  GOARCH=$(goarch "$a") compile "$out/gostate-$number-linux-$a"
  packages "$a" gostate nfpm.yaml
  fleet "$a" gostate-agent gostate-hub-agent.service
  fleet "$a" gostate-hub gostate-hub.service
  bill "gostate-$number-linux-$a" .
  for program in gostate-agent gostate-hub; do bill "$program-$number-linux-$a" cmd/fleet; done
done
container
formula >"$out/gostate.rb"
(cd "$out" && sha256sum -- * >"$stage/SHA256SUMS" && mv "$stage/SHA256SUMS" .)
sign
(cd "$out" && ls -l | awk 'NR > 1 { print $5, $NF }')
