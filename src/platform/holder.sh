#!/bin/sh
# holder RUNDIR bell|inbox|file PROGRAM ARGS...
# Keeps one program alive without the daemon. It must lead its own session and process group (the launcher ensures that).
#   bell:  stdin is the append-only file RUNDIR/in, read further each time a line is written to the FIFO RUNDIR/bell;
#   inbox: the same with `tail -f`, for daemons that do not ring;  file: stdin is RUNDIR/in, then end of file.
# Output is appended to RUNDIR/out and RUNDIR/err; RUNDIR/pgid, RUNDIR/holder, RUNDIR/pid and RUNDIR/exit record
# what runs, which process will record its end, and how it ended.
# `mkdir` prevents a second start of the same run (99), even by a daemon that does not know about the first.
#
# Pitfalls:
# - a background command of a non-interactive sh gets /dev/null as stdin before `<&0` is applied: hence descriptor 5;
# - every GNU tail needs an inotify instance, and a user has 128 of them: hence the bell;
# - a ring while nobody waits must not be lost: hence a FIFO that the feeder keeps open for reading and writing;
# - a trapped signal interrupts `wait`, so it waits for the program again;
# - when the feeder dies, the program sees the end of its input and may exit with 0, as if it were done: hence the files
#   `eof` and `fed`. A zombie still has its pid, so that proves nothing: the feeder must answer the bell;
# - a FIFO instead of the file `in` would lose unread input when the reader dies.
r=$1
mode=$2
shift 2
# Files written here are private to the user; the program gets the user's own umask.
mask=$(umask)
umask 077
mkdir "$r/lock" 2>/dev/null || exit 99
exec 3>>"$r/out" 4>>"$r/err"
echo $$ >"$r/pgid"

hold() {
  # Caught, not ignored: an ignored signal would be inherited by the program.
  trap : TERM HUP
  # $$ is the first shell even in part of a pipeline; a child knows its real parent.
  sh -c 'echo $PPID' >"$r/holder.tmp" && mv "$r/holder.tmp" "$r/holder"
  # Their space is taken before the program runs, and then written over: it may fill the disk.
  echo '            ' >"$r/pid.tmp"
  echo '            ' >"$r/exit.tmp"
  { umask "$mask"; exec "$@"; } <&5 >&3 2>&4 3>&- 4>&- 5<&- 6>&- &
  p=$!
  echo $p 1<>"$r/pid.tmp" && mv "$r/pid.tmp" "$r/pid"
  while :; do
    wait $p
    c=$?
    kill -0 $p 2>/dev/null || break
  done
  [ "$c" = 0 ] && was_cut && c=129
  echo $c 1<>"$r/exit.tmp" && mv "$r/exit.tmp" "$r/exit"
  # Processes that the program left in its group end with it, and so does the feeder.
  trap '' TERM
  kill -TERM 0 2>/dev/null
}

# A program that exits with 0 because its input was cut did not finish: record it as a hang-up.
was_cut() {
  [ "$mode" = bell ] || { [ -e "$r/eof" ] && return; return 1; }
  echo end >&6
  # Ends with the feeder; unread input has no reader any more.
  cat <&5 >/dev/null
  [ ! -e "$r/fed" ]
}

feed() {
  exec 7<"$r/in"
  ring=
  while [ "$ring" != end ]; do
    # Descriptor 7 shares its offset, so each cat continues where the last one stopped.
    cat <&7 || return
    read -r ring <&6 || return
  done
  : >"$r/fed"
}

# Fall back to tail where there are no FIFOs.
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
