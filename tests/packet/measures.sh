#!/bin/sh
# What packet runs measure by rank, tier and dimension, and its pictures: measures.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

packets() {
	"$bin/orcs" --quiet --engine packet "$@"
}

# value JQ ARGUMENTS...: a number of the metrics.
value() {
	what=$1
	shift
	packets --format json "$@" | jq -r ".metrics.$what"
}

# within LOW HIGH JQ ARGUMENTS...
within() {
	low=$1 high=$2
	shift 2
	found=$(value "$@") || return 1
	echo "$found is not from $low to $high"
	awk -v a="$found" -v l="$low" -v h="$high" 'BEGIN { exit !(a ~ /^[0-9.e+-]+$/ && a >= l && a <= h) }'
}

fails() {
	! "$@"
}

# ---- the same share for all: three hosts send to a fourth one through a line, and the last gets as much as the two before it

printf '0 0 3\n0 1 3\n0 2 3\n' >"$work/lot"
lot="-d --traffic file:$work/lot --packet-routing dor --warmup 2ms --measure 20ms --metric packet_throughput"
# shellcheck disable=SC2086 # options
parking_lot() {
	check "a parking lot, the least share" within 0.2495 0.2505 packet_throughput.accepted_min --load 1 $lot mesh:4
	check "a parking lot, the largest share" within 0.4995 0.5005 packet_throughput.accepted_max --load 1 $lot mesh:4
	check "a parking lot, Jain's index" within 0.8885 0.8892 packet_throughput.fairness --load 1 $lot mesh:4 # 1 / (3 (1/16 + 1/16 + 1/4))
	check "a parking lot, the oldest first" within 0.9999 1 packet_throughput.fairness --load 1 --arbiter age $lot mesh:4
	check "a parking lot without load" within 0.999 1 packet_throughput.fairness --load 0.1 $lot mesh:4
	check "without a drain, what is not drained does not saturate" within 0 0 packet_throughput.saturated --load 0.3 --drain 0 $lot mesh:4
	check "... but what is not accepted does" within 1 1 packet_throughput.saturated --load 0.5 --drain 0 $lot mesh:4
}
parking_lot

# Six hosts: the shares are a half, a quarter and so on, the last two are equal.
long_lot() {
	awk 'BEGIN { for (i = 0; i < 6; i++) print 0, i, 6 }' >"$work/long"
	packets -d --subset file_order --traffic "file:$work/long" --load 1 --capacity 100G --warmup 1ms --measure 5ms --drain 0 --metric packet_throughput \
		--ranks "$work/ranks.csv" -o "$work/out" mesh:7 || return 1
	awk -F, 'NR > 1 && NR < 8 { share = $7 / $18 / 12.5e9; want = NR == 2 ? 1 / 32 : 1 / 2 ^ (8 - NR); d = share / want - 1; printf "%.4f ", share; wrong = wrong || d > 0.01 || d < -0.01 }
		END { exit wrong || NR != 8 }' "$work/ranks.csv"
}
check "a long parking lot" long_lot

printf 'c 0 1e-3\ns 0 1 0 20480\nr 0 1 0 1\n' >"$work/late.trace"
# ---- by rank

