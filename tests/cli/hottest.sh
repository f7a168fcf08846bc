#!/bin/sh
# The hottest channel and whether it is one by chance, in all programs that name it: hottest.sh BIN_DIR
set -u
export LC_ALL=C

bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

if have python3; then
	check "random fabrics and samples against the definition" python3 tests/cli/hottest.py "$bin" "$work"
else
	skip "python3 is not installed: no independent loads"
fi

# ---- what each program writes
tree=examples/fattree36_dor.dot
place='leaf0\[7\] -> spine0\[1\]'
guids='GUIDs 0x0000000000200000 -> 0x0000000000200006'
shows() { # PATTERN PROGRAM OPTION...
	pattern=$1
	program=$2
	shift 2
	"$bin/$program" "$@" >"$work/out" 2>&1 && grep -q "$pattern" "$work/out" || { cat "$work/out"; return 1; }
}
check "orcs" shows "^orcs: hottest: $place: expected 2.571 routes per level, 5.14 times its fair share, as 11 more, $guids; next: 0.5\$" \
	orcs -n 20 --metric "get_cable_cong:$work/graph.dot" "$tree"
check "orcs-compare" shows "  $place (2.57, as 11 more)\$" orcs-compare -n 20 "$tree"
check "GUIDs below its table" shows '^GUIDs: leaf0 0x0000000000200000, spine0 0x0000000000200006$' orcs-compare -n 20 "$tree"
check "orcs-bound" shows "^all-to-all: 180 routes over $place (the edge forwarding index, as of 11 more), $guids; next: 35\$" orcs-bound --parts loads "$tree"
check "noise in a row" shows '([0-9.]*, noise)$' orcs-compare -n 5 --mapping linear -p hotspot:64 fattree:k=8,n=2

drawn() { # PATTERN OPTION...
	pattern=$1
	shift
	"$bin/orcs" --quiet -n 5 --metric get_cable_cong "$@" >"$work/graph.dot" && "$bin/orcs-draw" --quiet -o "$work/picture.svg" "$work/graph.dot" &&
		grep -q "$pattern" "$work/picture.svg"
}
if have dot; then
	check "orcs-draw" drawn '>Hottest: leaf0 port 7 → spine0 port 1: 5.14, back 5.14 times the fair share (and 11 more)<' "$tree"
	check "noise in a picture" drawn '>Hottest: [^<]*: [0-9.]*, back [0-9.]* (noise: a balanced fabric shows as much)<' -d -p hotspot:64 fattree:k=8,n=2
else
	skip "Graphviz is not installed: no pictures"
fi

# ---- any number of processes writes the same bytes, also where pairs are split
alike() { # OPTION... FABRIC
	"$bin/orcs" --quiet -n 6 --metric get_cable_cong --format json "$@" >"$work/one" && "$bin/orcs-compare" --quiet -n 6 "$@" >>"$work/one" &&
		mpirun --oversubscribe -np 3 "$bin/orcs" --quiet -n 6 --metric get_cable_cong --format json "$@" >"$work/three" &&
		mpirun --oversubscribe -np 3 "$bin/orcs-compare" --quiet -n 6 "$@" >>"$work/three" && cmp "$work/one" "$work/three"
}
if have mpirun; then
	export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # of MPI itself
	check "three processes" alike "$tree"
	check "three processes, of split entries" alike --multipath split -p alltoall tests/data/multipath.dot
	check "three processes, of source routes" alike --multipath split -R ksp:3 fattree:k=4,n=2
	check "three processes, of a sample" alike --mapping linear -p hotspot:16 fattree:k=4,n=2
else
	skip "mpirun is not installed: one process only"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
