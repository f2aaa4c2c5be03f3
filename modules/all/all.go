// Package all is the explicit list of the families of functions that gostate has. A new family is one line here.
package all

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/alias"
	"github.com/gostate/gostate/modules/alternatives"
	"github.com/gostate/gostate/modules/apache"
	"github.com/gostate/gostate/modules/archive"
	"github.com/gostate/gostate/modules/cmd"
	"github.com/gostate/gostate/modules/config"
	"github.com/gostate/gostate/modules/cp"
	"github.com/gostate/gostate/modules/cron"
	"github.com/gostate/gostate/modules/data"
	"github.com/gostate/gostate/modules/debconf"
	"github.com/gostate/gostate/modules/defaults"
	"github.com/gostate/gostate/modules/dig"
	"github.com/gostate/gostate/modules/disk"
	"github.com/gostate/gostate/modules/dnsutil"
	"github.com/gostate/gostate/modules/docker"
	"github.com/gostate/gostate/modules/environ"
	"github.com/gostate/gostate/modules/file"
	"github.com/gostate/gostate/modules/firewalld"
	"github.com/gostate/gostate/modules/gem"
	"github.com/gostate/gostate/modules/git"
	"github.com/gostate/gostate/modules/grains"
	"github.com/gostate/gostate/modules/group"
	"github.com/gostate/gostate/modules/hashutil"
	"github.com/gostate/gostate/modules/hg"
	"github.com/gostate/gostate/modules/hosts"
	"github.com/gostate/gostate/modules/http"
	"github.com/gostate/gostate/modules/ini"
	"github.com/gostate/gostate/modules/iptables"
	"github.com/gostate/gostate/modules/jinja"
	"github.com/gostate/gostate/modules/kmod"
	"github.com/gostate/gostate/modules/locale"
	"github.com/gostate/gostate/modules/log"
	"github.com/gostate/gostate/modules/logrotate"
	"github.com/gostate/gostate/modules/lvm"
	"github.com/gostate/gostate/modules/match"
	"github.com/gostate/gostate/modules/mine"
	"github.com/gostate/gostate/modules/module"
	"github.com/gostate/gostate/modules/mount"
	"github.com/gostate/gostate/modules/mysql"
	"github.com/gostate/gostate/modules/network"
	"github.com/gostate/gostate/modules/nfs3"
	"github.com/gostate/gostate/modules/nftables"
	"github.com/gostate/gostate/modules/npm"
	"github.com/gostate/gostate/modules/partition"
	"github.com/gostate/gostate/modules/pillar"
	"github.com/gostate/gostate/modules/pip"
	"github.com/gostate/gostate/modules/pkg"
	"github.com/gostate/gostate/modules/pkgrepo"
	"github.com/gostate/gostate/modules/postgres"
	"github.com/gostate/gostate/modules/quota"
	"github.com/gostate/gostate/modules/rabbitmq"
	"github.com/gostate/gostate/modules/random"
	"github.com/gostate/gostate/modules/redis"
	"github.com/gostate/gostate/modules/rsync"
	"github.com/gostate/gostate/modules/saltutil"
	"github.com/gostate/gostate/modules/selinux"
	"github.com/gostate/gostate/modules/service"
	"github.com/gostate/gostate/modules/slsutil"
	"github.com/gostate/gostate/modules/ssh"
	"github.com/gostate/gostate/modules/state"
	"github.com/gostate/gostate/modules/stateconf"
	"github.com/gostate/gostate/modules/status"
	"github.com/gostate/gostate/modules/supervisord"
	"github.com/gostate/gostate/modules/svn"
	"github.com/gostate/gostate/modules/sys"
	"github.com/gostate/gostate/modules/sysctl"
	"github.com/gostate/gostate/modules/system"
	"github.com/gostate/gostate/modules/temp"
	"github.com/gostate/gostate/modules/test"
	"github.com/gostate/gostate/modules/timezone"
	"github.com/gostate/gostate/modules/tuned"
	"github.com/gostate/gostate/modules/ufw"
	"github.com/gostate/gostate/modules/user"
	"github.com/gostate/gostate/modules/virt"
	"github.com/gostate/gostate/modules/webutil"
	"github.com/gostate/gostate/modules/x509"
)

