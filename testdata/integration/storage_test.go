//go:build integration

package integration

import "testing"

// TestStorage makes file systems in images, and exports directories with the real NFS server's tools. A host cannot
// have block devices of its own, so that LVM is not here.
func TestStorage(t *testing.T) {
	m := boot(t, "gs-storage")
	m.sh("apt-get -qq update; mkdir -p /srv/a /srv/b; echo '# ours' >/etc/exports; truncate -s 400M /srv/e.img /srv/x.img")
	m.write(map[string]string{
		"make": `tools:
  pkg.installed: [{pkgs: [nfs-kernel-server, xfsprogs]}]
/srv/e.img:
  blockdev.formatted: []
/srv/x.img:
  blockdev.formatted: [{fs_type: xfs}]
/srv/a:
  nfs_export.present: [{hosts: 10.0.2.0/24}, {options: [rw, no_subtree_check]}]
/srv/b:
  nfs_export.present:
    - clients:
      - {hosts: 10.0.3.0/24, options: [ro, no_subtree_check]}
      - {hosts: '*', options: [ro, no_subtree_check, all_squash]}
/:
  disk.status: [{maximum: 100}]
`,
		"less": "/srv/a:\n  nfs_export.absent: []\n/srv/e.img:\n  blockdev.formatted: [{fs_type: xfs}, {force: true}]\n",
		"bad":  "/srv/x.img:\n  blockdev.formatted: []\n/srv/none:\n  blockdev.formatted: []\n",
	})
	kinds := "blkid -p -o value -s TYPE /srv/e.img; blkid -p -o value -s TYPE /srv/x.img; cat /etc/exports"
	m.converge("make")
	m.want(kinds, "ext4\nxfs\n# ours\n/srv/a 10.0.2.0/24(rw,no_subtree_check)\n/srv/b 10.0.3.0/24(ro,no_subtree_check) "+
		"*(ro,no_subtree_check,all_squash)")
	m.converge("less")
	m.want(kinds, "xfs\nxfs\n# ours\n/srv/b 10.0.3.0/24(ro,no_subtree_check) *(ro,no_subtree_check,all_squash)")
	preview, _, _ := m.apply("tree", "--test", "sls", "bad")
	if run, _, code := m.apply("tree", "sls", "bad"); code == 0 || len(preview.failed()) != 2 || len(run.failed()) != 2 {
		t.Errorf("exit code %d, preview failed %v, run %v", code, preview.failed(), run.failed())
	}
}

// TestSELinux keeps a policy with the real tools. The kernel of a host has SELinux switched off, so that no file is
// labelled and no boolean takes effect now.
func TestSELinux(t *testing.T) {
	m := boot(t, "gs-selinux")
	m.sh("apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends " +
		"policycoreutils-python-utils selinux-policy-default semodule-utils netbase >/dev/null 2>&1")
	m.write(map[string]string{
		"make": `ftp_home_dir:
  selinux.boolean: [{value: true}, {persist: true}]
/srv/site(/.*)?:
  selinux.fcontext_policy_present: [{sel_type: httpd_sys_content_t}]
tcp/9999:
  selinux.port_policy_present: [{sel_type: http_port_t}]
disabled:
  selinux.mode: []
`,
		"less": "/srv/site(/.*)?:\n  selinux.fcontext_policy_absent: []\ntcp/9999:\n  selinux.port_policy_absent: []\n",
	})
	policy := "semanage boolean -l | grep ftp_home_dir | cut -d')' -f1; semanage fcontext -l -C | tail -n +3; " +
		"semanage port -l -C | tail -n +3; grep ^SELINUX= /etc/selinux/config"
	m.converge("make")
	m.want(policy, "ftp_home_dir                   (on   ,   on\n/srv/site(/.*)?                                    "+
		"all files          system_u:object_r:httpd_sys_content_t:s0 \nhttp_port_t                    tcp      9999\n"+
		"SELINUX=disabled")
	if run, _, code := m.apply("tree", "sls", "less"); code != 0 {
		t.Error(run.explain())
	}
	m.want("semanage fcontext -l -C; semanage port -l -C", "")
}
