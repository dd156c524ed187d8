#!/bin/sh
# Runs a job and reports to its check on peal: the start, the exit code and the end of its output. For machines without the
# binary, which does more (docs/check-ins.md). It needs curl or wget, and changes neither the job's output nor its exit code.
#   run.sh --check <ping url> [--wait <seconds>] -- <command...>
check='' wait=300
while [ $# -gt 0 ]; do
  case $1 in
    --check) check=${2-}; shift ;;
    --wait) wait=${2-}; shift ;;
    --) shift; break ;;
    *) break ;;
  esac
  shift
done
case $wait in '' | *[!0-9]*) check='' ;; esac
if [ -z "$check" ] || [ $# -eq 0 ]; then
  echo 'run.sh: usage: run.sh --check <ping url> [--wait <seconds>] -- <command...>' >&2
  exit 64
fi
case $check in http://* | https://*) ;; *) check=${PEAL_URL-}/v1/ping/$check ;; esac
case $check in *\?*) query=\&${check#*\?} check=${check%%\?*} ;; *) query='' ;; esac
rid=$(date +%s)-$$ again='' job='' leave='' first=''

# one ping; $1: start or the exit code, $2: the file with its body. Waiting for a child lets signals through at once.
ping() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsS -m 10 -o /dev/null --data-binary "@$2" "${check%/}/$1?rid=$rid$query" 2>"$dir/why" &
  else
    wget -q -T 10 -O /dev/null --post-file="$2" "${check%/}/$1?rid=$rid$query" 2>"$dir/why" &
  fi
  wait $!
}
# keeps the last 8 kB of standard input in $dir/old and $dir/new, however much comes
keep() {
  while dd bs=65536 count=64 of="$dir/new" 2>/dev/null && [ -s "$dir/new" ]; do
    cat "$dir/old" "$dir/new" | tail -c 8192 >"$dir/sum" && mv "$dir/sum" "$dir/old" && : >"$dir/new"
  done
  exec cat >/dev/null # nobody who still writes may be held up
}
# shellcheck disable=SC2317 # the traps call it
pass() { again=1; if [ -n "$job" ]; then kill -s "$1" "$job" 2>/dev/null; else leave=1; fi; }
for signal in HUP TERM USR1 USR2; do
  # shellcheck disable=SC2064 # each trap has its own signal
  trap "pass $signal" "$signal"
done
trap 'pass TERM' INT QUIT # a shell has its background jobs ignore these two
exec 3<&0
umask 077
dir=$(mktemp -d "${TMPDIR:-/tmp}/peal-run.XXXXXX") || dir=''
trap '[ -z "$dir" ] || rm -rf "$dir"' EXIT

if [ -n "$dir" ] && : >"$dir/old" && : >"$dir/new" && : >"$dir/none" && mkfifo "$dir/out" "$dir/err" "$dir/all"; then
  keep <"$dir/all" >/dev/null 2>&1 3<&- & keeper=$!
  exec 4>"$dir/all" # both have it until they end: else the second may open it when the first is through and nobody reads
  tee "$dir/all" <"$dir/out" 3<&- & first=$!
  tee "$dir/all" <"$dir/err" >&2 3<&- & second=$!
  exec 4>&-
  { until ping start "$dir/none" || [ -e "$dir/ended" ]; do sleep 1; done; } >/dev/null 2>&1 3<&- & starter=$!
  "$@" <&3 >"$dir/out" 2>"$dir/err" 3<&- & job=$!
else
  "$@" <&3 3<&- & job=$!
fi
code=127 again=1
while [ -n "$again" ]; do
  again=''
  wait "$job"; now=$?
  [ "$now" -eq 127 ] && [ "$code" -ne 127 ] || code=$now
done
job=''
[ -n "$first" ] || { echo 'run.sh: no room for temporary files, so the check was not told' >&2; exit "$code"; }

: >"$dir/ended"
# what the job left behind may hold its output open for ever
for _ in 1 2 3 4 5 6 7 8 9 10; do
  if [ -n "$leave" ] || ! { kill -0 "$first" || kill -0 "$second" || kill -0 "$keeper"; } 2>/dev/null; then break; fi
  sleep 0.2 2>/dev/null || sleep 1
done
[ -n "$leave" ] || wait "$starter" 2>/dev/null
cat "$dir/old" "$dir/new" | tail -c 8192 >"$dir/end"
until=$(($(date +%s) + wait))
until ping "$code" "$dir/end"; do
  if [ -n "$leave" ] || [ "$(date +%s)" -ge "$until" ]; then
    echo "run.sh: could not report to the check that the job ended with $code: $(tr '\n' ' ' <"$dir/why")" >&2
    break
  fi
  sleep 2 & wait $!
done
exit "$code"
