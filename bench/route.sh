#!/bin/sh
# route.sh - how long the engines of orcs-route take for a large fat tree, beside OpenSM, and those with lanes for other large fabrics.

set -u
export LC_ALL=C
me=route.sh

usage() {
	cat <<'EOT'
Usage: bench/route.sh [TIMES [HOSTS [OPENSM_HOSTS]]]

Routes the fat tree of three levels and HOSTS hosts (by default 11,664) with the
engines of orcs-route, TIMES times each (by default 5), and tells the median of
the seconds that the engine takes, without reading and writing, the lanes that it
uses of 8, and the memory of the whole program. The bars: 5 s for minhop and
dmodk, 60 s for sssp. Then, from 11,664 hosts on, fabrics that need lanes, once
each: the bar is 60 s. Then the tree of OPENSM_HOSTS hosts (by default 1,024;
0 for none) by the real OpenSM under ibsim, once with each engine, beside ours:
the time that its log shows from 'building routing with' until the tables are in
all (simulated) switches; an engine that gives up within 10 minutes is left out.
HOSTS are 128, 1024, 4096, 11664 or 27648. Run from the root of the repository,
after make; ORCS=PROGRAM (whose neighbour orcs-route is) and BENCH_OUT=FOLDER as
for bench/pairs.sh.
EOT
}

. bench/common.sh

PATH=$PATH:/usr/sbin:/sbin
times_each=${1-5}
hosts=${2-11664}
opensm_hosts=${3-1024}
[ -x "$programs/orcs-route" ] || die "$programs/orcs-route is missing: run make first"

# The fat tree as a graph without tables: $tmp/graph.dot.
make_tree() { # HOSTS
	[ -n "$(specification "$1")" ] || die "there is no fat tree of $1 hosts (--help tells more)"
	"$programs/orcs-topology" "$(specification "$1")" >"$tmp/graph.dot" || exit 1
}

# $seconds: the median that the engine takes for the graph; $lanes; $memory, in MB.
route() { # ENGINE TIMES
	: >"$tmp/seconds"
	: >"$tmp/used"
	i=0
	while [ "$i" -lt "$2" ]; do
		/usr/bin/time -a -o "$tmp/used" -f %M "$programs/orcs-route" -v "$1" "$tmp/graph.dot" -o "$tmp/routed.dot" 2>"$tmp/said" ||
			die "failed: orcs-route $1: $(tail -n 1 "$tmp/said")"
		sed -n 's/.* switche*s* in \([0-9.]*\) s:.*/\1/p' "$tmp/said" >>"$tmp/seconds"
		i=$((i + 1))
	done
	[ -s "$tmp/seconds" ] || die "orcs-route -v does not tell the time"
	seconds=$(median "$tmp/seconds")
	lanes=$(sed -n 's/.* \([0-9]*\) lanes*\(;.*\)*$/\1/p' "$tmp/said")
	memory=$(compute %.0f "$(median "$tmp/used") * 1.024e-3")
}

# The seconds between two lines of OpenSM's log.
between_lines() { # LOG FIRST SECOND
	awk -v first="$2" -v second="$3" '
		{ split($3, t, ":"); now = 3600 * t[1] + 60 * t[2] + t[3] + $4 * 1e-6 }
		index($0, first) { from = now }
		from && index($0, second) { printf "%.4f\n", now - from + (now < from ? 86400 : 0); exit }' "$1"
}

# Starts ibsim with the graph: $simulator.
simulate() {
	: >"$tmp/ibsim"
	ORCS_BIN=$programs scripts/start_ibsim.sh -d "$tmp/run" "$tmp/graph.dot" >"$tmp/ibsim" 2>&1 &
	simulator=$!
	until grep -q 'simulator ready' "$tmp/ibsim"; do
		kill -0 $simulator 2>/dev/null || die "ibsim failed: $(tail -n 1 "$tmp/ibsim")"
		sleep 0.2
	done
}

end_simulator() {
	[ -z "$simulator" ] || {
		kill $simulator 2>/dev/null
		wait $simulator 2>/dev/null
	}
	simulator=
}

machine
make_tree "$hosts"
for engine in minhop updn:roots=auto dnup ftree sssp dfsssp lash minhop-orcs dmodk bfs updn-orcs dnup-orcs ftree-orcs sssp-orcs dfsssp-orcs lash-orcs nue; do
	case $engine in
	minhop | minhop-orcs | dmodk) bar=5 ;;
	sssp-orcs) bar=60 ;;
	*) bar= ;;
	esac
	command="orcs-route -v $engine"
	route $engine "$times_each"
	row fabric "fat tree" engine $engine hosts "$hosts" median_s "$seconds" lanes "$lanes" memory_mb "$memory" \
		bar "$bar" verdict "$(verdict "$seconds" '<' "$bar")"
done

for topology in jellyfish:switches=1600,ports=16,links=12 torus:8x8x8,hosts=2; do
	[ "$hosts" -ge 11664 ] || break
	"$programs/orcs-topology" $topology >"$tmp/graph.dot" || exit 1
	for engine in dfsssp-orcs lash-orcs nue; do
		command="orcs-topology $topology | orcs-route -v $engine"
		route $engine 1
		row fabric "${topology%%:*}" engine $engine hosts "$(sed -n 's/.* routed \([0-9]*\) hosts* .*/\1/p' "$tmp/said")" \
			median_s "$seconds" lanes "$lanes" memory_mb "$memory" bar 60 verdict "$(verdict "$seconds" '<' 60)"
	done
done

for tool in opensm ibsim; do
	if [ "$opensm_hosts" -ne 0 ] && ! command -v $tool >/dev/null 2>&1; then
		echo "SKIPPED: $tool is not installed: nothing to compare with"
		opensm_hosts=0
	fi
done
[ "$opensm_hosts" -ne 0 ] || exit 0
simulator=
trap 'end_simulator; rm -rf "$tmp"' EXIT
make_tree "$opensm_hosts"
for engine in minhop updn dnup ftree sssp dfsssp lash nue; do
	simulate
	ORCS_BIN=$programs scripts/start_osm.sh -d "$tmp/run" -t 600 $engine -D 0x07 >"$tmp/said" 2>&1
	status=$?
	theirs=$(between_lines "$tmp/run/opensm.log" 'building routing with' 'tables configured on all switches')
	end_simulator
	if [ $status -ne 0 ] || [ -z "$theirs" ]; then
		echo "SKIPPED: OpenSM's $engine: $(tail -n 1 "$tmp/said")"
		continue
	fi
	command="orcs-route -v $engine"
	route $engine "$times_each"
	row engine $engine hosts "$opensm_hosts" median_s "$seconds" opensm_s "$theirs" ratio "$(compute %.4f "$seconds / $theirs")"
done
