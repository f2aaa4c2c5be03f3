#!/bin/sh
# Makes the repositories `one` and `two` in the current directory, the same commits wherever that is.
set -e
umask 022
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@x \
  GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@x GIT_AUTHOR_DATE='2024-01-01T00:00:00Z' \
  GIT_COMMITTER_DATE='2024-01-01T00:00:00Z'
git init -q -b master one
cd one
mkdir -p salt/web salt/links shared other
echo top-of-one-master > whoami.txt
echo 'base: {"*": [web]}' > top.sls
echo 'one root' > salt/in-root.txt
echo '{}' > salt/web/init.sls
echo x > salt/web/run.sh
chmod +x salt/web/run.sh
echo shared > shared/s.txt
ln -s ../../shared/s.txt salt/links/up.txt
ln -s ../web salt/links/dir
ln -s in-root.txt salt/near.txt
ln -s near.txt salt/nearer.txt
ln -s /etc/passwd salt/abs.txt
ln -s nowhere salt/dangling
ln -s ../../../../etc/passwd salt/beyond
ln -s ../shared salt/shared-dir
git add -A
git commit -qm one
git tag v1
git checkout -q -b dev
echo one-dev > whoami.txt
echo dev > dev-only.txt
git add -A
git commit -qm dev
git checkout -q -b feature/x
echo one-feature > whoami.txt
git commit -qam feature
git checkout -q master
echo 'after tag' > later.txt
git add -A
git commit -qm later
git tag -a -m a v2
git -c advice.nestedTag=false tag -a -m nested v3 v2
cd ..
git init -q -b master two
cd two
echo two-master > whoami.txt
echo two > two-only.txt
mkdir sub
echo sub > sub/s.txt
git add -A
git commit -qm two
git checkout -q -b qa
echo two-qa > whoami.txt
git commit -qam qa
git checkout -q master