# gathers NAME ARGUMENTS...: the table of ranks and the metrics are the same counts, but not if any of them is altered.
gathers() {
	name=$1
	shift
	rm -f "$work/result" "$work/ranks.csv"
	check "ranks: $name" packets --ranks "$work/ranks.csv" --metric packet_latency,packet_throughput,link_busy --format json -o "$work/result" "$@"
	check "ranks: $name, counted again" python3 tests/packet/measures.py ranks "$work/result" "$work/ranks.csv"
}
altered() {
	awk -F, -v OFS=, -v column="$1" 'NR == 4 { $column = $column * 1.01 + 1 } { print }' "$work/ranks.csv" >"$work/altered.csv"
	fails python3 tests/packet/measures.py ranks "$work/result" "$work/altered.csv"
}
if have python3; then
	gathers "a torus under load" --load 0.5 --warmup 20us --measure 100us torus:4x4,hosts=2
	for column in 7 8 9 10 11 14 15 16; do
		check "ranks: column $column altered" altered $column
	done
	gathers "a tree at its limit" --load 1 --warmup 20us --measure 50us fattree:k=4,n=2
	gathers "a part of the hosts" --load 0.4 -s 7 --warmup 20us --measure 100us fattree:k=4,n=2
	gathers "an all-to-all" -p alltoall --bytes 10k torus:3x3
	gathers "rendezvous" -p random:100 --bytes 10k --eager 0 dragonfly:p=2,a=4,h=2
	gathers "two rails" -R minhop --load 0.3 --warmup 20us --measure 100us leafspine:leaves=4,spines=2,hosts=2,rails=2
	gathers "cycles" --cycles --load 0.2 --warmup 1000 --measure 5000 torus:4x4

	# ---- by tier and dimension

	for case in "torus:4x3,hosts=2 4x3 dor" "mesh:3x2x3 3x2x3 dor" "torus:2x5 2x5 dor" "torus:4x4/fullmesh:2,hosts=2 4x4 min"; do
		# shellcheck disable=SC2086 # a specification, its widths and a packet routing
		set -- $case
		check "groups: $1" packets --load 0.4 --packet-routing "$3" --warmup 20us --measure 50us --metric link_busy --format json -o "$work/result" "$1"
		check "groups: $1, counted again" python3 tests/packet/measures.py groups "$work/result" "$2"
	done
	check "groups: other widths" fails python3 tests/packet/measures.py groups "$work/result" 4x2
	sed 's/"busy":\([1-9]\)/"busy":1\1/' "$work/result" >"$work/altered"
	check "groups: counts altered" fails python3 tests/packet/measures.py groups "$work/altered" 4x4
else
	skip "counting again (python3)"
fi

check "groups: a tree has no dimensions" within 0 0 'link_busy.dimensions | length' -p ring --metric link_busy fattree:k=2,n=2
check "groups: a HyperX has" within 4 4 'link_busy.dimensions | length' -p ring --packet-routing min --metric link_busy hyperx:3x3
check "groups: by load" within 2 2 'link_busy.dimension_histogram | [.[].load] | unique | length' --load 0.1,0.2 --warmup 5us --measure 5us --metric link_busy torus:3x3

# Only one sender: its rank has the latencies of all packets.
printf '0 0 1\n' >"$work/one"
alone() {
	packets -d --load 0.8 --injection poisson --traffic "file:$work/one" --warmup 1ms --measure 20ms --ranks "$work/ranks.csv" --metric packet_latency \
		--format json star:3 -o "$work/result" || return 1
	jq -r '.metrics.packet_latency | "\(.p99) \(.mean)"' "$work/result" >"$work/all"
	awk -F, 'NR == 2 { print $12, $11 } NR == 3 && $9 != 0 { print "another sends" }' "$work/ranks.csv" | cat "$work/all" - |
		awk '{ for (i = 1; i <= 2; i++) { d = $i - last[i]; if (NR == 2 && (d > 1e-6 * $i || -d > 1e-6 * $i)) wrong = 1; last[i] = $i } print } END { exit wrong || NR != 2 }'
}
check "ranks: a single sender" alone

# A message of ten packets through a switch: communication time is its end; a task that computes first communicates no longer.
printf 's 0 1 0 20480\nr 0 1 0 1\n' >"$work/one.trace"
communicates() {
	packets -d --subset file_order -p "trace:$work/$1.trace" --capacity 10e9 --latency 10ns --ranks "$work/ranks.csv" -o "$work/out" star:2 || return 1
	awk -F, 'NR > 1 { printf "%s ", $13 }' "$work/ranks.csv" >"$work/times"
	echo "$(cat "$work/times") instead of $2"
	[ "$(cat "$work/times")" = "$2 " ]
}
check "communication time" communicates one "1.6504e-05 1.6504e-05"
check "communication time, after a computation" communicates late "1.6504e-05 0.001016504"

# ---- queues over time

