#!/bin/sh
# failures.sh - how long sweeps of failures take, beside routing each failure from scratch with a command of its own.

set -u
export LC_ALL=C
me=failures.sh

usage() {
	cat <<'EOT'
Usage: bench/failures.sh [-n FAILURES] [FABRIC...]

For each fabric (by default fattree:k=8,n=3 and the examples' cluster): the time
of orcs-compare --fail each-cable,each-switch with 100 bisections, by minhop,
updn, their repairs, ftree and sssp:repair; and the ratio to routing one failure
with orcs-route --fail and judging it with orcs (100 bisections) and orcs-check,
times the number of failures; of FAILURES (by default 5) of them, in between. Run
from the root of the repository, after make; ORCS=PROGRAM (whose neighbours the
others are) and BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

. bench/common.sh

alone=5
if [ "${1-}" = -n ]; then
	alone=${2-}
	shift 2 || die 'option -n needs a number (--help tells more)'
fi
[ $# -gt 0 ] || set -- fattree:k=8,n=3 examples/cluster.ibnetdiscover

now() { # seconds
	date +%s.%N
}

for fabric in "$@"; do
	"$programs/orcs-route" --quiet minhop "$fabric" -o "$tmp/base.dot" 2>"$tmp/said" || die "$fabric: $(cat "$tmp/said")"
	"$programs/orcs-compare" --quiet -n 2 --fail each-cable --reroute minhop --format csv "$tmp/base.dot" >"$tmp/list"
	begin=$(now)
	sed -n '2,$p' "$tmp/list" | head -n "$alone" | while IFS=, read -r rank kind node port peer rest; do
		"$programs/orcs-route" --quiet minhop --fail "$node:${port:-1}" "$tmp/base.dot" -o "$tmp/one.dot" &&
			"$orcs" --quiet -n 100 "$tmp/one.dot" >"$tmp/said" && "$programs/orcs-check" --quiet "$tmp/one.dot" >"$tmp/said"
	done
	each=$(echo "$begin $(now) $alone" | awk '{ print ($2 - $1) / $3 }')
	for engine in minhop updn:roots=auto minhop:repair ftree:roots=auto,compute-nodes=auto sssp:repair; do
		begin=$(now)
		"$programs/orcs-compare" --quiet --fail each-cable,each-switch --reroute "$engine" --format csv "$tmp/base.dot" >"$tmp/result" 2>"$tmp/said" || {
			echo "SKIPPED: $fabric by $engine: $(tail -n 1 "$tmp/said")"
			continue
		}
		row fabric "${fabric##*/}" engine "$engine" failures "$(($(wc -l <"$tmp/result") - 1))" seconds \
			"$(echo "$begin $(now)" | awk '{ printf "%.3f", $2 - $1 }')" one_by_one \
			"$(echo "$each $begin $(now) $(wc -l <"$tmp/result")" | awk '{ printf "%.0f", $1 * ($4 - 1) / ($3 - $2) }')"
	done
done
