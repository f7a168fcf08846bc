#!/bin/sh
# Congestion control of packets: delays by the table, a parking lot, a victim, the same bytes for all processes: control.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

# ends PAIRS BYTES ARGUMENTS...: when the messages sender-receiver end, in seconds, on one line.
ends() {
	for pair in $1; do
		echo "0 ${pair%-*} ${pair#*-}"
	done >"$work/pairs.txt"
	bytes=$2
	shift 2
	"$bin/orcs" --engine packet -d --subset file_order --mapping linear --capacity 100G --quiet -p "file:$work/pairs.txt" --bytes "$bytes" \
		--metric makespan --flows "$work/flows.csv" "$@" >"$work/result" || return 1
	awk -F, 'NR > 1 { printf "%s ", $9 } END { print "" }' "$work/flows.csv"
}

# holds CONDITION PAIRS BYTES ARGUMENTS...: of the ends in e[1], e[2], ...
holds() {
	condition=$1
	shift
	ends "$@" >"$work/ends" || return 1
	cat "$work/ends"
	awk "{ split(\$0, e, \" \"); exit !($condition) }" "$work/ends"
}

# ---- delays: the index is held, so that a flow sends at 1 / (1 + multiplier / 2^shift) of the link

# delayed SHARE ARGUMENTS: of 10 MB, which take 0.8 ms.
delayed() {
	holds "e[1] > 0.0008 / $1 * 0.995 && e[1] < 0.0008 / $1 * 1.005" 0-1 10M --cc "ib:timer=0,$2" star:2
}
check 'simula, entry 50: 7/8' delayed 0.53333 limit=50,min=50,cct=simula
check 'simula, entry 106: 32/8' delayed 0.2 limit=106,min=106,cct=simula
check 'mellanox, entry 50: 8' delayed 0.11111 limit=50,min=50,cct=mellanox
check 'mellanox, entry 50, the slower one: 4' delayed 0.2 limit=50,min=50,cct=mellanox-408
printf '# a table\n0 1:3\n3:1\n' >"$work/table"
check 'a table in a file, entry 1: 3/2' delayed 0.4 "limit=1,min=1,cct=$work/table"
check 'a table in a file, its last entry: 1/8' delayed 0.88889 "min=2,cct=$work/table"

# ---- where nothing queues, nothing changes

unchanged() {
	ends '0-1 1-2 2-0' 10M star:3 >"$work/off" || return 1
	ends '0-1 1-2 2-0' 10M --cc "$1" star:3 >"$work/on" || return 1
	cmp "$work/off" "$work/on"
}
check 'ib without congestion' unchanged ib:threshold=15,marking=0
check 'dcqcn without congestion' unchanged dcqcn:kmin=0
check 'ib with the threshold 0 is off' holds 'e[1] > 0.00159 && e[2] > 0.00159 && e[1] < 0.00161 && e[2] < 0.00161' '0-2 1-2' 10M --cc ib:threshold=0 star:3

# ---- a parking lot: 1/4, 1/4, 1/2 without; thirds with it

check 'a parking lot without congestion control' holds 'e[3] < 0.0085 * 2 && e[1] > 0.0239' '0-3 1-3 2-3' 100M mesh:4
fair='e[1] / e[2] < 1.05 && e[2] / e[1] < 1.05 && e[2] / e[3] < 1.05 && e[3] / e[2] < 1.05 && e[1] < 0.0258'
check 'a parking lot is fair with ib' holds "$fair" '0-3 1-3 2-3' 100M --cc ib mesh:4
check 'the same by service level' holds "$fair" '0-3 1-3 2-3' 100M --cc ib:by=sl mesh:4

# ---- a victim: four hosts of a leaf send to one port of another, and a fifth to another port; the cables of the spine are four times as fast

"$bin/orcs-topology" leafspine:leaves=2,spines=1,hosts=5 | "$bin/orcs-route" --quiet minhop-orcs |
	awk '/->/ { speed = /"H/ && !/comment="H.*S1_[01]" -> "S2/ && (/^\t"H/ || /-> "H/) ? 1 : 4; sub(/\];/, ", speed=\"" speed "\"];") } { print }' >"$work/trunk.dot"
