#!/bin/bash
# node.sh [-s STATE_DIR] ACTION NODE...   Plays the part of a node's power button.
#   off     slurmd stops cleanly (node goes DOWN* after SlurmdTimeout)
#   crash   slurmd and its job steps are killed, as in a power cut
#   on      slurmd starts; boot time is the host's
#   boot    slurmd starts and reports a fresh boot (-b)
#   hang-reboot / heal-reboot   the next reboots never / again come back
#   boot-seconds=N              how long this node's simulated reboot takes
#   status  pid or "off"
set -u
KIT=$(cd "$(dirname "$0")" && pwd); . "$KIT/lib.sh"
[ "${1:-}" = -s ] && { LAB_STATE=$2; shift 2; }
use_state; act=${1:-}; [ $# -ge 2 ] || die "usage: node.sh [-s STATE_DIR] off|crash|on|boot|hang-reboot|heal-reboot|boot-seconds=N|status NODE..."
shift
for n in "$@"; do
  [ -d "$LAB_STATE/spool/$n" ] || die "no node $n"
  case $act in
    off)    halt TERM 8 "$n" ;;
    crash)  halt KILL 2 "$n"; kill_steps "$n"; power_off_machine "$n" ;;
    on)     launch_machine "$n"; launch_node "$n" ;;
    boot)   boot_machine "$n"; launch_node "$n" -b ;;
    hang-reboot) touch "$LAB_STATE/fail-reboot/$n" ;;
    heal-reboot) rm -f "$LAB_STATE/fail-reboot/$n" ;;
    boot-seconds=*) echo "${act#*=}" >"$LAB_STATE/boot-seconds/$n" ;;
    status) echo "$n $(pid_of "$n" || echo off)" ;;
    *) die "unknown action $act" ;;
  esac
done
