#!/bin/sh
# Cables that fail during runs of the packet engine: which packets are lost, to the picosecond, and that none is lost twice: failures.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

packets() {
	"$bin/orcs" --engine packet -d --subset file_order "$@"
}

# counts "SENT DELIVERED LOST DAMAGED UNDER_WAY" OPTIONS...
counts() {
	wanted=$1
	shift
	found=$(packets --metric packet_losses --format json "$@" | jq -r '.metrics.packet_losses | "\(.sent) \(.delivered) \(.lost) \(.damaged) \(.under_way)"')
	echo "$found instead of $wanted"
	[ "$found" = "$wanted" ]
}

# adds_up OPTIONS...: sent = delivered + lost + under way, and something is lost; sets $sent, $delivered, $lost, $damaged.
adds_up() {
	found=$(packets --metric packet_losses --format json "$@" | jq -r '.metrics.packet_losses.loads // [.metrics.packet_losses] | .[] | "\(.sent) \(.delivered) \(.lost) \(.damaged) \(.under_way)"')
	echo "$found"
	[ -n "$found" ] && echo "$found" | awk '{ wrong = wrong || $1 != $2 + $3 + $5 || $4 > $3 || $3 <= 0 || $2 <= 0 } END { exit wrong }'
}

# ---- 20 packets of 1000 bytes over three channels of 1 us, 0.8 us each: packet k leaves the first switch at 1.1 + 0.8 k us, and has reached the
# second completely 1.8 us later

printf '0 0 1 20000\n' >"$work/one"
chain() { # WANTED TIME OPTIONS...
	wanted=$1 time=$2
	shift 2
	counts "$wanted" -p "file:$work/one" --capacity 10e9 --latency 1us --mtu 1000 --fail-at "$time:S0:2" "$@" mesh:2,hosts=1
}
check "nothing fails before the end" counts "20 20 0 0 0" -p "file:$work/one" --capacity 10e9 --latency 1us --mtu 1000 --fail-at 30us:S0:2 mesh:2,hosts=1
check "a tail that arrives just then is safe" chain "20 4 16 2 0" 5.3us
check "and lost a picosecond before" chain "20 3 17 3 0" 5.299999us
check "the packet that begins just then has not begun" chain "20 4 16 2 0" 5.9us
check "and has begun a picosecond later" chain "20 4 16 3 0" 5.900001us
check "at the port of the other end" counts "20 4 16 2 0" -p "file:$work/one" --capacity 10e9 --latency 1us --mtu 1000 --fail-at 5.3us:S1:2 mesh:2,hosts=1
check "from the beginning" chain "20 0 20 0 0" 0
check "with store-and-forward" chain "20 3 17 2 0" 5.3us --store-and-forward
check "with virtual output queues" chain "20 4 16 2 0" 5.3us --voq
check "one packet in flight" chain "20 1 19 1 0" 5.3us --buffer 1000
check "the cable of the host" counts "20 5 15 2 0" -p "file:$work/one" --capacity 10e9 --latency 1us --mtu 1000 --fail-at 5.0us:H0:1 mesh:2,hosts=1
check "both ends of the way" adds_up -p "file:$work/one" --capacity 10e9 --latency 1us --mtu 1000 --fail-at 5.3us:S0:2 --fail-at 5.3us:S1 mesh:2,hosts=1
check "a switch, then another" counts "20 2 18 6 0" -p "file:$work/one" --capacity 10e9 --latency 1us --mtu 1000 --fail-at 5.3us:S1 --fail-at 9us:S0 mesh:2,hosts=1
lost_message() {
	packets -p "file:$work/one" --capacity 10e9 --latency 1us --mtu 1000 --fail-at 5.3us:S0:2 --metric makespan mesh:2,hosts=1 >"$work/out" && cat "$work/out" &&
		grep -x 'not delivered: 1 of the 1 messages' "$work/out"
}
check "its message is not delivered" lost_message

# ---- cut-through: the head is on the next cable while the tail is on the one that fails

printf '0 0 2 2048\n' >"$work/short"
short() {
	counts "$1" -p "file:$work/short" --capacity 100G --latency 10ns --fail-at "$2:S0:2" mesh:3
}
check "the head has gone on" short "1 0 1 1 0" 250ns
check "and two cables on" counts "1 0 1 1 0" -p "file:$work/short" --capacity 100G --latency 10ns --routing-delay 5ns --fail-at 100ns:S0:2 mesh:3
check "the tail has passed" short "1 1 0 0 0" 283.84ns
check "the tail has not passed" short "1 0 1 1 0" 283.839ns
check "not yet there" short "1 0 1 0 0" 50ns

# ---- nothing is lost twice, or forgotten

