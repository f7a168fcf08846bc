#!/bin/sh
# Adaptive routing over groups of ports: permutations on a tree, order of arrival, flowlets, what can deadlock, processes: ar.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

tree=fattree:k=4,n=3
bytes=10M
sanitized && bytes=1M

packets() {
	"$bin/orcs" --engine packet --quiet --subset file_order --mapping linear --capacity 100G "$@"
}

# ---- a permutation of 10 MB takes 0.8 ms at 100 Gb/s if the groups of the tree share it evenly

# permutes PATTERN MOST ROUTING...: its makespan is at most that many times what flows need over all ports of the groups.
permutes() {
	pattern=$1 most=$2
	shift 2
	slow=$(packets -p "$pattern" --bytes "$bytes" --packet-routing "$@" --voq --speedup 0 --buffer 256k --metric makespan --format json "$tree" | jq .metrics.makespan.mean)
	fast=$("$bin/orcs" --engine flow --quiet --subset file_order --mapping linear --capacity 100G -p "$pattern" --bytes "$bytes" -R ecmp --multipath split --metric makespan \
		--format json "$tree" | jq .metrics.makespan.mean)
	echo "packets $slow, flows $fast"
	awk -v a="$slow" -v b="$fast" -v most="$most" 'BEGIN { exit !(b > 0 && a >= b && a <= most * b) }'
}
most=1.03
sanitized && most=1.15
for pattern in transpose shift:21 bitrev; do
	check "a permutation, $pattern" permutes $pattern $most ar
done
takes_longer() {
	! permutes "$@"
}
check 'the routes of the tree take longer' takes_longer bitrev 1.5 tables
check 'flows that are bound to a port take longer' takes_longer shift:21 1.3 ar:mode=bound

# ---- order

# late ROUTING...: packets that come after later ones of their message
late() {
	packets -p shift:21 --bytes 200k --packet-routing "$@" --metric packet_throughput --format json "$tree" | jq .metrics.packet_throughput.out_of_order
}
# one flow through a switch with two ways; a slow packet lets others pass
told() {
	found=$(late "$@")
	echo "$found packets"
	[ "$found" -gt 0 ]
}
none() {
	found=$(late "$@")
	echo "$found packets"
	[ "$found" -eq 0 ]
}
check 'packets that overtake others are counted' told ar --voq --speedup 0
check 'bound flows stay in order' none ar:mode=bound,flowlet=1ms --voq --speedup 0
check 'flows that are bound for no time do not' told ar:mode=bound,flowlet=1ps --voq --speedup 0
check 'the routes of the tree keep the order' none tables --voq --speedup 0

# Under load, too. Of two spines one is far away: the first message of an open loop is as out of order as a message alone, 100 packets.
"$bin/orcs-topology" leafspine:leaves=2,spines=2,hosts=1 |
	awk '/->/ { late = /"S2_1"/ ? "2e-6" : "1e-8"; sub(/;$/, ""); if (!sub(/\]$/, ", latency=\"" late "\"];")) $0 = $0 " [latency=\"" late "\"];" } { print }' >"$work/far_spine.dot"
echo '0 0 1' >"$work/pair"
under_load() { # ROUTING
	grep -q '2e-6' "$work/far_spine.dot" || return 1
	alone=$(packets -p "file:$work/pair" --bytes 204800 --packet-routing "$1" --metric packet_throughput --format json "$work/far_spine.dot" | jq .metrics.packet_throughput.out_of_order) &&
		opened=$(packets -p "file:$work/pair" --bytes 204800 --packet-routing "$1" --load 0.5 --injection periodic --warmup 0 --measure 20us --metric packet_throughput \
			--format json "$work/far_spine.dot" | jq .metrics.packet_throughput.out_of_order) || return 1
	echo "$alone alone, $opened of the first under load"
	[ "$alone" -eq "$opened" ] && [ "$alone" -"$2" "$3" ]
}
check 'packets that overtake others under load' under_load ar gt 10
check 'none under load if flows are bound' under_load ar:mode=bound,flowlet=1ms eq 0
at_load() {
	packets --load 0.6 --bytes 20k --packet-routing "$1" --voq --speedup 0 --warmup 5us --measure 10us --metric packet_throughput --format json "$tree" |
		jq -e ".metrics.packet_throughput.out_of_order $2"
}
check 'at a load of 0.6' at_load ar '> 100'
check 'at a load of 0.6, by the routes of the tree' at_load tables '== 0'

