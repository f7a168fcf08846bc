#!/bin/sh
# Every pattern of --list=patterns on fabrics of one, two and three hosts, and on fewer ranks than it needs: a result, or one
# line that names it: few.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

# names MARKS: the patterns whose marks in the list are these.
names() {
	"$bin/orcs" --list=patterns | awk -v marks="$1" '/^  [^ ]/ && $2 ~ marks && $1 !~ /^otf2:/ { # nothing here writes OTF2
		 sub(/[:[].*/, "", $1); print $1 }'
}

# spec NAME NUMBER: with a parameter of that size.
spec() {
	case $1 in
	neighbor | shift | hotspot | manyalltoall | manyalltoall_random | random | hotspot_random | hotregion | dcntraffic | alltoone | onetoall) echo "$1:$2" ;;
	local) echo "local:$2,0.5" ;;
	unstructured) echo "unstructured:$2,2" ;;
	phases) echo "phases:shift:1,$2" ;;
	stencil | multigrid | sweep | flood) echo "$1:${2}x1" ;;
	distance) echo "$1:0" ;;
	file) echo "file:$work/file" ;;
	trace) echo "trace:examples/pipeline.trace" ;;
	goal) echo "goal:examples/pingpong.goal" ;;
	actions) echo "actions:examples/allreduce.ti" ;;
	matrix) echo "matrix:$work/matrix" ;;
	dumpi | chakra) echo "$1:$work/$1/trace" ;;
	liballprof) echo "$1:$work/$1/trace-" ;;
	nccl) echo "nccl:$work/nccl/trace" ;;
	jobs) echo "jobs:examples/two.jobs" ;;
	ptrnvsptrn) echo "ptrnvsptrn --frstptrn shift:1 --secptrn bisect --part_commsize 1" ;;
	*) echo "$1" ;;
	esac
}
printf '0 2 1\n' >"$work/file"
printf '0,4,10\n' >"$work/matrix"
for form in dumpi liballprof chakra nccl; do
	python3 tests/flow/programs.py "ring:$form" "$work/$form" 4 || exit 1
done

# answers NAME ARGUMENTS...: a result without a word more than its unit, or status 2 and one line; which says of what, or that the ranks do not fit.
answers() {
	word=$1
	shift
	echo "orcs --quiet $*"
	timeout 60 "$bin/orcs" --quiet "$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	case $status in
	0) [ -s "$work/out" ] && [ ! -s "$work/err" ] && ! grep -qi nan "$work/out" ;;
	2) [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q "^orcs: .*\(\<$word\>\|--first-ranks\|but only [0-9]* hosts\)" "$work/err" ;;
	*) return 1 ;;
	esac
}

# shellcheck disable=SC2046 # a pattern and its options
every() {
	what=$1
	shift
	for each in $(names '^.t'); do
		for engine in congestion flow latency packet; do
			for number in 1 5; do
				check "$each with $number, $engine, $what" answers "$each" --engine $engine -p $(spec "$each" $number) "$@"
			done
		done
	done
	for each in $(names '^--l') shift gather bisect random file; do
		check "$each, under load, $what" answers "$each" --engine packet --load 0.3 --measure 1ms --traffic "$(spec "$each" 1)" "$@"
	done
}
every "1 host" star:1
sanitized || every "2 hosts" star:2
every "3 hosts, 2 ranks" -s 2 star:3

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
