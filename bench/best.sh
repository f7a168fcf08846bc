#!/bin/sh
# best.sh - what the tables of the engine best reach, beside those of OpenSM's engines, and how long they take.

set -u
export LC_ALL=C
me=best.sh

usage() {
	cat <<'EOT'
Usage: bench/best.sh [-s SECONDS] [FABRIC...]

Routes each fabric (by default a torus of 256 hosts, a random graph and the
examples' cluster) with minhop, ftree, sssp and dfsssp of OpenSM, then with best
for each objective, for SECONDS (by default 60). Prints for each table the user
time, the effective bisection bandwidth of 1,000 random bisections, the largest
load of all-to-all between switches, and the sum of the largest loads of all
shifts in the order of linear_bfs; all links count as equally fast. Run from the
root of the repository, after make; ORCS=PROGRAM (whose neighbours orcs-route and
orcs-bound are) and BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

. bench/common.sh

limit=60
if [ "${1-}" = -s ]; then
	limit=${2-}
	shift 2 || die 'option -s needs seconds (--help tells more)'
fi
[ $# -gt 0 ] || set -- torus:4x4x4,hosts=4 jellyfish:switches=64,ports=16,links=10 examples/cluster.ibnetdiscover

for fabric in "$@"; do
	for engine in minhop ftree:roots=auto,compute-nodes=auto sssp dfsssp best:objective=bisect best:objective=alltoall best:objective=shifts best; do
		case $engine in
		best:*) spec=$engine,ignore-speeds,time=$limit ;;
		best) spec=$engine:ignore-speeds,time=$limit ;;
		*) spec=$engine ;;
		esac
		/usr/bin/time -o "$tmp/used" -f '%U %M' "$programs/orcs-route" --quiet --lanes 15 "$spec" "$fabric" -o "$tmp/routed.dot" 2>"$tmp/said" || {
			echo "SKIPPED: $fabric by $engine: $(tail -n 1 "$tmp/said")"
			continue
		}
		"$orcs" --quiet -n 1000 --ignore-speeds "$tmp/routed.dot" >"$tmp/bisect" 2>"$tmp/said" &&
			"$orcs" --quiet -p allshifts -d --ignore-speeds --metric sum_max_cong "$tmp/routed.dot" >"$tmp/shifts" 2>"$tmp/said" &&
			"$programs/orcs-bound" --quiet --parts loads --ignore-speeds --format csv "$tmp/routed.dot" >"$tmp/loads" 2>"$tmp/said" ||
			die "failed: $fabric by $engine: $(tail -n 1 "$tmp/said")"
		row fabric "${fabric##*/}" engine "$engine" seconds "$(cut -d ' ' -f 1 "$tmp/used")" bandwidth \
			"$(sed -n 's/^effective bisection bandwidth (mean): //p' "$tmp/bisect")" largest \
			"$(sed 's/"[^"]*"/name/g' "$tmp/loads" | awk -F , '$7 > 1 && $8 > 1 && $6 + 0 > most { most = $6 + 0 } END { print most + 0 }')" \
			shifts "$(sed -n 's/^mean: //p' "$tmp/shifts")"
	done
done
