# lib.sh - shared helpers of the Slurm lab; sourced by start.sh, stop.sh, node.sh
# and the generated RebootProgram.  Needs bash, util-linux (setsid, setpriv, flock).

LAB_STATE=${LAB_STATE:-${TMPDIR:-/tmp}/slurm-lab}     # everything mutable lives here
LAB_NODES=${LAB_NODES:-8}                       # 4..16
LAB_PORT=${LAB_PORT:-16817}                     # slurmctld; +3 slurmrestd; +101.. slurmds
LAB_BOOT_SECONDS=${LAB_BOOT_SECONDS:-4}         # how long a simulated reboot takes
LAB_SLURMD_TIMEOUT=${LAB_SLURMD_TIMEOUT:-10}    # silent slurmd -> DOWN after about this
LAB_RESUME_TIMEOUT=${LAB_RESUME_TIMEOUT:-30}    # reboot not finished -> DOWN after this
LAB_MIN_JOB_AGE=${LAB_MIN_JOB_AGE:-600}         # finished jobs stay visible this long
LAB_RETURN_TO_SERVICE=${LAB_RETURN_TO_SERVICE:-2} # slurm.conf ReturnToService
LAB_REST_USER=${LAB_REST_USER:-nobody}          # slurmrestd refuses root

say() { printf 'slurmlab: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

use_state() {                                   # derive every path from LAB_STATE
  RUN=$LAB_STATE/run; LOG=$LAB_STATE/log; ETC=$LAB_STATE/etc
  export SLURM_CONF=$ETC/slurm.conf
}

node_name() { printf 'gpu%03d' "$1"; }
all_nodes() { local i; for ((i = 1; i <= LAB_NODES; i++)); do node_name "$i"; echo; done; }

# --- processes: a pid file holds "PID STARTTICKS", so a recycled pid never matches
ticks() { local s; s=$(cat "/proc/${1:-none}/stat" 2>/dev/null) || return 1; s=${s##*) }; set -- $s
          [ "$1" != Z ] && echo "${20}"; }

pid_of() {                                      # prints the live pid of NAME, else fails
  local p t; read -r p t 2>/dev/null <"$RUN/$1.pid" || return 1
  [ -n "$p" ] && [ "$(ticks "$p")" = "$t" ] && echo "$p"
}

launch() {                                      # launch NAME CMD...  (detached, foreground daemon)
  local name=$1; shift
  pid_of "$name" >/dev/null && return 0
  setsid "$@" </dev/null >>"$LOG/$name.out" 2>&1 9>&- &
  local p=$!; echo "$p $(ticks $p)" >"$RUN/$name.pid"
  disown $p 2>/dev/null || true
}

halt() {                                        # halt SIGNAL SECONDS NAME...
  local sig=$1 secs=$2 n p end alive; shift 2
  for n in "$@"; do p=$(pid_of "$n") && kill "-$sig" "$p" 2>/dev/null; done
  end=$((SECONDS + secs))
  while :; do
    alive=; for n in "$@"; do pid_of "$n" >/dev/null && alive+="$n "; done
    [ -z "$alive" ] && break
    if [ $SECONDS -ge $end ]; then
      for n in $alive; do p=$(pid_of "$n") && kill -KILL "$p" 2>/dev/null; done; sleep 0.2; break
    fi
    sleep 0.1
  done
  for n in "$@"; do rm -f "$RUN/$n.pid"; done
}

launch_node() {                                 # launch_node NODE [extra slurmd options]
  local node=$1; shift
  SLURMLAB_NODE=$node launch "$node" /usr/sbin/slurmd -D -N "$node" "$@"
}

# --- the machine around a slurmd: its sshd, its boot id, its installed driver (folder nodes/NODE, absent in a lab without them)
launch_machine() {
  local conf=$LAB_STATE/nodes/$1/ssh/sshd_config
  [ -f "$conf" ] || return 0
  launch "sshd-$1" /usr/sbin/sshd -D -e -f "$conf"
}
power_off_machine() {                           # connections and everything that was started over them go too
  local root=$LAB_STATE/nodes/$1 p f
  [ -d "$root" ] || return 0
  p=$(pid_of "sshd-$1") && for p in $(below "$p"); do kill -KILL "$p" 2>/dev/null; done
  halt KILL 2 "sshd-$1"
  for f in /proc/[0-9]*/environ; do
    p=${f#/proc/}; p=${p%/environ}
    [ "$p" != $$ ] && grep -qzxF "NODE_ROOT=$root" "$f" 2>/dev/null && kill -KILL "$p" 2>/dev/null
  done
  return 0
}
boot_machine() {
  local root=$LAB_STATE/nodes/$1
  [ -d "$root" ] || return 0
  cat /proc/sys/kernel/random/uuid >"$root/boot_id.new" && mv "$root/boot_id.new" "$root/boot_id"
  [ -s "$root/lab/staged" ] && mv "$root/lab/staged" "$root/lab/driver"
  launch_machine "$1"
}

# Processes below PID.
below() { local c; for c in $(ps -o pid= --ppid "$1"); do echo "$c"; below "$c"; done; }

# slurmstepds of this lab and what they run; optional node filter.  They leave the
# slurmd's process tree and overwrite their environment, but keep its log open.
steps() {
  local p
  for p in $(ps -C slurmstepd -o pid=); do
    [ -n "$(find "/proc/$p/fd" -lname "$LOG/${1:-gpu*}.log" 2>/dev/null)" ] || continue
    echo "$p"; below "$p"
  done
}
kill_steps() { local p; for p in $(steps "${1:-}"); do kill -KILL "$p" 2>/dev/null; done; return 0; }
