#!/bin/bash
# rounds.sh N: the rounds of run.sh, in the host. Each disturbs the host, runs gostate, kills something at a random moment
# (or fills the disk), lets the next run mend it, and checks what that left. A line for each round; the exit code is 1 when
# one of them found something.
set -uo pipefail
shopt -s nullglob
tree=/mnt/gostate/tree state=/var/lib/gostate
n=$1
work=$(mktemp -d /run/kills.XXXX)
args=(--file-root $tree/salt --pillar-root $tree/pillar --no-color --out json)
bad=0 done=0 faults=''

# converge runs gostate to its end; its output is kept in the work folder under the name.
converge() {
  local code=0
  /mnt/gostate/gostate "${args[@]}" --wait 5m highstate >"$work/$1.out" 2>"$work/$1.err" || code=$?
  return $code
}

fault() { faults+="  $*"$'\n'; }

# changes are the states that changed something in the run of the name, and those that failed with their comments.
changes() {
  awk '/^        "/ { tag = $0 } /"changes": \{$/ { print tag } /"result": (false|null)/ { print tag; getline; print }' "$work/$1.out" |
    cut -c 1-400
  grep -q '^    "local": {' "$work/$1.out" || head -c 600 "$work/$1.out" "$work/$1.err"
}

# looks describes /etc, without what differs from run to run. The order of accounts is that of their making.
looks() {
  local f
  for f in passwd group shadow gshadow; do sed "s/^/$f: /" /etc/$f; done | sort
  find /etc -xdev "${noise[@]}" -type f -print0 | sort -z | xargs -0 sha256sum
  find /etc -xdev "${noise[@]}" -printf '%y %m %u %g %p %l\n' | sort
}
noise=(\( -name '*-' -o -name .pwd.lock -o -name ld.so.cache -o -name machine-id -o -name resolv.conf -o -name adjtime -o -name '*.bak' -o -path /etc/ssl
  -o -path /etc/passwd -o -path /etc/group -o -path /etc/shadow -o -path /etc/gshadow \) -prune -o)

# starts are the times at which a unit was started or reloaded, in microseconds.
starts() {
  journalctl --sync
  journalctl -q -o short-unix -u "$1" | grep -E ': (Started|Reloaded) ' | cut -d ' ' -f 1 | tr -d .
}

# reacted checks that each unit was started or reloaded after the last change of what it watches.
reacted() {
  local unit files f since changed
  while read -r unit files; do
    systemctl -q is-active "$unit" || fault "$unit is not active"
    since=$(starts "$unit" | tail -n 1)
    for f in $files; do
      changed=$(date -d "$(stat -c %z "$f")" +%s%6N)
      [ "$changed" -le "${since:-0}" ] || fault "LOST: $f changed after $unit was started"
    done
  done <"$tree/watched"
}

# kill_some kills what the kind of a round says, of the unit in which the run is.
kill_some() {
  local pids
  case $1 in
    run) pids=$(cat "$work/pid") ;; # its commands live on
    all) pids=$(cat "/sys/fs/cgroup/system.slice/$2.service/cgroup.procs" 2>/dev/null) ;;
    apt) pids=$(pgrep -x 'apt-get|dpkg' | shuf -n 1) ;;
  esac
  killed="of $(for p in $pids; do cat "/proc/$p/comm"; done 2>/dev/null | sort | uniq -c | tr -s ' \n' ' ' | sed 's/^ //')"
  kill -9 $pids 2>/dev/null
  pgrep -x 'apt-get|dpkg' >"$work/alive" # it may start the unit yet
}

# squeeze leaves little room where the kind says.
squeeze() {
  case $1 in
    fulldisk) head -c "$((RANDOM * 8))" /dev/zero >/filler.end; dd if=/dev/zero of=/filler bs=1M status=none 2>/dev/null; rm /filler.end ;;
    fulltmp) mount -t tmpfs -o size=4k none /tmp; head -c 4096 /dev/zero >/tmp/filler ;;
    fullstate) mount -t tmpfs -o size=4k,mode=700 none $state; : >$state/run.lock; head -c 4096 /dev/zero >$state/filler 2>/dev/null ;;
  esac
}

release() {
  rm -f /filler
  if [ "$1" = fulltmp ]; then umount -l /tmp; fi
  if [ "$1" = fullstate ]; then umount -l $state; fi
}

cat >"$work/victim" <<EOF
echo \$\$ >$work/pid
exec /mnt/gostate/gostate ${args[*]} highstate >$work/killed.out 2>$work/killed.err
EOF

# allowed is how often a unit may be started or reloaded by a run after a killed one: as often as without a kill, by the
# scripts of packages, the state and its reaction; once for what is owed; once by a package manager that lived on.
allowed() {
  local n=${usual[$1]:-0}
  if [ "$n" = 0 ]; then n=1; fi
  if [ -s "$work/alive" ]; then n=$((n + 1)); fi
  echo $n
}

