#!/bin/sh
# patterns.sh - what patterns and metrics cost: nanoseconds a pair.

set -u
export LC_ALL=C
me=patterns.sh

usage() {
	cat <<'EOT'
Usage: bench/patterns.sh [TIMES [PAIRS [HOSTS]]]

Runs patterns with each metric alone on a routed fat tree of HOSTS hosts (by
default 4096), one after the other, TIMES times each (by default 5), with as
many runs as make PAIRS pairs (by default 10000000). Prints the median of the
nanoseconds a pair that orcs -v tells, and its ratio to the cheapest metric under
the same pattern. The bar of the all-pairs patterns on 4,096 hosts is 8 ns. Run
from the root of the repository, after make; ORCS=PROGRAM and BENCH_OUT=FOLDER as
for bench/pairs.sh.
EOT
}

. bench/common.sh

times_each=${1-5}
pairs=${2-10000000}
hosts=${3-4096}
metrics='hist_max_cong hist_acc_band sum_max_cong dep_max_delay get_cable_cong'
get_fabric "$hosts" tables || die "no fabric of $hosts hosts"

# Those to be timed: pattern, pairs of a run, metric.
{
	for metric in $metrics; do
		echo "bisect $((hosts / 2)) $metric"
	done
	for metric in $metrics; do
		echo "bruck $(compute %d "$hosts * int(log($hosts) / log(2) + 0.999999)") $metric"
	done
	for pattern in alltoall_flood alltoall; do
		for metric in hist_max_cong hist_acc_band; do
			echo "$pattern $((hosts * (hosts - 1))) $metric"
		done
	done
} >"$tmp/cases"

i=0
while [ "$i" -lt "$times_each" ]; do
	while read -r pattern each metric; do
		time_pairs "$tmp/$pattern-$metric" -n "$((pairs / each + 1))" -p "$pattern" --metric "$metric" --format json "$fabric"
		echo "$command" >"$tmp/$pattern-$metric.command"
	done <"$tmp/cases"
	i=$((i + 1))
done

machine
while read -r pattern _ metric; do
	median "$tmp/$pattern-$metric" >>"$tmp/$pattern"
done <"$tmp/cases"
while read -r pattern _ metric; do
	ns=$(median "$tmp/$pattern-$metric")
	cheapest=$(summary "$tmp/$pattern")
	command=$(cat "$tmp/$pattern-$metric.command")
	case $pattern-$hosts in
	alltoall*-4096) bar=8 ;;
	*) bar= ;;
	esac
	row hosts "$hosts" pattern "$pattern" metric "$metric" ns "$ns" ratio "$(compute %.2f "$ns / ${cheapest% *}")" bar "$bar" \
		verdict "$(verdict "$ns" '<=' "$bar")"
done <"$tmp/cases"
