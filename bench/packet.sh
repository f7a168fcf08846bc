#!/bin/sh
# packet.sh - how fast the packet engine is.

set -u
export LC_ALL=C
me=packet.sh

usage() {
	cat <<'EOT'
Usage: bench/packet.sh [small|all [PROCESSES]]

Tells how many channels packets pass in a second of user time (orcs --engine packet
-v), the median of three runs, and how much memory that takes: open loops of single
packets of 2 kB, uniform traffic. visits: of switches, in millions a second.
instructions: of one channel passed, which cachegrind counts, the difference of two
runs; the same on any machine. The last rows are of one run that PROCESSES (by
default 2) share: ratio is how many times as fast it is as one process, by the
clock. small takes small fabrics: whether all works, no more. Run from the root of
the repository, after make; ORCS=PROGRAM and BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

. bench/common.sh

size=${1-all}
processes=${2-2}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
case $size in small | all) ;; *) die 'the argument is small or all (--help tells more)' ;; esac

# Switches that a packet visits for each channel it passes: from the mean number of channels, of which the first and the last are of hosts.
visits_of() {
	"$orcs" --quiet --engine packet --metric packet_latency --format json "$@" --warmup 1us --measure 3us >"$tmp/json" 2>"$tmp/said" ||
		die "failed: $(tail -n 1 "$tmp/said")"
	awk 'match($0, /"hops": *[0-9.]+/) { h = substr($0, RSTART, RLENGTH); sub(/.*: */, "", h); printf "%.6f", (h - 1) / h; exit }' "$tmp/json"
}

time_case() { # WORK BAR(MILLIONS) MEMORY_BAR UNIT(visits|hops) COUNT_SPAN ARGUMENT...
	work=$1 bar=$2 memory_bar=$3 unit=$4 span=$5
	shift 5
	command="orcs --engine packet --capacity 100G $*"
	: >"$tmp/rates"
	for _ in 1 2 3; do
		run_packets '' "$@"
		echo "$rate" >>"$tmp/rates"
		[ "$(compute %d "$passes / $rate > 30e6")" -eq 0 ] || break
	done
	hops_rate=$(median "$tmp/rates")
	share=$(visits_of "$@")
	visits=$(compute %.3f "$hops_rate * ${share:-0}")
	instructions=
	[ "$span" = 0 ] || count_packets "$span" "$@" --warmup 1us
	if [ "$unit" = visits ]; then judged=$visits; else judged=$hops_rate; fi
	row work "$work" 'hops M/s' "$hops_rate" 'visits M/s' "$visits" instructions "$instructions" memory_mb "$memory" \
		bar "$bar" bar_mb "$memory_bar" verdict "$(verdict "$judged" '>=' "$bar")"
}

share_case() { # WORK BAR ARGUMENT...
	work=$1 bar=$2
	shift 2
	command="mpirun -np $processes orcs --engine packet --capacity 100G $*"
	time_shared "mpirun -np $processes" '' "$@"
	row work "$work" processes "$processes" ratio "$ratio" bar "$bar" verdict "$(verdict "$ratio" '>=' "$bar")"
}

machine
if [ "$size" = small ]; then
	time_case 'dragonfly, 72 hosts' '' '' visits 5 --load 0.3 --warmup 5us --measure 20us dragonfly:p=2,a=4,h=2
	share_case 'fat tree, 64 hosts' '' --load 0.3 --warmup 5us --measure 20us fattree:k=4,n=3
	exit
fi
time_case 'dragonfly, 1,056 hosts, minimal' 5 40 visits 20 --load 0.3 --packet-routing min dragonfly:p=4,a=8,h=4
time_case 'torus 8^4, 4,096 hosts, dor' 3 '' hops 5 --load 0.3 --packet-routing dor --lanes 4 --warmup 15us --measure 30us torus:8x8x8x8
time_case 'fat tree, 17,576 hosts, up/down' '' '' hops 0 --load 0.5 --packet-routing updown --warmup 5us --measure 5us fattree:k=26,n=3
time_case 'fat tree, 68,921 hosts, d-mod-k' '' 700 hops 0 --load 0.5 --packet-routing tables --warmup 3us --measure 3us --drain 0 fattree:k=41,n=3
time_case 'fat tree, 1,048,576 hosts' '' 10000 hops 0 --load 0.5 --packet-routing tables --warmup 500ns --measure 500ns --drain 0 fattree:k=32,n=4
share_case 'fat tree, 17,576 hosts' 1.7 --load 0.5 --latency 100ns --packet-routing tables --warmup 5us --measure 10us --drain 0 fattree:k=26,n=3
