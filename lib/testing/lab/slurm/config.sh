# config.sh - writes the lab's configuration; sourced by start.sh after lib.sh.

write_config() {
  local host last i leaf leaves first end
  host=$(hostname -s); last=$(node_name "$LAB_NODES")

  [ -s "$ETC/munge.key" ] || { head -c 1024 /dev/urandom >"$ETC/munge.key"; chmod 600 "$ETC/munge.key"; }
  [ -s "$ETC/jwt.key" ]   || { head -c 32   /dev/urandom >"$ETC/jwt.key";   chmod 600 "$ETC/jwt.key"; }

  cat >"$ETC/slurm.conf" <<CONF
ClusterName=slurmlab
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$LAB_PORT
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$RUN/munge.socket
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=$ETC/jwt.key
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$LAB_STATE/ctld
SlurmdSpoolDir=$LAB_STATE/spool/%n
SlurmctldPidFile=$RUN/slurmctld.self
SlurmdPidFile=$RUN/%n.self
SlurmctldLogFile=$LOG/slurmctld.log
SlurmdLogFile=$LOG/%n.log
SlurmctldDebug=info
SlurmdDebug=info
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$LOG/jobcomp.txt
MpiDefault=none
SwitchType=switch/none
PriorityType=priority/basic
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=1,sched_interval=5,bf_interval=5
TopologyPlugin=topology/tree
TreeWidth=64
# A fake node may claim hardware this host lacks.
SlurmdParameters=config_overrides
GresTypes=gpu
ReturnToService=$LAB_RETURN_TO_SERVICE
SlurmdTimeout=$LAB_SLURMD_TIMEOUT
SlurmctldTimeout=30
MessageTimeout=5
ResumeTimeout=$LAB_RESUME_TIMEOUT
KillWait=2
CompleteWait=0
InactiveLimit=0
MinJobAge=$LAB_MIN_JOB_AGE
RebootProgram=$ETC/reboot-node
CONF
  leaves=$(((LAB_NODES + 3) / 4)); : >"$ETC/topology.conf"
  for ((leaf = 1; leaf <= leaves; leaf++)); do
    first=$(((leaf - 1) * 4 + 1)); end=$((leaf * 4)); ((end > LAB_NODES)) && end=$LAB_NODES
    printf 'SwitchName=leaf%02d Nodes=gpu[%03d-%03d]\n' $leaf $first $end >>"$ETC/topology.conf"
    for ((i = first; i <= end; i++)); do
      printf 'NodeName=gpu%03d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=32 Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=512000 Gres=gpu:h100:8 Feature=sku_h100,ib_leaf_%02d,rack_%02d State=UNKNOWN\n' \
        $i "$host" $((LAB_PORT + 100 + i)) $leaf $(((i + 1) / 2))
    done >>"$ETC/slurm.conf"
  done
  printf 'SwitchName=spine01 Switches=leaf[01-%02d]\n' $leaves >>"$ETC/topology.conf"
  cat >>"$ETC/slurm.conf" <<CONF
PartitionName=train Nodes=gpu[001-${last#gpu}] Default=YES MaxTime=2-00:00:00 DefaultTime=01:00:00 State=UP
PartitionName=debug Nodes=gpu[001-002] MaxTime=00:30:00 DefaultTime=00:10:00 State=UP
CONF
  # slurmd drops file-less gres/gpu lines ("count reported lower than configured"),
  # so eight plain files stand in for /dev/nvidia0..7.
  mkdir -p "$LAB_STATE/dev"; touch "$LAB_STATE"/dev/gpu{0..7}
  printf 'AutoDetect=off\nNodeName=gpu[001-%s] Name=gpu Type=h100 File=%s/dev/gpu[0-7]\n' \
    "${last#gpu}" "$LAB_STATE" >"$ETC/gres.conf"

  # slurmd runs this, as root, when slurmctld orders a reboot.  It must return at
  # once: a detached child stops that slurmd, waits, and starts it with -b, which
  # reports boot time = now (the host's real uptime would never satisfy slurmctld).
  cat >"$ETC/reboot-node" <<REBOOT
#!/bin/bash
LAB_STATE=$LAB_STATE LAB_NODES=$LAB_NODES
. "$KIT/lib.sh"; use_state
node=\${SLURMLAB_NODE:?}
echo "\$(date +%s) \$node \$*" >>"\$LOG/reboots.txt"
[ -e "\$LAB_STATE/fail-reboot/\$node" ] && hang=1
LAB_BOOT_SECONDS=\$(cat "\$LAB_STATE/boot-seconds/\$node" "\$LAB_STATE/boot-seconds/default" 2>/dev/null | head -n1)
(
  trap '' HUP; me=\$BASHPID; echo "\$me \$(ticks \$me)" >"\$RUN/reboot-\$node.pid"
  sleep 0.5; kill_steps "\$node"; halt TERM 5 "\$node"; power_off_machine "\$node"
  if [ -z "\${hang:-}" ]; then sleep "\${LAB_BOOT_SECONDS:-4}"; boot_machine "\$node"; launch_node "\$node" -b; fi
  rm -f "\$RUN/reboot-\$node.pid"
) </dev/null >>"\$LOG/reboot-\$node.out" 2>&1 &
REBOOT
  chmod 755 "$ETC/reboot-node"

  cat >"$LAB_STATE/env.sh" <<ENV
# . this file, then use sinfo, scontrol, curl ...
export SLURM_CONF=$ETC/slurm.conf
export SLURMLAB_URL=http://127.0.0.1:$((LAB_PORT + 3))
slurmlab_token() { scontrol token username="\${1:-root}" lifespan="\${2:-3600}" | sed -n 's/^SLURM_JWT=//p'; }
ENV
}
