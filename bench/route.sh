#!/bin/sh
# route.sh - how long the engines of orcs-route take for a large fat tree, and beside OpenSM for a smaller one.

set -u
export LC_ALL=C
me=route.sh

usage() {
	cat <<'EOT'
Usage: bench/route.sh [TIMES [HOSTS [OPENSM_HOSTS]]]

Routes the fat tree of three levels and HOSTS hosts (by default 11,664) with the
engines of orcs-route, TIMES times each (by default 5), and tells the median of
the seconds that the engine takes, without reading and writing, and the memory of
the whole program. The bars: 5 s for minhop and dmodk, 60 s for sssp. Then the
tree of OPENSM_HOSTS hosts (by default 1,024; 0 for none) likewise, beside the
real OpenSM under ibsim: the time that its log shows from the end of the
discovery until the tables are in all (simulated) switches. HOSTS are 128, 1024,
4096, 11664 or 27648. Run from the root of the repository, after make;
ORCS=PROGRAM (whose neighbour orcs-route is) and BENCH_OUT=FOLDER as for
bench/pairs.sh.
EOT
}

. bench/common.sh

PATH=$PATH:/usr/sbin:/sbin
times_each=${1-5}
hosts=${2-11664}
opensm_hosts=${3-1024}
[ -x "$programs/orcs-route" ] || die "$programs/orcs-route is missing: run make first"

# The fat tree as a graph without tables: $tmp/tree.dot.
make_tree() { # HOSTS
	[ -n "$(specification "$1")" ] || die "there is no fat tree of $1 hosts (--help tells more)"
	"$programs/orcs-topology" "$(specification "$1")" >"$tmp/tree.dot" || exit 1
}

# $seconds: the median that the engine takes for the tree; $memory, in MB.
route() { # ENGINE
	: >"$tmp/seconds"
	: >"$tmp/used"
	i=0
	while [ "$i" -lt "$times_each" ]; do
		/usr/bin/time -a -o "$tmp/used" -f %M "$programs/orcs-route" -v "$1" "$tmp/tree.dot" -o "$tmp/routed.dot" 2>"$tmp/said" ||
			die "failed: orcs-route $1: $(tail -n 1 "$tmp/said")"
		sed -n 's/.* switches in \([0-9.]*\) s:.*/\1/p' "$tmp/said" >>"$tmp/seconds"
		i=$((i + 1))
	done
	[ -s "$tmp/seconds" ] || die "orcs-route -v does not tell the time"
	seconds=$(median "$tmp/seconds")
	memory=$(compute %.0f "$(median "$tmp/used") * 1.024e-3")
}

# The seconds between two lines of OpenSM's log, on one day.
between_lines() { # LOG FIRST SECOND
	awk -v first="$2" -v second="$3" '
		{ split($3, t, ":"); now = 3600 * t[1] + 60 * t[2] + t[3] + $4 * 1e-6 }
		index($0, first) { from = now }
		from && index($0, second) { printf "%.4f\n", now - from; exit }' "$1"
}

machine
make_tree "$hosts"
for engine in minhop dmodk bfs updn dnup ftree sssp dfsssp lash nue; do
	case $engine in
	minhop | dmodk) bar=5 ;;
	sssp) bar=60 ;;
	*) bar= ;;
	esac
	command="orcs-route -v $engine"
	route $engine
	row engine $engine hosts "$hosts" median_s "$seconds" memory_mb "$memory" bar "$bar" verdict "$(verdict "$seconds" '<' "$bar")"
done

for tool in opensm ibsim ibnetdiscover; do
	if [ "$opensm_hosts" -ne 0 ] && ! command -v $tool >/dev/null 2>&1; then
		echo "SKIPPED: $tool is not installed: nothing to compare with"
		opensm_hosts=0
	fi
done
[ "$opensm_hosts" -ne 0 ] || exit 0
make_tree "$opensm_hosts"
for engine in minhop updn dnup ftree sssp dfsssp nue; do
	: >"$tmp/opensm.times"
	i=0
	while [ "$i" -lt "$times_each" ]; do
		rm -rf "$tmp/dumps"
		ORCS_BIN=$programs scripts/route_with_opensm.sh -e $engine --keep-dumps "$tmp/dumps" -o "$tmp/theirs.dot" "$tmp/tree.dot" 2>"$tmp/said" ||
			die "failed: OpenSM's $engine: $(tail -n 1 "$tmp/said")"
		between_lines "$tmp/dumps/opensm.log" 'Entering MASTER state' 'tables configured on all switches' >>"$tmp/opensm.times"
		i=$((i + 1))
	done
	[ -s "$tmp/opensm.times" ] || die "the log of OpenSM does not tell the times of $engine"
	command="orcs-route -v $engine"
	route $engine
	theirs=$(median "$tmp/opensm.times")
	row engine $engine hosts "$opensm_hosts" median_s "$seconds" opensm_s "$theirs" ratio "$(compute %.4f "$seconds / $theirs")"
done
