#!/bin/sh
# Several ranks on a host, for every pattern of --list=patterns and every engine: crowded.sh BIN_DIR
set -u

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

# 16 ranks on 4 of 8 hosts, which are not the first
fabric=fattree:k=2,n=3
printf 'H%d\n' 7 7 7 0 5 7 0 5 3 3 5 0 5 5 7 7 >"$work/map"
on="--mapping file:$work/map --quiet"

# spec NAME: with parameters for 16 ranks.
spec() {
	case $1 in
	neighbor | shift | hotspot | manyalltoall | manyalltoall_random) echo "$1:3" ;;
	random | hotspot_random | hotregion | dcntraffic) echo "$1:60" ;;
	local) echo "local:60,0.5" ;;
	unstructured) echo "unstructured:60,7" ;;
	phases) echo "phases:shift:1,5" ;;
	stencil | multigrid | sweep | flood) echo "$1:4x4" ;;
	rail_*) echo "$1:4" ;;
	train) echo "train:tp=4,pp=2,dp=2,hidden=64,layers=4,seq=16,vocab=100,machine=2" ;;
	iterate) echo "iterate:2,shift:1" ;;
	file | trace | goal | actions | matrix | jobs | markov) echo "$1:$work/$1" ;;
	dumpi | chakra) echo "$1:$work/$1/trace" ;;
	liballprof) echo "$1:$work/$1/trace-" ;;
	nccl) echo "nccl:$work/nccl/trace" ;;
	*) echo "$1" ;;
	esac
}
awk 'BEGIN {
	for (l = 0; l < 2; l++) for (i = 0; i < 16; i++) print l, i, (i + 1 + l) % 16 > "'"$work"'/file"
	for (i = 0; i < 16; i++) print "s", i, (i + 1) % 16, 0, 5000 > "'"$work"'/trace"
	for (i = 0; i < 16; i++) print "r", i, (i + 1) % 16, 0, 5000 > "'"$work"'/trace"
	print "num_ranks 16" > "'"$work"'/goal"
	for (i = 0; i < 16; i++) printf "rank %d {\nr: recv 500b from %d\ns: send 500b to %d\ns irequires r\n}\n", i, (i + 15) % 16, (i + 1) % 16 > "'"$work"'/goal"
	for (i = 0; i < 16; i++) printf "%d isend %d 0 80000 6\n%d irecv %d 0 80000 6\n%d waitall\n%d allreduce 500 5\n", i, (i + 1) % 16, i, (i + 15) % 16, i, i > "'"$work"'/actions"
	print "0 5 shift:1\n1e-6 11 mapreduce" > "'"$work"'/jobs"
	print "0 5 shift:1\n0 11 uniform sl=1" > "'"$work"'/open"
	print "comp comm=.8 end=.2\ncomm comp=1\ncompute fixed:1us\ncommunicate shift:1" > "'"$work"'/markov" }'

awk 'BEGIN { for (i = 0; i < 16; i++) print i "," (i + 3) % 16 ",5000" }' >"$work/matrix"
for form in dumpi liballprof chakra nccl; do
	python3 tests/flow/programs.py "ring:$form" "$work/$form" 16 || exit 1
done

# names MARKS: the patterns whose marks in the list are these.
names() {
	"$bin/orcs" --list=patterns | awk -v marks="$1" '/^  [^ ]/ && $2 ~ marks && $1 !~ /^otf2:/ { # nothing here writes OTF2
		 sub(/[:[].*/, "", $1); print $1 }'
}
# the option of ptrnvsptrn; none of others
two() {
	[ "$1" != ptrnvsptrn ] || echo "--frstptrn shift:1 --secptrn bisect --part_commsize 9"
}

# shellcheck disable=SC2086,SC2046 # options
run() {
	"$bin/orcs" --engine "$1" -p "$(spec "$2")" $(two "$2") $on $3 "$fabric"
}

