#!/bin/sh
# pairs.sh - how long orcs takes for one routed pair of a random bisection, in one process.

set -u
export LC_ALL=C
me=pairs.sh

usage() {
	cat <<'EOF'
Usage: bench/pairs.sh [TIMES [PAIRS]]

Runs pattern bisect with metric hist_acc_band on routed fat trees of 1,024,
4,096 and 11,664 hosts, TIMES times each (by default 5), with as many random
mappings as make PAIRS pairs (by default 10000000), and prints the nanoseconds
a pair that orcs -v tells, mapping, routes and metric included, reading not.
The bars: 20 ns a pair on 1,024 hosts, 30 ns on 11,664. The table of routes is
made before, and -v tells its time apart. Run from the root of the
repository, after make; ORCS=PROGRAM takes another program than
build/plain/bin/orcs.
EOF
}

. bench/common.sh

times_each=${1-5}
pairs=${2-10000000}
machine
printf '%8s %8s %12s %12s\n' hosts runs 'minimum ns' 'median ns'
for tree in 1024:16:16 4096:32:16 11664:36:36; do
	hosts=${tree%%:*}
	radix_pods=${tree#*:}
	bench/fattree3.sh "${radix_pods%:*}" "${radix_pods#*:}" >"$tmp/fabric.dot" || exit 1
	runs=$((pairs / (hosts / 2)))
	i=0
	: >"$tmp/times"
	while [ "$i" -lt "$times_each" ]; do
		"$orcs" -v -n "$runs" -p bisect --metric hist_acc_band "$tmp/fabric.dot" 2>"$tmp/said" >"$tmp/result" ||
			die "failed: $(tail -n 1 "$tmp/said")"
		tail -n 1 "$tmp/said" | sed -n 's/.*: \([0-9.]*\) ns each$/\1/p' >>"$tmp/times"
		i=$((i + 1))
	done
	summary "$tmp/times" >"$tmp/summary"
	read -r minimum median <"$tmp/summary"
	[ -n "$median" ] || die "orcs -v does not tell the time of a pair"
	printf '%8s %8s %12.1f %12.1f\n' "$hosts" "$runs" "$minimum" "$median"
	[ "$hosts" -ne 1024 ] || small=$minimum
	[ "$hosts" -ne 11664 ] || large=$minimum
done
printf 'the bars: 20 ns on 1024 hosts, %s; 30 ns on 11664 hosts, %s\n' \
	"$(echo "$small" | awk '{ print $1 <= 20 ? "met" : "missed" }')" "$(echo "$large" | awk '{ print $1 <= 30 ? "met" : "missed" }')"
