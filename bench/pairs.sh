#!/bin/sh
# pairs.sh - how long orcs takes for one routed pair, beside what the machine could do at best, from a thousand hosts to a million.

set -u
export LC_ALL=C
me=pairs.sh

usage() {
	cat <<'EOT'
Usage: bench/pairs.sh [TIMES [PAIRS [HOSTS...]]]

Runs pattern bisect with metric hist_acc_band in one process on routed fat
trees, with routes looked up in a table, walked along the forwarding tables, and
computed (by default 1024, 4096, 11664, 27648 and 65536 hosts; computed also
262144 and 1048576), one after the other, TIMES times (by default 5), with as
many random mappings as make PAIRS pairs (by default 10000000) or as a table
needs to pay. For each:

  ns, min_ns  nanoseconds a pair, as orcs -v tells it: median and minimum
  bar         what it may be
  read_ns     the machine's own time for a random 64-byte read in a table of
              that size, many under way at once (bench/limits.c), on small
              pages; huge_ns: on huge pages
  limit_ns    the latter, and an increment of a counter and a look at one for
              each channel of the longest route but its first and last, which
              no other pair uses
  share       limit_ns as a share of ns
  graph_s     time to read the fabric as a graph; open_s: as a cache
  table_s     time to make the table of routes, of table_mb
  memory_mb   the most memory of the process, and what it may be; graph_mb: when
              it read the graph

The fabrics are made before, as caches in build/bench, and kept there. Run from
the root of the repository, after make; ORCS=PROGRAM takes another program than
build/plain/bin/orcs, BENCH_OUT=FOLDER another place than build/bench.
EOT
}

. bench/common.sh

times_each=${1-5}
pairs=${2-10000000}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 1024 4096 11664 27648 65536 262144 1048576
${CC-cc} -std=gnu17 -O3 bench/limits.c -o "$tmp/limits" || die "cannot compile bench/limits.c"

# So many runs make the pairs, and for a table twice what it needs to pay (see parallel/route_cache_shared.c).
runs() { # HOSTS TABLES
	if [ "$2" = tables ]; then
		# shellcheck disable=SC2046 # two words
		set -- "$1" $(shape "$1")
		compute %d "int(($pairs > $1 * $1 / $2 ? $pairs : $1 * $1 / $2) / ($1 / 2)) + 1"
	else
		compute %d "int($pairs / ($1 / 2)) + 1"
	fi
}

for hosts; do
	if get_fabric "$hosts" tables; then
		echo "$hosts looked-up $(runs "$hosts" tables) $read_s $read_mb $fabric" >>"$tmp/cases"
		echo "$hosts walked $(runs "$hosts" computed) $read_s $read_mb $fabric" >>"$tmp/cases"
	fi
	if get_fabric "$hosts" computed; then
		echo "$hosts computed $(runs "$hosts" computed) $read_s $read_mb $fabric" >>"$tmp/cases"
	fi
done
[ -s "$tmp/cases" ] || die "no fabric of $* hosts"

i=0
while [ "$i" -lt "$times_each" ]; do
	while read -r hosts wanted count _ _ fabric; do
		name=$hosts-$wanted
		memory_option=--route-memory=1
		[ "$wanted" != looked-up ] || memory_option=
		# shellcheck disable=SC2086 # one word, or none
		time_pairs "$tmp/$name" $memory_option -n "$count" -p bisect --metric hist_acc_band "$fabric"
		check_way "$wanted"
		sed -n 's/^read .* in \([0-9.]*\) s.*/\1/p' "$tmp/said" >>"$tmp/$name.open"
		echo "$memory" >>"$tmp/$name.memory"
		echo "$table_s" >>"$tmp/$name.table"
		printf '%s\n' "$table_mb" "$command" >"$tmp/$name.said"
		[ "$wanted" = walked ] || "$tmp/limits" "$(compute %d "${table_mb:-0} * 1e6 + 4096")" "$channels" 3 >>"$tmp/$name.limits" ||
			die "bench/limits.c failed"
	done <"$tmp/cases"
	i=$((i + 1))
done

# The median of one of the machine's limits beside $name.
limit() { # KEY
	sed -n 's/.*"'"$1"'": \([0-9.]*\).*/\1/p' "$tmp/$name.limits" >"$tmp/limit"
	median "$tmp/limit"
}

machine
while read -r hosts wanted count read_s read_mb _; do
	name=$hosts-$wanted
	summary "$tmp/$name" >"$tmp/summary"
	read -r minimum ns <"$tmp/summary"
	{
		read -r table_mb
		read -r command
	} <"$tmp/$name.said"
	bar='' memory_bar='' small='' huge='' limit='' share='' table_s=''
	memory=$(compute %.0f "$(median "$tmp/$name.memory")")
	case $hosts-$wanted in
	1024-looked-up) bar=20 ;;
	11664-looked-up) bar=30 ;;
	27648-looked-up) bar=35 ;;
	65536-looked-up) bar=55 ;;
	1048576-computed) bar=120 memory_bar=6000 ;;
	esac
	if [ "$wanted" != walked ]; then
		length=4 # of the longest route, without its ends
		[ "$hosts" -ne 1048576 ] || length=6
		if [ "$wanted" = looked-up ]; then
			small=$(compute %.2f "$(limit read)") huge=$(compute %.2f "$(limit read_huge)") table_s=$(median "$tmp/$name.table")
		fi
		limit=$(compute %.2f "${huge:-0} + $length * ($(limit add) + $(limit look))")
		share=$(compute %.2f "$limit / $ns")
	fi
	row hosts "$hosts" way "$(echo "$wanted" | tr - ' ')" runs "$count" ns "$ns" min_ns "$minimum" bar "$bar" \
		verdict "$(verdict "$ns" '<=' "$bar")" read_ns "$small" huge_ns "$huge" limit_ns "$limit" share "$share" \
		graph_s "$read_s" graph_mb "$read_mb" open_s "$(median "$tmp/$name.open")" table_s "$table_s" \
		table_mb "$table_mb" memory_mb "$memory" memory_bar "$memory_bar" memory_verdict "$(verdict "$memory" '<=' "$memory_bar")"
done <"$tmp/cases"
