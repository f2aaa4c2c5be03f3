package host

import (
	"os/exec"
	"strconv"
	"strings"
)

// noCommand is the error for a command that the machine has not.
type noCommand struct{ name string }

func (n noCommand) Error() string {
	text := strconv.Quote(n.name) + " is not installed"
	if p := packageOf(n.name); p != "" {
		text += " (it is in the package " + p + ")"
	}
	return text
}

func (noCommand) Is(target error) bool { return target == exec.ErrNotFound }

// packageOf is the package that brings a command where gostate or its users may need it, by Debian's name; "" where
// nobody wrote it down.
func packageOf(command string) string {
	for _, p := range [][2]string{
		{"acl", "getfacl setfacl"},
		{"apache2-utils", "htpasswd"},
		{"apache2", "a2dismod a2dissite a2disconf a2enmod a2ensite a2enconf apachectl"},
		{"bind9-dnsutils", "dig"},
		{"btrfs-progs", "btrfs mkfs.btrfs"},
		{"bzip2", "bzip2"},
		{"cron", "crontab"},
		{"curl", "curl"},
		{"debconf", "debconf-set-selections debconf-show"},
		{"debconf-utils", "debconf-get-selections"},
		{"docker.io", "docker dockerd"},
		{"dosfstools", "mkfs.vfat mkfs.fat"},
		{"e2fsprogs", "chattr lsattr mkfs.ext2 mkfs.ext3 mkfs.ext4 mke2fs resize2fs tune2fs dumpe2fs"},
		{"ethtool", "ethtool"},
		{"fdisk", "sfdisk fdisk"},
		{"firewalld", "firewall-cmd"},
		{"git", "git"},
		{"gnupg", "gpg"},
		{"ifupdown", "ifup ifdown"},
		{"iproute2", "ip ss"},
		{"iptables", "iptables ip6tables iptables-save iptables-restore"},
		{"kmod", "modprobe rmmod lsmod modinfo"},
		{"locales", "locale-gen"},
		{"lvm2", "lvm pvcreate pvdisplay pvremove vgcreate vgdisplay vgremove lvcreate lvdisplay lvremove"},
		{"mdadm", "mdadm"},
		{"mercurial", "hg"},
		{"mount", "mount umount swapon swapoff"},
		{"nfs-kernel-server", "exportfs"},
		{"nftables", "nft"},
		{"net-tools", "netstat ifconfig route arp"},
		{"npm", "npm"},
		{"openssh-client", "ssh ssh-keygen ssh-keyscan"},
		{"parted", "parted partprobe"},
		{"passwd", "useradd usermod userdel groupadd groupmod groupdel gpasswd chpasswd chage passwd"},
		{"patch", "patch"},
		{"policycoreutils", "setsebool restorecon semodule"},
		{"policycoreutils-python-utils", "semanage"},
		{"postfix", "newaliases"},
		{"procps", "sysctl ps"},
		{"python3-pip", "pip pip3"},
		{"quota", "quotaon quotaoff repquota setquota edquota quotacheck"},
		{"rsync", "rsync"},
		{"rabbitmq-server", "rabbitmqctl rabbitmq-plugins"},
		{"ruby", "gem"},
		{"selinux-utils", "getenforce setenforce getsebool matchpathcon"},
		{"subversion", "svn svnadmin"},
		{"supervisor", "supervisorctl supervisord"},
		{"systemd", "systemctl timedatectl hostnamectl localectl"},
		{"tuned", "tuned-adm"},
		{"unzip", "unzip"},
		{"util-linux", "blkid blockdev lsblk mkswap"},
		{"util-linux-extra", "hwclock"},
		{"virtualenv", "virtualenv"},
		{"xfsprogs", "mkfs.xfs"},
		{"xz-utils", "xz"},
		{"zip", "zip"},
		{"zstd", "zstd"},
	} {
		if strings.Contains(" "+p[1]+" ", " "+command+" ") {
			return p[0]
		}
	}
	return ""
}
