#!/bin/sh
# Buffers, virtual lanes and delays by tier of cables and by attributes of edges: channels.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

packets() {
	"$bin/orcs" --engine packet --quiet --capacity 100G --latency 10ns "$@"
}

loaded() {
	packets --load 0.7 --warmup 5us --measure 15us --metric packet_latency,packet_throughput --format json "$@" | jq .metrics
}

# ---- delays: a packet of 2048 bytes passes a cable in 163.84 ns, three cables of 10 ns and two switches

# alone SECONDS ARGUMENTS...: without waiting, from the first of two switches with a host each to the second; to the picosecond
alone() {
	wanted=$1
	shift
	echo '0 0 1' >"$work/pair"
	found=$(packets -p "file:$work/pair" --subset file_order --mapping linear --bytes 2048 --metric packet_latency --format json "$@" | jq .metrics.packet_latency.mean)
	echo "$found instead of $wanted"
	awk -v a="$found" -v b="$wanted" 'BEGIN { d = a - b; exit !(d < 5e-13 && d > -5e-13) }'
}
"$bin/orcs-topology" mesh:2 | "$bin/orcs-route" --quiet minhop-orcs >"$work/two.dot"
check 'one routing delay' alone 393.84e-9 "$work/two.dot"
check 'heads that come from hosts and from switches' alone 643.84e-9 --routing-delay 150ns/300ns "$work/two.dot"
check 'packets that leave by cables of switches, and of hosts' alone 423.84e-9 --arbitration-delay 10ns/20ns "$work/two.dot"
check 'credits are not waited for' alone 393.84e-9 --credit-delay 1us/2us "$work/two.dot"
awk '/"S[^"]*" -> "S/ { sub(/\];/, ", routing_delay=\"3e-7\", arbitration_delay=\"2e-8\"];") } { print }' "$work/two.dot" >"$work/switch.dot"
check 'delays of one cable' alone 613.84e-9 "$work/switch.dot"
check 'options overrule attributes' alone 413.84e-9 --routing-delay 100ns "$work/switch.dot"

# With room for one packet the cable waits for each credit: packet, two latencies, routing delay and credits of its tier.
credits() {
	wanted=$1
	shift
	echo '0 0 1' >"$work/pair"
	found=$(packets -p "file:$work/pair" --subset file_order --mapping linear --bytes 2048000 --metric makespan --format json --buffer 16384/2048 "$@" | jq .metrics.makespan.mean)
	echo "$found instead of $wanted"
	awk -v a="$found" -v b="$wanted" 'BEGIN { exit !(a > 0.998 * b && a < 1.004 * b) }'
}
check 'credits of cables between switches' credits 1283.84e-6 --credit-delay 0/1us "$work/two.dot"
check 'credits of hosts have room enough' credits 283.84e-6 --credit-delay 1us/0 "$work/two.dot"

# ---- lanes

accepted() {
	packets --load 0.9 --warmup 10us --measure 20us --drain 0 --metric packet_throughput --format json "$@" | jq .metrics.packet_throughput.accepted
}
more() {
	few=$(accepted "$@" --lanes 2) && between=$(accepted "$@" --lanes 2/4) && hosts=$(accepted "$@" --lanes 4/2) && many=$(accepted "$@" --lanes 4) || return 1
	echo "2 lanes $few, 4 of hosts $hosts, 4 between switches $between, 4 lanes $many"
	awk -v a="$few" -v b="$hosts" -v c="$between" -v d="$many" 'BEGIN { exit !(a > 0.3 && c > 1.1 * a && c > 0.95 * d && b < 1.05 * a) }'
}
sanitized || check 'lanes between switches matter on a torus, not those of hosts' more --packet-routing dor torus:8x8x8

same() {
	loaded $1 "$3" >"$work/one" && loaded $2 "$3" >"$work/other" && cmp "$work/one" "$work/other"
}
check 'the same number of lanes at all tiers' same '--lanes 4 --packet-routing dor' '--lanes 4/4 --packet-routing dor' torus:4x4x4
check 'the same for adaptive routing' same '--lanes 5 --packet-routing adaptive' '--lanes 5/5 --packet-routing adaptive' torus:4x4x4
check 'a single lane of hosts, of routes without service levels' loaded --lanes 1/3 --packet-routing tables:lanes=any fattree:k=4,n=3
check 'escape lanes keep their number' loaded --lanes 3/6 --packet-routing adaptive torus:4x4x4
check 'hops on lanes' loaded --lanes 8/16 --packet-routing valiant:via=switch hyperx:4x4