# All hosts send to one: the root is the cable to it, and the tree has all channels that lead there, but for the last.
gather="-p gather -d --subset file_order --bytes 50k --metric packet_queues"
# shellcheck disable=SC2086 # options
grows() {
	packets $gather --format json --queues "$work/queues.csv" -o "$work/result" fattree:k=4,n=2 || return 1
	jq -c '.metrics.packet_queues | [.trees[0].from, .trees[0].to, .trees[0].largest, .full, .fullest]' "$work/result" | tee "$work/tree"
	[ "$(cat "$work/tree")" = '["S1_0","H0",19,19,1]' ]
}
check "a congestion tree" grows
queued() {
	name=$1
	shift
	rm -f "$work/result" "$work/queues.csv"
	check "queues: $name" packets --metric packet_queues --format json --queues "$work/queues.csv" -o "$work/result" "$@"
	check "queues: $name, counted again" python3 tests/packet/measures.py queues "$work/result" "$work/queues.csv"
}
if have python3; then
	# shellcheck disable=SC2086 # options
	queued "gather" $gather fattree:k=4,n=2
	awk -F, -v OFS=, 'NR > 400 && $10 == 1 { $10 = 0 } { print }' "$work/queues.csv" >"$work/altered.csv"
	check "queues: altered" fails python3 tests/packet/measures.py queues "$work/result" "$work/altered.csv"
	queued "a torus beyond saturation" --load 0.9 --packet-routing dor --warmup 10us --measure 20us torus:4x4,hosts=2
	queued "adaptive, virtual output queues" --load 0.9 --packet-routing adaptive --voq --warmup 10us --measure 20us torus:4x4,hosts=2
	for arbiter in lane matrix age; do
		queued "by $arbiter" --load 0.9 --arbiter $arbiter --warmup 10us --measure 20us fattree:k=3,n=3
	done
	queued "with pauses" -p "trace:$work/late.trace" -d --subset file_order star:2
fi
# What is watched changes nothing.
unchanged() {
	packets --load 0.8 --packet-routing dor --warmup 10us --measure 20us --metric packet_latency,packet_throughput --format json torus:4x4 |
		jq -c .metrics >"$work/before" || return 1
	packets --load 0.8 --packet-routing dor --warmup 10us --measure 20us --metric packet_latency,packet_throughput,packet_queues --ranks "$work/ranks.csv" \
		--queues "$work/queues.csv" --format json torus:4x4 | jq -c '.metrics | del(.packet_queues)' | cmp "$work/before" -
}
check "queues: results are as without" unchanged
check "queues: without the metric" says 2 "add --metric packet_queues" "$bin/orcs" --engine packet --queues "$work/x" star:4
check "queues: with another engine" says 2 "queues requires --engine packet" "$bin/orcs" --queues "$work/x" star:4

# ---- counters of ports: the data are those of the flow engine, packets and waits those of the channels

port_counters() {
	packets -p alltoall --bytes 10k --seed 3 --mtu 4096 --metric link_busy --counters "$work/counters" --format json -o "$work/result" examples/fattree16.dot &&
		"$bin/orcs" --quiet --engine flow -p alltoall --bytes 10k --seed 3 --metric link_use --counters "$work/flow" -o "$work/out" examples/fattree16.dot ||
		return 1
	grep Data "$work/flow" >"$work/a"
	grep Data "$work/counters" | cmp "$work/a" - || return 1
	# messages of three packets: 4096, 4096 and 1808 bytes
	awk -F'\\.+' '/XmitData/ { d = $2 } /XmitPkts/ { n++; if ($2 * 2500 != d * 3) { print d, $2; wrong = 1 } } END { exit wrong || n != 64 }' "$work/counters"
}
check "counters of ports" port_counters
waits() {
	printf '0 0 3\n0 1 3\n0 2 3\n' >"$work/incast"
	packets -d --subset file_order -s 4 -p "file:$work/incast" --bytes 100k --capacity 10G --metric link_busy --counters "$work/counters" --format json \
		-o "$work/result" examples/fattree16.dot || return 1
	# ticks of 3.2 ns, in the order of the channels
	jq -r '.metrics.link_busy.channels | map(.blocked) | @tsv' "$work/result" | tr '\t' '\n' >"$work/blocked"
	seconds=$(jq '.metrics.link_busy | [.channels[] | select(.busy > 0) | .sum / .busy] | max * 1e-12' "$work/result")
	sed -n 's/^PortXmitWait:\.*//p' "$work/counters" | paste "$work/blocked" - | awk -v seconds="$seconds" '{ w = $1 * seconds / 3.2e-9; d = w - $2
		if (d > 1.01 || d < -0.01) { print; wrong = 1 } if ($2 > 0) some = 1 } END { exit wrong || !some }'
}
check "counters of ports that wait" waits
if [ -x "$bin/orcs-advise" ]; then
	check "counters compared with the tables" says 0 "counters of 64 of 64 channels" "$bin/orcs-advise" --measured /dev/null "$work/counters" examples/fattree16.dot
