#!/bin/sh
# import.sh - how long orcs-import takes for the dumps of a large fabric, and how much memory.

set -u
export LC_ALL=C
me=import.sh

usage() {
	cat <<'EOT'
Usage: bench/import.sh [TIMES [K]]

Makes with bench/dumps.c what ibnetdiscover and dump_fts -n print of a fat tree
of three levels of switches of 2K ports (by default K is 18: 11,664 hosts, 6 MB
and 250 MB), and joins them by orcs-import TIMES times (by default 5). Tells the
time that passed, the CPU time and the memory, each the median. The bar: under 5 s
and 1 GB. Run from the root of the repository, after make; ORCS=PROGRAM (whose
neighbour orcs-import is) and BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

. bench/common.sh

times_each=${1-5}
k=${2-18}
import=$programs/orcs-import
[ -x "$import" ] || die "$import is missing: run make first"
${CC-cc} -O2 bench/dumps.c -o "$tmp/dumps" || die "cannot compile bench/dumps.c"
"$tmp/dumps" "$k" "$tmp/topology" "$tmp/tables" || exit 1
machine
i=0
while [ "$i" -lt "$times_each" ]; do
	/usr/bin/time -a -o "$tmp/times" -f '%e %U %S %M' \
		"$import" --topology "$tmp/topology" --lft "$tmp/tables" -o "$tmp/fabric.dot" 2>"$tmp/said" || die "failed: $(cat "$tmp/said")"
	i=$((i + 1))
done
sed 1q "$tmp/said"
awk -v out="$tmp/" '{ print $1 >(out "time"); print $2 + $3 >(out "cpu"); print $4 * 1.024e-3 >(out "memory") }' "$tmp/times"
s=$(median "$tmp/time") mb=$(median "$tmp/memory")
row hosts $((2 * k * k * k)) bytes "$(cat "$tmp/topology" "$tmp/tables" | wc -c)" median_s "$s" cpu_s "$(median "$tmp/cpu")" bar 5 \
	verdict "$(verdict "$s" '<' 5)" memory_mb "$(compute %.0f "$mb")" memory_bar 1000 memory_verdict "$(verdict "$mb" '<' 1000)"
