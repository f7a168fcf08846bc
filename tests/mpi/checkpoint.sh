#!/bin/sh
# A campaign that is killed again and again ends with the same bytes as one that is not: checkpoint.sh BIN_DIR
# CHECKPOINT_KILLS (20): how often each campaign is killed at most.
set -u

bin=$(cd "$1" && pwd)
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0
kills=${CHECKPOINT_KILLS:-20}

if ! command -v timeout >/dev/null 2>&1; then
	echo "SKIPPED: timeout is not installed"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
. tests/mpi_environment.sh
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"

good() {
	passed=$((passed + 1))
}

bad() {
	failed=$((failed + 1))
	echo "FAILED: $*"
}

# A number from 0 on, below $1.
random() {
	echo $(($(od -An -N4 -tu4 /dev/urandom) % $1))
}

# orcs on so many processes: PROCESSES ARGUMENTS
orcs() {
	processes=$1
	shift
	if [ "$processes" -eq 1 ]; then
		"$bin/orcs" "$@"
	else
		mpirun --oversubscribe -np "$processes" "$bin/orcs" "$@"
	fi
}

# The same, killed after so many hundredths of a second: HUNDREDTHS PROCESSES ARGUMENTS
killed() {
	time=$(printf '%d.%02d' $(($1 / 100)) $(($1 % 100)))
	processes=$2
	shift 2
	if [ "$processes" -eq 1 ]; then
		timeout -s KILL "$time" "$bin/orcs" "$@"
	else
		timeout -s KILL "$time" mpirun --oversubscribe -np "$processes" "$bin/orcs" "$@"
	fi
}

# The runs that a process with -v has found in the checkpoint; 0: it has not come so far.
found() {
	sed -n 's/^resumed from .* after \([0-9]*\) runs$/\1/p' "$work/err"
}

# The files that a call has written, one after the other.
written() { # OUTPUT
	for file in "$1" graph.dot plot.svg; do
		[ ! -f "$file" ] || cat "$file"
		case $file in "$1") ;; *) rm -f "$file" ;; esac
	done
}

# A campaign is killed at random moments, of any number of processes, until one comes to its end: NAME PROCESSES... -- ARGUMENTS
survives() {
	name=$1 counts=''
	shift
	while [ "$1" != -- ]; do
		counts="$counts $1"
		shift
	done
	shift
	rm -f ck
	orcs 1 -v "$@" -o result >"$work/out" 2>"$work/err" || bad "$name: $(cat "$work/err")"
	written result >"$work/unbroken"
	kept=0 ended='' slower=0 # a machine may be too slow to come to a checkpoint in that time
	for try in $(seq "$kills"); do
		# shellcheck disable=SC2086 # a list of numbers
		processes=$(set -- $counts && shift $((try % $#)) && echo "$1")
		least=$([ "$processes" -eq 1 ] && echo 25 || echo 150)
		killed $((least + slower + $(random 30))) "$processes" -v "$@" -o result --checkpoint ck,0 --resume ck >"$work/out" 2>"$work/err"
		status=$?
		if [ $status -eq 0 ]; then
			ended=yes
			break
		elif [ $status -ne 137 ]; then
			bad "$name: status $status: $(cat "$work/err")"
			return
		fi
		[ -f ck ] || slower=$((slower * 2 + 20))
	done
	orcs 2 -v "$@" -o result --checkpoint ck,0 --resume ck >"$work/out" 2>"$work/err" || bad "$name: $(cat "$work/err")"
	kept=$(found)
	written result >"$work/broken"
	if [ "${kept:-0}" -gt 0 ]; then good; else bad "$name: nothing was kept"; fi
	if cmp -s "$work/unbroken" "$work/broken"; then good; else bad "$name: killed $try times, other bytes"; fi
	[ -z "${VERBOSE:-}" ] || echo "$name: tried $try times, ended: ${ended:-no}, at last $kept runs of the checkpoint, $(wc -c <ck) bytes"
	if [ "$(ls -A)" = "ck
result" ]; then good; else bad "$name: left behind: $(ls -A)"; fi
}

tree=$root/examples/fattree324.dot small=$root/examples/fattree16.dot
all=hist_max_cong,hist_acc_band,sum_max_cong,dep_max_delay
flow=throughput,hops,loads,makespan,fct,tasks,levels,link_use:graph.dot,latency
packet=packet_latency,packet_throughput,link_busy:graph.dot
mkdir "$work/run" && cd "$work/run" || exit 1
{
	survives congestion 1 1 1 2 1 -- -p bisect -n 60000 --metric $all,get_cable_cong:graph.dot --format json --raw "$tree"
	survives precision 1 1 1 1 3 -- -p bisect --precision 0.00007 --control-variates "$tree"
	survives multipath 1 1 1 2 1 -- -p rand -n 100000 -R valiant --multipath random --metric hist_acc_band,hist_max_cong --format csv torus:6x6
	survives flow 1 1 2 1 1 -- --engine flow -p random:200 -n 3000 --metric $flow --format json --raw "$small"
	survives sweep 1 2 1 1 1 -- --engine packet --load 0.2,0.4,0.6 -n 10 --metric $packet --cycles --latency 2 --warmup 1000 --measure 3000 --format csv torus:4x4
	survives saturation 1 1 3 1 1 -- --engine packet --saturation -n 200 --warmup 20us --measure 50us --format json torus:4x4
	survives together 4 1 4 1 1 -- --engine packet --load 0.5 -n 3 --measure 8ms --format json torus:4x4
}

# The first pair without a route is the same one, whatever is kept and whoever finds it.
for processes in 1 2 3; do
	rm -f ck
	"$bin/orcs" -p bisect -n 50 "$root/tests/data/loop.dot" 2>"$work/wanted"
	orcs $processes -p bisect -n 50 --checkpoint ck,0 "$root/tests/data/loop.dot" 2>&1 | grep '^orcs:' >"$work/err"
	if cmp -s "$work/wanted" "$work/err"; then good; else bad "another pair on $processes processes: $(cat "$work/err")"; fi
done

cd "$root" || exit 1
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
