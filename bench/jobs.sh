#!/bin/sh
# jobs.sh - how long orcs-jobs takes, by counts and in time.

set -u
export LC_ALL=C
me=jobs.sh

usage() {
	cat <<'EOT'
Usage: bench/jobs.sh [-j JOBS] [FABRIC...]

Runs orcs-jobs for JOBS random jobs (by default 40) of 2 to 20 machines of eight
hosts each, of a tree of 3,675 hosts unless others are given whose hosts are
called H0, H1, ...: all-to-all, by counts and in time. Prints processor seconds and
the mean slowdown. Run from the root of the repository, after make; ORCS=PROGRAM
(whose neighbour orcs-jobs is) and BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

. bench/common.sh
need jq

jobs=40
if [ "${1-}" = -j ]; then
	jobs=${2-}
	shift 2 || die 'option -j needs a number (--help tells more)'
fi
[ $# -gt 0 ] || set -- xgft:15:1/35:15/7:7

for fabric in "$@"; do
	"$programs/orcs-topology" --tables -o "$tmp/fabric.dot" "$fabric" || die "no fabric: $fabric"
	hosts=$(grep -c '^"H[0-9]*";' "$tmp/fabric.dot")
	awk -v jobs="$jobs" -v machines=$((hosts / 8)) 'BEGIN {
		srand(1)
		for (j = 0; j < jobs; j++) {
			list = ""
			for (size = 2 + int(19 * rand()); size > 0 && used < machines; size--) {
				do m = int(machines * rand()); while (m in taken)
				taken[m] = 1
				used++
				list = list (list == "" ? "" : ",") "H[" 8 * m "-" 8 * m + 7 "]"
			}
			print j, list
		}
	}' >"$tmp/jobs"
	for engine in congestion flow; do
		: >"$tmp/seconds"
		measure "$tmp/seconds" "$programs/orcs-jobs" --quiet --engine "$engine" --jobs "$tmp/jobs" --format json "$tmp/fabric.dot"
		row fabric "$fabric" hosts "$hosts" jobs "$jobs" engine "$engine" seconds "$(cat "$tmp/seconds")" slowdown \
			"$(jq '[.jobs[].slowdown // empty] | add / length' "$tmp/result")"
	done
done
