#!/bin/sh
# The flow engine by its commands: exact cases, random ones against a slow simulation, failures, classes, levels: flow.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

# value METRIC KEY ARGUMENTS...: that number of the result.
value() {
	metric=$1 key=$2
	shift 2
	"$bin/orcs" --engine flow -d --subset file_order --metric "$metric" --format json "$@" | jq -r ".metrics.${metric%%:*}.$key"
}

# is NUMBER METRIC KEY ARGUMENTS...: the value is that one, but for a picosecond or the last digits.
is() {
	wanted=$1
	shift
	found=$(value "$@") || return 1
	echo "$found instead of $wanted"
	awk -v a="$found" -v b="$wanted" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a ~ /^[0-9.e+-]+$/ && d <= (b < 0 ? -b : b) * 1e-12 + 1e-12) }'
}

# refuses STATUS WORDS ARGUMENTS...: orcs ends with that status, and one line that has the words.
refuses() {
	wanted=$1 words=$2
	shift 2
	"$bin/orcs" --engine flow "$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ "$status" -eq "$wanted" ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q -- "$words" "$work/err"
}

# ---- messages that share nothing

if have python3; then
	runs=40
	! sanitized || runs=8
	check "programs without sharing" python3 tests/flow/alone.py "$bin/orcs" "$work" $runs
	sed 's/2 \* latency/3 * latency/' tests/flow/alone.py >"$work/other.py"
	check "another latency is noticed" sh -c "! python3 '$work/other.py' '$bin/orcs' '$work' 8"
else
	skip "python3 is not installed: no programs without sharing"
fi
check "no sharing in a queue" refuses 2 "contention is not available for a queue" -p queue:examples/day.queue --metric contention star:64

# ---- exact times

cat >"$work/two.trace" <<'END'
s 0 2 0 125000000
s 1 2 0 1250000000
r 0 2 0 1
r 1 2 0 1
END
flows() {
	"$bin/orcs" --engine flow -d --subset file_order -p "trace:$work/two.trace" --metric makespan --flows "$work/two.csv" torus:3,hosts=3 >/dev/null &&
		cut -d, -f8,9 "$work/two.csv" | tr '\n' ' ' | grep -qx 'begin,end 0.000000000000,0.200000000000 0.000000000000,1.100000000000 '
}
check "two messages into one port" flows

# What requires the beginning of a receive does not wait for the message: 1 ms, and 1 ms on the link; 100 ns, and 5 ms.
cat >"$work/posted.goal" <<'END'
num_ranks 2
rank 0 {
l1: calc 1000000
l2: send 1250000b to 1
l2 requires l1
}
rank 1 {
l2: recv 1250000b from 0
l3: calc 100
l3 irequires l2
l4: calc 5000000
l4 requires l3
}
END
check "a receive that is posted" is 0.0050001 makespan mean -p "goal:$work/posted.goal" star:2
sed 's/^l4 requires l3/l4 requires l2/' "$work/posted.goal" >"$work/arrived.goal"
check "a receive that has its message" is 0.007 makespan mean -p "goal:$work/arrived.goal" star:2
# a send ends when its message is there: 1 ms, 1 ms on the link and 0.5 ms on the way
printf 'num_ranks 2\nrank 0 {\ns: send 1250000b to 1\nc: calc 1000000\nc requires s\n}\nrank 1 {\nrecv 1b from 0\n}\n' >"$work/sent.goal"
check "the end of a send" is 0.0025 makespan mean -p "goal:$work/sent.goal" --latency 0.00025 star:2