# round N KIND
round() {
  local i=$1 kind=$2 unit=kills-$1 length=${took[$(($1 % 6))]:-3000} code=0 after wait unit_
  faults='' killed=''
  : >"$work/alive"
  bash $tree/change "$i" >"$work/change" 2>&1
  squeeze "$kind"
  systemd-run -q --unit="$unit" -p KillMode=process -E HOME=/root bash "$work/victim"
  wait=$((RANDOM * 32768 + RANDOM))
  wait=$((wait % length))
  case $kind in
    full*)
      if [ $((RANDOM % 2)) = 0 ]; then wait=0; fi
      for _ in $(seq 600); do systemctl is-active -q "$unit" || break; sleep 0.1; done ;;
    apt)
      for _ in $(seq 30); do pgrep -x 'apt-get|dpkg' >/dev/null && break; sleep 0.05; done
      sleep "$(printf '0.%03d' $((RANDOM % 1000)))"
      kill_some apt "$unit"
      for _ in $(seq 600); do systemctl is-active -q "$unit" || break; sleep 0.1; done ;;
    *)
      sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))"
      kill_some "$kind" "$unit" ;;
  esac
  release "$kind"
  systemctl reset-failed 2>/dev/null # systemd refuses the sixth start within ten seconds
  declare -A count=()
  while read -r unit_ _; do count[$unit_]=$(starts "$unit_" | wc -l); done <"$tree/watched"
  converge next || code=$?
  [ $code = 0 ] || fault "the next run ends with $code: $(changes next) $(head -c 400 "$work/next.err")"
  while read -r unit_ _; do
    after=$(starts "$unit_" | wc -l)
    [ $((after - count[$unit_])) -le "$(allowed "$unit_ $((i % 6))")" ] || fault "TWICE: $unit_ was started $((after - count[$unit_])) times by the next run"
    count[$unit_]=$after
  done <"$tree/watched"
  reacted
  converge third || fault "the run after ends with $?"
  after=$(changes third)
  [ "$after" = "$always" ] || fault "the run after changes: $after"
  [ -z "$(dpkg --audit)" ] || fault "dpkg --audit: $(dpkg --audit | tr '\n' ' ')"
  after=$(dpkg -l | awk 'NR > 5 && $1 !~ /^(ii|rc|un|hi)$/ {print $1, $2}')
  [ -z "$after" ] || fault "packages: $after"
  after=$(find / -xdev \( -path /proc -o -path /run/kills\* -o -path /mnt \) -prune -o \( -name '.gostate*' -o -name '*.dpkg-new' -o -name '*.dpkg-tmp' -o -path "$state/owed/*" \) -print; find /tmp -mindepth 1 -not -path '/tmp/systemd-private*' -not -name '.*-unix')
  [ -z "$after" ] || fault "left: $after"
  [ ! -s $state/run.lock ] || fault "the lock file holds $(cat $state/run.lock)"
  looks >"$work/looks"
  cmp -s "$work/golden" "$work/looks" || fault "the host differs: $(diff "$work/golden" "$work/looks" | grep '^[<>]' | head -20)"
  report
}

# report tells what was found. A run that had ended before the kill does not count, and the next kill comes earlier.
report() {
  local verdict=ok
  case $killed in
    'of ') verdict=late took[$((i % 6))]=$((length * 8 / 10 + 10)) ;;
    *) done=$((done + 1)) ;;
  esac
  if [ "$faults" ]; then verdict=BAD bad=$((bad + 1)); fi
  printf '%s %s of %s: round %s, change %s, %s at %s of %s ms, killed %s\n%s' "$verdict" "$done" "$n" "$i" "$((i % 6))" "$kind" "$wait" "$length" "$killed" "$faults"
  if [ "$faults" ]; then rm -rf "/var/tmp/bad-$i"; cp -r "$work" "/var/tmp/bad-$i"; fi
}

if [ -e $tree/offline ]; then
  rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
  echo 'deb [trusted=yes] file:/srv/repo ./' >/etc/apt/sources.list.d/local.list
fi
apt-get -qq update
# downloaded makes what was downloaded the only repository: the rounds need no network, and are about what is killed.
downloaded() {
  local d n=0
  mkdir /var/tmp/repo
  for d in /var/cache/apt/archives/*.deb; do
    cp "$d" /var/tmp/repo/$((++n)).deb
    dpkg-deb -f "$d"
    printf 'Filename: ./%s.deb\nSize: %s\nSHA256: %s\n\n' $n "$(stat -c %s "$d")" "$(sha256sum <"$d" | cut -d ' ' -f 1)"
  done >/var/tmp/repo/Packages
  [ $n = 0 ] && return
  (
    . /etc/os-release
    cd /var/tmp/repo
    printf \
      'Codename: %s\nDate: %s\nSHA256:\n %s %s Packages\n' \
      "$VERSION_CODENAME" "$(date -Ru)" "$(sha256sum <Packages | cut -d ' ' -f 1)" "$(stat -c %s Packages)" >Release
  )
  rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
  echo 'deb [trusted=yes] file:/var/tmp/repo ./' >/etc/apt/sources.list.d/local.list
  apt-get -qq update
}

declare -A took=() usual=()
converge first || { echo "the tree does not converge: $(changes first) $(cat "$work/first.err")"; exit 2; }
downloaded
for i in 0 1 2 3 4 5; do # how long an undisturbed run takes after each kind of change
  bash $tree/change $i >"$work/change" 2>&1
  while read -r unit _; do usual[$unit $i]=$(starts "$unit" | wc -l); done <"$tree/watched"
  begin=$(date +%s%N)
  converge first || { echo "change $i does not converge: $(changes first) $(cat "$work/first.err")"; exit 2; }
  took[$i]=$((($(date +%s%N) - begin) / 1000000))
  while read -r unit _; do usual[$unit $i]=$(($(starts "$unit" | wc -l) - usual[$unit $i])); done <"$tree/watched"
  if [ $i = 0 ]; then
    looks >"$work/golden"
    converge again
    always=$(changes again) # what changes in every run, by the tree's will
  fi
  looks | diff "$work/golden" - >"$work/diff" || { echo "change $i is not undone:"; cat "$work/diff"; }
done
kinds=(run all run apt all run fulldisk all run fulltmp apt fullstate)
for ((i = 1; done < n; i++)); do
  round "$i" "${kinds[$((RANDOM % ${#kinds[@]}))]}"
done
echo "$done runs were killed or had a full disk, $bad rounds with faults"
[ "$bad" = 0 ]
