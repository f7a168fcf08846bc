#!/bin/sh
# Workloads of AI clusters, rail-optimised fabrics, hashed routes: ai.sh BIN_DIR
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH
export PATH
rails="leafspine:leaves=16,spines=8,hosts=8,rails=8,apart"
leaves="leafspine:leaves=16,spines=8,hosts=8"

# takes SECONDS FABRIC OPTION...: the makespan of a gigabyte at 400 Gb/s.
takes() {
	wanted=$1
	fabric=$2
	shift 2
	orcs --quiet --engine flow --capacity 400G --subset file_order --mapping linear --bytes 1G --format json "$@" "$fabric" >"$work/result" &&
		jq -e ".metrics.makespan.mean / $wanted - 1 | fabs < 1e-9" "$work/result"
}
if have jq; then
	check "a ring for each rail" takes 0.0049609375 $rails -R minhop -p rail_ring:8
	check "the same between leaves" takes 0.0049609375 $leaves -R minhop -p rail_ring:8
	check "... by one spine" takes 0.0396875 $leaves -R ecmp --multipath first -p rail_ring:8
	check "on rails it needs no spine: half of them fail" takes 0.0049609375 "leafspine:leaves=8,spines=1,hosts=16,rails=8,apart" -R minhop -p rail_ring:8
	check "a hierarchy" takes 0.0046875 $rails -R minhop -p rail_hierarchical:8
	check "half of an all-reduce" takes 0.00248046875 $rails -R minhop -p rail_scatter:8
	check "experts that are all alike" takes 0.0375 $rails -R minhop -p moe:8
	check "another time is noticed" sh -c "! jq -e '.metrics.makespan.mean / 0.05 - 1 | fabs < 1e-9' '$work/result'"
	large() {
		orcs --quiet --engine flow -R minhop --format json -p train:tp=8,pp=8,dp=64 "leafspine:leaves=64,spines=32,hosts=64,rails=8,apart" |
			jq -e '.comm_size == 4096 and .metrics.makespan.mean > 1'
	}
	check "4,096 ranks" large
else
	skip "jq is not installed: no times"
fi
if have python3; then
	runs=10000
	sanitized && runs=500
	check "bytes of all pairs, and hashing" python3 tests/flow/ai.py $runs
	sed 's/2 \* layers \/ pp \* activations/layers \/ pp * activations/' tests/flow/ai.py >"$work/other.py"
	check "other formulae are noticed" sh -c "! python3 '$work/other.py' 100"
	seeds=100
	sanitized && seeds=30
	check "pairs and times of random workloads" python3 tests/flow/critical.py $seeds
	slower() { # WHAT TEXT BY
		sed "s/$2/$3/" tests/flow/critical.py >"$work/other.py"
		check "$1 is noticed" sh -c "! cmp -s tests/flow/critical.py '$work/other.py' && ! python3 '$work/other.py' 60 >'$work/said' && grep -q takes '$work/said'"
	}
	slower "another order of micro-batches" 'min(pp - 1 - s, ' 'min(pp + 1 - s, '
	slower "a piece that waits for less" 'up.get(v)\]' ']'
	slower "a ring within a machine" 'or rest\[1\]\[0\] == "hand"' ''
else
	skip "python3 is not installed: no closed forms"
fi
orcs-topology $rails -o "$work/rails.dot"
neighbours() {
	for host in H0_0 H0_7 H7_3 H8_0; do
		sed -n "s/^\"$host\" -> \"\([^\"]*\)\".*/$host \1/p" "$work/rails.dot"
	done >"$work/found"
	printf 'H0_0 S1_0\nH0_7 S1_7\nH7_3 S1_3\nH8_0 S1_8\n' | cmp - "$work/found"
}
check "rails of machines" neighbours
check "every pair has a route" sh -c "orcs-route --quiet minhop '$work/rails.dot' | orcs-check --require routable -"
check "ranks that are no machines" says 2 '^orcs: machines of 8 ranks need a multiple of these, not 12 ranks$' orcs --engine flow -R minhop -p rail_ring:8 -s 12 star:16
check "... for experts" says 2 'machines of 8 ranks need a multiple of these, not 12 ranks' orcs --engine flow -p moe:8 -s 12 star:16
check "a skew" says 2 "skew is 'x', not a number from 0 to 10" orcs --engine flow -p moe:8,skew=x star:16
check "layers and stages" says 2 "workload 'train': 10 layers are not a multiple of 4 stages" orcs --engine flow -p train:pp=4,layers=10 star:16
check "too few hosts" says 2 '32.* 16' orcs --engine flow -p train:tp=8,dp=4 star:16
check "a time" says 2 "workload 'train': compute is 'long', not a time such as 10ms" orcs --engine flow -p train:tp=8,compute=long star:16
hashes() {
	for way in ecmp:hash,qps=4 "ecmp --multipath random --queue-pairs 4"; do
		# shellcheck disable=SC2086
		orcs --quiet --engine flow -n 5 -p shift:8 -R $way $leaves >"$work/by"
		[ -s "$work/first" ] || cp "$work/by" "$work/first"
	done
	cmp "$work/by" "$work/first"
}
check "hashing as an engine" hashes
check "... of whole numbers of queue pairs" says 2 "'qps' is '0'|qps.*from 1 to 256" orcs --engine flow -R ecmp:hash,qps=0 $leaves
check "queue pairs without choice" says 2 '^orcs: --queue-pairs requires --multipath random' orcs --engine flow --queue-pairs 4 star:4
check "too many queue pairs" says 2 'queue-pairs is .999., not an integer from 1 to 256' orcs --engine flow --queue-pairs 999 star:4

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
