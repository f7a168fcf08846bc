#!/bin/sh
# order.sh - what orders of ranks orcs-order finds, and how long that takes.

set -u
export LC_ALL=C
me=order.sh

usage() {
	cat <<'EOT'
Usage: bench/order.sh [-s SECONDS] [FABRIC...]

For 216 random hosts of each fabric (by default the examples' tree of 324 hosts,
and a torus of 256 hosts): recursive doubling, a stencil and all shifts, in
SECONDS (by default 10). Prints the sums of the largest loads of all levels for
random orders, by name, by leaf, as found, and the bound; and the passes. All
links count as equally fast. Run from the root of the repository, after make;
ORCS=PROGRAM (whose neighbour orcs-order is) and BENCH_OUT=FOLDER as for
bench/pairs.sh.
EOT
}

. bench/common.sh

limit=10
if [ "${1-}" = -s ]; then
	limit=${2-}
	shift 2 || die 'option -s needs seconds (--help tells more)'
fi
[ $# -gt 0 ] || set -- examples/fattree324.dot torus:4x4x4,hosts=4

for fabric in "$@"; do
	"$orcs" --quiet -p null --subset rand -s 216 --print-hosts "$fabric" | sed -n 's/^# [^:]*: //p; s/^# \([^ ]*\)$/\1/p' | tr ' ' '\n' | grep . >"$tmp/hosts"
	for pattern in recdbl stencil:6x6x6 allshifts; do
		"$programs/orcs-order" --quiet --ignore-speeds --time "$limit" -p "$pattern" --hosts "$tmp/hosts" -o "$tmp/order" --report "$tmp/report" "$fabric" \
			2>"$tmp/said" || die "failed: $fabric, $pattern: $(tail -n 1 "$tmp/said")"
		sums=$(tr ',{' '\n\n' <"$tmp/report")
		value() { # KEY
			echo "$sums" | sed -n "s/^\"$1\"://p" | tr -d '}' | head -n 1
		}
		row fabric "${fabric##*/}" pattern "$pattern" random "$(value random)" by_name "$(value by_name)" by_leaf "$(value by_leaf)" found \
			"$(value found)" bound "$(value bound)" passes "$(value passes)"
	done
done
