/**
 * What runs on a host for detached commands, in plain POSIX sh with coreutils and setsid. Every value comes as an argument, never pasted into the text.
 *
 * A folder per key, made by one mkdir (atomic), holds: boot (boot id at the start), command, started (epoch seconds), pid ("runner ticks group ticks":
 * start ticks make a recycled pid harmless), out, err, and at the end exit ("code epoch", renamed into place, so it is whole or absent).
 */

/** ticks PID: start time of a live process, nothing for a dead or zombie one. bootid FILE: its text, blanks removed. */
const FUNCTIONS = `
ticks() { s=$(cat "/proc/$1/stat" 2>/dev/null) || return 0; s=\${s##*) }; set -- $s; [ "$1" = Z ] || echo "\${20}"; }
alive() { [ -n "$2" ] && [ "$(ticks "$1")" = "$2" ]; }
bootid() { cat -- "$1" 2>/dev/null | tr -cd '[:graph:]' | head -c 100; }
rebooted() { was=$(cat "$1/boot" 2>/dev/null); is=$(bootid "$2"); [ -n "$was" ] && [ -n "$is" ] && [ "$was" != "$is" ]; }
`;

/** DIR SECONDS. Its own session; the command gets another one (the group that stop kills), so that the runner survives to write the exit file. */
export const RUNNER_SCRIPT = `${FUNCTIONS}
dir=$1
setsid timeout -k 10 "$2" sh "$dir/command" >"$dir/out" 2>"$dir/err" </dev/null &
group=$!
echo "$$ $(ticks $$) $group $(ticks "$group")" >"$dir/pid.new" && mv "$dir/pid.new" "$dir/pid"
wait "$group"
code=$?
echo "$code $(date +%s)" >"$dir/exit.new" && mv "$dir/exit.new" "$dir/exit"
`;

/** DIR. Ours alone where it is made here; where it exists it stays as it is. */
export const FOLDER_SCRIPT = `umask 077; mkdir -p -- "$1"`;

/** DIR BOOT_ID_FILE SECONDS COMMAND RUNNER. Prints "started" or "again", then the boot id. */
export const START_SCRIPT = `${FUNCTIONS}
dir=$1
old=$(umask)
umask 077
mkdir -p -- "\${dir%/*}" || exit 73
if ! mkdir -- "$dir" 2>/dev/null; then
  [ -d "$dir" ] || { echo "cannot make $dir" >&2; exit 73; }
  echo again
  cat "$dir/boot" 2>/dev/null
  exit 0
fi
boot=$(bootid "$2")
if ! { printf '%s' "$boot" >"$dir/boot" && printf '%s\\n' "$4" >"$dir/command" && date +%s >"$dir/started"; }; then
  rm -rf -- "$dir"
  echo "cannot write below $dir" >&2
  exit 74
fi
umask "$old"
setsid sh -c "$5" clearance "$dir" "$3" </dev/null >/dev/null 2>&1 &
echo started
printf '%s' "$boot"
`;

/** DIR BOOT_ID_FILE MAX_BYTES. One line, then for "ended CODE STARTED ENDED OUT ERR" that many bytes (at most MAX_BYTES each) of both outputs. */
export const POLL_SCRIPT = `${FUNCTIONS}
dir=$1
ended() {
  [ -f "$dir/exit" ] || return 0
  read -r code at <"$dir/exit"
  out=$(($(wc -c <"$dir/out"))); err=$(($(wc -c <"$dir/err")))
  echo "ended $code $(cat "$dir/started") $at $out $err"
  [ "$out" -le "$3" ] || out=$3
  [ "$err" -le "$3" ] || err=$3
  head -c "$out" "$dir/out"
  head -c "$err" "$dir/err"
  exit 0
}
[ -d "$dir" ] || { echo gone; exit 0; }
ended "$@"
rebooted "$dir" "$2" && { echo rebooted; exit 0; }
if [ -s "$dir/pid" ]; then
  read -r runner rticks group gticks <"$dir/pid"
  if alive "$runner" "$rticks" || alive "$group" "$gticks"; then echo running; exit 0; fi
  ended "$@"
  echo vanished
  exit 0
fi
age=$(($(date +%s) - $(cat "$dir/started" 2>/dev/null || echo 0)))
if [ "$age" -lt 30 ]; then echo running; else echo unbegun; fi
`;

/** DIR BOOT_ID_FILE. Ends the command's process group: TERM, after 5 s KILL; prints what became of it. */
export const STOP_SCRIPT = `${FUNCTIONS}
dir=$1
[ -d "$dir" ] || { echo gone; exit 0; }
n=0
while [ ! -f "$dir/exit" ] && [ ! -s "$dir/pid" ] && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
[ -f "$dir/exit" ] && { echo ended; exit 0; }
rebooted "$dir" "$2" && { echo gone; exit 0; }
[ -s "$dir/pid" ] || { echo gone; exit 0; }
read -r runner rticks group gticks <"$dir/pid"
alive "$group" "$gticks" && kill -s TERM -- "-$group" 2>/dev/null
n=0
while alive "$group" "$gticks" && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
alive "$group" "$gticks" && kill -s KILL -- "-$group" 2>/dev/null
n=0
while { alive "$group" "$gticks" || alive "$runner" "$rticks"; } && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
if alive "$group" "$gticks"; then echo stuck; else echo stopped; fi
`;
