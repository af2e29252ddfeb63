#!/bin/bash
# stop.sh [-s STATE_DIR]   Stops what start.sh started, by recorded pid only.
set -u
KIT=$(cd "$(dirname "$0")" && pwd); . "$KIT/lib.sh"
while [ $# -gt 0 ]; do case $1 in
  -s) LAB_STATE=$2; shift 2 ;;
  *) die "usage: stop.sh [-s STATE_DIR]" ;;
esac; done
use_state
[ -d "$RUN" ] || exit 0
exec 9>"$RUN/.lock"; flock -w 30 9 || die "another start or stop is running"
if pid_of slurmctld >/dev/null; then
  ids=$(timeout 5 squeue -h -o %A 2>/dev/null | sort -u)
  if [ -n "$ids" ]; then
    timeout 5 scancel $ids 2>/dev/null
    for _ in $(seq 40); do [ -z "$(timeout 5 squeue -h -o %A 2>/dev/null)" ] && break; sleep 0.1; done
  fi
fi
names() { local f; for f in "$RUN"/$1.pid; do [ -e "$f" ] && basename "$f" .pid; done; }
halt TERM 2 $(names 'reboot-*') slurmrestd
halt TERM 8 $(names 'gpu*')
for n in $(names 'sshd-*'); do power_off_machine "${n#sshd-}"; done
kill_steps
halt TERM 8 slurmctld
halt TERM 3 munged
rm -f "$RUN/munge.socket" "$RUN/munge.socket.lock"
say "stopped"
