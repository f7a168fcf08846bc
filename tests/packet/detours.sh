#!/bin/sh
# UGAL and PAR against minimal routes and Valiant's, by their throughput, and the same bytes for all numbers of processes: detours.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

fly=dragonfly:p=2,a=4,h=2

packets() {
	"$bin/orcs" --engine packet --quiet --drain 0 "$@"
}

# accepted TRAFFIC LOAD ROUTING: the throughput there, as a share of the hosts' links.
accepted() {
	packets --traffic "$1" --load "$2" --packet-routing "$3" --capacity 100G --warmup 20us --measure 40us --metric packet_throughput --format json "$fly" |
		jq .metrics.packet_throughput.accepted
}

# reaches SHARE TRAFFIC LOAD ROUTING OTHER: the throughput of a routing is at least that share of another one's.
reaches() {
	one=$(accepted "$2" "$3" "$4") other=$(accepted "$2" "$3" "$5")
	echo "$4 accepts $one, $5 $other"
	awk -v a="$one" -v b="$other" -v share="$1" 'BEGIN { exit !(b > 0 && a >= share * b) }'
}

# ---- worst-case traffic: all hosts of a group send to the next one, whose only channel carries an eighth of what they offer

check 'ugal, worst case' reaches 0.9 bad_dragonfly 0.4 ugal valiant
check 'ugal, worst case, all offered' reaches 0.9 bad_dragonfly 1 ugal valiant
check 'par, worst case' reaches 0.9 bad_dragonfly 0.4 par valiant
check 'par, worst case, all offered' reaches 1 bad_dragonfly 1 par valiant
not_reached() {
	! reaches "$@"
}
check 'by queues of the switch alone ugal reaches less' not_reached 0.9 bad_dragonfly 1 ugal:load=local,threshold=0,credits=all valiant
check 'minimal routes reach less' not_reached 0.5 bad_dragonfly 1 min valiant

# ---- uniform traffic: most packets stay on minimal routes

check 'ugal, uniform' reaches 0.99 uniform 0.5 ugal min
check 'ugal, uniform, all offered' reaches 0.97 uniform 1 ugal min
check 'par, uniform, all offered' reaches 0.97 uniform 1 par min
check 'valiant reaches less' not_reached 0.9 uniform 1 valiant min

# hops MOST ROUTING: at a load of 0.3 packets take at most that many hops more than minimal ones.
hops() {
	for routing in "$2" min; do
		packets --load 0.3 --packet-routing "$routing" --capacity 100G --warmup 10us --measure 20us --metric packet_latency --format json "$fly" |
			jq .metrics.packet_latency.hops
	done >"$work/hops"
	cat "$work/hops"
	awk -v most="$1" '{ hops[NR] = $1 } END { exit !(NR == 2 && hops[1] - hops[2] <= most && hops[1] - hops[2] >= -most) }' "$work/hops"
}
check 'ugal, uniform: hops' hops 0.02 ugal
check 'par, uniform: hops' hops 0.02 par
not_as_few() {
	! hops "$@"
}
check 'credits in flight look like a queue' not_as_few 0.02 ugal:load=local,threshold=0,credits=all

# ---- processes share a run: what the switches of a group tell each other does not depend on their number

processes() {
	for n in 1 2 3; do
		ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" mpirun --oversubscribe -np "$n" "$bin/orcs" --engine packet --quiet --traffic bad_dragonfly --load 0.4 \
			--packet-routing "$1" --warmup 3us --measure 3us --drain 0 --metric packet_latency,packet_throughput --format json "$fly" >"$work/processes.$n" || return 1
		jq .metrics "$work/processes.$n" >"$work/metrics.$n"
	done
	cmp "$work/metrics.1" "$work/metrics.2" && cmp "$work/metrics.1" "$work/metrics.3"
}
if have mpirun; then
	check 'one, two and three processes, ugal' processes ugal
	check 'one, two and three processes, par' processes par:piggyback
else
	skip 'processes: no mpirun'
fi

# ---- what cannot be

check 'an unknown load' says 2 "load is 'far', not local, lanes, global or piggyback" packets --load 0.1 --packet-routing ugal:far "$fly"
check 'unknown credits' says 2 "credits is 'some', not over or all" packets --load 0.1 --packet-routing ugal:credits=some "$fly"

echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ $failed -eq 0 ]
