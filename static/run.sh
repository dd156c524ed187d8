#!/bin/sh
# Runs a job and reports to its check on peal: the start, the exit code and the end of its output. For machines without the
# binary, which does more (docs/check-ins.md). It needs curl or wget, and changes neither the job's output nor its exit code.
#   run.sh --check <ping url> [--wait <seconds>] -- <command...>
# shellcheck disable=SC2064,SC2317 # each trap has its own signal, and calls `pass`
check='' wait=300
while [ $# -gt 1 ]; do
  case $1 in --check) check=$2 ;; --wait) wait=$2 ;; *) break ;; esac
  shift 2
done
[ "${1-}" != -- ] || shift
case $wait in '' | *[!0-9]*) check='' ;; esac
if [ -z "$check" ] || [ $# -eq 0 ]; then
  echo 'run.sh: usage: run.sh --check <ping url> [--wait <seconds>] -- <command...>' >&2
  exit 64
fi
case $check in http://* | https://*) ;; *) check=${PEAL_URL-}/v1/ping/$check ;; esac
case $check in *\?*) query=\&${check#*\?} check=${check%%\?*} ;; *) query='' ;; esac
if ! { dir=$(mktemp -d "${TMPDIR:-/tmp}/peal-run.XXXXXX") &&
  touch "$dir/old" "$dir/new" "$dir/why" && mkfifo "$dir/out" "$dir/err" "$dir/all"; }; then
  echo 'run.sh: no room for temporary files, so the check is not told' >&2
  rm -rf "$dir"; exec "$@"
fi
trap 'rm -rf "$dir"' EXIT
rid=$(date +%s)-$$ again='' job='' leave='' looks=0 told=''
ping() { # $1: start or the exit code, $2: the file with the body
  set -- "${check%/}/$1?rid=$rid$query" "$2"
  if command -v curl >/dev/null 2>&1; then curl -fsS -m 10 -o /dev/null --data-binary "@$2" "$1" 2>"$dir/why" &
  else wget -q -T 10 -O /dev/null --post-file="$2" "$1" 2>"$dir/why" & fi
  wait $! # for a child: signals get through at once
}
keep() { # the last 8 kB of standard input, in $dir/old and $dir/new, however much comes
  while dd bs=65536 count=64 of="$dir/new" 2>/dev/null && [ -s "$dir/new" ]; do
    cat "$dir/old" "$dir/new" | tail -c 8192 >"$dir/sum" && mv "$dir/sum" "$dir/old" && : >"$dir/new"
  done
  exec cat >/dev/null # nobody who still writes may be held up
}
pass() { again=1; if [ -n "$job" ]; then kill -s "$1" "$job" 2>/dev/null; else leave=1; fi; }
for signal in HUP TERM USR1 USR2; do trap "pass $signal" "$signal"; done
trap 'pass TERM' INT QUIT # a shell has its background jobs ignore these two
exec 3<&0
keep <"$dir/all" >/dev/null 2>&1 3<&- & keeper=$!
exec 4>"$dir/all" # both have it until they end: else the second may open it when the first is through and nobody reads
tee "$dir/all" <"$dir/out" 3<&- &
tee "$dir/all" <"$dir/err" >&2 3<&- &
exec 4>&-
{ until ping start /dev/null || [ -e "$dir/ended" ]; do sleep 1; done; } >/dev/null 2>&1 3<&- & starter=$!
"$@" <&3 >"$dir/out" 2>"$dir/err" 3<&- & job=$!
wait "$job"; code=$?
while [ -n "$again" ]; do again=''; wait "$job"; now=$?; [ "$now" -eq 127 ] || code=$now; done # a signal had ended the wait
job='' until=$(($(date +%s) + wait))
: >"$dir/ended"
while [ -z "$leave" ] && kill -0 "$keeper" 2>/dev/null && [ "$((looks += 1))" -le 10 ]; do
  sleep 0.2 2>/dev/null || sleep 1 # what the job left behind may hold its output open for ever
done
[ -n "$leave" ] || wait "$starter" 2>/dev/null # the end comes after the start
cat "$dir/old" "$dir/new" | tail -c 8192 >"$dir/end"
until { ping "$code" "$dir/end" && told=1; } || [ -n "$leave" ] || [ "$(date +%s)" -ge "$until" ]; do sleep 2 & wait $!; done
[ -n "$told" ] || echo "run.sh: could not report to the check that the job ended with $code: $(tr '\n' ' ' <"$dir/why")" >&2
exit "$code"