incast='0-5 1-5 2-5 3-5 4-6'
switch="--voq --speedup 0 --buffer 64k"
own_lane() {
	printf '0 0 5\n0 1 5\n0 2 5\n0 3 5\n0 4 6 100M sl=1\n' >"$work/own.txt"
	"$bin/orcs" --engine packet -d --subset file_order --mapping linear --capacity 100G --quiet -p "file:$work/own.txt" --bytes 100M --metric makespan \
		--flows "$work/flows.csv" --speedup 0 "$work/trunk.dot" >"$work/result" &&
		awk -F, 'NR == 6 { print $9; exit !($9 >= 0.008 && $9 < 0.00808) }' "$work/flows.csv"
}
# shellcheck disable=SC2086 # the options of the switch are several words
{
	check 'a victim of an incast has the share of its neighbours' holds 'e[5] > 0.0392 && e[5] < 0.0408' "$incast" 100M "$work/trunk.dot"
	check 'a quarter of the port with virtual output queues' holds 'e[5] > 0.032 * 0.98 && e[5] < 0.032 * 1.02' "$incast" 100M $switch "$work/trunk.dot"
	check 'on a lane of its own it has all of its port' own_lane
	check 'with ib it has nine tenths of the link, and the incast all of its port' holds 'e[5] < 0.0080 / 0.9 && (e[1] + e[2] + e[3] + e[4]) / 4 < 0.032 / 0.95' \
		"$incast" 100M --cc ib $switch "$work/trunk.dot"
	check 'with dcqcn it has more than its share' holds 'e[5] < 0.03' "$incast" 100M --cc dcqcn $switch "$work/trunk.dot"
}

# ---- open loops: no queue, no change; four hosts send to one, and a victim

open_loop() {
	"$bin/orcs" --engine packet --capacity 100G --quiet --warmup 4ms --measure 4ms --drain 0 --voq --speedup 0 --buffer 64k --format json "$@"
}
same_open() {
	open_loop --load 0.3 --traffic shift:1 --bytes 10k --measure 100us --qps pair --metric fct,packet_latency fattree:k=2,n=3 | jq .metrics >"$work/off" &&
		open_loop --load 0.3 --traffic shift:1 --bytes 10k --measure 100us --cc "$1" --metric fct,packet_latency fattree:k=2,n=3 | jq .metrics >"$work/on" && cmp "$work/off" "$work/on"
}
check 'an open loop without congestion' same_open ib:threshold=1

# accepted LEAST MOST ARGUMENTS...: of the victim and the four hosts of the incast of trunk.dot at a load of 0.9, in the mean
accepted() {
	least=$1 most=$2
	shift 2
	for pair in $incast; do
		echo "0 ${pair%-*} ${pair#*-}"
	done >"$work/pairs.txt"
	found=$(open_loop --load 0.9 -p "file:$work/pairs.txt" --subset file_order --mapping linear --bytes 10k --metric packet_throughput "$@" "$work/trunk.dot" |
		jq .metrics.packet_throughput.accepted)
	echo "$found, not from $least to $most"
	awk -v a="$found" -v b="$least" -v c="$most" 'BEGIN { exit !(a >= b && a <= c) }'
}
check 'an open incast and its victim' accepted 0.245 0.255 --qps pair
check 'with ib the victim has all that it offers' accepted 0.375 0.385 --cc ib
check 'the same by service level' accepted 0.375 0.385 --cc ib:by=sl
check 'with dcqcn it has less' accepted 0.252 0.375 --cc dcqcn

# ---- 648 hosts on two levels: a tenth of them send to one host, all others to one another; what others receive is never less with ib

"$bin/orcs-topology" leafspine:leaves=36,spines=18,hosts=18 | "$bin/orcs-route" --quiet minhop-orcs >"$work/tree.dot"
printf '0 65 hotspot:1,share=99\n0 583 uniform\n' >"$work/hot.jobs"
# received SEED ARGUMENTS...: by all hosts but the hot one, and by that, in links
received() {
	seed=$1
	shift
	open_loop --load 0.5 --traffic "jobs:$work/hot.jobs" --bytes 32k --seed "$seed" --metric packet_throughput --warmup 300us --measure 100us --ranks "$work/ranks.csv" "$@" \
		"$work/tree.dot" >"$work/result" || return 1
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ if ($at["rank"] == 0) hot = $at["received_bytes"]; else others += $at["received_bytes"]; seconds = $at["measured_seconds"] }
		END { print others / 647 / 12.5e9 / seconds, hot / 12.5e9 / seconds }' "$work/ranks.csv"
}
relieved() {
	off=$(received "$1" --qps pair) && on=$(received "$1" --cc ib:marking=0) || return 1
	echo "$off without, $on with it"
	awk -v off="$off" -v on="$on" -v f="$2" 'BEGIN { split(off, a, " "); split(on, b, " "); exit !(b[1] >= f * a[1] && b[2] > 0.95) }'
}
sanitized || check 'a hot host of 648, seed 1' relieved 1 1.2
sanitized || check 'a hot host of 648, seed 3' relieved 3 1.2