fi

# ---- precision of an open loop, and coarse packets

precise() {
	packets --load 0.5 --precision "$1" --metric packet_latency,packet_throughput --format json fattree:k=3,n=2 >"$work/result" || return 1
	jq -c '.metrics | [.packet_latency, .packet_throughput | (.ci95[1] - .ci95[0]) / (.ci95[1] + .ci95[0])] + [.packet_latency.imprecise, .packet_latency.packets]' "$work/result"
	jq -e --argjson near "$1" '.metrics | ([.packet_latency, .packet_throughput | (.ci95[1] - .ci95[0]) / (.ci95[1] + .ci95[0])] | max) < 1.05 * $near and
		.packet_latency.imprecise == 0' "$work/result"
}
check "precision, 3%" precise 0.03
check "precision, 1%" precise 0.01
check "precision, 1%: long enough, not longer" jq -e '.metrics.packet_latency.packets | . > 60000 and . < 2000000' "$work/result"
check "precision: at most" within 1 1 packet_latency.imprecise --load 0.5 --precision 0.0001 --measure 5ms --metric packet_latency star:4
check "precision: beyond saturation" within 1 1 packet_latency.imprecise --load 1 --precision 0.01 --metric packet_latency fattree:k=3,n=2
check "precision: several loads" within 2 2 'packet_latency.loads | length' --load 0.1,0.5 --precision 0.05 --metric packet_latency star:4
check "precision: not with a search" says 2 "cannot be combined with --saturation" "$bin/orcs" --engine packet --saturation --precision 0.1 star:4

# The interval of waiting for one server (M/D/1) holds the exact mean, in nearly all of some seeds: 1.6384 us * (1 + rho / (2 (1 - rho))) and the way
covers() {
	hits=0
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		packets -d --load 0.7 --seed $seed --injection poisson --traffic "file:$work/one" --precision 0.02 --latency 0 --routing-delay 0 --metric packet_latency \
			--format json star:2 >"$work/result" || return 1
		jq -e '.metrics.packet_latency | (1.6384e-6 * (1 + 0.7 / 0.6)) as $mean | .ci95[0] <= $mean and $mean <= .ci95[1]' "$work/result" >"$work/holds" &&
			hits=$((hits + 1))
	done
	echo "$hits of 20"
	[ $hits -ge 17 ]
}
if ! sanitized; then
	check "precision: the interval holds the mean" covers
fi

coarse() {
	for n in 1 2 4; do
		packets --coarsen $n -p alltoall_flood -d --subset file_order --bytes 1M --capacity 100G --voq --metric makespan --format json star:8 2>"$work/err" >"$work/result.$n" ||
			return 1
	done
	jq -s -c 'map([.packets.mtu, .packets.buffer, .packets.coarsen_error, .metrics.makespan.mean])' "$work"/result.? | tee "$work/coarse"
	jq -e '.[0][:3] == [2048, 16384, null] and .[1][:2] == [4096, 32768] and .[2][:2] == [8192, 65536] and
		(.[2][3] / .[0][3] - 1 | . > 0 and . < 0.02) and (.[1][3] / .[0][3] - 1 | . > -0.005 and . < 0.01) and .[2][2] > 0.015 and .[2][2] < 0.03' "$work/coarse"
}
check "coarse packets" coarse
check "coarse packets: their error is told" says 0 "note: --coarsen 4: packets of 8192 instead of 2048 bytes.*makespans can be [0-9.]*% too long" "$bin/orcs" --engine packet \
	--coarsen 4 -p ring --bytes 1M star:4
check "coarse packets: short messages" says 2 "a message has 65535 bytes, fewer than 8 packets of 8192" "$bin/orcs" --engine packet --coarsen 4 -p ring --bytes 65535 star:4
check "coarse packets: just long enough" packets --coarsen 4 -p ring --bytes 65536 -o "$work/out" star:4
check "coarse packets: under load" says 2 "a message has 2048 bytes, fewer than 8 packets of 4096" "$bin/orcs" --engine packet --coarsen 2 --load 0.1 star:4
check "coarse packets: at most 4" says 2 "coarsen is '5'" "$bin/orcs" --engine packet --coarsen 5 star:4

# ---- what is refused

