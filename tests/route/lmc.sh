#!/bin/sh
# Several LIDs per port: the tables of ENGINE:lmc=N are those of the real OpenSM with -l N, entry by entry: lmc.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh
PATH=$bin:$PATH:/usr/sbin:/sbin
export PATH ORCS_BIN="$bin"

# refused TEXT COMMAND...: status 3, and the text.
refused() {
	text=$1
	shift
	"$@" >"$work/out" 2>&1
	[ $? -eq 3 ] && grep -q -e "$text" "$work/out"
}

# same ENGINE OPENSM-ENGINE LMC FABRIC: all tables; OpenSM keeps the LIDs that it is given.
same() {
	orcs-route --quiet -o "$work/routed.dot" "$1:lmc=$3" "$4" && orcs-export --quiet --to ibnetdiscover -o "$work/net" "$work/routed.dot" &&
		orcs-export --quiet --to lfts -o "$work/wanted" "$work/routed.dot" || return 1
	rm -rf "$work/dumps"
	scripts/route_with_opensm.sh -e "$2" --allow-missing-entries -o "$work/real.dot" --keep-dumps "$work/dumps" "$work/net" -l "$3" || return 1
	orcs-import --quiet -o "$work/dumped.dot" "$work/dumps/ibnetdiscover" "$work/dumps/lfts" &&
		orcs-export --quiet --to lfts -o "$work/is" "$work/dumped.dot" && diff "$work/wanted" "$work/is" && grep -q 'lmc="'"$3"'"' "$work/routed.dot"
}

if have opensm && have ibsim; then
	for lmc in 1 2; do
		for engine in minhop updn dnup sssp dfsssp lash; do
			check "$engine with LMC $lmc" same $engine $engine $lmc examples/cluster.ibnetdiscover
		done
	done
	scripts/torus_topology.sh 3x3:2 >"$work/torus.net"
	for engine in minhop lash; do
		check "$engine of a torus" same $engine $engine 1 "$work/torus.net"
	done
	check "osm-dor of a torus" same osm-dor dor 1 "$work/torus.net"
else
	skip "opensm or ibsim is missing"
fi

# The LIDs: as they were in order, aligned; what has them already keeps them.
orcs-route --quiet -o "$work/one.dot" minhop:lmc=2 examples/cluster.ibnetdiscover
lids() { # GRAPH
	sed -n 's/^\t"\([^"]*\)" \[.* lid="\([0-9]*\)".*/\2 \1/p' "$1" | sort -n
}
aligned() {
	lids "$work/one.dot" | awk '/ H-/ { size = 4 } / (leaf|spine)/ { size = 1 } { bad = bad || $1 % size || $1 < next_; next_ = $1 + size } END { exit bad || NR != 34 }'
}
check "LIDs are aligned" aligned
orcs-import --quiet -o "$work/before.dot" examples/cluster.ibnetdiscover
lids "$work/before.dot" | sed 's/.* //' >"$work/order"
lids "$work/one.dot" | sed 's/.* //' >"$work/is"
check "their order is that of before" diff "$work/order" "$work/is"
orcs-route --quiet -o "$work/two.dot" minhop:lmc=2 "$work/one.dot"
lids "$work/one.dot" >"$work/order"
lids "$work/two.dot" >"$work/is"
check "what has them keeps them" diff "$work/order" "$work/is"
check "too many" refused 'more than InfiniBand has' orcs-route minhop:lmc=7 xgft:8:1/8:8/8:8
check "ftree refuses" refused 'OpenSM refuses ftree: LMC > 0' orcs-route ftree:lmc=1 examples/cluster.ibnetdiscover

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