# A message of 40 packets, then a pause, then another one: within a flowlet both take one port.
check 'idle networks are as fast as ever' says 0 'slowest.*1$|^slowdown.*1$|1' packets --sync level -p ring --bytes 3000 --packet-routing ar --metric fct "$tree"

# ---- deadlocks

check 'all shortest paths of a torus can deadlock' says 3 "packet routing 'ar' can deadlock.*in a cycle" packets -p ring --packet-routing ar --metric makespan torus:4x4
check 'those that go up, then down, cannot' packets -p ring --packet-routing ar:updn --metric makespan torus:4x4
check 'on a tree both are the same' packets --load 0.3 --packet-routing ar:updn --warmup 2us --measure 2us --metric packet_throughput "$tree"

# ---- groups of the graph

"$bin/orcs-topology" leafspine:leaves=4,spines=3,hosts=2 -o "$work/bare.dot"
"$bin/orcs-route" --quiet ecmp "$work/bare.dot" -o "$work/ecmp.dot"
same() {
	for groups in minimal entries; do
		packets -p alltoall --bytes 20k --packet-routing "ar:$groups" --metric makespan,packet_latency --format json "$work/ecmp.dot" | jq .metrics >"$work/$groups" || return 1
	done
	cmp "$work/minimal" "$work/entries"
}
check 'the entries of a graph that has all ports' same

check 'unknown groups' says 2 "groups is 'all', not minimal, updn or entries" packets -p ring --packet-routing ar:all "$tree"
check 'an unknown mode' says 2 "mode is 'loose', not free or bound" packets -p ring --packet-routing ar:mode=loose "$tree"
check 'no time' says 2 "flowlet is '2', not a time|flowlet is 'soon', not a time" packets -p ring --packet-routing ar:mode=bound,flowlet=soon "$tree"

# ---- processes: the same bytes for all

processes() {
	for n in 1 2 3; do
		ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" mpirun --oversubscribe -np "$n" "$bin/orcs" --engine packet --quiet --load 0.7 --packet-routing "$1" --bytes 20k \
			--warmup 3us --measure 3us --drain 0 --metric packet_latency,packet_throughput --format json "$tree" >"$work/processes.$n" || return 1
		jq .metrics "$work/processes.$n" >"$work/metrics.$n"
	done
	cmp "$work/metrics.1" "$work/metrics.2" && cmp "$work/metrics.1" "$work/metrics.3"
}
# ---- groups that ibdiagnet has dumped: those of the shortest paths, as a program of its own writes them

if have python3; then
	"$bin/orcs-topology" fattree:k=3,n=3 | "$bin/orcs-export" --quiet --to ibnetdiscover - -o "$work/net" && "$bin/orcs-import" --quiet "$work/net" -o "$work/net.dot" &&
		python3 tests/packet/far.py "$work/net.dot" >"$work/far" && "$bin/orcs-import" "$work/net" "$work/far" -o "$work/far.dot" 2>"$work/said"
	dumped() {
		cat "$work/said"
		for groups in minimal entries; do
			packets -p alltoall --bytes 20k --packet-routing "ar:$groups" --metric makespan,packet_latency --format json "$work/far.dot" | jq .metrics >"$work/$groups" || return 1
		done
		cmp "$work/minimal" "$work/entries" || return 1
		packets -p alltoall --bytes 20k --metric makespan,packet_latency --format json "$work/far.dot" | jq .metrics >"$work/tables" && ! cmp -s "$work/tables" "$work/entries"
	}
	check 'groups of ibdiagnet2.far are those of the shortest paths' dumped
	check 'its entries are complete' sh -c '! grep -v "no type\|inferred" "$1" | grep warning' - "$work/said"
	wrong() {
		sed "$1" "$work/far" >"$work/wrong"
		says 3 "$2" "$bin/orcs-import" "$work/net" "$work/wrong"
	}
	check 'a group without a number' wrong 's/^0x0002  .*Free .*/0x0002 1 Free/' 'adaptively without a group'
	check 'a port that is none' wrong 's/^0      0          0     .*/0 0 0 1, x/' 'has a port that is not a number'
	check 'an entry without a port' wrong 's/^0x0001  .*/0x0001 Free/' 'is a LID, a port, a state and a group'
else
	skip 'dumped groups: no python3'
fi

if have mpirun; then
	check 'one, two and three processes' processes ar
	check 'one, two and three processes, bound' processes ar:mode=bound,flowlet=300ns
else
	skip 'processes: no mpirun'
fi

echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ $failed -eq 0 ]
