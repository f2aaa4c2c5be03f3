#!/bin/bash
# managers.sh: makes a host one of rpm's kin and of Arch Linux, too, with a local repository for each package manager.
#
#   hello 1.0, 2.0      a file, a configuration file; version 2.0 appears for pacman with `offer 2.0`
#   hello-app 1.0       needs hello
set -eu
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install --no-install-recommends file dnf rpm createrepo-c zypper pacman-package-manager makepkg \
  libarchive-tools >/dev/null
mkdir -p /srv/rpm /srv/pac /etc/rpm /etc/yum.repos.d /etc/zypp/repos.d /etc/dnf/vars /var/lib/pacman /var/cache/pacman/pkg /var/cache/zypp /var/lib/zypp
echo '%_dbpath /var/lib/rpm' >/etc/rpm/macros.test
echo 40 >/etc/dnf/vars/releasever

# rpm NAME VERSION [TAG]... makes a package with a file and a configuration file.
rpm() {
  local spec name=$1 version=$2
  shift 2
  spec=$(mktemp --suffix .spec)
  printf '%s\n' "Name: $name" "Version: $version" 'Release: 1' 'Summary: test' 'License: MIT' 'BuildArch: noarch' "$@" \
    '%description' 'test' '%install' "mkdir -p %{buildroot}/opt/$name %{buildroot}/etc" \
    "echo $version >%{buildroot}/opt/$name/version; echo a=1 >%{buildroot}/etc/$name.conf" \
    '%files' "/opt/$name" "%config(noreplace) /etc/$name.conf" >"$spec"
  rpmbuild --quiet -bb --define '_rpmdir /srv/rpm' --define '_topdir /tmp/rpm' "$spec"
}
rpm base 1 'Provides: /bin/sh'
command rpm -i --force-debian /srv/rpm/noarch/base-1-1.noarch.rpm 2>/dev/null # zypper cannot bear an empty database
rpm hello 1.0
rpm hello 2.0
rpm hello-app 1.0 'Requires: hello'
createrepo_c -q /srv/rpm
printf '[local]\nname=local\nbaseurl=file:///srv/rpm\ngpgcheck=0\nenabled=1\n' |
  tee /etc/yum.repos.d/local.repo >/etc/zypp/repos.d/local.repo

# pac NAME VERSION [LINE]... makes a package for pacman.
pac() {
  local tree name=$1 version=$2
  shift 2
  tree=$(mktemp -d)
  chmod 755 "$tree"
  mkdir -p "$tree/opt/$name" "$tree/etc"
  echo "$version" >"$tree/opt/$name/version"
  echo a=1 >"$tree/etc/$name.conf"
  printf '%s\n' "pkgname = $name" "pkgbase = $name" "pkgver = $version-1" 'pkgdesc = test' 'arch = any' \
    'builddate = 1700000000' 'size = 10' "backup = etc/$name.conf" "$@" >"$tree/.PKGINFO"
  (cd "$tree" && bsdtar -czf "/srv/pac/$name-$version-1-any.pkg.tar.gz" --uid 0 --gid 0 .PKGINFO etc opt)
}
pac hello 1.0
pac hello 2.0
pac hello-app 1.0 'depend = hello'
printf '[options]\nArchitecture = x86_64\nSigLevel = Never\n[test]\nServer = file:///srv/pac\n' >/etc/pacman.conf
cat >/usr/local/bin/offer <<'SCRIPT'
#!/bin/sh
# offer VERSION: the version of hello that pacman's repository has.
rm -f /srv/pac/test.*
repo-add -q /srv/pac/test.db.tar.gz "/srv/pac/hello-$1-1-any.pkg.tar.gz" /srv/pac/hello-app-1.0-1-any.pkg.tar.gz
pacman -Syy >/dev/null
SCRIPT
chmod 755 /usr/local/bin/offer
offer 1.0