# Messages of one sender, receiver and tag, of 1 and 10 ms, and receives of which the first to be posted starts a computation of 1 s: it is the
# message posted first that comes before. posted SECONDS SENDS RECEIVES: with both engines, packets take some microseconds of their own.
posted() {
	printf 'num_ranks 2\nrank 0 {\nlong: send 12500000b to 1\nshort: send 1250000b to 1\n%b}\nrank 1 {\n%bc: calc 1000000000\nc requires first\n}\n' "$2" "$3" \
		>"$work/order.goal"
	is "$1" makespan mean -p "goal:$work/order.goal" star:2 || return 1
	packets=$("$bin/orcs" --engine packet -d --subset file_order --metric makespan --format json -p "goal:$work/order.goal" star:2 | jq .metrics.makespan.mean)
	echo "$packets instead of $1"
	awk -v a="$packets" -v b="$1" 'BEGIN { exit !(a > b && a < b + 1e-4) }'
}
two_receives='first: recv 1b from 0\nsecond: recv 1b from 0\n'
in_turn="${two_receives}second requires first\n"
check "posted in another order" posted 1.001 'long requires short\n' "$in_turn"
check "posted in that order" posted 1.01 'short requires long\n' "$in_turn"
check "posted when another has begun" posted 1.001 'long requires w\nw: calc 2000000\nw irequires short\n' "$in_turn"
check "posted after a computation" posted 1.001 'w: calc 5000000\nlong requires w\n' "$in_turn"
check "posted after computations" posted 1.021 'w: calc 30000000\nx: calc 20000000\nlong requires w\nshort requires x\n' "$in_turn"
check "receives in another order" posted 1.01 'short requires long\n' 'second: recv 1b from 0\nfirst: recv 1b from 0\nsecond requires first\n'
check "posted at once" posted 1.011 'short requires long\n' 'second: recv 1b from 0\nfirst: recv 1b from 0\n'
# the long message is an answer to what the first receive starts: no circle
printf 'num_ranks 2\nrank 0 {\nlong: send 12500000b to 1\nshort: send 1250000b to 1\nlong requires back\nback: recv 1b from 1 tag 7\n}\nrank 1 {\n%bsend: send 0b to 0 tag 7\nsend requires first\n}\n' \
	"$(printf %s "$two_receives")" >"$work/back.goal"
check "posted after an answer" is 0.011 makespan mean -p "goal:$work/back.goal" star:2

# exact SECONDS WORKLOAD TOPOLOGY: messages of 1,024,000 kbit on links of 10 Gb/s.
exact() {
	check "$2 on $3" is "$1" makespan mean --bytes 128M -p "$2" "$3"
}
exact 1.536 alltoone fattree:k=4,n=2
exact 1.536 onetoall fattree:k=4,n=2
exact 4.5056 mapreduce:100 fattree:k=4,n=2
exact 1.536 alltoall_flood torus:5x5,hosts=direct
exact 0.2048 shift:3 torus:5x5,hosts=direct
exact 4.4032 nbody torus:5x5,hosts=direct
exact 0.1024 stencil:5x5x5,torus torus:5x5x5,hosts=direct
exact 1.3312 sweep:5x5x5 torus:5x5x5,hosts=direct
exact 1.4352 allreduce_butterfly torus:5x5x5,hosts=direct
exact 0.6144 allreduce_butterfly fattree:k=4,n=3
exact 0.8192 shift:8 dragonfly:p=2,a=4,h=2

check "capacities" is 0.5 makespan mean --bytes 125M --capacity 2e9 -p shift:1 torus:3,hosts=1
check "latencies" is 0.85 makespan mean --bytes 125M --latency 0.25 -p shift:1 torus:3,hosts=1
check "alone" is 0.85 latency mean --bytes 125M --latency 0.25 -p shift:1 torus:3,hosts=1
check "speeds of the fabric, ignored" is 0.02 makespan mean -d --ignore-speeds --bytes 125M -p shift:2 tests/data/speeds.dot
check "speeds of the fabric" is 0.01 makespan mean --bytes 125M -p shift:1 tests/data/speeds.dot

# ---- all at once, by hand

check "restricted, all to one" is 10e9 throughput restricted -p alltoone fattree:k=4,n=2
check "max-min, all to one" is 10e9 throughput max_min -p alltoone fattree:k=4,n=2
check "fairness, all to one" is 1 throughput fairness -p alltoone fattree:k=4,n=2
check "load, all to one" is 15 throughput max_load -p alltoone fattree:k=4,n=2
check "per host" is 625e6 throughput max_min_per_host -p alltoone fattree:k=4,n=2
# into task 0 two messages, out of task 2 two: each is in the way of the other
cat >"$work/levels.trace" <<'END'
s 1 0 0 1000
s 2 0 0 1000
s 2 3 0 1000
r 1 0 0 1
r 2 0 0 1
r 2 3 0 1
END
static() {
	is "$1" throughput "$2" -p "trace:$work/levels.trace" torus:3,hosts=3
}
check "restricted by hand" static 15e9 restricted
check "non-restricted by hand" static 15e9 non_restricted
check "max-min by hand" static 15e9 max_min
check "mean hops by hand" is 2.33333333333333 throughput mean_hops -p "trace:$work/levels.trace" torus:3,hosts=3