refuses() {
	says "$@"
}
check 'too few lanes for a dateline' refuses 2 'needs 2 virtual lanes for the dateline' packets --load 0.1 --lanes 1/2 --packet-routing dor torus:4x4
check 'more tiers than the fabric has' refuses 2 'values for 3 tiers of cables, but the fabric has 2' packets --load 0.1 --lanes 2/2/2 --packet-routing dor torus:4x4
check 'too many tiers' refuses 2 'more than 8 tiers' packets --load 0.1 --routing-delay 1/1/1/1/1/1/1/1/1 torus:4x4
check 'no number' refuses 2 'virtual-lanes' packets --load 0.1 --lanes 2/x torus:4x4

# ---- attributes of edges as tiers, read from a cache, too, and for all processes

"$bin/orcs-topology" torus:4x4x4 | awk '/->/ { host = /"H/
	sub(/\];/, ", buffer=\"" (host ? 32768 : 16384) "\", virtual_lanes=\"" (host ? 3 : 4) "\", routing_delay=\"" (host ? 5e-8 : 1.5e-7) \
		"\", arbitration_delay=\"" (host ? 0 : 2e-8) "\", credit_delay=\"" (host ? 3e-8 : 0) "\"];")
	sub(/";$/, "\" [buffer=\"" (host ? 32768 : 16384) "\", virtual_lanes=\"" (host ? 3 : 4) "\", routing_delay=\"" (host ? 5e-8 : 1.5e-7) \
		"\", arbitration_delay=\"" (host ? 0 : 2e-8) "\", credit_delay=\"" (host ? 3e-8 : 0) "\"];") } { print }' >"$work/own.dot"
"$bin/orcs-topology" torus:4x4x4 >"$work/torus.dot"
tiers() {
	loaded --packet-routing adaptive "$work/own.dot" >"$work/own" &&
		loaded --packet-routing adaptive --lanes 3/4 --buffer 32k/16k --routing-delay 50ns/150ns --arbitration-delay 0/20ns --credit-delay 30ns/0 "$work/torus.dot" >"$work/tiers" &&
		cmp "$work/own" "$work/tiers" && loaded --packet-routing adaptive "$work/torus.dot" >"$work/usual" && ! cmp -s "$work/own" "$work/usual"
}
check 'attributes of edges are as tiers' tiers
cached() {
	"$bin/orcs-route" --quiet dor "$work/own.dot" -o "$work/routed.dot" && "$bin/orcs" --quiet --save-fabric "$work/routed.orcs" "$work/routed.dot" &&
		loaded --lanes 4 "$work/routed.dot" >"$work/own" && loaded --lanes 4 "$work/routed.orcs" >"$work/cached" && cmp "$work/own" "$work/cached" &&
		loaded --lanes 4 --buffer 16k "$work/routed.orcs" >"$work/usual" && ! cmp -s "$work/own" "$work/usual"
}
check 'attributes in a cache' cached
wrong() {
	sed "s/$1=\"[^\"]*\"/$1=\"$2\"/" "$work/own.dot" >"$work/wrong.dot"
	says 3 "wrong.dot.*has the $1 '$2'" packets --load 0.1 --packet-routing dor "$work/wrong.dot"
}
check 'no lanes' wrong virtual_lanes 0
check 'half a byte' wrong buffer 9000.5
check 'a time before now' wrong routing_delay -1
check 'a buffer smaller than a packet' says 2 'less than one MTU' packets --load 0.1 --packet-routing dor --mtu 17000 "$work/own.dot"

alike() {
	for n in 1 2 3; do
		ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" mpirun --oversubscribe -np "$n" "$bin/orcs" --engine packet --quiet --capacity 100G --load 0.7 --warmup 5us --measure 10us \
			--metric packet_latency "$@" >"$work/processes.$n" || return 1
	done
	cmp "$work/processes.1" "$work/processes.2" && cmp "$work/processes.1" "$work/processes.3"
}
if have mpirun; then
	check 'one, two and three processes' alike --packet-routing adaptive "$work/own.dot"
	check 'the same, delays by tier' alike --routing-delay 20ns/100ns --arbitration-delay 30ns/5ns torus:4x4,hosts=2
else
	skip 'processes: no mpirun'
fi

echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ $failed -eq 0 ]
