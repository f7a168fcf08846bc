#!/bin/sh
# packet_speed.sh - how fast the packet engine is on large fabrics, beside a small one.

set -u
export LC_ALL=C
me=packet_speed.sh

usage() {
	cat <<'EOT'
Usage: bench/packet_speed.sh [small|all]

Compares large fabrics with one that fits the cache: ratio is the channels passed in
a second of user time, divided by those of the small fabric in the run before it,
the median of three. instructions and misses are those of one channel passed, which
cachegrind counts (the difference of two runs; a cache of 1 MB on the second level):
the same on any machine. Then two threads beside one, by the clock, with the same
bytes, and memory. small takes small fabrics: whether all works, no more. Run from
the root of the repository, after make; ORCS=PROGRAM and BENCH_OUT=FOLDER as for
bench/pairs.sh.
EOT
}

. bench/common.sh

size=${1-all}
case $size in small | all) ;; *) die 'the argument is small or all (--help tells more)' ;; esac

packets() { # ARGUMENT...
	run_packets '' --drain 0 --load 0.5 "$@"
}

compare() { # WORK BAR MISSES_BAR INSTRUCTIONS_BAR COUNT_SPAN WARMUP MEASURE ARGUMENT...
	work=$1 bar=$2 misses_bar=$3 instructions_bar=$4 span=$5 warmup=$6 measure=$7
	shift 7
	command="orcs --engine packet --capacity 100G --drain 0 --load 0.5 --warmup $warmup --measure $measure $*"
	: >"$tmp/ratios"
	for _ in 1 2 3; do
		packets --packet-routing tables --warmup 5us --measure 400us fattree:k=4,n=3
		unit=$rate
		packets --warmup "$warmup" --measure "$measure" "$@"
		compute '%.3f\n' "$rate / $unit" >>"$tmp/ratios"
	done
	ratio=$(median "$tmp/ratios")
	count_packets "$span" --drain 0 --load 0.5 --warmup "$warmup" "$@"
	row work "$work" ratio "$ratio" bar "$bar" verdict "$(verdict "$ratio" '>=' "$bar")" misses "$misses" misses_bar "$misses_bar" \
		instructions "$instructions" instructions_bar "$instructions_bar"
}

share() { # WORK BAR ARGUMENT...
	work=$1 bar=$2
	shift 2
	command="orcs --engine packet --capacity 100G --drain 0 --load 0.5 --threads 2 $*"
	time_shared '' '--threads 2' --drain 0 --load 0.5 "$@"
	row work "$work" threads 2 ratio "$ratio" bar "$bar" verdict "$(verdict "$ratio" '>=' "$bar")"
}

keep() { # WORK BAR(MB) ARGUMENT...
	work=$1 bar=$2
	shift 2
	command="orcs --engine packet --capacity 100G --drain 0 --load 0.5 $*"
	packets "$@"
	row work "$work" memory_mb "$memory" bar "$bar" verdict "$(verdict "$memory" '<=' "$bar")"
}

machine
if [ "$size" = small ]; then
	compare 'fat tree, 512 hosts, d-mod-k' '' '' '' 0.5 1us 2us --packet-routing tables fattree:k=8,n=3
	share 'fat tree, 512 hosts' '' --packet-routing tables --warmup 1us --measure 2us fattree:k=8,n=3
	keep 'fat tree, 512 hosts' '' --packet-routing tables --warmup 1us --measure 2us fattree:k=8,n=3
	exit
fi
compare 'fat tree, 17,576 hosts, d-mod-k' 0.50 7 '' 1 5us 5us --packet-routing tables fattree:k=26,n=3
compare 'fat tree, 68,921 hosts, d-mod-k' 0.35 8 '' 0.5 3us 3us --packet-routing tables fattree:k=41,n=3
compare 'fat tree, 17,576 hosts, up/down' 0.25 9 1800 1 5us 5us --packet-routing updown fattree:k=26,n=3
share 'fat tree, 17,576 hosts' 1.8 --packet-routing tables --warmup 5us --measure 5us fattree:k=26,n=3
keep 'fat tree, 68,921 hosts' 200 --packet-routing tables --warmup 3us --measure 3us fattree:k=41,n=3
keep 'fat tree, 1,048,576 hosts' 2000 --packet-routing tables --warmup 500ns --measure 500ns fattree:k=32,n=4