// Sources make the families, each under its name.
func Sources() []modules.Source {
	return []modules.Source{
		{Name: "alias", Make: alias.Family},
		{Name: "alternatives", Make: alternatives.Family},
		{Name: "apache", Make: apache.Family},
		{Name: "archive", Make: archive.Family},
		{Name: "blockdev", Make: disk.Blockdev},
		{Name: "cmd", Make: cmd.Family},
		{Name: "config", Make: config.Family},
		{Name: "cp", Make: cp.Family},
		{Name: "cron", Make: cron.Family},
		{Name: "data", Make: data.Family},
		{Name: "debconf", Make: debconf.Family},
		{Name: "defaults", Make: defaults.Family},
		{Name: "disk", Make: disk.Family},
		{Name: "dig", Make: dig.Family},
		{Name: "dnsutil", Make: dnsutil.Family},
		{Name: "docker", Make: docker.Family},
		{Name: "environ", Make: environ.Family},
		{Name: "file", Make: file.Family},
		{Name: "firewalld", Make: firewalld.Family},
		{Name: "gem", Make: gem.Family},
		{Name: "git", Make: git.Family},
		{Name: "grains", Make: grains.Family},
		{Name: "group", Make: group.Family},
		{Name: "hashutil", Make: hashutil.Family},
		{Name: "host", Make: hosts.Family},
		{Name: "http", Make: http.Family},
		{Name: "ini", Make: ini.Family},
		{Name: "ip", Make: network.IP},
		{Name: "iptables", Make: iptables.Family},
		{Name: "jinja", Make: jinja.Family},
		{Name: "kmod", Make: kmod.Family},
		{Name: "locale", Make: locale.Family},
		{Name: "log", Make: log.Family},
		{Name: "lvm", Make: lvm.Family},
		{Name: "match", Make: match.Family},
		{Name: "mine", Make: mine.Family},
		{Name: "module", Make: module.Family},
		{Name: "mount", Make: mount.Family},
		{Name: "mysql", Make: mysql.Family},
		{Name: "network", Make: network.Family},
		{Name: "nfs3", Make: nfs3.Family},
		{Name: "nfs_export", Make: nfs3.States},
		{Name: "nftables", Make: nftables.Family},
		{Name: "npm", Make: npm.Family},
		{Name: "partition", Make: partition.Family},
		{Name: "pillar", Make: pillar.Family},
		{Name: "pip", Make: pip.Family},
		{Name: "pkg", Make: pkg.Family},
		{Name: "pkgrepo", Make: pkgrepo.Family},
		{Name: "postgres", Make: postgres.Family},
		{Name: "rabbitmq", Make: rabbitmq.Family},
		{Name: "quota", Make: quota.Family},
		{Name: "random", Make: random.Family},
		{Name: "saltutil", Make: saltutil.Family},
		{Name: "selinux", Make: selinux.Family},
		{Name: "service", Make: service.Family},
		{Name: "slsutil", Make: slsutil.Family},
		{Name: "ssh", Make: ssh.Family},
		{Name: "state", Make: state.Family},
		{Name: "stateconf", Make: stateconf.Family},
		{Name: "status", Make: status.Family},
		{Name: "supervisord", Make: supervisord.Family},
		{Name: "sys", Make: sys.Family},
		{Name: "sysctl", Make: sysctl.Family},
		{Name: "system", Make: system.Family},
		{Name: "temp", Make: temp.Family},
		{Name: "test", Make: test.Family},
		{Name: "timezone", Make: timezone.Family},
		{Name: "tuned", Make: tuned.Family},
		{Name: "ufw", Make: ufw.Family},
		{Name: "user", Make: user.Family},
		{Name: "redis", Make: redis.Family},
		{Name: "rsync", Make: rsync.Family},
		{Name: "svn", Make: svn.Family},
		{Name: "hg", Make: hg.Family},
		{Name: "logrotate", Make: logrotate.Family},
		{Name: "virt", Make: virt.Family},
		{Name: "webutil", Make: webutil.Family},
		{Name: "x509", Make: x509.Family},
	}
}

// Families are all families of functions.
func Families() []modules.Family {
	var out []modules.Family
	for _, s := range Sources() {
		out = append(out, s.Make())
	}
	return out
}
