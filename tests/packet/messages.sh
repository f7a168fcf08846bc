#!/bin/sh
# Sizes and completion times of messages in open loops: messages.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

# refuses STATUS WORDS ARGUMENTS...: orcs ends with that status, without a result; its last line has the words.
refuses() {
	wanted=$1 words=$2
	shift 2
	"$bin/orcs" --engine packet "$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ "$status" -eq "$wanted" ] && [ ! -s "$work/out" ] && grep '^orcs: ' "$work/err" | tail -n 1 | grep -q -- "$words"
}
check "no such distribution" refuses 2 "unknown distribution of message sizes 'websaerch'; did you mean 'websearch'?" --load 0.1 --sizes websaerch star:4
check "without a load" refuses 2 "require --load" --sizes websearch star:4
check "sizes twice" refuses 2 "--bytes and --sizes both set" --load 0.1 --bytes 4 --sizes websearch star:4
check "sizes and a sweep" refuses 2 "--sizes and --sweep bytes both set" --load 0.1 --sweep bytes=4 --sizes websearch star:4
check "a file that is not there" refuses 1 "$work/none" --load 0.1 --sizes "file:$work/none" star:4
echo '100 0.5' >"$work/short"
check "a file that does not end" refuses 2 "is not 1, nor 100 percent" --load 0.1 --sizes "file:$work/short" star:4
echo '100 1' >"$work/whole"
check "its own file" refuses 2 "input" --load 0.1 --sizes "file:$work/whole" -o "$work/whole" star:4
check "metrics of times" refuses 2 "metric makespan is not available with --load; choose fct" --load 0.1 --metric makespan star:4

# Every number of processes has the same bytes.
alike() {
	for n in 1 2 3; do
		mpirun -n $n "$bin/orcs" --engine packet --quiet --metric fct,packet_latency --format json "$@" | jq -cS .metrics >"$work/run.$n" || return 1
	done
	[ -s "$work/run.1" ] && cmp "$work/run.1" "$work/run.2" && cmp "$work/run.1" "$work/run.3"
}
if command -v mpirun >/dev/null 2>&1 && command -v jq >/dev/null 2>&1; then
	check "processes alike: sizes" alike --load 0.4 --sizes uniform:64,20k --warmup 20us --measure 200us torus:4x4
	check "processes alike: speeds" alike --load 0.3 --bytes 9k --header rc --injection-rate 8G --warmup 20us --measure 200us torus:4x4
	check "processes alike: loads" alike --load 0.1,0.2,0.3 --sizes websearch --warmup 100us --measure 2ms star:6
else
	skip "mpirun or jq is not installed: not run by several processes"
fi

if command -v python3 >/dev/null 2>&1; then
	# shellcheck disable=SC2046 # a word or none
	python3 tests/packet/messages.py "$bin" "$work" $(sanitized && echo short) >"$work/reference" 2>&1 || grep -A 1 -e FAILED -e Error "$work/reference"
	good=$(sed -n 's/^\([0-9]*\) passed.*/\1/p' "$work/reference")
	bad=$(sed -n 's/.* passed, \([0-9]*\) failed$/\1/p' "$work/reference")
	passed=$((passed + ${good:-0}))
	failed=$((failed + ${bad:-1}))
else
	skip "python3 is not installed: no comparison with theory"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
