//go:build integration

package integration

import "testing"

// TestCopies keeps copies of trees with the real rsync, Subversion and Mercurial, and settings of a real logrotate.
func TestCopies(t *testing.T) {
	m := boot(t, "gs-copies")
	m.sh(`apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends rsync subversion mercurial logrotate >/dev/null 2>&1
mkdir -p /srv/from/sub; echo 1 >/srv/from/a; echo 2 >/srv/from/sub/b
svnadmin create /srv/svn; svn -q co file:///srv/svn /srv/wc; cd /srv/wc; echo 1 >a; svn -q add a; svn -q ci -m one
hg init /srv/hg; cd /srv/hg; echo 1 >a; hg ci -q -A -m one -u me; hg tag -u me v1
rm -rf /root/.subversion`)
	m.write(map[string]string{
		"copies": `/srv/to:
  rsync.synchronized: [{source: /srv/from/}, {prepare: true}, {delete: true}, {exclude: '*.tmp'}]
file:///srv/svn:
  svn.latest: [{target: /srv/svn-co}]
/srv/hg:
  hg.latest: [{target: /srv/hg-co}, {rev: v1}]
rotate:
  logrotate.set: [{key: rotate}, {value: 7}]
apt:
  logrotate.set: [{key: /var/log/apt/term.log}, {value: rotate}, {setting: 3}]
`,
		"export": "file:///srv/svn:\n  svn.export: [{target: /srv/svn-tree}, {creates: /srv/svn-tree}]\n",
	})
	got, _, _ := m.apply("tree", "sls", "copies", "--test")
	if len(got.pending()) != 5 {
		t.Error(got.explain())
	}
	m.want("ls -d /root/.subversion /srv/to /srv/svn-co /srv/hg-co 2>/dev/null; true", "")
	for _, sls := range []string{"copies", "export"} {
		t.Run(sls, func(t *testing.T) { m.t = t; m.converge(sls) })
	}
	m.t = t
	m.sh(`cd /srv/wc; echo 2 >a; svn -q ci -m two; cd /srv/hg; echo 2 >a; hg ci -q -m two -u me; hg tag -f -u me v1
touch /srv/to/more /srv/from/x.tmp; echo 3 >/srv/from/c`)
	t.Run("again", func(t *testing.T) { m.t = t; m.converge("copies") })
	m.t = t
	m.want("cd /srv; find to -type f | sort | xargs; cat svn-co/a hg-co/a svn-tree/a; svn info --show-item revision svn-co",
		"to/a to/c to/sub/b\n2\n2\n1\n2")
	m.want("logrotate -d /etc/logrotate.conf 2>&1 | grep -c error; grep -c '^rotate 7' /etc/logrotate.conf; "+
		"grep -A1 term.log /etc/logrotate.d/apt | tail -1 | xargs", "0\n1\nrotate 3")
}
