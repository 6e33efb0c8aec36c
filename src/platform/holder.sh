#!/bin/sh
# holder RUNDIR inbox|file PROGRAM ARGS...
# Keeps one program alive without the daemon. It must lead its own session and process group (the launcher sees to that).
#   inbox: stdin is the append-only file RUNDIR/in, followed for ever;  file: stdin is RUNDIR/in, then its end.
# Output is appended to RUNDIR/out and RUNDIR/err; RUNDIR/pgid, RUNDIR/holder, RUNDIR/pid and RUNDIR/exit say who
# runs, who will record its end, and how it ended.
# `mkdir` refuses a second start of the same run (99), also one by a daemon that does not know of the first.
#
# Traps that were met:
# - a background command of a non-interactive sh gets /dev/null as stdin before `<&0` is applied: hence descriptor 5;
# - GNU tail needs an inotify instance each and polls once a second beyond the user's limit: hence -s 0.1 where it is known;
# - a trapped signal interrupts `wait`, so the program's own end is asked for again;
# - when tail dies the program sees the end of its input and may leave with 0, as if it were done: hence the file `eof`;
# - a FIFO instead of the file loses what was not read when the reader dies.
r=$1
mode=$2
shift 2
mkdir "$r/lock" 2>/dev/null || exit 99
exec 3>>"$r/out" 4>>"$r/err"
echo $$ >"$r/pgid"

hold() {
  # Caught, not ignored: an ignored signal would be inherited by the program.
  trap : TERM HUP
  # $$ names the first shell, also in a part of a pipeline; a child knows its real parent.
  sh -c 'echo $PPID' >"$r/holder.tmp" && mv "$r/holder.tmp" "$r/holder"
  "$@" <&5 >&3 2>&4 3>&- 4>&- 5<&- &
  p=$!
  echo $p >"$r/pid.tmp" && mv "$r/pid.tmp" "$r/pid"
  while :; do
    wait $p
    c=$?
    kill -0 $p 2>/dev/null || break
  done
  # A program that leaves with 0 because its input was cut did not leave by itself: say it as a hang-up.
  [ "$c" = 0 ] && [ -e "$r/eof" ] && c=129
  echo $c >"$r/exit.tmp" && mv "$r/exit.tmp" "$r/exit"
  # What the program left in its group ends with it, and so does tail.
  trap '' TERM
  kill -TERM 0 2>/dev/null
}

if [ "$mode" = inbox ]; then
  interval=
  tail -s 0.1 -c 0 /dev/null 2>/dev/null && interval='-s 0.1'
  # shellcheck disable=SC2086 # two words on purpose
  { tail $interval -c +1 -f "$r/in" 2>/dev/null 3>&- 4>&-; : >"$r/eof"; } | { exec 5<&0 </dev/null; hold "$@"; }
else
  exec 5<"$r/in"
  hold "$@"
fi