# ---- rules

refuses() {
	says "$1" "$2" "$bin/orcs" --engine packet -p bisect --cc "$3" star:4
}
check 'an unknown kind' refuses 2 "unknown congestion control 'ibb'" ibb
check 'an unknown parameter' refuses 2 "congestion control 'ib'" ib:speed=3
check 'a threshold that the field does not have' refuses 2 'from 0 to 15' ib:threshold=16
check 'a table that is not there' refuses 1 'cct is' ib:cct=nothing
printf '1 2\n0:5 9:3\n' >"$work/table"
check 'a bad entry' refuses 3 'table:2: an entry is' "ib:cct=$work/table"
: >"$work/table"
check 'a table without entries' refuses 3 'no entries' "ib:cct=$work/table"
check 'a least index above the limit' refuses 2 'more than the limit' ib:min=5,limit=4
check 'a threshold above the other' refuses 2 'kmax' dcqcn:kmin=9,kmax=8
check 'the number of marked packets' says 0 'congestion control marked [1-9][0-9]* packets' "$bin/orcs" -v --engine packet -p gather --bytes 1M --cc ib star:8
check 'no marked packets' says 0 'congestion control marked 0 packets' "$bin/orcs" -v --engine packet -p ring --bytes 1M --cc ib star:8

processes() {
	for n in 1 2; do
		ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np "$n" "$bin/orcs" --engine packet -p alltoall_flood --bytes 20k -n 3 --cc "$1" \
			--metric makespan --quiet fattree:k=2,n=3 >"$work/processes.$n" || return 1
	done
	cmp "$work/processes.1" "$work/processes.2"
}
alike() {
	for n in 1 2 3; do
		ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np "$n" "$bin/orcs" -v --engine packet --quiet --load 0.8 --traffic hotspot:2,50 \
			--metric fct,packet_latency --cc "$@" torus:4x4,hosts=2 >"$work/processes.$n" 2>"$work/verbose.$n" || return 1
	done
	cmp "$work/processes.1" "$work/processes.2" && cmp "$work/processes.1" "$work/processes.3" || return 1
	marked=$(grep -h marked "$work/verbose.1" "$work/verbose.2" "$work/verbose.3" | sort -u)
	echo "$marked"
	[ "$(echo "$marked" | wc -l)" -eq 1 ] && ! echo "$marked" | grep -q ' 0 '
}
# Instructions of a channel passed: they must not grow with the pairs of a flow that rests.
effort() { # HOSTS
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bin/orcs" --engine packet -v --quiet --capacity 100G -p alltoall_flood --bytes 20k \
		--metric makespan --cc ib:by=sl,threshold=15 "star:$1" 2>&1 >"$work/out" |
		sed -n 's/.*Collected : \([0-9]*\).*/\1/p; s/^packets passed \([0-9]*\) .*/\1/p' | xargs | awk '{ printf "%.0f\n", $2 / $1 }'
}
as_easy() {
	few=$(effort 16) many=$(effort 64)
	echo "instructions: $few $many"
	[ "$few" -gt 0 ] && [ "$many" -le "$few" ]
}
if sanitized; then
	:
elif ! valgrind --tool=none "$bin/orcs" --version >"$work/out" 2>&1; then
	skip 'what many pairs of a flow cost: valgrind is not installed, or cannot run orcs'
else
	check 'many pairs of a flow cost no more than few' as_easy
fi

if have mpirun; then
	check 'processes share an open loop with ib' alike ib:marking=0 --bytes 20k --warmup 20us --measure 30us
	check 'the same by service level, events at the same times' alike ib:marking=0,by=sl --cycles --mtu 4 --bytes 20 --injection periodic --warmup 1000 --measure 1000
	check 'processes share an open loop with dcqcn' alike dcqcn:kmin=1000 --bytes 20k --warmup 20us --measure 30us
	check 'processes with ib' processes ib:marking=0
	check 'processes with dcqcn' processes dcqcn
else
	skip 'processes: no mpirun'
fi

echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ $failed -eq 0 ]
