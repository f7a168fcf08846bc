#!/bin/sh
# read.sh - how long orcs reads a large dot file, beside cgraph's agread alone on the same file.

set -u
export LC_ALL=C
me=read.sh

usage() {
	cat <<'EOT'
Usage: bench/read.sh [TIMES [K]]

Reads the fabric of bench/fattree3.sh K (by default 36: 11,664 hosts, 75 MB)
TIMES times (by default 7) by orcs -p null and by bench/agread.c, in turn, and
compares the CPU time (user and system) of the whole programs. The bar: orcs
takes less time. Run from the root of the repository, after make;
ORCS=PROGRAM and BENCH_OUT=FOLDER as for bench/pairs.sh.
EOT
}

. bench/common.sh

times_each=${1-7}
k=${2-36}
# shellcheck disable=SC2046 # the options of the compiler are words of their own
${CC-cc} -O2 bench/agread.c -o "$tmp/agread" $(pkg-config --cflags --libs libcgraph) || die "cannot compile bench/agread.c"
bench/fattree3.sh "$k" >"$tmp/fabric.dot" || exit 1
machine
"$orcs" --quiet -p null "$tmp/fabric.dot" >/dev/null 2>&1 # warms the cache
i=0
while [ "$i" -lt "$times_each" ]; do
	measure "$tmp/agread.times" "$tmp/agread" "$tmp/fabric.dot"
	measure "$tmp/orcs.times" "$orcs" -p null "$tmp/fabric.dot"
	i=$((i + 1))
done
bytes=$(wc -c <"$tmp/fabric.dot")
agread=$(median "$tmp/agread.times")
for program in agread orcs; do
	summary "$tmp/$program.times" >"$tmp/summary"
	read -r minimum median <"$tmp/summary"
	bar=
	[ "$program" != orcs ] || bar=1
	ratio=$(compute %.2f "$agread ? $median / $agread : 1")
	row program "$program" bytes "$bytes" min_s "$(compute %.3f "$minimum")" median_s "$(compute %.3f "$median")" ratio "$ratio" \
		bar "$bar" verdict "$(verdict "$ratio" '<' "$bar")"
done