# placed FLOWS: every task is on its host, and what stays there passes no channel and takes no time.
placed() {
	awk -F, 'NR == FNR { host[NR - 1] = $1; next }
		FNR > 1 && ($5 != host[$3] || $6 != host[$4] || ($5 == $6) != ($11 == 0) || ($5 == $6) != ($9 == $8)) { print; wrong = 1 } END { exit wrong }' "$work/map" "$1"
}
# what tasks send, whatever hosts they are on
sent() {
	cut -d, -f2-4,7 "$1" | sort
}
flows() {
	run flow "$1" "--sync level --metric makespan --flows $work/flow.csv" && placed "$work/flow.csv"
}
# shellcheck disable=SC2086,SC2046 # options
same_as_alone() {
	"$bin/orcs" --engine flow --sync level --quiet -d -p "$(spec "$1")" $(two "$1") --metric makespan --flows "$work/alone.csv" star:16 || return 1
	sent "$work/alone.csv" >"$work/alone.sent"
	sent "$work/flow.csv" | diff "$work/alone.sent" -
}
packets() {
	run packet "$1" "--sync level --metric makespan --flows $work/packet.csv $2" && placed "$work/packet.csv" || return 1
	sent "$work/flow.csv" >"$work/flow.sent"
	sent "$work/packet.csv" | diff "$work/flow.sent" -
}
latencies() {
	run latency "$1" "--metric latency"
}
# All that goes from host to host is a connection, and has the bandwidth that the flow engine finds as well, unless there are several phases.
connections() {
	run congestion "$1" "-n 1 --metric hist_max_cong --format json" >"$work/counted" &&
		run flow "$1" "-n 1 --capacity 1 --metric throughput --format json" >"$work/shared" || return 1
	between=$(awk -F, 'NR > 1 && $5 != $6' "$work/flow.csv" | wc -l)
	levels=$(cut -d, -f2 "$work/flow.csv" | sed 1d | sort -u | wc -l)
	case $1 in actions | nccl) levels=several ;; esac
	jq -s -c --argjson n "$between" --arg levels "$levels" '[.[0].metrics.hist_max_cong, .[1].metrics.throughput.non_restricted, $n]' "$work/counted" "$work/shared"
	jq -s -e --argjson n "$between" --arg levels "$levels" '.[0].metrics.hist_max_cong as $c |
		$c.connections == $n and ($levels != "1" or $n == 0 or ($c.bandwidth * $n / .[1].metrics.throughput.non_restricted - 1 | fabs) < 1e-9)' \
		"$work/counted" "$work/shared"
}
# Under load every host sends as much, its ranks in turn; what stays on a host is missing.
under_load() {
	timeout 60 "$bin/orcs" --engine packet --traffic "$1" --load 0.1 --injection periodic --warmup 1ms --measure 30ms --metric packet_throughput --format json $on "$fabric" >"$work/load"
}
as_pairs_say() {
	under_load "$(spec "$1")" || return 1
	awk -F, 'NR > 1 { all[$3]++; leave[$3] += $5 != $6; host[$3] = $5 }
		END { for (r in all) { ranks[host[r]]++; sum[host[r]] += leave[r] / all[r] } for (h in ranks) if (sum[h]) { n++; share += sum[h] / ranks[h] }
			print n ? share / n : 0 }' "$work/flow.csv" >"$work/share"
	jq -e --argjson share "$(cat "$work/share")" '.metrics.packet_throughput as $t | [$share, $t.accepted],
		(($t.accepted / 0.1 - $share | fabs) < 0.03 * $share and $t.saturated == 0)' "$work/load"
}

listed=0
for each in $(names '^.t'); do
	listed=$((listed + 1))
	check "$each, flow" flows "$each"
	[ "$each" = local ] || check "$each, the same as alone" same_as_alone "$each"
	case $each in reads | writes) continue ;; esac
	check "$each, packet" packets "$each" ""
	check "$each, packet, all ask" packets "$each" "--eager 0"
	check "$each, latency" latencies "$each"
done
check "the list was read" test "$listed" -gt 50
# hotspot, tornado, hotregion and local are other traffic there
for each in $(names '^c'); do
	check "$each, flow" flows "$each"
	check "$each, congestion" connections "$each"
done
for each in $(names '^ctl'); do
	case $each in null | ptrnvsptrn) continue ;; esac
	check "$each, flow" flows "$each"
	check "$each, under load" as_pairs_say "$each"
done

# ---- traffic that draws its receivers

