#!/usr/bin/env bash
# An agent of the `lines` protocol that reports what it does ten times a second and its usage once a second, without end.
# One of ten also asks a question and ends a turn once a minute. It starts no process of its own.
number=${AO_SESSION##*-}
[[ $number =~ ^[0-9]+$ ]] || number=$$
tick=$((number * 37 % 600))
report() {
  printf '{"type":"status","state":"working","note":"step %d of a long piece of work"}\n' "$tick"
  ((tick % 10 == 0)) && printf '{"type":"usage","inputTokens":100,"outputTokens":10,"model":"bench"}\n'
  ((number % 10 == 0)) || return
  case $((tick % 600)) in
    200) printf '{"type":"ask","id":"q-%d","question":"Which color?","choices":["red","blue"]}\n' "$tick" ;;
    230) printf '{"type":"unask","id":"q-%d"}\n' "$((tick - 30))" ;;
    400) printf '{"type":"done","summary":"piece %d"}\n' "$tick" ;;
  esac
}
begun=
while :; do
  if IFS= read -r -t 0.1 part; then
    line=$begun$part
    begun=
    id=${line#*\"id\":\"}
    printf '{"type":"received","id":"%s"}\n' "${id%%\"*}"
  elif (($? > 128)); then
    # The time was up in the middle of a line: the rest comes with the next reading.
    begun+=$part
  else
    exit 0
  fi
  ((++tick))
  report
done
