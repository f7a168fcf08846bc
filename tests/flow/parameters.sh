#!/bin/sh
# Parameters of workloads, and iterations: exact times, closed forms, and what an independent script counts: parameters.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH
export PATH
flow="orcs --engine flow -d --subset file_order --quiet"

# is VALUE ERROR KEY OPTION...: the value of the result differs at most by the error.
is() {
	value=$1
	error=$2
	key=$3
	shift 3
	$flow --format json "$@" >"$work/json" || return 1
	jq -e ".metrics.$key as \$x | (\$x - $value | fabs) <= $error" "$work/json" || { jq ".metrics.$key" "$work/json"; false; }
}
# sent WHAT COUNT ERROR OPTION...: the number of lines of --flows that fit the condition of awk.
sent() {
	what=$1
	count=$2
	error=$3
	shift 3
	$flow --flows "$work/flows" -o /dev/null --capacity 1000T "$@" &&
		awk -F, -v count="$count" -v error="$error" "NR > 1 && ($what) { n++ } END { d = n - count; exit !(d <= error && -d <= error) }" "$work/flows"
}

if ! have jq; then
	skip "jq is not installed"
	echo "$passed passed, $failed failed, $skipped skipped"
	exit $failed
fi

# ---- iterations: 1 MB on 10 Gb/s takes 0.8 ms
lasts() {
	value=$1
	shift
	check "$* is $value" is "$value" 1e-12 makespan.mean -p "$@"
}
lasts 0.0024 iterate:3,shift:1 star:4
lasts 0.0054 iterate:3,shift:1,compute=1ms star:4
lasts 0.0084 iterate:3,shift:1,compute=1ms --compute-scale 2 star:4
lasts 0.0024 iterate:3,shift:1,compute=1ms --compute-scale 0 star:4
lasts 0.003 iterate:3,null,compute=1ms star:4
lasts 0.0037 iterate:2,iterate:2,shift:1,compute=0.5ms --compute-scale 0.5 star:4 # the computation of the outer one
printf '0 0 1\n' >"$work/one"
lasts 0.0016 "iterate:2,file:$work/one" star:4
# its own order: the second iteration of a pair does not wait for another pair that sends ten times as much
printf '0 0 1 1M\n0 2 3 10M\n' >"$work/two"
early() {
	$flow --flows "$work/flows" -o /dev/null -p "iterate:2,file:$work/two" star:4 &&
		awk -F, 'NR > 1 && $3 == 0 && $2 == 1 { n += $8 == "0.000800000000" } END { exit n != 1 }' "$work/flows"
}
check "pairs do not wait for one another" early
for workload in nbody stencil:4x4 mapreduce:50 random:60 allreduce_ring bruck phases:shift:3,4; do
	once() {
		$flow -p "$workload" --metric makespan,fct --format json fattree:k=4,n=2 | jq -c '.metrics' >"$work/a"
		$flow -p "iterate:1,$workload" --metric makespan,fct --format json fattree:k=4,n=2 | jq -c '.metrics' >"$work/b"
		cmp "$work/a" "$work/b"
	}
	check "$workload, one iteration" once
done
drawn() {
	$flow -p iterate:2,random:40 --flows "$work/flows" -o /dev/null star:9
	[ "$(awk -F, '$2 == 0 { print $3, $4 }' "$work/flows" | sort | cksum)" != "$(awk -F, '$2 == 1 { print $3, $4 }' "$work/flows" | sort | cksum)" ]
}
check "iterations of drawn traffic differ" drawn
check "engines without a network" is 0.004 1e-15 makespan.mean --engine null -p iterate:4,shift:1,compute=1ms star:4
check "no number of iterations" says 2 "is not iterate:N,WORKLOAD" $flow -p iterate:shift:1 star:4
check "no time" says 2 "compute is 'soon', not a time" $flow -p iterate:2,shift:1,compute=soon star:4
check "no workload" says 2 "unknown pattern 'bogus'" $flow -p iterate:2,bogus star:4
check "a scale below 0" says 2 "not a number from 0" $flow -p shift:1 --compute-scale -1 star:4
check "nothing computes there" says 2 "requires --engine flow, latency, packet or null" orcs --compute-scale 2 star:4