# The share that leaves the hosts: of 15 others those that are elsewhere.
uniform_leaves() {
	under_load uniform || return 1
	sort "$work/map" | uniq -c | awk '{ n++; share += (16 - $1) / 15 } END { print share / n }' >"$work/share"
	jq -e --argjson share "$(cat "$work/share")" '.metrics.packet_throughput as $t | [$share, $t.accepted],
		(($t.accepted / 0.1 - $share | fabs) < 0.03 * $share and $t.saturated == 0)' "$work/load"
}
check "uniform, under load" uniform_leaves
carries() {
	under_load "$1" && jq -e '.metrics.packet_throughput | .accepted > 0.001 and .accepted < 0.101 and .saturated == 0' "$work/load"
}
for each in $(names '^--l'); do
	case $each in
	tornado | diagonal) fabric=torus:5,hosts=1 hosts="H0 H1 H2 H3 H4 H0 H1 H2 H3 H4" ;;
	bad_dragonfly) fabric=dragonfly:p=2,a=2,h=1 hosts="H0_0_0 H0_0_0 H0_0_1 H1_0_1 H2_1_0 H2_1_0" ;;
	*) fabric=fattree:k=2,n=3 hosts=$(cat "$work/map") ;;
	esac
	echo "$hosts" | tr ' ' '\n' >"$work/others"
	on="--mapping file:$work/others --quiet"
	[ "$each" != distance ] || each=distance:2
	[ "$each" != jobs ] || each=jobs:$work/open
	check "$each, under load" carries "$each"
done

# pairs that are on one host each: nothing enters the network, and that is the result
printf 'H0\nH0\nH1\nH1\n' >"$work/pairs"
nothing_enters() {
	"$bin/orcs" --engine packet "$@" --traffic bisect --mapping "file:$work/pairs" --metric packet_latency,packet_throughput,link_busy --format json --quiet star:4 |
		jq -c .metrics >"$work/metrics"
	cat "$work/metrics"
	jq -e '.packet_latency.packets == 0 and .packet_latency.mean == null and .packet_throughput.saturated == 0 and .packet_throughput.bits == null and .link_busy.busy == null' "$work/metrics"
}
check "pairs on a host, under load" nothing_enters --load 0.3
check "pairs on a host, loads" nothing_enters --sweep load=0.1:0.3:0.1
check "pairs on a host, saturation" nothing_enters --saturation
check "pairs on a host, measured for a time" nothing_enters --load 0.3 --warmup 1us --measure 1us

# ---- metrics of messages: those within a host are none of the network

printf 'H0\nH0\nH1\n' >"$work/three"
printf 's 0 1 0 1000\ns 0 2 0 1000\nr 0 1 0 1\nr 0 2 0 1\n' >"$work/one_leaves"
printf 's 0 1 0 1000\nr 0 1 0 1\n' >"$work/none_leaves"
# of_network ENGINE METRICS TRACE TEST: what jq says of the metrics
of_network() {
	for memory in "" "--memory-capacity 1e9"; do
		[ "$1" != latency ] || memory=
		# shellcheck disable=SC2086 # options
		"$bin/orcs" --engine "$1" -p "trace:$work/$3" --mapping "file:$work/three" --quiet --metric "$2" --format json $memory star:2 | jq -c .metrics >"$work/metrics"
		cat "$work/metrics"
		jq -e "$4" "$work/metrics" || return 1
	done
}
check "all at once, the network alone" of_network flow throughput,hops,loads one_leaves \
	'.throughput.flows == 1 and .throughput.mean_hops == 2 and .throughput.fairness == 1 and .hops.histogram == {"2": 1} and .loads.histogram == {"0": 2, "1": 2}'
check "all at once, nothing in the network" of_network flow throughput,hops,loads none_leaves \
	'.throughput.flows == 0 and .throughput.mean_hops == null and .throughput.max_min == 0 and .hops.histogram == {} and .loads.histogram == {"0": 4}'
check "completion times, the network alone" of_network flow fct one_leaves '.fct.flows == 1 and .fct.p50 == .fct.max and .fct.slowdown == 1'
check "completion times, packets" of_network packet fct one_leaves '.fct.flows == 1 and .fct.p50 == .fct.max and .fct.slowdown == 1'
check "completion times, nothing in the network" of_network flow fct none_leaves '.fct.flows == 0 and .fct.mean == null and .fct.histogram == {}'
check "on an idle network, the network alone" of_network latency latency one_leaves '.latency.min > 0 and .latency.min == .latency.max'
check "on an idle network, the flow engine" of_network flow latency one_leaves '.latency.min > 0 and .latency.min == .latency.max'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