# ---- classes

# Two jobs on switches of their own: each takes the time of two messages into one port, whatever the classes.
cat >"$work/classes.jobs" <<'END'
0 3 alltoone bytes=125000000 priority=1
0 3 alltoone bytes=125000000 priority=0
END
one_of_two() {
	"$bin/orcs" --engine flow -d --subset file_order -p "jobs:$work/classes.jobs" --metric makespan --flows "$work/classes.csv" "$@" torus:3,hosts=2 >/dev/null || return 1
	cut -d, -f3,4,9 "$work/classes.csv"
}
for policy in none strict share:50,50 share:9,1; do
	check "classes that do not meet, $policy" one_of_two --priority "$policy"
	check "each takes all, $policy" test "$(cut -d, -f9 "$work/classes.csv" | sort -u | tr '\n' ' ')" = "0.200000000000 end "
done
cat >"$work/meet.dot" <<'END'
digraph { H0; H1; H2; H3; H0 -> A [comment="*"]; H1 -> A [comment="*"]; H2 -> B [comment="*"]; H3 -> B [comment="*"];
A -> H0 [comment=H0]; A -> H1 [comment=H1]; B -> H2 [comment=H2]; B -> H3 [comment=H3];
A -> B [comment="H2,H3"]; B -> A [comment="H0,H1"]; }
END
printf 'H0\nH2\nH1\nH3\n' >"$work/order"
cat >"$work/meet.jobs" <<'END'
0 2 shift:1 bytes=1250000000 priority=1
0.5 2 shift:1 bytes=1250000000 priority=0
END
# meeting POLICY ENDS...: both jobs use the cable between the switches; the ends of their messages.
meeting() {
	policy=$1
	shift
	"$bin/orcs" --engine flow -d --subset "file:$work/order" -p "jobs:$work/meet.jobs" --priority "$policy" --metric makespan --flows "$work/meet.csv" \
		"$work/meet.dot" >/dev/null || return 1
	cut -d, -f9 "$work/meet.csv" | sed 1d | tr '\n' ' '
	[ "$(cut -d, -f9 "$work/meet.csv" | sed 1d | sort -u | tr '\n' ' ')" = "$* " ]
}
check "no classes" meeting none 1.500000000000 2.000000000000
check "strict classes: the lower stops" meeting strict 1.500000000000 2.000000000000
check "halves" meeting share:50,50 1.500000000000 2.000000000000
# 5 sent, then three quarters for the first class: 1.25 s for 10 at 7.5 is 1.33333; the other has sent 3.3333 more by then
check "three quarters" meeting share:3,1 1.833333333333 2.000000000000

# ---- weights

# Into one port of 10 Gb/s at 2.5 and 7.5 Gb/s: 10 and 10 Gbit; when the second has gone the first has all.
cat >"$work/weights.trace" <<'END'
s 1 0 0 1250000000
s 2 0 0 1250000000 weight=3
r 1 0 0 1
r 2 0 0 1
END
printf '0 2 null\n0 3 trace:%s\n' "$work/weights.trace" >"$work/weights.jobs"
# weighted ENDS WORKLOAD ARGUMENTS...: the ends of the messages.
weighted() {
	ends=$1 workload=$2
	shift 2
	"$bin/orcs" --engine flow -d --subset file_order -p "$workload" --metric makespan --flows "$work/weighted.csv" "$@" >/dev/null || return 1
	cut -d, -f9 "$work/weighted.csv" | sed 1d | tr '\n' ' ' | tee "$work/ends"
	[ "$(cat "$work/ends")" = "$ends " ]
}
for policy in none strict share:2,1; do
	check "weights 1 and 3 in one port, $policy" weighted '2.000000000000 1.333333333333' "trace:$work/weights.trace" --priority "$policy" star:3
