#!/bin/sh
# import.sh - how long orcs-import takes for the dumps of a large fabric, and how much memory.

set -u
export LC_ALL=C
me=import.sh

usage() {
	cat <<'EOF'
Usage: bench/import.sh [TIMES [K]]

Makes with bench/dumps.c what ibnetdiscover and dump_fts -n print of a fat tree
of three levels of switches of 2K ports (by default K is 18: 11,664 hosts, 6 MB
and 250 MB), and joins them by orcs-import TIMES times (by default 5). Tells the
time that passed, the CPU time and the memory. The bar: under 5 s and 1 GB. Run
from the root of the repository, after make; needs the program time.
EOF
}

. bench/common.sh

times_each=${1-5}
k=${2-18}
import=build/plain/bin/orcs-import
[ -x /usr/bin/time ] || die "/usr/bin/time is missing: install the package time"
[ -x "$import" ] || die "$import is missing: run make first"
${CC-cc} -O2 bench/dumps.c -o "$tmp/dumps" || die "cannot compile bench/dumps.c"
"$tmp/dumps" "$k" "$tmp/topology" "$tmp/tables" || exit 1
machine
printf 'topology: %s bytes, tables: %s bytes\n' "$(wc -c <"$tmp/topology")" "$(wc -c <"$tmp/tables")"
i=0
while [ "$i" -lt "$times_each" ]; do
	/usr/bin/time -a -o "$tmp/times" -f '%e %U %S %M' \
		"$import" --topology "$tmp/topology" --lft "$tmp/tables" -o "$tmp/fabric.dot" 2>"$tmp/said" || die "failed: $(cat "$tmp/said")"
	i=$((i + 1))
done
sed 1q "$tmp/said"
awk -v out="$tmp/" '{ print $1 >(out "time"); print $2 + $3 >(out "cpu"); print $4 / 1000 >(out "memory") }' "$tmp/times"
summary "$tmp/cpu" >"$tmp/summary"
read -r minimum median <"$tmp/summary"
printf 'CPU time: minimum %s s, median %s s of %s\n' "$minimum" "$median" "$times_each"
summary "$tmp/memory" >"$tmp/summary"
read -r minimum memory <"$tmp/summary"
printf 'memory: median %s MB\n' "$memory"
summary "$tmp/time" >"$tmp/summary"
read -r minimum median <"$tmp/summary"
printf 'time: minimum %s s, median %s s\n' "$minimum" "$median"
awk -v s="$median" -v mb="$memory" 'BEGIN { printf "the bar, under 5 s and 1 GB: %s\n", s < 5 && mb < 1000 ? "met" : "missed" }'