"$bin/orcs-route" --quiet minhop fattree:k=4,n=3 -o "$work/tree.dot"
"$bin/orcs-route" --quiet updn-orcs torus:4x4,hosts=2 -o "$work/torus.dot"
tree() {
	adds_up --capacity 100G "$@" "$work/tree.dot"
}
check "all to all" tree -p alltoall_flood --bytes 20k --fail-at 20us:S1_0:5
check "several failures" tree -p alltoall_flood --bytes 20k --fail-at 20us:S1_0:5 --fail-at 30us:S2_0 --fail-at 30us:S1_1:6 --fail-at 100us:H3
check "with several packets of a message at once" tree -p alltoall_flood --bytes 20k --voq --speedup 0 --fail-at 20us:S2_0
check "by load" tree --load 0.2,0.6 --warmup 20us --measure 40us --fail-at 30us:S2_0
check "with rendezvous" tree -p alltoall_flood --bytes 20k --eager 10k --fail-at 20us:S1_0:5
check "and delivery at the pace of memory" tree -p alltoall_flood --bytes 20k --delivery-rate 50G --injection-rate 80G --fail-at 20us:S1_0:5
check "in steps" tree -p alltoall --bytes 20k --fail-at 10us:S2_1
check "of cables drawn at random" tree -p alltoall_flood --bytes 20k --fail-links 3
for routing in adaptive dor valiant; do
	check "$routing" adds_up --capacity 100G --load 0.5 --warmup 20us --measure 40us --packet-routing $routing --fail-at 30us:S1_1:1 --fail-at 40us:S2_2 torus:4x4
done
check "ugal" adds_up --capacity 100G --load 0.3 --warmup 20us --measure 40us --packet-routing ugal --fail-at 30us:S0_0 dragonfly:p=2,a=4,h=2

# ---- new tables: those on the cable are lost, all others find a way

rerouted() {
	adds_up --capacity 100G --load 0.9 --injection poisson --warmup 20us --measure 40us "$@" && echo "$found" | awk '{ exit $3 != $4 || $3 > 20 }'
}
several='--fail-at 30.1us:S1_0:5 --fail-at 30.1us:S1_1:6 --fail-at 30.1us:S1_4:7 --fail-at 30.1us:S1_9:8 --fail-at 30.1us:S1_10:5 --fail-at 30.1us:S1_12:6'
# shellcheck disable=SC2086 # several options
check "rerouted" rerouted $several --reroute minhop "$work/tree.dot"
# shellcheck disable=SC2086
check "and once more later" rerouted $several --fail-at 35.1us:S1_0:6 --reroute minhop "$work/tree.dot"
without() {
	# shellcheck disable=SC2086
	! rerouted $several "$work/tree.dot"
}
check "others are lost without" without
arrives() { # all of a closed run but what was on the cable
	packets --capacity 100G -p alltoall_flood --bytes 20k --metric makespan,packet_losses --fail-at 20us:S1_0:5 --reroute minhop "$work/tree.dot" >"$work/out" && cat "$work/out" &&
		lost=$(sed -n 's/^lost: //p' "$work/out") && [ "$lost" -eq "$(sed -n 's/^of these on a cable that failed: //p' "$work/out")" ] && [ "$lost" -le 2 ]
}
check "all of an all-to-all but what was on the cable" arrives
later() { # tables that come too late change nothing
	packets --load 0.3 --metric packet_latency "$work/tree.dot" >"$work/before" && packets --load 0.3 --metric packet_latency --fail-at 1:S1_0:5 --reroute minhop "$work/tree.dot" | cmp - "$work/before"
}
check "failures after the end change nothing" later
check "tables that can deadlock" says 3 'can deadlock' "$bin/orcs" --engine packet -d --load 0.1 --fail-at 1us:S0_0:1 --reroute minhop "$work/torus.dot"
check "only tables are replaced" says 2 'reroute replaces tables: it needs --packet-routing tables' "$bin/orcs" --engine packet --load 0.1 --fail-at 1us:S0_0:1 --reroute minhop --packet-routing adaptive torus:4x4
check "a node that is not there" says 2 "fail-at is '1us:S9:1': the fabric has no such node" "$bin/orcs" --engine packet --fail-at 1us:S9:1 mesh:3
check "engines without failures" says 2 'fail-at requires --engine flow or packet' "$bin/orcs" --engine latency --fail-at 1us:S0:1 mesh:3

if have mpirun; then
	processes() {
		for count in 1 2 3; do
			ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np $count "$bin/orcs" --quiet --engine packet --load 0.4 --warmup 20us --measure 40us --metric packet_losses,packet_latency \
				--fail-at 30.1us:S1_0:5 --reroute minhop "$work/tree.dot" >"$work/by$count" || return 1
			ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np $count "$bin/orcs" --quiet --engine packet -n 3 -p alltoall_flood --bytes 4k --metric packet_losses,makespan \
				--fail-at 5us:S1_0:5 "$work/tree.dot" >>"$work/by$count" || return 1
			ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np $count "$bin/orcs" --quiet --engine packet --load 0.4 --warmup 20us --measure 40us --metric packet_losses \
				"$work/tree.dot" >>"$work/by$count" || return 1
		done
		cmp "$work/by1" "$work/by2" && cmp "$work/by1" "$work/by3" && [ -s "$work/by1" ]
	}
	check "the same for 1, 2 and 3 processes" processes
else
	skip "mpirun is not installed"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
