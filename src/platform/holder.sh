#!/bin/sh
# holder RUNDIR bell|inbox|file PROGRAM ARGS...
# Keeps one program alive without the daemon. It must lead its own session and process group (the launcher sees to that).
#   bell:  stdin is the append-only file RUNDIR/in, read on each time a line is written to the FIFO RUNDIR/bell;
#   inbox: the same by `tail -f`, for daemons that do not ring;  file: stdin is RUNDIR/in, then its end.
# Output is appended to RUNDIR/out and RUNDIR/err; RUNDIR/pgid, RUNDIR/holder, RUNDIR/pid and RUNDIR/exit say who
# runs, who will record its end, and how it ended.
# `mkdir` refuses a second start of the same run (99), also one by a daemon that does not know of the first.
#
# Traps that were met:
# - a background command of a non-interactive sh gets /dev/null as stdin before `<&0` is applied: hence descriptor 5;
# - GNU tail needs an inotify instance each, and a user has 128 of them: hence the bell;
# - a bell that is rung while nobody waits must not be lost: hence a FIFO that the feeder keeps open for reading and writing;
# - a trapped signal interrupts `wait`, so the program's own end is asked for again;
# - when the feeder dies the program sees the end of its input and may leave with 0, as if it were done: hence the files
#   `eof` and `fed`. Its pid says nothing, since a zombie still has it, so it is asked by the bell and must answer;
# - a FIFO instead of the file `in` loses what was not read when the reader dies.
r=$1
mode=$2
shift 2
# What is written here is for the user alone; the program gets the mask that the user has.
mask=$(umask)
umask 077
mkdir "$r/lock" 2>/dev/null || exit 99
exec 3>>"$r/out" 4>>"$r/err"
echo $$ >"$r/pgid"

hold() {
  # Caught, not ignored: an ignored signal would be inherited by the program.
  trap : TERM HUP
  # $$ names the first shell, also in a part of a pipeline; a child knows its real parent.
  sh -c 'echo $PPID' >"$r/holder.tmp" && mv "$r/holder.tmp" "$r/holder"
  { umask "$mask"; exec "$@"; } <&5 >&3 2>&4 3>&- 4>&- 5<&- 6>&- &
  p=$!
  echo $p >"$r/pid.tmp" && mv "$r/pid.tmp" "$r/pid"
  while :; do
    wait $p
    c=$?
    kill -0 $p 2>/dev/null || break
  done
  [ "$c" = 0 ] && was_cut && c=129
  echo $c >"$r/exit.tmp" && mv "$r/exit.tmp" "$r/exit"
  # What the program left in its group ends with it, and so does the feeder.
  trap '' TERM
  kill -TERM 0 2>/dev/null
}

# A program that leaves with 0 because its input was cut did not leave by itself: it is recorded as a hang-up.
was_cut() {
  [ "$mode" = bell ] || { [ -e "$r/eof" ] && return; return 1; }
  echo end >&6
  # Ends when the feeder does; whatever was not read is for nobody any more.
  cat <&5 >/dev/null
  [ ! -e "$r/fed" ]
}

feed() {
  exec 7<"$r/in"
  ring=
  while [ "$ring" != end ]; do
    # The offset of descriptor 7 is shared, so each cat goes on where the last one stopped.
    cat <&7 || return
    read -r ring <&6 || return
  done
  : >"$r/fed"
}

# Without FIFOs tail has to do.
if [ "$mode" = bell ]; then mkfifo -m 600 "$r/bell" 2>/dev/null || mode=inbox; fi

if [ "$mode" = bell ]; then
  exec 6<>"$r/bell"
  feed 3>&- 4>&- | { exec 5<&0 </dev/null; hold "$@"; }
elif [ "$mode" = inbox ]; then
  interval=
  tail -s 0.1 -c 0 /dev/null 2>/dev/null && interval='-s 0.1'
  # shellcheck disable=SC2086 # two words on purpose
  { tail $interval -c +1 -f "$r/in" 2>/dev/null 3>&- 4>&-; : >"$r/eof"; } | { exec 5<&0 </dev/null; hold "$@"; }
else
  exec 5<"$r/in"
  hold "$@"
fi