done
check "weights in a job" weighted '2.000000000000 1.333333333333' "jobs:$work/weights.jobs" star:5
printf '0 3 alltoone bytes=1.25G weight=1\n0 2 null\n' >"$work/equal.jobs"
check "weights alike are none" weighted '2.000000000000 2.000000000000' "jobs:$work/equal.jobs" star:5
weighted_rates() {
	is 10e9 throughput max_min -p "trace:$work/weights.trace" star:3 && is 0.8 throughput fairness -p "trace:$work/weights.trace" star:3
}
check "weights at once" weighted_rates
# by their class first: 10 Gbit at 7.5 Gb/s, and what is left alone
printf 's 1 0 0 1250000000 priority=1 weight=100\ns 2 0 0 1250000000\nr 1 0 0 1\nr 2 0 0 1\n' >"$work/class.trace"
check "classes of messages, strict" weighted '2.000000000000 1.000000000000' "trace:$work/class.trace" --priority strict star:3
check "classes of messages, shares" weighted '2.000000000000 1.333333333333' "trace:$work/class.trace" --priority share:3,1 star:3

# ---- sizes

printf '0 0 2 125M\n0 1 2 1250000000\n' >"$work/sizes"
printf '0 0 2\n0 1 2\n' >"$work/nosizes"
check "the bytes of a file" weighted '0.200000000000 1.100000000000' "file:$work/sizes" --bytes 1 star:3
check "no bytes in a file" weighted '0.002000000000 0.002000000000' "file:$work/nosizes" --bytes 1250000 star:3
check "the bytes of a file, alone" is 1 latency max -p "file:$work/sizes" star:3
# Level 1 begins when level 0 has ended; by its data its second message begins after 0.1 s, both share the port until the first has sent 10 Gbit.
printf '0 0 1 125M\n1 1 2 1250M\n0 2 0 250M\n1 0 2 1.25G\n' >"$work/levels"
check "sizes and levels" weighted '0.100000000000 0.200000000000 2.200000000000 2.200000000000' "file:$work/levels" --sync level star:3
check "sizes and what is passed on" weighted '0.100000000000 0.200000000000 2.000000000000 2.100000000000' "file:$work/levels" --sync data star:3

# More messages than a byte counts, on channels alike and not.
check "the load of 600 hosts" is 599 throughput max_load -p alltoone star:600
check "restricted, 600 hosts" is 10e9 throughput restricted -p alltoone star:600
check "non-restricted, 600 hosts" is 10e9 throughput non_restricted -p alltoone star:600
check "max-min, 600 hosts" is 10e9 throughput max_min -p alltoone star:600
"$bin/orcs-topology" star:600 | sed '/->/{s/;/ [speed="10"];/;/"H0"/s/10"/40"/;}' >"$work/fast.dot"
check "non-restricted, 600 hosts, one fast" is 40e9 throughput non_restricted -p alltoone "$work/fast.dot"

# Channels that are too many for the caches, far from each other and near: every message is counted on each channel of its route.
for fabric in fattree:k=20,n=4 torus:64x64x20,hosts=1; do
	check "the bandwidth of all to one, $fabric" is 10e9 throughput:simple restricted -p alltoone "$fabric"
	every_hop() {
		"$bin/orcs" --engine flow -p random:300000 --metric throughput:simple,loads --format json "$fabric" |
			jq -e '.metrics | (.loads.histogram | to_entries | map((.key | tonumber) * .value) | add) as $sum |
				($sum / 300000 / .throughput.mean_hops - 1 | fabs) < 1e-9 and .loads.max == .throughput.max_load'
	}
	check "every hop is counted, $fabric" every_hop
done

# ---- failures

