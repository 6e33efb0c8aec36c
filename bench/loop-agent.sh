#!/bin/sh
# Confirms each message, notes when it came ($BENCH_DIR/arrivals-<session>, nanoseconds), commits something and is done.
while IFS= read -r line; do
  date +%s%N >>"$BENCH_DIR/arrivals-$AO_SESSION"
  id=${line#*\"id\":\"}
  id=${id%%\"*}
  printf '{"type":"received","id":"%s"}\n' "$id"
  printf '%s\n' "$id" >>"work-$AO_SESSION.txt"
  git add -A
  git -c user.name=bench -c user.email=bench@example.com commit -q -m "for $id" >/dev/null
  printf '{"type":"done"}\n'
done
