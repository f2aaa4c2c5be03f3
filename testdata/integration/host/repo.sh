#!/bin/bash
# repo.sh: a tiny apt repository for tests without a mirror; hosts see it as /srv/repo.
#
#   gst-hello 1.0, 2.0   a unit, a conffile, a command
#   gst-app 1.0          the same, needs gst-hello
#   gst-httpd 1.0, 2.0   the same, with /etc/gst-httpd/gst-httpd.conf and an index page: the offline web server
#   gst-broken 1.0       its postinst fails
#   gst-virtual 1.0      provides mail-of-gst
. "$(dirname "$0")/common.sh"

# deb NAME VERSION [control line]... makes one package.
deb() {
  local name=$1 version=$2 tree
  shift 2
  tree=$(mktemp -d); chmod 755 "$tree"
  mkdir -p "$tree/DEBIAN" "$tree/etc/$name" "$tree/usr/bin" "$tree/lib/systemd/system"
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: all\nMaintainer: gostate tests <tests@example.org>\n' "$name" "$version"
    for line; do echo "$line"; done
    printf 'Description: test package %s\n' "$name"
  } >"$tree/DEBIAN/control"
  echo "/etc/$name/$name.conf" >"$tree/DEBIAN/conffiles"
  echo "version = $version" >"$tree/etc/$name/$name.conf"
  printf '#!/bin/sh\necho %s %s\n' "$name" "$version" >"$tree/usr/bin/$name"; chmod 755 "$tree/usr/bin/$name"
  cat >"$tree/lib/systemd/system/$name.service" <<UNIT
[Unit]
Description=test service $name
[Service]
ExecStart=/bin/sleep infinity
ExecReload=/bin/true
[Install]
WantedBy=multi-user.target
UNIT
  cat >"$tree/DEBIAN/postinst" <<SCRIPT
#!/bin/sh
set -e
if [ "$name" = gst-broken ]; then echo "gst-broken: cannot be configured" >&2; exit 7; fi
if [ "\$1" = configure ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; systemctl enable --now $name.service; fi
SCRIPT
  cat >"$tree/DEBIAN/prerm" <<SCRIPT
#!/bin/sh
set -e
if [ "\$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now $name.service || true; fi
SCRIPT
  cat >"$tree/DEBIAN/postrm" <<SCRIPT
#!/bin/sh
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
SCRIPT
  chmod 755 "$tree/DEBIAN/postinst" "$tree/DEBIAN/prerm" "$tree/DEBIAN/postrm"
  dpkg-deb -Zgzip --root-owner-group -b "$tree" "$REPO.new/${name}_${version}_all.deb" >/dev/null
  rm -rf "$tree"
}

rm -rf "$REPO.new"; mkdir -p "$REPO.new"
deb gst-hello 1.0
deb gst-hello 2.0
deb gst-app 1.0 'Depends: gst-hello (>= 1.0)'
deb gst-httpd 1.0
deb gst-httpd 2.0
deb gst-broken 1.0
deb gst-virtual 1.0 'Provides: mail-of-gst'
cd "$REPO.new"
for f in *.deb; do
  dpkg-deb -f "$f"
  printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$f" "$(stat -c %s "$f")" "$(sha256sum <"$f" | cut -d' ' -f1)"
done >Packages
rm -rf "$REPO"; mv "$REPO.new" "$REPO"