cat >"$work/cut.trace" <<'END'
s 0 1 0 1250000000
r 0 1 0 1
s 1 0 0 125000000
r 1 0 0 1
END
# cut WANTED KEY ARGUMENTS...: of a message through the cable that fails
cut_is() {
	wanted=$1 metric=$2 key=$3
	shift 3
	is "$wanted" "$metric" "$key" -p "trace:$work/cut.trace" "$@" torus:4,hosts=1
}
check "lost at once" cut_is 0.25 makespan mean --fail-at 0.25s:S0:3
check "both are lost" cut_is 2 fct unroutable --fail-at 250ms:S0:3
check "none arrives" cut_is 0 fct flows --fail-at 250ms:S0:3
check "nothing fails before" cut_is 1.1 makespan mean --fail-at 2s:S0:3
check "the other way round" cut_is 1.1 makespan mean --fail-at 0.25:S0:3 --reroute minhop-orcs
check "one is sent on" cut_is 1 fct rerouted --fail-at 0.25:S0:3 --reroute minhop-orcs
check "longer ways take longer" cut_is 1.5 makespan mean --fail-at 0.25:S0:3 --reroute minhop-orcs --latency 0.04
check "static: lost" cut_is 2 throughput unroutable --fail-at 0.25s:S0:3
check "static: rerouted" cut_is 0 throughput unroutable --fail-at 0.25s:S0:3 --reroute minhop-orcs
check "static: longer" cut_is 5 throughput mean_hops --fail-at 0.25s:S0:3 --reroute minhop-orcs
for engine in minhop-orcs updn-orcs dfsssp-orcs sssp-orcs nue; do
	check "rerouted by $engine" cut_is 0 fct unroutable --fail-at 0.25:S0:3 --reroute $engine
done
check "several cables" is 0 fct unroutable -p alltoall_flood --fail-at 1ms:S0_0:2 --fail-at 2ms:S1_1:3 --fail-at 2ms:S3_2:2 --reroute updn-orcs torus:4x4,hosts=1
check "a second failure, after the end" cut_is 1.1 makespan mean --fail-at 0.25:S0:3 --fail-at 5:S2:3 --reroute minhop-orcs
check "a second failure, before" cut_is 0.5 makespan mean --fail-at 0.25:S0:3 --fail-at 0.5:S2:3 --reroute minhop-orcs
check "a failure and a cache" "$bin/orcs" --save-fabric "$work/torus.orcsb" torus:4,hosts=1
check "rerouted, from a cache" is 1.1 makespan mean -p "trace:$work/cut.trace" --fail-at 0.25:S0:3 --reroute minhop-orcs "$work/torus.orcsb"
check "times of failures" refuses 2 "not TIME:NODE:PORT" --fail-at 1h:S0:1 torus:4
check "negative times of failures" refuses 2 "not TIME:NODE:PORT" --fail-at -1s:S0:1 torus:4
check "nodes that fail" refuses 2 "no such node" --fail-at 1s:S9:1 torus:4
for port in 9 0 -1 99999999999 99999999999999999999 x ''; do
	check "port '$port' fails" refuses 2 "S0 has no port '$port' (ports 1 to 3)" --fail-at "1s:S0:$port" torus:4
done
check "engines that reroute" refuses 2 "unknown routing engine" --fail-at 1s:S0:1 --reroute mihop torus:4

# ---- other mistakes

check "shares" refuses 2 "up to 8 shares" --priority share:1,,2 torus:4
check "the numbers of strict" refuses 2 "only share takes numbers" --priority strict:1 torus:4
check "hexadecimal shares" refuses 2 "up to 8 shares" --priority share:0x5 torus:4
check "hexadecimal times" refuses 2 "not TIME:NODE:PORT" --fail-at 0x1s:S0:1 torus:4
check "hexadecimal latencies" refuses 2 "not a time" --latency 0x1s torus:4
check "hexadecimal capacities" refuses 2 "not bits/s" --capacity 0x1p30 torus:4
check "hexadecimal sizes" refuses 2 "not a size" --bytes 0x10 torus:4
check "no end of a size" refuses 2 "not a size" --bytes inf torus:4
check "the longest time" refuses 3 "." -p shift:1 --capacity 1 --bytes 1G --metric makespan torus:4
printf 'c 0 1e9\nc 0 1e9\nc 0 1e9\nc 0 1e9\ns 0 1 0 1\nr 0 1 0 1\n' >"$work/long.trace"
check "the longest time, of computations" refuses 3 "." -p "trace:$work/long.trace" --metric makespan torus:4
check "metrics of the other engine" refuses 2 "not available with --engine flow" --metric hist_max_cong torus:4
check "options of the other engine" refuses 2 "--engine congestion" --serialise-sends torus:4
check "a pair without a route" refuses 3 "no route from" -p alltoall_flood tests/data/loop.dot
check "a folder that is not there" refuses 1 "cannot write" --flows "$work/missing/x" torus:4
not_written() {
	"$bin/orcs" --engine flow -p alltoall_flood --flows "$work/flows" --timeline "$work/timeline" tests/data/loop.dot 2>"$work/err"
	[ $? -eq 3 ] && [ ! -e "$work/flows" ] && [ ! -e "$work/timeline" ]
}
check "nothing is written where the runs fail" not_written

