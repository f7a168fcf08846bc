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
instructions: of one channel passed, which callgrind counts, the difference of two
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

# A run. $passes: channels; $rate, $clock: millions of them a second of user time, and by the clock; $memory: MB.
run_packets() { # LAUNCHER-WORDS ARGUMENT...
	launcher=$1
	shift
	# shellcheck disable=SC2086 # words
	/usr/bin/time -o "$tmp/used" -f %M $launcher "$orcs" -v --quiet --engine packet --metric packet_throughput --capacity 100G "$@" \
		>"$tmp/result" 2>"$tmp/said" || die "failed: orcs --engine packet $*: $(tail -n 1 "$tmp/said")"
	sed -n 's/^packets passed \([0-9]*\) channels: \([0-9.]*\) million per second, \([0-9.]*\) .*/\1 \2 \3/p' "$tmp/said" >"$tmp/each"
	read -r passes clock rate <"$tmp/each" || die "orcs -v does not tell how fast it was"
	memory=$(awk '{ printf "%.0f", $1 * 1.024e-3 }' "$tmp/used")
}

# $instructions of one channel passed: what more of them take more.
count() { # SPAN ARGUMENT...
	instructions=
	valgrind --tool=none "$orcs" --version >/dev/null 2>&1 || return
	span=$1
	shift
	for times in 1 3; do
		valgrind --tool=callgrind --callgrind-out-file="$tmp/callgrind" "$orcs" -v --quiet --engine packet --metric packet_throughput \
			--capacity 100G "$@" --warmup 1us --measure "$(compute %.3f "$span * $times")us" >"$tmp/result" 2>"$tmp/said" ||
			die "callgrind failed: $(tail -n 1 "$tmp/said")"
		sed -n 's/^packets passed \([0-9]*\) .*/\1/p' "$tmp/said"
		sed -n 's/^.*Collected : \([0-9]*\).*/\1/p' "$tmp/said"
	done >"$tmp/counted"
	instructions=$(awk '{ v[NR] = $1 } END { printf "%.0f", (v[4] - v[2]) / (v[3] - v[1]) }' "$tmp/counted")
}

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
	[ "$span" = 0 ] || count "$span" "$@"
	if [ "$unit" = visits ]; then judged=$visits; else judged=$hops_rate; fi
	row work "$work" 'hops M/s' "$hops_rate" 'visits M/s' "$visits" instructions "$instructions" memory_mb "$memory" \
		bar "$bar" bar_mb "$memory_bar" verdict "$(verdict "$judged" '>=' "$bar")"
}

share_case() { # WORK BAR ARGUMENT...
	work=$1 bar=$2
	shift 2
	command="mpirun -np $processes orcs --engine packet --capacity 100G $*"
	: >"$tmp/ratios"
	for _ in 1 2 3; do
		run_packets '' "$@"
		alone=$clock
		cp "$tmp/result" "$tmp/alone"
		run_packets "mpirun -np $processes" "$@"
		cmp -s "$tmp/alone" "$tmp/result" || die "$processes processes yield another result than one: $*"
		compute '%.3f\n' "$clock / $alone" >>"$tmp/ratios"
	done
	row work "$work" processes "$processes" ratio "$(median "$tmp/ratios")" bar "$bar" verdict "$(verdict "$(median "$tmp/ratios")" '>=' "$bar")"
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
