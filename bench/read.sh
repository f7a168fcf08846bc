#!/bin/sh
# read.sh - how long orcs reads a large dot file, beside cgraph's agread alone on the same file.

set -u
export LC_ALL=C
me=read.sh

usage() {
	cat <<'EOF'
Usage: bench/read.sh [TIMES [K]]

Reads the fabric of bench/fattree3.sh K (by default 36: 11,664 hosts, 75 MB)
TIMES times (by default 7) by orcs -p null and by bench/agread.c, in turn, and
compares the CPU time (user and system) of the whole programs. The bar: orcs
takes less than twice as long. Run from the root of the repository, after make;
ORCS=PROGRAM takes another program than build/plain/bin/orcs.
EOF
}

. bench/common.sh

times_each=${1-7}
k=${2-36}
# shellcheck disable=SC2046 # the options of the compiler are words of their own
${CC-cc} -O2 bench/agread.c -o "$tmp/agread" $(pkg-config --cflags --libs libcgraph) || die "cannot compile bench/agread.c"
bench/fattree3.sh "$k" >"$tmp/fabric.dot" || exit 1
machine
printf 'file: %s bytes\n' "$(wc -c <"$tmp/fabric.dot")"
"$orcs" --quiet -p null "$tmp/fabric.dot" >/dev/null 2>&1 # warms the cache
i=0
while [ "$i" -lt "$times_each" ]; do
	measure "$tmp/agread.times" "$tmp/agread" "$tmp/fabric.dot"
	measure "$tmp/orcs.times" "$orcs" -p null "$tmp/fabric.dot"
	i=$((i + 1))
done
for program in agread orcs; do
	summary "$tmp/$program.times" >"$tmp/$program.summary"
	read -r minimum median <"$tmp/$program.summary"
	printf '%-7s minimum %.2f s, median %.2f s of %s\n' "$program" "$minimum" "$median" "$times_each"
done
cat "$tmp/agread.summary" "$tmp/orcs.summary" | awk '
	{ median[NR] = $2 }
	END {
		ratio = median[2] / median[1]
		printf "ratio of the medians: %.2f (the bar: less than 2, %s)\n", ratio, ratio < 2 ? "met" : "missed"
	}'