# A run is the same alone and behind others, and a failure does not outlast its run.
"$bin/orcs" --engine flow -n 4 -p local:60,0.5 --seed 3 --fail-at 1ms:S0_0:2 --reroute minhop-orcs --latency 1e-3 --raw --metric latency,makespan \
	--format json torus:4x4 | jq -c '.metrics[].raw' >"$work/runs"
alike() {
	for n in 1 2 3; do
		"$bin/orcs" --engine flow -n $n -p local:60,0.5 --seed 3 --fail-at 1ms:S0_0:2 --reroute minhop-orcs --latency 1e-3 --raw --metric latency,makespan \
			--format json torus:4x4 | jq -c '.metrics[].raw' >"$work/fewer"
		jq -c ".[:$n]" "$work/runs" | cmp - "$work/fewer" || return 1
	done
}
check "runs do not depend on those before" alike

# ---- the other engine: on channels alike, messages of one size that begin together take as long as the largest congestion says, level after
# level; and a bottleneck's equal share is what that engine calls bandwidth

# engines_agree PATTERN ARGUMENTS...
engines_agree() {
	pattern=$1
	shift
	"$bin/orcs" -n 5 -p "$pattern" --metric hist_max_cong,sum_max_cong --format json "$@" >"$work/counted" &&
		"$bin/orcs" --engine flow --sync level --bytes 1250000 --capacity 10e9 -n 5 -p "$pattern" --metric makespan,throughput --format json "$@" >"$work/timed" || return 1
	jq -s -c '[.[0].metrics.sum_max_cong.mean / 1000, .[1].metrics.makespan.mean],
		[.[0].metrics.hist_max_cong.bandwidth, .[1].metrics.throughput.non_restricted / .[1].metrics.throughput.flows / 10e9]' \
		"$work/counted" "$work/timed" | tee "$work/both"
	# the bandwidths of levels are not those of all levels at once
	case $pattern in rand | bisect* | shift* | alltoall_flood) ;; *) sed -i 1q "$work/both" ;; esac
	jq -e 'if (.[0] - .[1] | fabs) < 1e-6 * .[0] then true else false end' "$work/both" >"$work/true" && ! grep -q false "$work/true"
}
for pattern in rand bisect_fb_sym shift:5 alltoall_flood alltoall bruck recdbl tree ring gather neighbor:4; do
	for fabric in examples/fattree36_dor.dot torus:4x4,hosts=2 dragonfly:p=2,a=4,h=1 "jellyfish:switches=12,ports=6,links=4 -R updn-orcs"; do
		# shellcheck disable=SC2086 # a fabric and its options
		check "both engines, $pattern on $fabric" engines_agree $pattern $fabric
	done
done

# ---- random fabrics, programs, classes and failures

if command -v python3 >/dev/null 2>&1; then
	python3 tests/flow/reference.py "$bin" "${FLOW_CASES:-150}" >"$work/reference" 2>&1 || grep -A 1 -e FAILED -e Error "$work/reference"
	good=$(sed -n 's/^\([0-9]*\) passed.*/\1/p' "$work/reference")
	bad=$(sed -n 's/.* passed, \([0-9]*\) failed$/\1/p' "$work/reference")
	passed=$((passed + ${good:-0}))
	failed=$((failed + ${bad:-1}))
	echo "$passed passed, $failed failed"
else
	echo "SKIPPED: python3 is not installed: no random cases"
	echo "$passed passed, $failed failed, 1 skipped"
fi
[ "$failed" -eq 0 ]
