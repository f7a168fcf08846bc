#!/bin/sh
# page.sh - how long the page of orcs-report takes, how large it is, and what the verdict on a terminal costs orcs.

set -u
export LC_ALL=C
me=page.sh

usage() {
	cat <<'EOT'
Usage: bench/page.sh [HOSTS[=FABRIC]...]

Writes the page of a fat tree with D-mod-K routing for each number of hosts (by
default 1470 3675 11664 65536, whose bars are those that the page was built for),
or of any other fabric. Prints processor seconds, memory and megabytes, and the
seconds of orcs with 100 bisections into a pipe, and on a terminal, where it ends
with the verdict (by script; - without it). Run from the root of the repository,
after make; ORCS=PROGRAM (whose neighbour orcs-report is) and BENCH_OUT=FOLDER as
for bench/pairs.sh.
EOT
}

. bench/common.sh

[ $# -gt 0 ] || set -- 1470=xgft:21:1/35:21/2:2 3675=xgft:15:1/35:15/7:7 11664 65536

bars() { # HOSTS
	case $1 in
	1470) echo 5 0.9 ;;
	3675) echo 15 3 ;;
	11664) echo 12 3.5 ;;
	65536) echo 60 10 ;;
	esac
}

# Prints the processor seconds of orcs on a terminal; nothing where there is none.
on_terminal() { # FABRIC
	command -v script >/dev/null 2>&1 || return 0
	: >"$tmp/terminal"
	measure "$tmp/terminal" script -qec "$orcs -n 100 '$1'" /dev/null
	cat "$tmp/terminal"
}

for wanted; do
	hosts=${wanted%%=*}
	fabric=${wanted#*=}
	[ "$fabric" != "$wanted" ] || fabric=$(specification "$hosts")
	[ -n "$fabric" ] || die "no fabric of $hosts hosts is known: add =FABRIC"
	for file in seconds pipe; do
		: >"$tmp/$file"
	done
	measure "$tmp/seconds" /usr/bin/time -o "$tmp/used" -f %M "$programs/orcs-report" --quiet -o "$tmp/page.html" "$fabric"
	measure "$tmp/pipe" "$orcs" --quiet -n 100 "$fabric"
	seconds=$(cat "$tmp/seconds")
	mb=$(wc -c <"$tmp/page.html" | awk '{ printf "%.3f", $1 / 1e6 }')
	# shellcheck disable=SC2046 # two words or none
	set -- $(bars "$hosts")
	command="orcs-report $fabric"
	row fabric "$fabric" hosts "$hosts" seconds "$seconds" bar "${1-}" verdict "$(verdict "$seconds" '<=' "${1-}")" memory_mb \
		"$(awk '{ printf "%.0f", $1 * 1.024e-3 }' "$tmp/used")" page_mb "$mb" bar_mb "${2-}" page_verdict "$(verdict "$mb" '<=' "${2-}")" \
		orcs_s "$(cat "$tmp/pipe")" terminal_s "$(on_terminal "$fabric")"
done