check "ranks: with another engine" says 2 "ranks FILE requires --engine packet" "$bin/orcs" --ranks "$work/x" star:4
check "ranks: no number and no file" says 2 "not an integer" "$bin/orcs" -s 6x4 star:4
check "ranks: twice to standard output" says 2 "only one of" "$bin/orcs" --engine packet --ranks - star:4
check "ranks: with a checkpoint" says 2 "do not keep the ranks" "$bin/orcs" --engine packet --ranks "$work/x" --checkpoint "$work/c" star:4
check "ranks: both, a number and a file" packets -s 2 --ranks "$work/ranks.csv" -p ring -o "$work/out" star:4
check "ranks: ... as many rows" awk 'END { exit NR != 3 }' "$work/ranks.csv"
check "ranks: none is left after a failure" fails test -e "$work/x"

# ---- pictures

# shows FILE TEXT...: the picture has these texts.
shows() {
	file=$1
	shift
	for text; do
		grep -q -F -e "$text" "$file" || {
			echo "no '$text'"
			return 1
		}
	done
}
if have gnuplot; then
	own_font_cache
	check "distributions" packets --load 0.4 --ranks "$work/ranks.csv" --metric link_busy --packet-routing dor --warmup 5us --measure 10us -o "$work/out" \
		--plot "$work/links.svg" torus:4x3x2,hosts=2
	check "distributions: their panels" shows "$work/links.svg" "uniform traffic on 48 hosts" "packet latency" "99% of its packets within" "accepted, bytes a second" \
		"hosts, tier 0 (96)" "tier 1 (120)" "busy, by dimension and position" "blocked, by dimension and position" "channels of dimensions 2 and 3" "3+"
	check "distributions of a closed run" packets -p ring --metric makespan --ranks "$work/ranks.csv" -o "$work/out" --plot "$work/ranks.svg" star:4
	check "distributions: communication time" shows "$work/ranks.svg" "communication time"
	check "distributions of tiers alone" packets -p ring --metric link_busy -o "$work/out" --plot "$work/tiers.png" dragonfly:p=2,a=4,h=2
	# shellcheck disable=SC2086 # options
	check "queues over time" packets $gather -o "$work/out" --plot "$work/queues.svg" fattree:k=4,n=2
	check "queues over time: the tree" shows "$work/queues.svg" "up to 19 channels behind S1_0" "in the largest congestion tree" "the fullest channel"
else
	skip "pictures (gnuplot)"
fi

if have dot; then
	own_font_cache
	# shellcheck disable=SC2086 # options
	packets $gather --queues "$work/queues.csv" -o "$work/out" fattree:k=4,n=2
	draws() {
		"$bin/orcs-draw" --quiet --queues "$work/queues.csv" "$@"
	}
	check "an animation" draws fattree:k=4,n=2 -o "$work/moves.svg"
	check "an animation: all lines, all moments" awk '/attributeName="stroke"/ { lines++ } /attributeName="visibility"/ { times++ } /#e61717/ { full++ } END { print lines, times, full
		exit lines != 32 || times < 64 || full < 19 }' "$work/moves.svg"
	check "an animation: its words" shows "$work/moves.svg" "Queues of fattree:k=4,n=2" "First full, after 13.11 µs"
	check "an animation, plain" draws --plain fattree:k=4,n=2 -o "$work/plain.svg"
	check "an animation, plain: all lines" awk '/attributeName="stroke"/ { lines++ } END { exit lines != 32 }' "$work/plain.svg"
	check "one moment" draws --at 20us fattree:k=4,n=2 -o "$work/still.svg"
	check "one moment: it stands still" fails grep -q animate "$work/still.svg"
	check "one moment: its time" shows "$work/still.svg" "At 19.66 µs"
	check "another fabric" says 3 "queues.csv:[0-9]*: the channel is not one of this fabric" draws fattree:k=5,n=2 -o "$work/none.svg"
	check "no queues" says 3 "no queues over time: 'orcs" "$bin/orcs-draw" --queues "$work/ranks.csv" fattree:k=4,n=2 -o "$work/none.svg"
	check "a moment of nothing" says 2 "at requires --queues" "$bin/orcs-draw" --at 1us fattree:k=4,n=2 -o "$work/none.svg"
	check "no picture is left" fails test -e "$work/none.svg"
else
	skip "animations (Graphviz)"
fi

echo "$passed passed, $failed failed$([ "$skipped" -gt 0 ] && echo ", $skipped skipped")"
[ "$failed" -eq 0 ]