# ---- drawn traffic: 20,000 messages among 100 tasks; four standard deviations
large="star:100"
check "hotregion, half to a tenth" sent '$4 < 10' 11000 290 -p hotregion:20000,50,10 $large
check "hotregion, the default" sent '$4 < 12' 6800 280 -p hotregion:20000 $large
check "hotregion, none" sent '$4 < 10' 2000 180 -p hotregion:20000,0,10 $large
check "hotregion, fractions of the hosts" sent '$4 < 50' 15000 260 -p hotregion:20000,50,2 $large
check "hotspot_random:1 is uniform" sent '$4 == 0' 200 60 -p hotspot_random:20000,1 $large
check "hotspot_random:11" sent '$4 == 0' 1980 180 -p hotspot_random:20000,11 $large
check "hotspot_random, the default" sent '$4 == 0' 9902 300 -p hotspot_random:20000 $large
check "mapreduce, a fraction of a percent" sent '$3 > 0 && $4 > 0' 799 115 -p mapreduce:0.5 star:401
check "mapreduce, a fraction above" sent '$3 > 0 && $4 > 0' 4950 200 -p mapreduce:50.5 $large
check "mapreduce of others" sent '$3 == $4' 0 0 -p mapreduce:2.5 $large
pairs() {
	$flow --flows "$work/flows" -o /dev/null -p mapreduce:12.5 $large && [ "$(cut -d, -f3,4 "$work/flows" | sort | uniq -d | wc -l)" -eq 0 ]
}
check "each pair once" pairs
groups() {
	$flow --flows "$work/flows" -o /dev/null -p dcntraffic:100,10 $large &&
		[ "$(cut -d, -f2 "$work/flows" | sort -n | uniq -c | awk '$1 == 10 { n++ } END { print n }')" -eq 10 ]
}
check "dcntraffic in groups" groups
same() {
	$flow --flows "$work/flows" -o /dev/null -p dcntraffic:100,10 $large && cut -d, -f3,4,7 "$work/flows" >"$work/a"
	$flow --flows "$work/flows" -o /dev/null -p dcntraffic:100 $large && cut -d, -f3,4,7 "$work/flows" | cmp - "$work/a"
}
check "the same messages as at once" same
roots() {
	$flow -n 40 --raw -p alltoone:random --metric throughput:simple --format json star:6 >"$work/json" &&
		for seed in 1 2 3 4 5 6 7 8; do
			$flow --seed $seed --flows "$work/flows" -o /dev/null -p alltoone:random star:6
			awk -F, 'NR > 1 { print $4 }' "$work/flows" | sort -u | tr '\n' ' '
			[ "$(awk -F, 'NR > 1 { print $4 }' "$work/flows" | sort -u | wc -l)" -eq 1 ] || return 1
		done >"$work/roots" && [ "$(tr ' ' '\n' <"$work/roots" | sort -u | grep -c .)" -gt 2 ]
}
check "one root, drawn" roots
check "no such root" says 2 "ROOT is 'some', not a task from 0, or 'random'" $flow -p alltoone:some star:4
check "more than all" says 2 'percent' $flow -p hotregion:10,100 star:4

# ---- INRFlow's non-restricted throughput: flows / mean load = channels / mean hops, in link rates
channels_by_hops() {
	$flow -p random:500 --metric throughput:simple,inrflow --format json "$1" >"$work/json" &&
		jq -e '(.metrics.throughput.non_restricted_inrflow - 1e10 * .fabric.channels / .metrics.throughput.mean_hops | fabs) < 1' "$work/json"
}
for fabric in torus:4x4x4,hosts=direct fattree:k=4,n=3 dragonfly:p=2,a=4,h=2; do
	check "channels by hops on $fabric" channels_by_hops $fabric
done
check "ours is beside" is 160e9 1 throughput.non_restricted --metric throughput:simple,inrflow -p shift:4 fattree:k=4,n=2
check "of a permutation in a full tree" is 160e9 1 throughput.non_restricted_inrflow --metric throughput:inrflow -p shift:4 fattree:k=4,n=2

# ---- signals while a graph is built
interrupted() {
	$flow -p "$1" fattree:40,3 >"$work/out" 2>&1 &
	pid=$!
	sleep 1
	kill -TERM $pid
	began=$(date +%s)
	wait $pid
	[ $? -eq 143 ] && [ $(($(date +%s) - began)) -le 20 ] # no time is asserted but that it ends long before the graph would
}
sanitized || check "a signal ends few messages of many pairs" interrupted mapreduce:0

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
