package pkg

import "github.com/gostate/gostate/state/host"

// privately runs a command in a mount namespace in which what it writes to the directories of rpm's kin is gone with
// it: caches, logs, histories. A file that is named first is empty there. Where namespaces may not be made, it runs as
// it is.
const privately = `hide=$1; shift
inside='mount -t tmpfs none /mnt && for d in /var/cache/dnf /var/cache/yum /var/cache/zypp /var/lib/dnf /var/lib/yum ` +
	`/var/lib/zypp /var/lib/rpm /usr/lib/sysimage/rpm /var/log /var/tmp; do
  [ -d "$d" ] && n=$(echo "$d" | tr / -) && mkdir "/mnt/u$n" "/mnt/w$n" &&
  mount -t overlay none -o "lowerdir=$d,upperdir=/mnt/u$n,workdir=/mnt/w$n" "$d"
done; [ -f "$0" ] && : >/mnt/empty && mount --bind /mnt/empty "$0"
exec "$@"'
unshare -m true 2>/dev/null && exec unshare -m sh -c "$inside" "${hide:-/}" "$@"
exec "$@"`

// aside is a command that only looks and would write beside that; hide is a file that it is not to see, "" for none.
func aside(hide string, words ...string) host.Cmd {
	return host.Cmd{Args: append([]string{"sh", "-c", privately, "sh", hide}, words...), Env: english()}
}
