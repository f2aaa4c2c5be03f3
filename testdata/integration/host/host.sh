#!/bin/bash
# host.sh: disposable Debian hosts with systemd as PID 1, up in about a second, gone at once.
#
#   host.sh up NAME            boot a host; it shares this machine's network
#   host.sh exec NAME CMD...   run a command in it, as a transient service of its systemd
#   host.sh root NAME          its file tree, as seen from here
#   host.sh down NAME...       kill it; nothing of it is kept
#   host.sh ls | gc            list the hosts | kill all of them
. "$(dirname "$0")/common.sh"

# in_cgroups CMD... runs a command in a mount namespace of its own where /sys/fs/cgroup is the version 2 hierarchy, so that
# machines with the older layout work alike.
in_cgroups() { unshare -m bash -c 'mount -t cgroup2 none /sys/fs/cgroup && "$@"' in_cgroups "$@"; }

# leader NAME is the pid of the host's systemd: the child of nspawn's child. Asked anew each time, since a reboot changes it.
leader() {
  local stub
  [ -s "$HOSTS/$1/pid" ] || die "no host $1"
  stub=$(pgrep -o -P "$(cat "$HOSTS/$1/pid")") && pgrep -o -P "$stub"
}

# boot NAME is the body of a host's keeper process: an overlay in memory over the base tree, then nspawn on it.
boot() {
  local name=$1 dir=$HOSTS/$1 group=/sys/fs/cgroup/gostate-$1 root status=133 bind=()
  mount -t cgroup2 none /sys/fs/cgroup
  mkdir -p "$group/keeper" "$group/host"
  echo $$ >"$group/keeper/cgroup.procs"
  mkdir -p /run/systemd && mount -t tmpfs none /run/systemd # nspawn writes here; the machine's own stays as it is
  mount -t tmpfs -o mode=755,size=4g none "$dir/fs"
  mkdir "$dir/fs/upper" "$dir/fs/work" "$dir/fs/root"
  root=$dir/fs/root
  mount -t overlay -o "lowerdir=$BASE,upperdir=$dir/fs/upper,workdir=$dir/fs/work" none "$root"
  echo "$name" >"$root/etc/hostname"
  printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$name" >"$root/etc/hosts"
  if [ -d "$REPO" ]; then bind+=("--bind-ro=$REPO:/srv/repo"); fi
  if [ "${GOSTATE_BIND:-}" ]; then bind+=("--bind-ro=$GOSTATE_BIND:/mnt/gostate"); fi
  export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 LD_LIBRARY_PATH=$NSPAWN_LIBS
  while [ $status = 133 ]; do # 133: the host asked for a reboot
    status=0
    (
      echo "$BASHPID" >"$group/host/cgroup.procs"
      exec systemd-nspawn --quiet --directory="$root" --machine="$name" --boot --register=no --keep-unit \
        --kill-signal=SIGRTMIN+3 --link-journal=no --resolv-conf=copy-host --timezone=off "${bind[@]}"
    ) || status=$?
  done
}

up() {
  local name=$1 dir=$HOSTS/$1 pid= state= i
  [ -f "$BASE/.key" ] || die "no base tree: run base.sh first"
  [ ! -e "$dir" ] || die "host $name exists"
  mkdir -p "$dir/fs"
  setsid unshare -m "$0" boot "$name" </dev/null >"$dir/log" 2>&1 &
  echo $! >"$dir/pid"
  for ((i = 0; i < 500; i++)); do
    pid=$(leader "$name" || true)
    if [ "$pid" ] && [ -S "/proc/$pid/root/run/systemd/private" ]; then break; fi
    kill -0 "$(cat "$dir/pid")" 2>/dev/null || { cat "$dir/log" >&2; rm -rf "$dir"; die "host $name did not boot"; }
    sleep 0.02
  done
  state=$(nsenter -t "$pid" -a systemctl is-system-running --wait) || true
  case $state in running | degraded) ;; *) die "host $name is $state" ;; esac
}

# run_in NAME CMD...: through systemd-run, because a plain nsenter would keep this machine's capabilities and cgroup.
run_in() {
  local name=$1 words
  shift
  words=("${@//'$'/'$$'}") # systemd expands $x in the words of a command line
  exec nsenter -t "$(leader "$name")" -a -r -w systemd-run -q --wait --pipe --collect \
    -E HOME=/root -E USER=root -E LOGNAME=root -E LANG=C.UTF-8 -E TERM=dumb -- "${words[@]}"
}

kill_group() {
  local group=/sys/fs/cgroup/gostate-$1 i
  [ -d "$group" ] || return 0
  echo 1 >"$group/cgroup.kill"
  for ((i = 0; i < 250; i++)); do
    grep -q 'populated 0' "$group/cgroup.events" && break
    sleep 0.02
  done
  find "$group" -depth -type d -exec rmdir {} +
}

down() {
  in_cgroups "$0" kill-group "$1"
  rm -rf "${HOSTS:?}/$1"
}

command=${1:-}
shift || true
case $command in
  up) up "$1" ;;
  exec) run_in "$@" ;;
  root) echo "/proc/$(leader "$1")/root" ;;
  down) for name; do down "$name"; done ;;
  ls) ls "$HOSTS" 2>/dev/null || true ;;
  gc) for name in $(ls "$HOSTS" 2>/dev/null); do down "$name"; done ;;
  boot) boot "$1" ;;             # only for up
  kill-group) kill_group "$1" ;; # only for down
  *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
esac
