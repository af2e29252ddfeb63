#!/bin/bash
# start.sh [-n NODES] [-s STATE_DIR] [-p BASE_PORT] [--fresh] [--no-rest]
# Starts munged, slurmctld, one real slurmd per fake node, and slurmrestd.
# Safe to repeat: it starts only what is not running.
set -u
KIT=$(cd "$(dirname "$0")" && pwd); . "$KIT/lib.sh"; . "$KIT/config.sh"
fresh=; rest=1
while [ $# -gt 0 ]; do case $1 in
  -n) LAB_NODES=$2; shift 2 ;;
  -s) LAB_STATE=$2; shift 2 ;;
  -p) LAB_PORT=$2; shift 2 ;;
  --fresh) fresh=1; shift ;;
  --no-rest) rest=; shift ;;
  *) die "usage: start.sh [-n 4..16] [-s STATE_DIR] [-p BASE_PORT] [--fresh] [--no-rest]" ;;
esac; done
[ "$(id -u)" = 0 ] || die "run as root"
case $LAB_NODES in ''|*[!0-9]*) die "node count must be a number" ;; esac
[ "$LAB_NODES" -ge 4 ] && [ "$LAB_NODES" -le 16 ] || die "node count must be 4..16"
case $LAB_STATE in /*) ;; *) die "state dir must be absolute" ;; esac
[ ${#LAB_STATE} -le 80 ] || die "state dir path too long for a unix socket"
for b in munged slurmctld slurmd scontrol; do command -v $b >/dev/null || die "$b is not installed"; done
use_state
want="nodes=$LAB_NODES port=$LAB_PORT"
if [ -z "$fresh" ] && [ -s "$LAB_STATE/shape" ] && [ "$(cat "$LAB_STATE/shape")" != "$want" ]; then
  if pid_of slurmctld >/dev/null; then die "already running as: $(cat "$LAB_STATE/shape"); run stop.sh first"; fi
  fresh=1                                       # saved node state would not match
fi
if [ -n "$fresh" ]; then
  "$KIT/stop.sh" -s "$LAB_STATE" >/dev/null 2>&1
  for d in ctld spool run log etc boot-seconds fail-reboot shape env.sh; do rm -rf "${LAB_STATE:?}/$d"; done
fi
umask 022
mkdir -p "$RUN" "$LOG" "$ETC" "$LAB_STATE"/{ctld,spool,boot-seconds,fail-reboot}
chmod 755 "$LAB_STATE" "$RUN" "$ETC"; chmod 700 "$LAB_STATE/ctld"
exec 9>"$RUN/.lock"; flock -w 30 9 || die "another start or stop is running"
for n in $(all_nodes); do mkdir -p "$LAB_STATE/spool/$n"; done
echo "$LAB_BOOT_SECONDS" >"$LAB_STATE/boot-seconds/default"
pid_of slurmctld >/dev/null || write_config
echo "$want" >"$LAB_STATE/shape"

launch munged munged --foreground --force --key-file="$ETC/munge.key" --socket="$RUN/munge.socket" \
  --pid-file="$RUN/munged.self" --log-file="$LOG/munged.log" --seed-file="$LAB_STATE/munged.seed"
for _ in $(seq 50); do munge -S "$RUN/munge.socket" -n >/dev/null 2>&1 && break; sleep 0.1; done
munge -S "$RUN/munge.socket" -n >/dev/null 2>&1 || die "munged did not answer; see $LOG/munged.out"

launch slurmctld /usr/sbin/slurmctld -D
for _ in $(seq 100); do scontrol ping 2>/dev/null | grep -q UP && break; pid_of slurmctld >/dev/null || break; sleep 0.1; done
scontrol ping 2>/dev/null | grep -q UP || die "slurmctld did not answer; see $LOG/slurmctld.log"

for n in $(all_nodes); do
  [ -e "$RUN/reboot-$n.pid" ] && pid_of "reboot-$n" >/dev/null && continue
  launch_machine "$n"
  launch_node "$n"
done
launch_machine head
if [ -n "$rest" ] && command -v slurmrestd >/dev/null; then
  SLURM_JWT=daemon launch slurmrestd setpriv --reuid="$LAB_REST_USER" --regid="$(id -g "$LAB_REST_USER")" \
    --clear-groups /usr/sbin/slurmrestd -a rest_auth/jwt \
    -s openapi/v0.0.38,openapi/v0.0.37,openapi/v0.0.36 127.0.0.1:$((LAB_PORT + 3))
fi
# A node counts once it has registered: "*" means not responding.
for _ in $(seq 150); do
  up=$(sinfo -h -N -p train -o %T 2>/dev/null | grep -Evc '[*]$|^unk|^inval')
  [ "$up" -ge "$LAB_NODES" ] && break; sleep 0.1
done
[ "$up" -ge "$LAB_NODES" ] || die "only $up of $LAB_NODES nodes answer; see sinfo and $LOG"
if [ -n "$rest" ]; then
  for _ in $(seq 50); do curl -s -o /dev/null "http://127.0.0.1:$((LAB_PORT + 3))/" && break; sleep 0.1; done
  pid_of slurmrestd >/dev/null || die "slurmrestd is not running; see $LOG/slurmrestd.out"
fi
say "up: $LAB_NODES nodes, slurmctld 127.0.0.1:$LAB_PORT, rest 127.0.0.1:$((LAB_PORT + 3)); . $LAB_STATE/env.sh"
